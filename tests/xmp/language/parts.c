/* nodes: 4 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Local memory in gmoves, broadcasts and reductions: pointers with a length, parameters, and members, which
 * may be arrays in structures within structures. */
#include <stdlib.h>

#include "check.h"

enum { N = 12, ROW = 3 };
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
#pragma xmp template tc[N]
#pragma xmp distribute tc[cyclic] onto p
static int a[N], c[N], m[N][ROW];
#pragma xmp align a[i] with t[i]
#pragma xmp align c[i] with tc[i]
#pragma xmp align m[i][*] with t[i]

typedef int triple[ROW];
struct outer {
  struct inner {
    int z[ROW];
    triple table[2];
  } in;
  int y[4];
  struct {
    long hidden[2];
  };
  int *list;
  enum { RED, GREEN } color;
};
typedef struct outer renamed;
struct counter {
  int counts[2], matrix[2][ROW];
  double z;
};

static void fill(void)
{
  int i, j;
#pragma xmp loop on t[i]
  for (i = 0; i < N; i++) {
    a[i] = 10 * i;
    for (j = 0; j < ROW; j++) m[i][j] = 10 * i + j;
  }
#pragma xmp loop on tc[i]
  for (i = 0; i < N; i++) c[i] = 100 * i;
}

static void parameters(int z[], int (*rows)[ROW], int *const q)
{
  int i, k, other[N];
#pragma xmp gmove
  z [0:3] = a [3:3];
  for (i = 0; i < 3; i++) CHECK_EQUAL(z[i], 30 + 10 * i);
#pragma xmp gmove
  rows [1:2][:] = m [5:2][:];
  for (i = 0; i < 2; i++)
    for (k = 0; k < ROW; k++) CHECK_EQUAL(rows[1 + i][k], 50 + 10 * i + k);
#pragma xmp gmove
  q [5:3:-2] = c [1:3];
  CHECK_EQUAL(q[5] + 10 * q[3] + 100 * q[1], 100 + 2000 + 30000);
#pragma xmp gmove
  q [1:4] = q [0:4];
  CHECK_EQUAL(q[2] + 10 * q[4], 30000 / 100 + 10 * 200);
#pragma xmp gmove
  other [2:3] = z [0:3];
  CHECK_EQUAL(other[4], 50);
}

static void members(renamed *ps)
{
  struct outer ss[2];
  struct inner inner;
  int i;
#pragma xmp gmove
  ss[1].y[:] = a [2:4];
#pragma xmp gmove
  ps->y [0:4] = ss[1].y[:];
  for (i = 0; i < 4; i++) CHECK_EQUAL(ps->y[i], 20 + 10 * i);
#pragma xmp gmove
  ss[0].in.z [0:3] = c [4:3];
#pragma xmp gmove
  inner.z[:] = ss[0].in.z;
  for (i = 0; i < 3; i++) CHECK_EQUAL(inner.z[i], 400 + 100 * i);
#pragma xmp gmove
  ps->in.table[:] [1:2] = m [4:2] [0:2];
  for (i = 0; i < 2; i++) CHECK_EQUAL(ps->in.table[i][1] + ps->in.table[i][2], 2 * (40 + 10 * i) + 1);
#pragma xmp gmove
  ps->hidden[:] = c [8:2];
  CHECK_EQUAL(ps->hidden[1], 900);
#pragma xmp gmove
  ps->list [2:2] = a [8:2];
  CHECK_EQUAL(ps->list[3], 90);
  ps->y[:] = ps->y[:] + 1;
  CHECK_EQUAL(ps->y[3], 51);
#pragma xmp gmove
  a [0:4] = ps->y[:];
  if (xmpc_node_num() == 0) CHECK_EQUAL(a[2], 41);
}

static void reductions(struct counter *h)
{
  struct counter own = {{1, 2}, {{0}, {0}}, 1};
  int i, nodes = xmp_num_nodes();
#pragma xmp loop on t[i] reduction(+ : own.counts, h->matrix, own.z)
  for (i = 0; i < N; i++) {
    own.counts[i % 2]++;
    h->matrix[1][i % ROW] += i;
    own.z += 2;
  }
  CHECK_EQUAL(own.counts[0] + 10 * own.counts[1], 7 + 80);
  CHECK_EQUAL(h->matrix[1][0] + h->matrix[0][1], 0 + 3 + 6 + 9 + 1);
  CHECK_EQUAL(own.z, 1 + 2 * N);
#pragma xmp reduction(+ : own.counts, h->matrix)
#pragma xmp reduction(max : own.z)
  CHECK_EQUAL(own.counts[1], 8 * nodes);
  CHECK_EQUAL(h->matrix[0][2], nodes);
  own.counts[1] = xmpc_node_num();
#pragma xmp bcast(own.counts) from p[2]
  CHECK_EQUAL(own.counts[1], 2);
}

static void broadcasts(int *pp, int (*rows)[ROW])
{
  const int me = xmpc_node_num();
  int i;
  for (i = 0; i < 4; i++) pp[i] = 10 * me + i;
  for (i = 0; i < 2 * ROW; i++) rows[i / ROW][i % ROW] = 10 * me + i;
#pragma xmp bcast(pp [1:2], rows [1:1][:]) from p[3]
  CHECK_EQUAL(pp[0] + 100 * pp[3], 10 * me + 100 * (10 * me + 3));
  CHECK_EQUAL(pp[1] + 100 * pp[2], 31 + 3200);
  CHECK_EQUAL(rows[0][2], 10 * me + 2);
  for (i = 0; i < ROW; i++) CHECK_EQUAL(rows[1][i], 33 + i);
}

int main(void)
{
  int z[4], rows[4][ROW], list[8] = {0};
  int *const memory = malloc(8 * sizeof *memory);
  renamed one;
  struct counter h = {{0}, {{1, 1, 1}, {0}}, 0};
  one.list = list;
  for (z[0] = 0; z[0] < 8; z[0]++) memory[z[0]] = 0;
  fill();
  parameters(z, rows, memory);
  members(&one);
  reductions(&h);
  broadcasts(memory, rows);
  free(memory);
  return check_end();
}

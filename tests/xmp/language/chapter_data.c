/* nodes: 4 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The chapter's nested loops (3.2.2), array constructs (3.3), shadows (4.1) and gmoves (4.2) on four nodes.
 */
#include "check.h"

#pragma xmp nodes p[4]
#pragma xmp nodes q[2][2]
#pragma xmp template t10[10][10]
#pragma xmp distribute t10[block][block] onto q
#pragma xmp template t[16]
#pragma xmp distribute t[block] onto p
#pragma xmp template tc[16]
#pragma xmp distribute tc[cyclic] onto p
#pragma xmp template tg[16]
int W[4] = {2, 4, 8, 2};
#pragma xmp distribute tg[gblock(W)] onto p

static void nests(int me)
{
  int a[10][10], i, j, N = 10;
  double d[10];
#pragma xmp align a[i][j] with t10[i][j]
#pragma xmp align d[i] with t10[i][*]
#pragma xmp loop on t10[i][j]
  for (i = 0; i < 10; i++)
    for (j = 0; j < 10; j++) a[i][j] = i * 10 + j;
  for (i = me / 2 * 5; i < me / 2 * 5 + 5; i++)
    for (j = me % 2 * 5; j < me % 2 * 5 + 5; j++) CHECK_EQUAL(a[i][j], i * 10 + j);
#pragma xmp array on t10[ : ][ : ]
  a[:][:] = 7;
  for (i = me / 2 * 5; i < me / 2 * 5 + 5; i++)
    for (j = me % 2 * 5; j < me % 2 * 5 + 5; j++) CHECK_EQUAL(a[i][j], 7);
#pragma xmp array on t10[0 : N][*]
  d [0:N] = 1.0;
  for (i = me / 2 * 5; i < me / 2 * 5 + 5; i++) CHECK_EQUAL(d[i], 1);
}

static void shadows(int me)
{
  double a[16], b[16];
#pragma xmp align a[i] with t[i]
#pragma xmp shadow a[1]
#pragma xmp align b[i] with t[i]
#pragma xmp shadow b[0 : 1]
  int i, first = 4 * me, last = first + 3;
#pragma xmp loop on t[i]
  for (i = 0; i < 16; i++) a[i] = b[i] = 3 * i;
#pragma xmp reflect(a)
#pragma xmp reflect(b) width(0 : 1)
  if (me > 0) CHECK_EQUAL(a[first - 1], 3 * first - 3);
  if (me < 3) CHECK_EQUAL(a[last + 1], 3 * last + 3);
  if (me < 3) CHECK_EQUAL(b[last + 1], 3 * last + 3);
#pragma xmp reflect(a) width(/ periodic / 1)
  CHECK_EQUAL(a[first - 1], 3 * ((first + 15) % 16));
  CHECK_EQUAL(a[last + 1], 3 * ((last + 1) % 16));
#pragma xmp loop on t[i]
  for (i = 1; i < 15; i++) b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
  for (i = first; i <= last; i++) CHECK_EQUAL(b[i], 3 * i);
}

static int a[16], b[16], c[16], g[16];
#pragma xmp align a[i] with t[i]
#pragma xmp align b[i] with t[i]
#pragma xmp align c[i] with tc[i]
#pragma xmp align g[i] with tg[i]

static void set(void)
{
  int i;
#pragma xmp loop on t[i]
  for (i = 0; i < 16; i++) a[i] = -1, b[i] = 100 + i;
#pragma xmp loop on tc[i]
  for (i = 0; i < 16; i++) c[i] = -1;
#pragma xmp loop on tg[i]
  for (i = 0; i < 16; i++) g[i] = -1;
}

static void moves(int me)
{
  int i, local[16], replicated[16];
  set();
#pragma xmp gmove
  a [9:5] = b [0:5];
  for (i = 4 * me; i < 4 * me + 4; i++) CHECK_EQUAL(a[i], i >= 9 && i < 14 ? 91 + i : -1);
#pragma xmp gmove
  c [9:5] = b [0:5];
  for (i = me; i < 16; i += 4) CHECK_EQUAL(c[i], i >= 9 && i < 14 ? 91 + i : -1);
#pragma xmp gmove
  g[:] = b[:];
  {
    const int first = me == 0 ? 0 : me == 1 ? 2 : me == 2 ? 6 : 14;
    for (i = first; i < first + W[me]; i++) CHECK_EQUAL(g[i], 100 + i);
  }
#pragma xmp gmove
  a [9:5] = b[0];
  for (i = 4 * me; i < 4 * me + 4; i++) CHECK_EQUAL(a[i], i >= 9 && i < 14 ? 100 : -1);
  for (i = 0; i < 16; i++) replicated[i] = 500 + i;
#pragma xmp gmove
  a [9:5] = replicated [0:5];
  for (i = 4 * me; i < 4 * me + 4; i++) CHECK_EQUAL(a[i], i >= 9 && i < 14 ? 491 + i : -1);
#pragma xmp gmove
  local[:] = b[:];
  for (i = 0; i < 16; i++) CHECK_EQUAL(local[i], 100 + i);
}

/* One node's row is made of pieces of all. */
static void rows(int me)
{
#pragma xmp template t1[8]
#pragma xmp template t2[16]
#pragma xmp distribute t1[block] onto p
#pragma xmp distribute t2[block] onto p
  int a[8][16], b[8][16], i, j;
#pragma xmp align a[i][*] with t1[i]
#pragma xmp align b[*][i] with t2[i]
  for (i = 2 * me; i < 2 * me + 2; i++)
    for (j = 0; j < 16; j++) a[i][j] = 0;
  for (i = 0; i < 8; i++)
    for (j = 4 * me; j < 4 * me + 4; j++) b[i][j] = 100 * i + j;
#pragma xmp gmove
  a[0][:] = b[0][:];
#pragma xmp gmove
  a[7][:] = b[3][:];
  if (me == 0)
    for (j = 0; j < 16; j++) CHECK_EQUAL(a[0][j], j);
  if (me == 3)
    for (j = 0; j < 16; j++) CHECK_EQUAL(a[7][j], 300 + j);
#pragma xmp gmove
  a[7][:] = a[0][:];
  if (me == 3)
    for (j = 0; j < 16; j++) CHECK_EQUAL(a[7][j], j);
}

static void one_sided(int me)
{
#pragma xmp template t4[4]
#pragma xmp distribute t4[block] onto p
  double a[4], b[4];
#pragma xmp align a[i] with t4[i]
#pragma xmp align b[i] with t4[i]
  a[me] = me;
  b[me] = 10 + me;
#pragma xmp barrier
#pragma xmp task on p[0 : 2]
#pragma xmp gmove in
  a [0:2] = b [2:2];
#pragma xmp end task
  CHECK_EQUAL(a[me], me < 2 ? 12 + me : me);
#pragma xmp task on p[0 : 2]
#pragma xmp gmove out
  b [2:2] = a [0:2];
#pragma xmp end task
#pragma xmp barrier
  CHECK_EQUAL(b[me], me < 2 ? 10 + me : 10 + me);
#pragma xmp barrier
  a[me] = 50 + me;
#pragma xmp barrier
#pragma xmp task on p[0 : 2]
#pragma xmp gmove out
  b [2:2] = a [0:2];
#pragma xmp end task
#pragma xmp barrier
  CHECK_EQUAL(b[me], me < 2 ? 10 + me : 48 + me);
}

int main(void)
{
  const int me = xmpc_node_num();
  nests(me);
  shadows(me);
  moves(me);
  rows(me);
  one_sided(me);
  return check_end();
}

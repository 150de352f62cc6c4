/* nodes: 3 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What clauses take as variables: members, also through pointers, and arrays that are parameters. */
#include "check.h"

enum { N = 10 };
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
struct holder {
  int sum, counts[2];
  double most;
};
struct global {
  int list[N];
};
#pragma xmp align global.list[i] with t[i]
#pragma xmp shadow global.list[1]
static struct global all;

static void members(struct holder *h)
{
  struct holder own = {1, {0, 0}, -5};
  int i;
#pragma xmp loop on t[i] reduction(+ : own.sum, h->sum) reduction(max : h->most)
  for (i = 0; i < N; i++) {
    own.sum += i;
    h->sum += 2 * i;
    if (h->most < i) h->most = i;
  }
  CHECK_EQUAL(own.sum, 1 + N * (N - 1) / 2);
  CHECK_EQUAL(h->sum, 100 + N * (N - 1));
  CHECK_EQUAL(h->most, N - 1);
  own.sum = xmpc_node_num();
  h->most = own.sum;
#pragma xmp reduction(+ : own.sum)
#pragma xmp reduction(max : h->most)
  CHECK_EQUAL(10 * own.sum + h->most, 32);
  h->sum = 5 + xmpc_node_num();
#pragma xmp bcast(h->sum) from p[2]
  CHECK_EQUAL(h->sum, 7);
}

static void parameters(int list[5], double matrix[2][3], const int me)
{
  int i;
#pragma xmp loop on t[i] reduction(+ : list, matrix)
  for (i = 0; i < N; i++) list[i % 5]++, matrix[1][i % 3] += i;
  CHECK_EQUAL(list[0] + 10 * list[4], 2 + 20);
  CHECK_EQUAL(matrix[0][0] + matrix[1][2], 2 + 5 + 8);
  for (i = 0; i < 5; i++) list[i] = me + i;
#pragma xmp reduction(+ : list)
  for (i = 0; i < 5; i++) CHECK_EQUAL(list[i], 3 + 3 * i);
  for (i = 0; i < 5; i++) list[i] = me + i;
#pragma xmp bcast(list) from p[1]
  for (i = 0; i < 5; i++) CHECK_EQUAL(list[i], 1 + i);
}

/* The body compares with what the variables have had before. */
static void search(void)
{
  int i, k, best[N], flags[4] = {4, 4, 0, 4}, all = 7, any = 4;
  for (i = 0; i < N; i++) best[i] = i ? 99 : 0;
  for (k = 0; k < 3; k++)
#pragma xmp loop on t[i] reduction(min : best)
    for (i = 0; i < N; i++)
      if (best[i] == k) best[(i + 1) % N] = k + 1;
  for (i = 1; i < N; i++) CHECK_EQUAL(best[i], i < 4 ? i : 99);
#pragma xmp loop on t[i] reduction(| : flags, any) reduction(& : all)
  for (i = 0; i < N; i++) {
    if (flags[i % 4] & 4) flags[i % 4] |= 1;
    if (any == 4 || any == 5) any |= 1;
    if (all & 4) all &= 5;
  }
  CHECK_EQUAL(flags[0] * 1000 + flags[1] * 100 + flags[2] * 10 + flags[3], 5505);
  CHECK_EQUAL(all * 10 + any, 55);
}

static void arrays(struct global *g)
{
  int i;
#pragma xmp loop on t[i]
  for (i = 0; i < N; i++) g->list[i] = i;
#pragma xmp reflect(g->list)
#pragma xmp loop on t[i]
  for (i = 1; i < N - 1; i++) CHECK_EQUAL(g->list[i - 1] + g->list[i + 1], 2 * i);
}

int main(void)
{
  struct holder h = {100, {0, 0}, -1};
  int list[5] = {0};
  double matrix[2][3] = {{0}};
  members(&h);
  parameters(list, matrix, xmpc_node_num());
  search();
  arrays(&all);
  return check_end();
}

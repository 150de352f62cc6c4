/* nodes: 3 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Lengths of arrays whose names mean something else where the arrays are used, or that ask for the size of a
 * global array; parameters and variables that are pointers, and have its name. */
#include "check.h"

enum { N = 8 };
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
static int g[N], h[N][N], copy[N];
#pragma xmp align g[i] with t[i]
#pragma xmp align h[i][*] with t[i]

static int call(int (*g)(int), int h) { return g(h); }
static int next(int g) { return g + 1; }

static void fill(void)
{
  int i, j;
#pragma xmp loop on t[i]
  for (i = 0; i < N; i++)
    for (g[i] = i, j = 0; j < N; j++) h[i][j] = 10 * i + j;
}

/* N is the parameter here. */
static void hidden_by_parameter(int N)
{
  int i;
#pragma xmp gmove
  copy[:] = g[:];
  for (i = 0; i < 8; i++) CHECK_EQUAL(copy[i], i);
#pragma xmp array on t[ : ]
  g[:] = g[:] + 1;
#pragma xmp gmove
  copy[:] = g[7 :: - 1];
  for (i = 0; i < 8; i++) CHECK_EQUAL(copy[i], 8 - i);
  CHECK_EQUAL(N + sizeof g / sizeof(int) + sizeof h[0] / sizeof(int), 2 + 8 + 8);
}

static void hidden_by_constant(void)
{
  enum { N = 3 };
#pragma xmp gmove
  copy[:] = h[2][:];
  copy[:] = copy[7 :: - 1];
  CHECK_EQUAL(copy[7] * 100 + copy[0] * N, 2000 + 81);
}

static void of_sizes(int x[sizeof g / sizeof *g], int (*y)[sizeof h[0] / sizeof(int)])
{
  int own[sizeof g / sizeof g[0]], i;
  int(*g)[2] = (int(*)[2])(void *)y;
  x[:] = 3;
  y [0:1][:] = 4;
  CHECK_EQUAL(g[1][1], 4);
#pragma xmp gmove
  own[:] = h[5][:];
#pragma xmp gmove
  y [0:1][:] = h [3:1][:];
  for (i = 0; i < N; i++) CHECK_EQUAL(x[i] * 10000 + y[0][i] * 100 + own[i], 33050 + 101 * i);
}

int main(void)
{
  int x[N], y[1][N];
  fill();
  hidden_by_parameter(2);
  hidden_by_constant();
  of_sizes(x, y);
  CHECK_EQUAL(call(next, 4), 5);
  return check_end();
}

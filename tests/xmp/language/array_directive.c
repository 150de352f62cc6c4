/* nodes: 3 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Sections under an array directive: with steps and offsets, of templates alike, and in shadows. */
#include "check.h"

enum { N = 12, M = 6 };
#pragma xmp nodes p[3]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
#pragma xmp template same[N]
#pragma xmp distribute same[block] onto p
#pragma xmp template tc[N]
#pragma xmp distribute tc[cyclic] onto p
#pragma xmp template t2[N][M]
#pragma xmp distribute t2[block][*] onto p

static int a[N], b[N], small[M], c[N], e[N], d3[4][N][M], r[N];
#pragma xmp align a[i] with t[i]
#pragma xmp align b[i] with t[i]
#pragma xmp shadow b[1]
#pragma xmp align small[i] with t[i + 3]
#pragma xmp align c[i] with tc[i]
#pragma xmp align e[i] with same[i]
#pragma xmp align d3[*][i][j] with t2[i][j]
#pragma xmp align r[*] with t[*]

/* The sum of a, which has been assigned and is 0 behind it. */
static int sum_of_a(void)
{
  int i, sum = 0;
#pragma xmp loop on t[i] reduction(+ : sum)
  for (i = 0; i < N; i++) sum += a[i] * (i + 1);
#pragma xmp array on t
  a[:] = 0;
  return sum;
}

static void fill(void)
{
  int i;
#pragma xmp array on t
  a[:] = 0;
#pragma xmp loop on t[i]
  for (i = 0; i < N; i++) b[i] = i;
#pragma xmp loop on same[i]
  for (i = 0; i < N; i++) e[i] = 10 * i;
  for (i = 0; i < N; i++) r[i] = 100 * i;
#pragma xmp reflect(b)
}

static int serial(int first, int count, int step, int from, int by, int factor)
{
  int k, sum = 0;
  for (k = 0; k < count; k++) sum += factor * (from + by * k) * (first + step * k + 1);
  return sum;
}

int main(void)
{
  int i, j, sum = 0;
  fill();
#pragma xmp array on t[2 : 5]
  a [2:5] = b [2:5];
  CHECK_EQUAL(sum_of_a(), serial(2, 5, 1, 2, 1, 1));
#pragma xmp array on t[1 : 5 : 2]
  a [1:5:2] = b [0:5:2];
  CHECK_EQUAL(sum_of_a(), serial(1, 5, 2, 0, 2, 1));
#pragma xmp array on t(3 : 8)
  a [3:6] = b [4:6];
  CHECK_EQUAL(sum_of_a(), serial(3, 6, 1, 4, 1, 1));
#pragma xmp array on t[ : ]
  a[:] = e[:] + r[:];
  CHECK_EQUAL(sum_of_a(), serial(0, N, 1, 0, 1, 110));
#pragma xmp array on t[3 : M]
  small[:] = b [3:M] + 1;
#pragma xmp array on t[3 : M]
  a [3:M] = small[:];
  CHECK_EQUAL(sum_of_a(), serial(3, M, 1, 4, 1, 1));
#pragma xmp array on tc[1 : 3 : 4]
  c [1:3:4] = 7;
#pragma xmp loop on tc[i] reduction(+ : sum)
  for (i = 0; i < N; i++) sum += c[i] * i;
  CHECK_EQUAL(sum, 7 * 15);
#pragma xmp array on t2[ : ][ : ]
  d3[1][:][:] = 3;
#pragma xmp array on t2[2][0 : 3]
  d3[1][2] [0:3] = 5;
  sum = 0;
#pragma xmp loop(i) on t2[i][*] reduction(+ : sum)
  for (i = 0; i < N; i++)
    for (j = 0; j < M; j++) sum += d3[1][i][j];
  CHECK_EQUAL(sum, 3 * N * M + 6);
  return check_end();
}

/* nodes: 3 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* OpenMP's pragma before and behind the loop directive. */
#include "check.h"

enum { N = 40, M = 12 };
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
#pragma xmp template c[N]
#pragma xmp distribute c[cyclic] onto p
#pragma xmp template w[N][M]
#pragma xmp distribute w[cyclic(3)][*] onto p
#pragma xmp template v[N][M]
#pragma xmp distribute v[cyclic][*] onto p
#pragma xmp template x[M][N]
#pragma xmp distribute x[*][cyclic(3)] onto p
static int a[N], b[N], m[N][M], e[N][M];
#pragma xmp align a[i] with t[i]
#pragma xmp align b[i] with c[i]
#pragma xmp align m[i][j] with w[i][j]
#pragma xmp align e[i][j] with v[i][j]
static int rows[M][N];
#pragma xmp align rows[i][j] with x[i][j]

#pragma xmp template y[4][M][N]
#pragma xmp distribute y[*][*][cyclic(3)] onto p
static int cube[4][M][N];
#pragma xmp align cube[i][j][k] with y[i][j][k]

/* Each thread has its own place in the blocks of the inner loop. */
static void inner_blocks(void)
{
  int turn, i, j, sum = 0;
  for (turn = 0; turn < 40; turn++) {
#pragma xmp loop(i, j) on x[i][j] reduction(+ : sum)
#pragma omp parallel for private(j) reduction(+ : sum) schedule(static, 1)
    for (i = 0; i < M; i++)
      for (j = 0; j < N; j += 2) {
        rows[i][j] = 10 * i + j;
        sum += rows[i][j];
      }
  }
  CHECK_EQUAL(sum, 40 * (10 * M * (M - 1) / 2 * N / 2 + M * (N / 2) * (N / 2 - 1)));
}

/* The loops that are collapsed stand before the one over blocks. */
static void collapsed_before_blocks(void)
{
  int i, j, k, sum = 0;
#pragma xmp loop(i, j, k) on y[i][j][k] reduction(+ : sum)
#pragma omp parallel for collapse(2) private(k) reduction(+ : sum) schedule(static, 1)
  for (i = 0; i < 4; i++)
    for (j = 0; j < M; j++)
      for (k = 0; k < N; k++) sum += cube[i][j][k] = 1000 * i + 100 * j + k;
  CHECK_EQUAL(sum, 4 * M * N * (N - 1) / 2 + 1000 * 6 * M * N + 100 * 4 * N * M * (M - 1) / 2);
#pragma xmp loop(i, j, k) on y[i][j][k]
  for (i = 0; i < 4; i++)
    for (j = 0; j < M; j++)
      for (k = 0; k < N; k++) CHECK_EQUAL(cube[i][j][k], 1000 * i + 100 * j + k);
}

static int box[4] : [*];
#pragma xmp template l[ : ]
#pragma xmp distribute l[cyclic] onto p
static int late[N];
#pragma xmp align late[i] with l[i]

/* Names that stand in clauses alone. */
static int clauses(void)
{
  int n = 0;
#pragma omp parallel shared(a, b) num_threads(box[0] ? 2 : 1) reduction(+ : n)
  n++;
  return n;
}

/* Regions without a default have variables of the translation. One thread, for each runs the second loop.
 */
static void regions(void)
{
  int i, got = 0, sum = 0, own = xmpc_node_num();
#pragma xmp template_fix l[N]
#pragma omp parallel default(none) shared(a) private(i) num_threads(1)
  {
#pragma xmp loop on t[i]
#pragma omp for
    for (i = 0; i < N; i++) a[i] = i;
#pragma xmp loop on t[i]
    for (i = 0; i < N; i++) a[i] += i;
  }
#pragma xmp loop on t[i]
  for (i = 0; i < N; i++) CHECK_EQUAL(a[i], 2 * i);
#pragma omp parallel for default(none) shared(b, late) private(i)
#pragma xmp loop on c[i]
  for (i = 0; i < N; i++) {
    b[i] = late[i] = i;
    b[i + 0] += 1;
  }
#pragma omp parallel for default(none) shared(b, late, own) reduction(+ : sum)
  for (i = 0; i < 4; i++) sum += b[own] + late[own];
  CHECK_EQUAL(sum, 4 * (2 * own + 1));
#pragma omp parallel default(none) shared(got, box)
  {
#pragma omp single
    got = box[1] : [0];
  }
  CHECK_EQUAL(got, 7);
  sum = 0;
#pragma xmp loop on c[own] reduction(+ : sum)
  for (own = 0; own < N; own++) {
#pragma omp parallel for default(none) shared(b, late, own) reduction(+ : sum)
    for (i = 0; i < 4; i++) sum += b[own] + late[own];
  }
  CHECK_EQUAL(sum, 4 * N * N);
}

int main(void)
{
  int i, j, sum = 0, scale = 3;
  box[1] = 7;
  xmp_sync_all(NULL);
  CHECK_EQUAL(clauses() > 0, 1);
  regions();
  inner_blocks();
  collapsed_before_blocks();
#pragma omp parallel for
#pragma xmp loop on t[i]
  for (i = 0; i < N; i++) a[i] = i;
#pragma xmp loop on t[i]
#pragma omp parallel for
  for (i = 0; i < N; i++) a[i] += 100;
#pragma xmp loop on t[i] reduction(+ : sum)
#pragma omp parallel for reduction(+ : sum) schedule(static, 2)
  for (i = 0; i < N; i++) sum += a[i];
  CHECK_EQUAL(sum, 100 * N + N * (N - 1) / 2);
  sum = 0;
#pragma omp parallel for default(none) shared(scale, b) private(j) reduction(+ : sum)
#pragma xmp loop on c[i] reduction(+ : sum)
  for (i = 0; i < N; i++) {
    b[i] = 0;
    for (j = 0; j < 2; j++) b[i] += scale * i;
    sum += b[i];
  }
  CHECK_EQUAL(sum, 6 * N * (N - 1) / 2);
  sum = 0;
#pragma xmp loop(i, j) on v[i][j]
#pragma omp parallel for collapse(2)
  for (i = 0; i < N; i++)
    for (j = 0; j < M; j++) e[i][j] = 100 * i + j;
  sum = 0;
#pragma omp parallel for private(j) reduction(+ : sum)
#pragma xmp loop(i) on v[i][*] reduction(+ : sum)
  for (i = N - 1; i >= 0; i--)
    for (j = 0; j < M; j++) sum += e[i][j] == 100 * i + j;
  CHECK_EQUAL(sum, N * M);
  sum = 0;
#pragma xmp loop(i) on w[i][*]
#pragma omp parallel for private(j)
  for (i = 0; i < N; i++)
    for (j = 0; j < M; j++) m[i][j] = 100 * i + j;
#pragma xmp loop(i) on w[i][*] reduction(+ : sum)
#pragma omp parallel for default(none) shared(m) private(j) reduction(+ : sum)
  for (i = N - 1; i >= 0; i--)
    for (j = 0; j < M; j++) sum += m[i][j];
  CHECK_EQUAL(sum, 100 * M * N * (N - 1) / 2 + N * M * (M - 1) / 2);
  return check_end();
}

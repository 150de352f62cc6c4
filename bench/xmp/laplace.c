/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A step of Jacobi's method in two dimensions with the exchange of shadows, against the same by hand on the
 * same arrays. Half a wave of a sine in each direction only gets lower, by a known factor in each step, so
 * the result of all steps is known. */
#include "node.h"

#include <gasnet.h>
#include <math.h>

enum { N = 1024 };

#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p

static double u[N][N], v[N][N];
#pragma xmp align[i][*] with t[i] ::u, v
#pragma xmp shadow u[1][0]
#pragma xmp shadow v[1][0]

static const double pi = 3.14159265358979323846;
static double wave[N];
static long steps;

/* ---- by directives ---- */

static void __attribute__((noinline)) to_v(void)
{
#pragma xmp reflect(u)
#pragma xmp loop on t[i]
  for (int i = 1; i < N - 1; i++)
    for (int j = 1; j < N - 1; j++) v[i][j] = (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]) / 4;
}

static void __attribute__((noinline)) to_u(void)
{
#pragma xmp reflect(v)
#pragma xmp loop on t[i]
  for (int i = 1; i < N - 1; i++)
    for (int j = 1; j < N - 1; j++) u[i][j] = (v[i - 1][j] + v[i + 1][j] + v[i][j - 1] + v[i][j + 1]) / 4;
}

static void ours(long n)
{
  for (long i = 0; i < n; i += 2) to_v(), to_u();
  steps += n;
}

/* ---- by hand ---- */

static struct bench_faces *faces_u, *faces_v;

static void __attribute__((noinline)) sweep(double (*restrict to)[N], double (*restrict from)[N], long n)
{
  for (long i = 0; i < n; i++)
    for (int j = 1; j < N - 1; j++)
      to[i][j] = (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]) / 4;
}

static void by_hand(long n)
{
  const struct bench_block mine = bench_block(N, bench_node.me);
  const long first = mine.first > 1 ? mine.first : 1, last = mine.last < N - 2 ? mine.last : N - 2;
  double(*const a)[N] = (double(*)[N]) & u[first][0], (*const b)[N] = (double(*)[N]) & v[first][0];
  for (long i = 0; i < n; i += 2) {
    bench_faces_exchange(faces_u);
    sweep(b, a, last - first + 1);
    bench_faces_exchange(faces_v);
    sweep(a, b, last - first + 1);
  }
  steps += n;
}

/* ---- data ---- */

static int prepare(const char *point, size_t bytes)
{
  (void)point, (void)bytes;
  const struct bench_block mine = bench_block(N, bench_node.me);
  for (int i = 0; i < N; i++) wave[i] = sin(pi * i / (N - 1));
#pragma xmp loop on t[i]
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) u[i][j] = wave[i] * wave[j], v[i][j] = 0;
  steps = 0;
  if (faces_u) return 0;
  faces_u = bench_faces_open(&u[mine.first][0], mine, N, N * sizeof(double), 0);
  faces_v = bench_faces_open(&v[mine.first][0], mine, N, N * sizeof(double), 0);
  return 0;
}

static const char *check(void)
{
  const double height = pow(cos(pi / (N - 1)), (double)steps);
  int wrong = 0;
#pragma xmp loop on t[i]
  for (int i = 1; i < N - 1; i++)
    for (int j = 1; j < N - 1; j++)
      wrong |= !(fabs(u[i][j] - height * wave[i] * wave[j]) <= 1e-12 * (double)(1000 + steps));
  return wrong ? "a cell is not what the steps make of it" : NULL;
}

/* Of all steps, and of two by hand alone. */
static const char *after(void)
{
  const char *const wrong = check();
  prepare("", 0);
  by_hand(2);
  return wrong ? wrong : check();
}

static const struct bench_case cases[] = {
    {BENCH_CASE("xmp_laplace", prepare, check, ours), .flags = BENCH_ALL_NODES, .after = after,
        .raw_any = {by_hand}, .multiple = 2},
    {.test = NULL},
};

const struct bench_suite bench_suite_xmp_laplace = {.cases = cases};

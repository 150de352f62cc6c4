/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Distributed loops on node 0, against the serial loop over the same part of the same arrays, by pointers
 * that do not overlap. */
#include "node.h"

#include <string.h>

enum { LINE = 1 << 15, PLANE = 512, CUBE = 64 };

#pragma xmp nodes p[*]
#pragma xmp template line[LINE]
#pragma xmp template plane[PLANE]
#pragma xmp template cube[CUBE]
#pragma xmp distribute line[block] onto p
#pragma xmp distribute plane[block] onto p
#pragma xmp distribute cube[block] onto p

static double a[LINE], b[LINE], c[LINE];
#pragma xmp align[i] with line[i] ::a, b, c
static double u[PLANE][PLANE], v[PLANE][PLANE];
#pragma xmp align[i][*] with plane[i] ::u, v
#pragma xmp shadow u[1][0]
static double x[CUBE][CUBE][CUBE], y[CUBE][CUBE][CUBE];
#pragma xmp align[i][*][*] with cube[i] ::x, y
#pragma xmp shadow x[1][0][0]

static const double factor = 3;
static struct bench_block mine; /* rows that this node has */

/* Those of mine that are within 1 .. n - 2: a stencil's. */
static struct bench_block inner(long n)
{
  return (struct bench_block){mine.first > 1 ? mine.first : 1, mine.last < n - 2 ? mine.last : n - 2};
}

#define SERIES(name) \
  static void name##_series(long n) \
  { \
    for (long i = 0; i < n; i++) { \
      name(); \
      bench_compiler_barrier(); \
    } \
  }

/* ---- distributed ---- */

static void __attribute__((noinline)) triad(void)
{
#pragma xmp loop on line[i]
  for (int i = 0; i < LINE; i++) a[i] = b[i] + factor * c[i];
}

static void __attribute__((noinline)) stencil_2d(void)
{
#pragma xmp loop on plane[i]
  for (int i = 1; i < PLANE - 1; i++)
    for (int j = 1; j < PLANE - 1; j++) v[i][j] = (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]) / 4;
}

static void __attribute__((noinline)) stencil_3d(void)
{
#pragma xmp loop on cube[i]
  for (int i = 1; i < CUBE - 1; i++)
    for (int j = 1; j < CUBE - 1; j++)
      for (int k = 1; k < CUBE - 1; k++)
        y[i][j][k] = (x[i - 1][j][k] + x[i + 1][j][k] + x[i][j - 1][k] + x[i][j + 1][k] + x[i][j][k - 1] +
                         x[i][j][k + 1]) /
            6;
}

SERIES(triad)
SERIES(stencil_2d)
SERIES(stencil_3d)

/* ---- serial ---- */

static void __attribute__((noinline))
serial_1d(double *restrict to, const double *restrict from, const double *restrict add, long n)
{
  for (long i = 0; i < n; i++) to[i] = from[i] + factor * add[i];
}

static void __attribute__((noinline))
serial_2d(double (*restrict to)[PLANE], double (*restrict from)[PLANE], long n)
{
  for (long i = 0; i < n; i++)
    for (int j = 1; j < PLANE - 1; j++)
      to[i][j] = (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]) / 4;
}

static void __attribute__((noinline))
serial_3d(double (*restrict to)[CUBE][CUBE], double (*restrict from)[CUBE][CUBE], long n)
{
  for (long i = 0; i < n; i++)
    for (int j = 1; j < CUBE - 1; j++)
      for (int k = 1; k < CUBE - 1; k++)
        to[i][j][k] = (from[i - 1][j][k] + from[i + 1][j][k] + from[i][j - 1][k] + from[i][j + 1][k] +
                          from[i][j][k - 1] + from[i][j][k + 1]) /
            6;
}

static void bare_1d(void)
{
  serial_1d(&a[mine.first], &b[mine.first], &c[mine.first], mine.last - mine.first + 1);
}
static void bare_2d(void)
{
  const struct bench_block in = inner(PLANE);
  serial_2d((double(*)[PLANE]) & v[in.first][0], (double(*)[PLANE]) & u[in.first][0], in.last - in.first + 1);
}
static void bare_3d(void)
{
  const struct bench_block in = inner(CUBE);
  serial_3d((double(*)[CUBE][CUBE]) & y[in.first][0][0], (double(*)[CUBE][CUBE]) & x[in.first][0][0],
      in.last - in.first + 1);
}

SERIES(bare_1d)
SERIES(bare_2d)
SERIES(bare_3d)

/* ---- points and data ---- */

/* Linear functions and a product, of which the stencils make known values. */
static double at_1d(long i) { return (double)(i % 1000); }
static double at_2d(long i, long j) { return (double)(i * j + 3 * i); }
static double at_3d(long i, long j, long k) { return (double)(i * j + 5 * k + i * i); }

static void prepare_1d(void)
{
#pragma xmp loop on line[i]
  for (int i = 0; i < LINE; i++) a[i] = -1, b[i] = at_1d(i), c[i] = (double)i;
}

static void prepare_2d(void)
{
#pragma xmp loop on plane[i]
  for (int i = 0; i < PLANE; i++)
    for (int j = 0; j < PLANE; j++) u[i][j] = at_2d(i, j), v[i][j] = -1;
#pragma xmp reflect(u)
}

static void prepare_3d(void)
{
#pragma xmp loop on cube[i]
  for (int i = 0; i < CUBE; i++)
    for (int j = 0; j < CUBE; j++)
      for (int k = 0; k < CUBE; k++) x[i][j][k] = at_3d(i, j, k), y[i][j][k] = -1;
#pragma xmp reflect(x)
}

static int wrong_1d(void)
{
  int wrong = 0;
#pragma xmp loop on line[i]
  for (int i = 0; i < LINE; i++) wrong |= a[i] != at_1d(i) + factor * (double)i;
  return wrong;
}

static int wrong_2d(void)
{
  int wrong = 0;
#pragma xmp loop on plane[i]
  for (int i = 0; i < PLANE; i++)
    for (int j = 0; j < PLANE; j++) {
      const int edge = i == 0 || j == 0 || i == PLANE - 1 || j == PLANE - 1;
      wrong |= v[i][j] != (edge ? -1 : at_2d(i, j));
    }
  return wrong;
}

/* i * i becomes 1/3 more. */
static int wrong_3d(void)
{
  int wrong = 0;
#pragma xmp loop on cube[i]
  for (int i = 0; i < CUBE; i++)
    for (int j = 0; j < CUBE; j++)
      for (int k = 0; k < CUBE; k++) {
        const int edge = i == 0 || j == 0 || k == 0 || i == CUBE - 1 || j == CUBE - 1 || k == CUBE - 1;
        wrong |= y[i][j][k] != (edge ? -1 : (6 * at_3d(i, j, k) + 2) / 6);
      }
  return wrong;
}

static const struct loop {
  const char *name;
  long extent;
  void (*prepare)(void);
  int (*wrong)(void);
  bench_series_fn ours, bare;
} loops[] = {
    {"triad_1d", LINE, prepare_1d, wrong_1d, triad_series, bare_1d_series},
    {"stencil_2d", PLANE, prepare_2d, wrong_2d, stencil_2d_series, bare_2d_series},
    {"stencil_3d", CUBE, prepare_3d, wrong_3d, stencil_3d_series, bare_3d_series},
};
static const struct loop *loop;

static void ours(long n) { loop->ours(n); }
static void bare(long n) { loop->bare(n); }

static int prepare(const char *point, size_t bytes)
{
  (void)bytes;
  loop = loops;
  while (strcmp(loop->name, point) != 0) loop++;
  mine = bench_block(loop->extent, bench_node.me);
  loop->prepare();
  return 0;
}

static const char *check(void)
{
  return bench_node.me == 0 && loop->wrong() ? "an element is not what the loop makes of it" : NULL;
}

/* Now of the serial loop. */
static const char *after(void)
{
  loop->prepare();
  if (bench_node.me == 0) bare(1);
  return check();
}

static const struct bench_case cases[] = {
    {BENCH_CASE("xmp_loop", prepare, check, ours), .after = after, .raw_any = {bare}},
    {.test = NULL},
};

const struct bench_suite bench_suite_xmp_loops = {.cases = cases};

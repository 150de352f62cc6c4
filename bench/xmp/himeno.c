/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A step of the stencil of Himeno's benchmark, 19 cells for each, with the exchange of shadows and the sum of
 * all changes, against the same by hand on the same arrays. */
#include "node.h"

#include <gasnet.h>
#include <gasnetx.h>
#include <math.h>

enum { I = 128, J = 128, K = 256 };

#pragma xmp nodes p[*]
#pragma xmp template t[I]
#pragma xmp distribute t[block] onto p

static float u[I][J][K], v[I][J][K];
#pragma xmp align[i][*][*] with t[i] ::u, v
#pragma xmp shadow u[1][0][0]
#pragma xmp shadow v[1][0][0]

static const float omega = 0.8f, across = 0.05f;
static double change; /* in the last step */

/* What the stencil makes of a cell. */
#define AROUND(g, i, j, k) \
  ((g)[(i) + 1][j][k] + (g)[(i)-1][j][k] + (g)[i][(j) + 1][k] + (g)[i][(j)-1][k] + (g)[i][j][(k) + 1] + \
      (g)[i][j][(k)-1])
#define CROSS(g, i, j, k) \
  ((g)[(i) + 1][(j) + 1][k] - (g)[(i) + 1][(j)-1][k] - (g)[(i)-1][(j) + 1][k] + (g)[(i)-1][(j)-1][k] + \
      (g)[i][(j) + 1][(k) + 1] - (g)[i][(j)-1][(k) + 1] - (g)[i][(j) + 1][(k)-1] + (g)[i][(j)-1][(k)-1] + \
      (g)[(i) + 1][j][(k) + 1] - (g)[(i)-1][j][(k) + 1] - (g)[(i) + 1][j][(k)-1] + (g)[(i)-1][j][(k)-1])
#define CHANGE(g, i, j, k) ((AROUND(g, i, j, k) + across * CROSS(g, i, j, k)) / 6 - (g)[i][j][k])

/* ---- by directives ---- */

static void __attribute__((noinline)) to_v(void)
{
  double sum = 0;
#pragma xmp reflect(u)
#pragma xmp loop on t[i] reduction(+ : sum)
  for (int i = 1; i < I - 1; i++)
    for (int j = 1; j < J - 1; j++)
      for (int k = 1; k < K - 1; k++) {
        const float s = CHANGE(u, i, j, k);
        sum += s * s;
        v[i][j][k] = u[i][j][k] + omega * s;
      }
  change = sum;
}

static void __attribute__((noinline)) to_u(void)
{
  double sum = 0;
#pragma xmp reflect(v)
#pragma xmp loop on t[i] reduction(+ : sum)
  for (int i = 1; i < I - 1; i++)
    for (int j = 1; j < J - 1; j++)
      for (int k = 1; k < K - 1; k++) {
        const float s = CHANGE(v, i, j, k);
        sum += s * s;
        u[i][j][k] = v[i][j][k] + omega * s;
      }
  change = sum;
}

static void ours(long n)
{
  for (long i = 0; i < n; i += 2) to_v(), to_u();
}

/* ---- by hand ---- */

static struct bench_faces *faces_u, *faces_v;

static double __attribute__((noinline))
sweep(float (*restrict to)[J][K], float (*restrict from)[J][K], long n)
{
  double sum = 0;
  for (long i = 0; i < n; i++)
    for (int j = 1; j < J - 1; j++)
      for (int k = 1; k < K - 1; k++) {
        const float s = CHANGE(from, i, j, k);
        sum += s * s;
        to[i][j][k] = from[i][j][k] + omega * s;
      }
  return sum;
}

static void step_by_hand(struct bench_faces *f, float (*to)[J][K], float (*from)[J][K], long n)
{
  static const gasnetx_reduction_t add = {.type = GASNETX_TYPE_DOUBLE, .op = GASNETX_OP_SUM};
  bench_faces_exchange(f);
  change = sweep(to, from, n);
  gasnetx_coll_allreduce(GASNET_TEAM_ALL, &change, &change, 1, &add);
}

static void by_hand(long n)
{
  const struct bench_block mine = bench_block(I, bench_node.me);
  const long first = mine.first > 1 ? mine.first : 1, last = mine.last < I - 2 ? mine.last : I - 2;
  float(*const a)[J][K] = (float(*)[J][K]) & u[first][0][0],
               (*const b)[J][K] = (float(*)[J][K]) & v[first][0][0];
  for (long i = 0; i < n; i += 2) {
    step_by_hand(faces_u, b, a, last - first + 1);
    step_by_hand(faces_v, a, b, last - first + 1);
  }
}

/* ---- data ---- */

static float begun(int i, int j, int k) { return (float)(i * i) / (I * I) + (float)((j * k) % 7) / 50; }

/* A cell after some steps, without arrays. */
static float cell(int i, int j, int k, int after)
{
  if (after == 0 || i == 0 || j == 0 || k == 0 || i == I - 1 || j == J - 1 || k == K - 1)
    return begun(i, j, k);
  float g[3][3][3];
  for (int x = 0; x < 27; x++)
    g[x / 9][x / 3 % 3][x % 3] = cell(i + x / 9 - 1, j + x / 3 % 3 - 1, k + x % 3 - 1, after - 1);
  return g[1][1][1] + omega * CHANGE(g, 1, 1, 1);
}

static int prepare(const char *point, size_t bytes)
{
  (void)point, (void)bytes;
  const struct bench_block mine = bench_block(I, bench_node.me);
#pragma xmp loop on t[i]
  for (int i = 0; i < I; i++)
    for (int j = 0; j < J; j++)
      for (int k = 0; k < K; k++) u[i][j][k] = v[i][j][k] = begun(i, j, k);
  if (faces_u) return 0;
  faces_u = bench_faces_open(&u[mine.first][0][0], mine, I, sizeof(float) * J * K, 0);
  faces_v = bench_faces_open(&v[mine.first][0][0], mine, I, sizeof(float) * J * K, 0);
  return 0;
}

/* Two steps have been done. Some cells of each plane. */
static const char *check(void)
{
  int wrong = 0;
#pragma xmp loop on t[i]
  for (int i = 0; i < I; i++)
    for (int k = i % 4; k < K; k += 4)
      wrong |= !(fabsf(u[i][(i + 5 * k) % J][k] - cell(i, (i + 5 * k) % J, k, 2)) < 1e-5f);
  return wrong || !(change > 0) ? "a cell is not what two steps make of it" : NULL;
}

/* Now of steps by hand: the sum of changes is the same, too. */
static const char *after(void)
{
  prepare("", 0);
  ours(2);
  const double expected = change;
  const char *const wrong = check();
  prepare("", 0);
  by_hand(2);
  if (!(fabs(change - expected) < 1e-9 * expected)) return "the sum of changes is wrong";
  return wrong ? wrong : check();
}

static const struct bench_case cases[] = {
    {BENCH_CASE("xmp_himeno", prepare, check, ours), .flags = BENCH_ALL_NODES, .after = after,
        .raw_any = {by_hand}, .multiple = 2},
    {.test = NULL},
};

const struct bench_suite bench_suite_xmp_himeno = {.cases = cases};

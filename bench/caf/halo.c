/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Steps with ghost cells, against the same sweep with puts and a barrier, and against the sweep alone. Half a
 * wave of a sine in each direction only gets lower, by a known factor in each step, so the result of all
 * steps is known. */
#include <gasnet.h>
#include <gasnet_vis.h>
#include <gasnetx.h>
#include <math.h>
#include <string.h>

#include "fortran.h"

static double *square[2];
static struct bench_places places[2];
static int side, is_rows;
static int sweeps; /* in a step */
static long steps;

static size_t at(int row, int column) { return (size_t)row + (size_t)column * (size_t)(side + 2); }

static void ours(long n)
{
  bench_caf_steps(n, sweeps, is_rows);
  steps += n;
}

/* ---- by calls ---- */

/* The first cell of an edge, or of ghost cells, by its place along the line of images. */
static size_t edge(int place) { return is_rows ? at(place, 1) : at(1, place); }

static gasnet_handle_t edge_put(int k, unsigned node, int ghost, int mine)
{
  const size_t cell = sizeof(double), strides[] = {at(0, 1) * cell}, row[] = {cell, (size_t)side},
               column[] = {(size_t)side * cell};
  return gasnet_puts_nb_bulk((gasnet_node_t)node, places[k].remote[node] + edge(ghost) * cell, strides,
      square[k] + edge(mine), strides, is_rows ? row : column, is_rows);
}

static void call_exchange(int k)
{
  gasnet_handle_t handles[2];
  size_t n = 0;
  if (bench_node.me > 0) handles[n++] = edge_put(k, bench_node.me - 1, side + 1, 1);
  if (bench_node.me + 1 < bench_node.nodes) handles[n++] = edge_put(k, bench_node.me + 1, 0, side);
  gasnet_wait_syncnb_all(handles, n);
  gasnetx_coll_barrier(GASNET_TEAM_ALL);
}

static void call(long n)
{
  for (long i = 0; i < n; i++) {
    call_exchange(i % 2);
    bench_caf_sweeps(sweeps, square[(i + 1) % 2], square[i % 2]);
  }
  steps += n;
}

/* ---- alone ---- */

/* Until all have ended: nodes that share a core compute one after the other, and the clock of each begins
 * when it gets the core. So only the first one's is right, if it ends with the last one. */
static void alone(long n)
{
  for (long i = 0; i < n; i++) bench_caf_sweeps(sweeps, square[(i + 1) % 2], square[i % 2]);
  gasnetx_coll_barrier(GASNET_TEAM_ALL);
}

/* ---- data ---- */

static const double pi = 3.14159265358979323846;

/* Of cell i of `count` in a line, from 1 on. */
static double wave(int i, int count) { return sin(pi * i / (count + 1)); }
static double height(int row, int column)
{
  const int before = (int)bench_node.me * side, all = (int)bench_node.nodes * side;
  return is_rows ? wave(before + row, all) * wave(column, side)
                 : wave(row, side) * wave(before + column, all);
}

/* The plate's border is 0. */
static void fill(void)
{
  memset(square[0], 0, at(0, side + 2) * sizeof(double));
  memset(square[1], 0, at(0, side + 2) * sizeof(double));
  for (int j = 1; j <= side; j++)
    for (int i = 1; i <= side; i++) square[0][at(i, j)] = height(i, j);
  steps = 0;
}

static int prepare(const char *point, size_t bytes)
{
  (void)bytes;
  sweeps = 1;
  is_rows = strcmp(point, "rows") == 0;
  bench_caf_squares(&square[0], &square[1], &side);
  bench_places_find(&places[0], square[0]);
  bench_places_find(&places[1], square[1]);
  fill();
  return 0;
}

/* Images that share a core have less of its caches when they alternate, so each does more in its turn. */
static int crowd_prepare(const char *point, size_t bytes)
{
  prepare(point, bytes);
  sweeps = 16;
  return 0;
}

static const char *check(void)
{
  const double left = (cos(pi / (side + 1)) + cos(pi / ((double)bench_node.nodes * side + 1))) / 2;
  const double share = pow(left, (double)steps);
  int wrong = 0;
  for (int j = 1; j <= side; j++)
    for (int i = 1; i <= side; i++)
      wrong |= !(fabs(square[0][at(i, j)] - share * height(i, j)) <= 1e-12 * (double)(1000 + steps));
  return wrong ? "a cell is not what the steps make of it" : NULL;
}

/* Of all steps, and of two by calls alone, where those are measured. */
static const char *after(void)
{
  const char *const wrong = check();
  if (!bench_node.raw) return wrong;
  fill();
  bench_sync();
  call(2);
  return wrong ? wrong : check();
}

/* The sweep alone leaves cells that only new ones follow. */
static const char *crowd_after(void)
{
  fill();
  bench_sync();
  ours(2);
  return check();
}

static const struct bench_case cases[] = {
    {BENCH_CASE("caf_halo", prepare, check, ours), .flags = BENCH_ALL_NODES, .after = after,
        .raw_any = {call}, .multiple = 2},
    {BENCH_CASE("caf_crowd", crowd_prepare, check, ours), .flags = BENCH_ALL_NODES | BENCH_AGGREGATE,
        .after = crowd_after, .raw_any = {alone}, .multiple = 2},
    {.test = NULL},
};

const struct bench_suite bench_suite_caf_halo = {.cases = cases};

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Directives that all nodes meet in, against the team's own calls on the same variables. */
#include "node.h"

#include <gasnet.h>
#include <gasnetx.h>
#include <string.h>

enum { MANY = 1024 };

#pragma xmp nodes p[*]

static double one, many[MANY];
static double source[MANY]; /* this node's share of sums */
static const gasnetx_reduction_t add = {.type = GASNETX_TYPE_DOUBLE, .op = GASNETX_OP_SUM};

#define SERIES(name, body) \
  static void name(long n) \
  { \
    for (long i = 0; i < n; i++) { body; } \
  }

static void barrier_directive(long n)
{
  for (long i = 0; i < n; i++) {
#pragma xmp barrier
  }
}
SERIES(barrier_call, gasnetx_coll_barrier(GASNET_TEAM_ALL))

/* Sums are in place, so each begins with this node's share. */
static void sum_1_directive(long n)
{
  for (long i = 0; i < n; i++) {
    one = source[0];
#pragma xmp reduction(+ : one)
  }
}
SERIES(sum_1_call, one = source[0]; gasnetx_coll_allreduce(GASNET_TEAM_ALL, &one, &one, 1, &add))

static void sum_1024_directive(long n)
{
  for (long i = 0; i < n; i++) {
    memcpy(many, source, sizeof many);
#pragma xmp reduction(+ : many)
  }
}
SERIES(sum_1024_call, memcpy(many, source, sizeof many);
       gasnetx_coll_allreduce(GASNET_TEAM_ALL, many, many, MANY, &add))

/* The root does not wait for the others, so a barrier ends a series of both. */
static void bcast_directive(long n)
{
  for (long i = 0; i < n; i++) {
#pragma xmp bcast(one) from p[0]
  }
  gasnetx_coll_barrier(GASNET_TEAM_ALL);
}
static void bcast_call(long n)
{
  for (long i = 0; i < n; i++) gasnetx_coll_broadcast(GASNET_TEAM_ALL, &one, 0, &one, sizeof one);
  gasnetx_coll_barrier(GASNET_TEAM_ALL);
}

/* ---- points and data ---- */

static const struct collective {
  const char *name;
  bench_series_fn ours, call;
} collectives[] = {
    {"barrier", barrier_directive, barrier_call},
    {"sum_1", sum_1_directive, sum_1_call},
    {"sum_1024", sum_1024_directive, sum_1024_call},
    {"bcast", bcast_directive, bcast_call},
};
static const struct collective *c;

static void ours(long n) { c->ours(n); }
static void call(long n) { c->call(n); }

enum { ROOTS = 5000 };

static int prepare(const char *point, size_t bytes)
{
  (void)bytes;
  c = collectives;
  while (strcmp(c->name, point) != 0) c++;
  for (int i = 0; i < MANY; i++) source[i] = many[i] = i + 1000 * (double)bench_node.me;
  one = ROOTS + (double)bench_node.me;
  return 0;
}

static double sum_of(int i)
{
  const double n = bench_node.nodes;
  return n * i + 1000 * n * (n - 1) / 2;
}

static const char *check(void)
{
  int wrong = 0;
  if (c->ours == bcast_directive) wrong = one != ROOTS;
  if (c->ours == sum_1_directive) wrong = one != sum_of(0);
  for (int i = 0; i < MANY && c->ours == sum_1024_directive; i++) wrong |= many[i] != sum_of(i);
  return wrong ? "what the collective left is wrong" : NULL;
}

static const char *after(void)
{
  prepare(c->name, 0);
  call(1);
  return check();
}

static const struct bench_case cases[] = {
    {BENCH_CASE("xmp_collectives", prepare, check, ours), .flags = BENCH_ALL_NODES, .after = after,
        .raw_any = {call}},
    {.test = NULL},
};

const struct bench_suite bench_suite_xmp_collectives = {.cases = cases};

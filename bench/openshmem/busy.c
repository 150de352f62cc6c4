/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Operations of PE 0 on the memory of a PE that computes and makes no call, against the same while it waits
 * in the library. */
#include "pe.h"

#include <mpp/shmem.h>
#include <string.h>

enum { SINGLE = 200 };

static const double LONGEST_NS = 20e9;

static long over; /* PE 0 is done; a word of its partner's */
static long cell; /* local side */
static long *word;

static void put(int pe) { shmem_long_put(word, &cell, 1, pe), shmem_quiet(); }
static void get(int pe) { shmem_long_get(&cell, word, 1, pe); }
static void fadd(int pe) { shmem_long_fadd(word, 1, pe); }
static void (*op)(int pe);

static void compute(void)
{
  volatile uint64_t x = 1;
  const double start = bench_now_ns();
  while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE) && bench_now_ns() - start < LONGEST_NS)
    for (int i = 0; i < 1000; i++) x = x * 6364136223846793005u + 1;
}

/* Resets `over` for the next series. */
static void be_target(int computing)
{
  if (bench_node.me != bench_node.half) return;
  if (computing) compute();
  shmem_long_wait_until(&over, SHMEM_CMP_EQ, 1);
  over = 0;
}

static void tell_target(int pe)
{
  shmem_long_p(&over, 1, pe);
  shmem_quiet();
}

/* ---- many: nanoseconds of one on average ---- */

static void many(long n, int computing)
{
  const int pe = (int)bench_node.half;
  if (bench_node.me == 0) {
    for (long i = 0; i < n; i++) op(pe);
    tell_target(pe);
  } else {
    be_target(computing);
  }
}
static void on_busy(long n) { many(n, 1); }
static void on_idle(long n) { many(n, 0); }

/* ---- a few: the slowest ---- */

static double slowest(int computing)
{
  const int pe = (int)bench_node.half;
  double most = 0;
  if (bench_node.me != 0) {
    be_target(computing);
    return 0;
  }
  double last = bench_now_ns();
  for (unsigned i = 0; i < SINGLE; i++) {
    op(pe);
    const double now = bench_now_ns();
    if (now - last > most) most = now - last;
    last = now;
  }
  tell_target(pe);
  return most;
}
static double slowest_on_busy(void) { return slowest(1); }
static double slowest_on_idle(void) { return slowest(0); }

/* ---- points and data ---- */

enum { THERE = 7, HERE = 9 };

static int prepare(const char *point, size_t bytes)
{
  (void)bytes;
  op = bench_point_is(point, "put") ? put : bench_point_is(point, "get") ? get : fadd;
  word = bench_point_static(point) ? bench_static : bench_heap();
  *word = THERE;
  cell = HERE;
  return 0;
}

/* After one operation. */
static const char *check(void)
{
  const long there = op == put ? HERE : op == fadd ? THERE + 1 : THERE;
  if (bench_node.me == bench_node.half && *word != there)
    return "the word is not what the operation makes of it";
  return bench_node.me == 0 && op == get && cell != THERE ? "what a get brought is not what is there" : NULL;
}

static int prepare_slowest(const char *point, size_t bytes)
{
  prepare(point, bytes);
  bench_sync();
  if (bench_node.me == 0) op((int)bench_node.half);
  bench_sync();
  const char *wrong = check();
  if (wrong) bench_die("%s", wrong);
  return 0;
}

static const struct bench_case cases[] = {
    {BENCH_CASE("shmem_busy", prepare, check, on_busy), .flags = BENCH_ALL_NODES, .raw_any = {on_idle}},
    {.test = "shmem_busy_worst",
        .prepare = prepare_slowest,
        .value = slowest_on_busy,
        .against = slowest_on_idle},
    {.test = NULL},
};

const struct bench_suite bench_suite_shmem_busy = {.cases = cases};

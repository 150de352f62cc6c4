/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* How much of a transfer, or of a collective, is hidden behind a computation that takes as long. A sample has
 * three parts: transfers alone, the computation alone, and each transfer with the computation between its
 * start and its end. The time that both together save against one after the other is hidden. If it equals the
 * shorter of the two, all of that one is hidden. */
#include "../engine/engine.h"

#include <gasnet.h>
#include <gasnetx.h>

enum { BATCHES = 7, BATCH_NS = 20000, REPEATS_MOST = 1000, TURNS = 1 << 16, TURNS_OF_POLL = 1 << 10 };

static size_t bytes;
static int get, both; /* both: all nodes transfer, and compute, at once; else node 0 alone */
static int sum;       /* not a transfer, but a sum of integers of all nodes; the computation polls */
static long repeats;  /* in a batch */
static long turns;    /* of the computation */

/* ---- the two that may overlap ---- */

static gasnet_handle_t begin_sum(void)
{
  const gasnetx_reduction_t add = {.type = GASNETX_TYPE_INT64, .op = GASNETX_OP_SUM};
  return gasnetx_coll_allreduce_nb(
      GASNET_TEAM_ALL, bench_node.local, bench_node.segment, bytes / sizeof(int64_t), &add);
}

static gasnet_handle_t begin(void)
{
  if (sum) return begin_sum();
  const gasnet_node_t node = both ? bench_node.peer : bench_node.half;
  char *const there = bench_node.remote[node];
  return get ? gasnet_get_nb_bulk(bench_node.local, node, there, bytes)
             : gasnet_put_nb_bulk(node, there, bench_node.local, bytes);
}

/* The computation needs a core, but no memory and no call. Its four chains leave little of the core to
 * others. */
static void compute_without_call(long n)
{
  const uint64_t factor = 6364136223846793005u;
  uint64_t x[4] = {1, 2, 3, 4};
  for (long i = 0; i < n; i++) {
    for (unsigned k = 0; k < 4; k++) x[k] = x[k] * factor + 1442695040888963407u;
    __asm__ volatile("" : "+r"(x[0]), "+r"(x[1]), "+r"(x[2]), "+r"(x[3]));
  }
}

static void compute(long n)
{
  for (; sum && n > TURNS_OF_POLL; n -= TURNS_OF_POLL) {
    compute_without_call(TURNS_OF_POLL);
    gasnet_AMPoll();
  }
  compute_without_call(n);
}

/* ---- parts of a sample: nanoseconds of one ---- */

static void transfer_and_compute(int transfers, long n)
{
  gasnet_handle_t h = GASNET_INVALID_HANDLE;
  if (transfers) h = begin();
  compute(n);
  if (transfers) gasnet_wait_syncnb(h);
}

/* The value is a difference of parts, which a disturbance of one part would spoil: hence the median of
 * batches. */
static double part(int transfers, long n)
{
  double times[BATCHES], sorted[BATCHES];
  struct bench_summary s;
  bench_sync();
  if (!both && bench_node.me != 0) return 0;
  for (unsigned k = 0; k < BATCHES; k++) {
    const double start = bench_now_ns();
    for (long i = 0; i < repeats; i++) transfer_and_compute(transfers, n);
    times[k] = (bench_now_ns() - start) / (double)repeats;
  }
  bench_summarise(times, BATCHES, sorted, &s);
  return s.median;
}

static double share(void)
{
  const double transfer = part(1, 0), computation = part(0, turns), together = part(1, turns);
  const double shorter = transfer < computation ? transfer : computation,
               hidden = transfer + computation - together;
  return hidden <= 0 ? 0
      : hidden >= shorter
      ? 100
      : 100 * hidden / shorter; /* values beyond these come from other work of the machine */
}

/* ---- points ---- */

/* Node 0's transfers say how often all repeat them and how much all compute. */
static void calibrate(void)
{
  struct {
    long repeats, turns;
  } c = {1, 1};
  repeats = 3;
  part(1, 0);
  const double transfer = part(1, 0), turn = part(0, TURNS) / TURNS;
  if (bench_node.me == 0) {
    const double wish = BATCH_NS / (transfer > 1 ? transfer : 1);
    c.repeats = wish < 1 ? 1 : wish > REPEATS_MOST ? REPEATS_MOST : (long)wish;
    c.turns = (long)(transfer / turn) + 1;
  }
  bench_tell(&c, sizeof c);
  repeats = c.repeats;
  turns = c.turns;
}

/* What one transfer brings, at each node that gets something. */
static void check(void)
{
  const int target = both || bench_node.me == (get ? 0 : bench_node.half);
  char *const source = get ? bench_node.segment : bench_node.local,
              *const to = get ? bench_node.local : bench_node.segment;
  const unsigned from = both ? bench_node.peer : get ? bench_node.half : 0;
  bench_fill(source, bytes, bench_node.me + 1);
  bench_sync();
  if (both || bench_node.me == 0) transfer_and_compute(1, 0);
  bench_sync();
  if (target && bench_filled(to, bytes, from + 1) != bytes)
    bench_die("what was transferred is not what was sent");
}

static int prepare(size_t size, int is_get, int all)
{
  sum = 0;
  bytes = size;
  get = is_get;
  both = all;
  check();
  calibrate();
  return 0;
}
static int prepare_put(const char *point, size_t size) { return (void)point, prepare(size, 0, 0); }
static int prepare_get(const char *point, size_t size) { return (void)point, prepare(size, 1, 0); }
static int prepare_both(const char *point, size_t size) { return (void)point, prepare(size, 0, 1); }

static void check_sum(void)
{
  int64_t *const mine = (int64_t *)bench_node.segment, *const all = (int64_t *)bench_node.local;
  const int64_t nodes = bench_node.nodes;
  for (size_t i = 0; i < bytes / sizeof(int64_t); i++) mine[i] = (int64_t)i + bench_node.me, all[i] = -1;
  transfer_and_compute(1, 2 * TURNS_OF_POLL);
  for (size_t i = 0; i < bytes / sizeof(int64_t); i++)
    if (all[i] != nodes * (int64_t)i + nodes * (nodes - 1) / 2) bench_die("a sum is not the sum");
}

static int prepare_sum(const char *point, size_t size)
{
  (void)point;
  bytes = size;
  sum = both = 1;
  check_sum();
  calibrate();
  return 0;
}

static const struct bench_case cases[] = {
    {.test = "overlap_put", .prepare = prepare_put, .value = share},
    {.test = "overlap_get", .prepare = prepare_get, .value = share},
    {.test = "overlap_both", .prepare = prepare_both, .value = share},
    {.test = "overlap_sum", .prepare = prepare_sum, .value = share},
    {.test = "overlap_put_thread", .prepare = prepare_put, .value = share},
    {.test = "overlap_get_thread", .prepare = prepare_get, .value = share},
    {.test = "overlap_both_thread", .prepare = prepare_both, .value = share},
    {.test = NULL},
};

const struct bench_suite bench_suite_overlap = {.cases = cases};

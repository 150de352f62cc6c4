/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Image control, atomic subroutines, collectives and allocation. Image 1 and its partner meet; in collectives
 * and allocation all images take part. */
#include <gasnet.h>
#include <gasnetx.h>
#include <string.h>

#include "fortran.h"

enum { SHARES = 1 << 17 };

static gasnet_node_t partner; /* of both of the pair the other one */
static int is_second;
static double *scalar, *array, *share;
static struct bench_places counters;
static const gasnetx_reduction_t add = {.type = GASNETX_TYPE_DOUBLE, .op = GASNETX_OP_SUM};

#define SERIES(name, body) \
  static void name(long n) \
  { \
    for (long i = 0; i < n; i++) { body; } \
  }
/* Of the pair alone. */
#define PAIR(name, body) \
  static void name(long n) \
  { \
    for (long i = 0; i < n && partner != bench_node.me; i++) { body; } \
  }

/* ---- image control ---- */

/* Each node has a word in which the other one counts the turns. */
static uint64_t turn;
static uint64_t *word_here(void) { return (uint64_t *)(void *)bench_node.segment; }
static void word_set(void)
{
  __atomic_store_n((uint64_t *)(void *)bench_node.mapped[partner], turn, __ATOMIC_RELEASE);
}
static int word_is_set(void) { return __atomic_load_n(word_here(), __ATOMIC_ACQUIRE) >= turn; }
static void word_wait(void)
{
  while (!word_is_set()) continue;
}
static void word_notify(void)
{
  const gasnetx_notify_t n = {.kind = GASNETX_NOTIFY_ADD, .word = bench_node.remote[partner], .value = 1};
  gasnetx_put_notify_nbi_bulk(partner, NULL, NULL, 0, &n);
}
static void word_await(void) { GASNET_BLOCKUNTIL(word_is_set()); }

SERIES(all_ours, bench_caf_meet())
SERIES(all_call, gasnetx_coll_barrier(GASNET_TEAM_ALL))

PAIR(images_ours, bench_caf_meet_image((int)partner + 1))
PAIR(images_bare, turn++; word_set(); word_wait())
PAIR(images_call, turn++; word_notify(); word_await())

static void there_and_back(void (*set)(void), void (*wait)(void))
{
  if (is_second) wait(), set();
  else set(), wait();
}
static void event_post(void) { bench_caf_post((int)partner + 1); }
PAIR(event_ours, there_and_back(event_post, bench_caf_await))
PAIR(event_bare, turn++; there_and_back(word_set, word_wait))
PAIR(event_call, turn++; there_and_back(word_notify, word_await))

/* ---- one side ---- */

static long adds; /* of this node, by all ways */
static void add_ours(long n) { bench_caf_add(n, (int)partner + 1), adds += n; }
static void fetch_add_ours(long n) { bench_caf_fetch_add(n, (int)partner + 1), adds += n; }
static void add_bare(long n)
{
  int *const there = (int *)(void *)counters.mapped[partner];
  for (long i = 0; i < n; i++) __atomic_fetch_add(there, 1, __ATOMIC_SEQ_CST);
  adds += n;
}
static void add_call(long n)
{
  uint32_t *const there = (uint32_t *)(void *)counters.remote[partner];
  for (long i = 0; i < n; i++) gasnetx_atomic32(GASNETX_ADD, partner, there, 1, 0);
  adds += n;
}

/* One that nobody else wants: two atomic operations are the least. */
enum { LOCK = 1 /* the second word */ };
static void lock_ours(long n) { bench_caf_take_and_release(n, (int)partner + 1); }
static void lock_bare(long n)
{
  uint64_t *const there = (uint64_t *)(void *)bench_node.mapped[partner] + LOCK;
  for (long i = 0; i < 2 * n; i++) __atomic_exchange_n(there, 0, __ATOMIC_SEQ_CST);
}
static void lock_call(long n)
{
  uint64_t *const there = (uint64_t *)bench_node.remote[partner] + LOCK;
  for (long i = 0; i < 2 * n; i++) gasnetx_atomic64(GASNETX_SWAP, partner, there, 0, 0);
}

/* ---- all ---- */

SERIES(scalar_ours, bench_caf_sum_scalar())
SERIES(scalar_call, *scalar = *share; gasnetx_coll_allreduce(GASNET_TEAM_ALL, scalar, scalar, 1, &add))
SERIES(array_ours, bench_caf_sum_block())
SERIES(array_call, memcpy(array, share, SHARES * sizeof *array);
       gasnetx_coll_allreduce(GASNET_TEAM_ALL, array, array, SHARES, &add))
SERIES(allocation_ours, bench_caf_allocation())

/* ---- points and data ---- */

static const struct point {
  const char *name;
  bench_series_fn ours, bare, call;
} points[] = {
    {"-", allocation_ours, NULL, all_call},
    {"sync_all", all_ours, NULL, all_call},
    {"sync_images", images_ours, images_bare, images_call},
    {"event", event_ours, event_bare, event_call},
    {"add", add_ours, add_bare, add_call},
    {"fetch_add", fetch_add_ours, add_bare, add_call},
    {"lock", lock_ours, lock_bare, lock_call},
    {"sum_8", scalar_ours, NULL, scalar_call},
    {"sum_1M", array_ours, NULL, array_call},
};
static const struct point *p;

static void ours(long n) { p->ours(n); }
static void bare(long n) { p->bare(n); }
static void call(long n) { p->call(n); }

static double share_of(int i) { return (double)(i % 1000 + 1000 * (int)bench_node.me); }

static int prepare(const char *point, size_t bytes)
{
  (void)bytes;
  p = points;
  while (strcmp(p->name, point) != 0) p++;
  is_second = bench_node.me == bench_node.half;
  partner = is_second ? 0 : bench_node.me == 0 ? bench_node.half : bench_node.me;
  turn = 0;
  *word_here() = 0;
  bench_caf_sums(&scalar, &array, &share);
  for (int i = 0; i < SHARES; i++) share[i] = share_of(i);
  *bench_caf_counter() = 0;
  adds = 0;
  bench_places_find(&counters, bench_caf_counter());
  return 0;
}

static int sum_is_wrong(double sum, int i)
{
  const int n = (int)bench_node.nodes;
  return sum != (double)(n * (i % 1000) + 500 * n * (n - 1));
}

/* What is not of the point is as it should be, too. */
static const char *check(void)
{
  int wrong = (uint32_t)bench_sum((uint64_t)adds) != (uint32_t)bench_sum((uint64_t)*bench_caf_counter());
  if (p->ours == scalar_ours) wrong |= sum_is_wrong(*scalar, 0);
  for (int i = 0; i < SHARES && p->ours == array_ours; i++) wrong |= sum_is_wrong(array[i], i);
  return wrong ? "a sum is wrong" : NULL;
}

static const char *after(void)
{
  const char *const wrong = check();
  if (!bench_node.raw || (p->ours != scalar_ours && p->ours != array_ours)) return wrong;
  *scalar = *array = 0;
  call(1);
  return wrong ? wrong : check();
}

#define CONTROL(name, which) BENCH_CASE(name, prepare, check, ours), .flags = which, .after = after
static const struct bench_case cases[] = {
    {CONTROL("caf_sync", BENCH_ALL_NODES), .raw_any = {call}},
    {CONTROL("caf_pair", BENCH_ALL_NODES), .raw_smp = {bare}, .raw_any = {call}},
    {CONTROL("caf_atomics", 0), .raw_smp = {bare}, .raw_any = {call}},
    {CONTROL("caf_sums", BENCH_ALL_NODES), .raw_any = {call}},
    {CONTROL("caf_allocate", BENCH_ALL_NODES), .raw_any = {call}},
    {.test = NULL},
};

const struct bench_suite bench_suite_caf_control = {.cases = cases};

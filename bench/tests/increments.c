/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Increments by all threads of all nodes: without answers in tables, and of one contended word. Each node
 * counts what it has added: in the end the words hold the sum. */
#include "../engine/engine.h"

#include <gasnet.h>
#include <gasnetx.h>
#include <string.h>

enum { WORDS = 1024, A_SYNC = 1000 };

/* ---- in tables ---- */

enum place { OWN, PARTNER, ALL };
static enum place place;
static uint64_t done; /* increments by this node, of all ways */
static _Thread_local uint64_t state;

static inline uint64_t draw(void)
{
  if (state == 0) state = (UINT64_C(1) << 32) * (bench_node.me + 1) + bench_thread;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return state >> 20;
}

static inline gasnet_node_t where(uint64_t x)
{
  return place == OWN    ? bench_node.me
      : place == PARTNER ? bench_node.peer
                         : (gasnet_node_t)((x >> 10) % bench_node.nodes);
}

static void add_rate(long n)
{
  for (long i = 0; i < n; i++) {
    const uint64_t x = draw();
    const gasnet_node_t to = where(x);
    gasnetx_atomic64_nbi(GASNETX_ADD, to, (uint64_t *)bench_node.remote[to] + x % WORDS, 1);
    if (i % A_SYNC == A_SYNC - 1) gasnet_wait_syncnbi_puts();
  }
  gasnet_wait_syncnbi_puts();
  __atomic_fetch_add(&done, (uint64_t)n, __ATOMIC_RELAXED);
}

static void bare_rate(long n)
{
  for (long i = 0; i < n; i++) {
    const uint64_t x = draw();
    __atomic_fetch_add((uint64_t *)bench_node.mapped[where(x)] + x % WORDS, 1, __ATOMIC_SEQ_CST);
  }
  __atomic_fetch_add(&done, (uint64_t)n, __ATOMIC_RELAXED);
}

/* ---- all on one word ---- */

static gasnetx_atomic_op_t how;
static int answered;

static uint64_t *one(void) { return bench_node.remote[0]; }

static void increment_by_cswap(void)
{
  uint64_t found = gasnetx_atomic64(GASNETX_GET, 0, one(), 0, 0), seen;
  while ((seen = gasnetx_atomic64(GASNETX_CSWAP, 0, one(), found + 1, found)) != found) found = seen;
}

static void contend(long n)
{
  for (long i = 0; i < n; i++) {
    if (how == GASNETX_CSWAP) increment_by_cswap();
    else if (answered) BENCH_USE(gasnetx_atomic64(GASNETX_ADD, 0, one(), 1, 0));
    else gasnetx_atomic64_nbi(GASNETX_ADD, 0, one(), 1);
    if (!answered && i % A_SYNC == A_SYNC - 1) gasnet_wait_syncnbi_puts();
  }
  gasnet_wait_syncnbi_puts();
  __atomic_fetch_add(&done, (uint64_t)n, __ATOMIC_RELAXED);
}

static void bare_contend(long n)
{
  uint64_t *const word = (uint64_t *)bench_node.mapped[0];
  for (long i = 0; i < n; i++) {
    if (how != GASNETX_CSWAP) {
      BENCH_USE(__atomic_fetch_add(word, 1, __ATOMIC_SEQ_CST));
      continue;
    }
    uint64_t found = __atomic_load_n(word, __ATOMIC_SEQ_CST);
    while (!__atomic_compare_exchange_n(word, &found, found + 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {}
  }
  __atomic_fetch_add(&done, (uint64_t)n, __ATOMIC_RELAXED);
}

/* ---- points and data ---- */

static int prepare_many(void)
{
  memset(bench_node.segment, 0, WORDS * sizeof(uint64_t));
  done = 0;
  return 0;
}

static int prepare_rate(const char *point, size_t bytes)
{
  (void)bytes;
  place = !strcmp(point, "own") ? OWN : !strcmp(point, "partner") ? PARTNER : ALL;
  return prepare_many();
}

static int prepare_contended(const char *point, size_t bytes)
{
  (void)bytes;
  how = !strcmp(point, "cswap") ? GASNETX_CSWAP : GASNETX_ADD;
  answered = strcmp(point, "add") != 0;
  return prepare_many();
}

/* All increments of all nodes are in the words of all nodes. */
static const char *check_sum(void)
{
  uint64_t found = 0;
  for (unsigned k = 0; k < WORDS; k++) found += ((const uint64_t *)bench_node.segment)[k];
  return bench_sum(found) == bench_sum(done) ? NULL : "increments were lost, or made twice";
}

enum { ALL_AT_ONCE = BENCH_ALL_NODES | BENCH_AGGREGATE | BENCH_THREADED_CASE };

static const struct bench_case cases[] = {
    {BENCH_CASE("atomic_rate", prepare_rate, check_sum, add_rate), .flags = ALL_AT_ONCE, .after = check_sum,
        .raw_smp = {bare_rate}, .least = A_SYNC},
    {BENCH_CASE("atomic_contended", prepare_contended, check_sum, contend), .flags = ALL_AT_ONCE,
        .after = check_sum, .raw_smp = {bare_contend}},
    {.test = NULL},
};

const struct bench_suite bench_suite_increments = {.cases = cases};

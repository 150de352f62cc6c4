/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Requests of all nodes to all others in turn, from the first request until all of them have been handled
 * everywhere. */
#include "../engine/engine.h"

#include <gasnet.h>

enum { H_SHORT = 180, H_MEDIUM };

static size_t bytes;        /* of a medium's data */
static uint64_t served;     /* requests, on this node */
static int checking, wrong; /* the data of mediums are looked at */
static _Thread_local uint64_t total;

/* Handlers run in all threads that wait; a single one needs no locked instruction. */
static void count(void)
{
  if (bench_node.threads > 1) __atomic_fetch_add(&served, 1, __ATOMIC_RELAXED);
  else __atomic_store_n(&served, served + 1, __ATOMIC_RELAXED);
}

static void on_short(gasnet_token_t token)
{
  (void)token;
  count();
}

static void on_medium(gasnet_token_t token, void *data, size_t nbytes)
{
  (void)token;
  if (checking && (nbytes != bytes || bench_filled(data, nbytes, 1) != nbytes)) wrong = 1;
  count();
}

/* Request i goes to the node 1 + i % (nodes - 1) after this one: if each node sends n, each gets n. */
static inline gasnet_node_t target(long i)
{
  return (bench_node.me + 1 + (unsigned long)i % (bench_node.nodes - 1)) % bench_node.nodes;
}

static void await(long n)
{
  total += (uint64_t)n * bench_node.threads;
  GASNET_BLOCKUNTIL(__atomic_load_n(&served, __ATOMIC_RELAXED) >= total);
}

static void send_short(long n)
{
  for (long i = 0; i < n; i++) gasnet_AMRequestShort0(target(i), H_SHORT);
  await(n);
}

static void send_medium(long n)
{
  char *const data = bench_local_share();
  for (long i = 0; i < n; i++) gasnet_AMRequestMedium0(target(i), H_MEDIUM, data, bytes);
  await(n);
}

static int prepare(const char *point, size_t size)
{
  (void)point;
  if (size > gasnet_AMMaxMedium()) {
    bench_missing("a medium's data are at most %zu bytes", (size_t)gasnet_AMMaxMedium());
    return -1;
  }
  bytes = size;
  for (unsigned t = 0; t < bench_node.threads; t++)
    bench_fill(bench_node.local + t * bench_node.share, bytes, 1);
  checking = 1;
  wrong = 0;
  return 0;
}

static const char *check(void)
{
  checking = 0;
  return wrong ? "a medium's data are not what was sent" : NULL;
}

enum { ALL = BENCH_ALL_NODES | BENCH_AGGREGATE | BENCH_THREADED_CASE, LEAST = 64 };

static const struct bench_case cases[] = {
    {BENCH_CASE("am_all_to_all", prepare, check, send_short), .flags = ALL, .least = LEAST},
    {BENCH_CASE("am_all_to_all_medium", prepare, check, send_medium), .flags = ALL, .least = LEAST},
    {.test = NULL},
};
static const struct bench_handler handlers[] = {{H_SHORT, on_short}, {H_MEDIUM, on_medium}, {0, NULL}};

const struct bench_suite bench_suite_flood = {.cases = cases, .handlers = handlers};

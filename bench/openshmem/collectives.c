/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Collectives one after the other, and barriers against those of gasnet.h in the same job. The time of all
 * PEs counts: it includes the last barrier. */
#include "pe.h"

#include <gasnet.h>
#include <mpp/shmem.h>
#include <string.h>

enum { BROADCAST = 1024 }; /* words */

static long sync_words[2][_SHMEM_REDUCE_SYNC_SIZE + _SHMEM_BCAST_SYNC_SIZE];
static long target[2][BENCH_VECTOR], work[BENCH_VECTOR / 2 + 1 + _SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static size_t words; /* of a sum; 0: it is a broadcast */

#define LOOP(n, body) \
  for (long i = 0; i < (n); i++) { \
    const unsigned k = (unsigned)i % 2; \
    body; \
  } \
  shmem_barrier_all();

static void bare_copy(long n)
{
  LOOP(n, if (bench_node.me == 1) memcpy(target[k], bench_node.mapped[0], BROADCAST * sizeof(long));
       bench_compiler_barrier())
}

static void sum(long n)
{
  const int pes = (int)bench_node.nodes;
  LOOP(n, shmem_long_sum_to_all(target[k], bench_static, (int)words, 0, 0, pes, work, sync_words[k]))
}

static void broadcast(long n)
{
  const int pes = (int)bench_node.nodes;
  LOOP(n, shmem_broadcast64(target[k], bench_static, BROADCAST, 0, 0, 0, pes, sync_words[k]))
}

static void collective(long n)
{
  if (words) sum(n);
  else broadcast(n);
}

static void barrier_all(long n)
{
  for (long i = 0; i < n; i++) shmem_barrier_all();
}

static void gasnets(long n)
{
  for (long i = 0; i < n; i++) {
    gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
    gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
  }
}

/* ---- points and data ---- */

static int prepare(const char *point, size_t bytes)
{
  (void)bytes;
  words = !strcmp(point, "sum_1") ? 1 : !strcmp(point, "sum_8192") ? BENCH_VECTOR : 0;
  if (words) bench_raw_taken = 0;
  for (unsigned k = 0; k < 2; k++)
    for (unsigned i = 0; i < sizeof sync_words[0] / sizeof sync_words[0][0]; i++)
      sync_words[k][i] = _SHMEM_SYNC_VALUE;
  for (long i = 0; i < BENCH_VECTOR; i++) bench_static[i] = i + 1000 * (long)bench_node.me;
  memset(target, 0, sizeof target);
  return 0;
}

static const char *check(void)
{
  const long n = (long)bench_node.nodes, offsets = 1000 * n * (n - 1) / 2;
  if (words == 0 && bench_node.me == 0) return NULL; /* the root's target stays as it is */
  for (long i = 0; i < (long)(words ? words : BROADCAST); i++)
    if (target[0][i] != (words ? n * i + offsets : i)) return "what the collective left is wrong";
  return NULL;
}

static const struct bench_case cases[] = {
    {BENCH_CASE("shmem_collectives", prepare, check, collective), .flags = BENCH_ALL_NODES,
        .raw_smp = {bare_copy}},
    {.test = "shmem_barrier", .flags = BENCH_ALL_NODES, .ours = barrier_all, .raw_any = {gasnets}},
    {.test = NULL},
};

const struct bench_suite bench_suite_shmem_collectives = {.cases = cases};

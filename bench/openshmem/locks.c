/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Locks without contention: PE 0 takes and clears the locks of a table in turn, wherever the library keeps
 * each. */
#include "pe.h"

#include <mpp/shmem.h>
#include <string.h>

static long static_locks[BENCH_WINDOW];
static long *locks;

#define LOOP(n, body) \
  for (long i = 0; i < (n); i++) { \
    const unsigned k = (unsigned)i % BENCH_WINDOW; \
    body; \
    bench_compiler_barrier(); \
  }

static void bare(long n)
{
  long *const words = (long *)bench_node.mapped[bench_node.half] + BENCH_WINDOW; /* beside the locks */
  LOOP(n, __atomic_fetch_add(&words[k], 1, __ATOMIC_SEQ_CST);
       __atomic_fetch_add(&words[k], -1, __ATOMIC_SEQ_CST))
}

static void ours(long n) { LOOP(n, shmem_set_lock(&locks[k]); shmem_clear_lock(&locks[k])) }

static int prepare(const char *point, size_t bytes)
{
  (void)bytes;
  locks = !strcmp(point, "static") ? static_locks : bench_heap();
  memset(locks, 0, BENCH_WINDOW * sizeof *locks);
  return 0;
}

/* The last PE finds all of them free. */
static const char *check(void)
{
  if (bench_node.me != bench_node.nodes - 1) return NULL;
  for (unsigned k = 0; k < BENCH_WINDOW; k++) {
    if (shmem_test_lock(&locks[k]) != 0) return "a lock that was cleared is not free";
    shmem_clear_lock(&locks[k]);
  }
  return NULL;
}

static const struct bench_case cases[] = {
    {BENCH_CASE("shmem_locks", prepare, check, ours), .raw_smp = {bare}, .least = BENCH_WINDOW},
    {.test = NULL},
};

const struct bench_suite bench_suite_shmem_locks = {.cases = cases};

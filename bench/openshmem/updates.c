/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Words at random in tables that no cache holds, on all PEs, by all PEs at once. The time is PE 0's for its
 * own part. */
#include "pe.h"

#include <mpp/shmem.h>
#include <string.h>

enum { TABLE = 1 << 21 };

static int adding;
static uint64_t given; /* sum of what this PE has added */

static inline uint64_t next(uint64_t x) { return x * 6364136223846793005u + 1442695040888963407u; }
static inline int pe_of(uint64_t x) { return (int)(((x >> 48) * bench_node.nodes) >> 16); }
static inline size_t word_of(uint64_t x) { return (size_t)(x >> 20) % TABLE; }

#define LOOP(n, body) \
  uint64_t x = 77 + (uint64_t)bench_node.me; \
  for (long i = 0; i < (n); i++) { \
    x = next(x); \
    const int pe = pe_of(x); \
    const size_t at = word_of(x); \
    body; \
    bench_compiler_barrier(); \
  }

static void bare_put(long n) { LOOP(n, ((long *)bench_node.mapped[pe])[at] = (long)x) }
static void bare_add(long n)
{
  LOOP(n, __atomic_fetch_add((long *)bench_node.mapped[pe] + at, (long)x, __ATOMIC_SEQ_CST); given += x)
}
static void put(long n) { LOOP(n, shmem_long_p(bench_heap() + at, (long)x, pe)) }
static void add(long n) { LOOP(n, shmem_long_add(bench_heap() + at, (long)x, pe); given += x) }

static void ours(long n)
{
  if (adding) add(n);
  else put(n);
}
static void bare(long n)
{
  if (adding) bare_add(n);
  else bare_put(n);
}

static size_t needs(const char *point, size_t bytes)
{
  return (void)point, (void)bytes, TABLE * sizeof(long);
}

static int prepare(const char *point, size_t bytes)
{
  (void)bytes;
  adding = !strcmp(point, "add");
  given = 0;
  memset(bench_heap(), 0, TABLE * sizeof(long));
  return 0;
}

/* The number that was put tells its place in the table. */
static const char *check_put(void)
{
  size_t found = 0;
  for (size_t k = 0; k < TABLE; k++) {
    const uint64_t x = (uint64_t)bench_heap()[k];
    if (x == 0) continue;
    found++;
    if (word_of(x) != k || (unsigned)pe_of(x) != bench_node.me) return "a word is not where it was put";
  }
  return bench_sum(found) ? NULL : "nothing was put";
}

static const char *check(void)
{
  uint64_t sum = 0;
  if (!adding) return check_put();
  for (size_t k = 0; k < TABLE; k++) sum += (uint64_t)bench_heap()[k];
  return bench_sum(sum) == bench_sum(given) ? NULL : "what was added is not what is there";
}

static const struct bench_case cases[] = {
    {BENCH_CASE("shmem_random", prepare, check, ours), .flags = BENCH_ALL_NODES, .needs = needs,
        .after = check, .raw_smp = {bare}, .least = 1000},
    {.test = NULL},
};

const struct bench_suite bench_suite_shmem_updates = {.cases = cases};

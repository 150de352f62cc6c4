/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A word to and from the partner, and atomic operations on it, by PE 0, against the same through a mapped
 * pointer. Both sides of each comparison go through the same words in the same order; each iteration of both
 * ends in a compiler barrier, so that nothing becomes a vector. */
#include "pe.h"

#include <mpp/shmem.h>

enum { PATTERN = 5000 };

static volatile int partner;    /* not known to the compiler */
static long *remote;            /* as the library takes them ... */
static long *mapped;            /* ... and here */
static long cell[BENCH_WINDOW]; /* local side */

#define LOOP(n, body) \
  const int pe = partner; \
  (void)pe; \
  for (long i = 0; i < (n); i++) { \
    const unsigned k = (unsigned)i % BENCH_WINDOW; \
    body; \
    bench_compiler_barrier(); \
  }
#define SERIES(name, body) \
  static void name(long n) { LOOP(n, body) }

SERIES(bare_store, mapped[k] = cell[k])
SERIES(bare_store_value, mapped[k] = i)
SERIES(bare_load, cell[k] = mapped[k])
SERIES(bare_load_value, BENCH_USE(mapped[k]))
SERIES(bare_xadd, BENCH_USE(__atomic_fetch_add(&mapped[k], i, __ATOMIC_SEQ_CST)))

SERIES(put, shmem_long_put(remote + k, cell + k, 1, pe); shmem_quiet())
SERIES(p, shmem_long_p(remote + k, i, pe); shmem_quiet())
SERIES(get, shmem_long_get(cell + k, remote + k, 1, pe))
SERIES(g, BENCH_USE(shmem_long_g(remote + k, pe)))
SERIES(fadd, BENCH_USE(shmem_long_fadd(remote + k, i, pe)))
SERIES(swap, BENCH_USE(shmem_long_swap(remote + k, i, pe)))
SERIES(cswap, BENCH_USE(shmem_long_cswap(remote + k, i - BENCH_WINDOW, i, pe)))

static const struct operation {
  const char *name;
  bench_series_fn ours, bare;
} operations[] = {
    {"put", put, bare_store},
    {"p", p, bare_store_value},
    {"get", get, bare_load},
    {"g", g, bare_load_value},
    {"fadd", fadd, bare_xadd},
    {"swap", swap, bare_xadd},
    {"cswap", cswap, bare_xadd},
};
static const struct operation *o;

static void ours(long n) { o->ours(n); }
static void bare(long n) { o->bare(n); }

/* ---- points and data ---- */

/* The partner's word before the first operation: cswap expects it, and get brings it. */
static long before(unsigned k)
{
  if (o->ours == cswap) return (long)k - BENCH_WINDOW;
  return o->ours == get || o->ours == g ? PATTERN + (long)k : 0;
}

/* The word after one operation on each. */
static long after(unsigned k)
{
  return o->ours == put                ? 2 * PATTERN + (long)k
      : o->ours == get || o->ours == g ? PATTERN + (long)k
                                       : (long)k;
}

static int prepare(const char *point, size_t bytes)
{
  (void)bytes;
  o = NULL;
  for (unsigned i = 0; i < sizeof operations / sizeof *operations; i++)
    if (bench_point_is(point, operations[i].name)) o = &operations[i];
  if (!o) bench_die("there is no operation %s", point);
  partner = (int)bench_node.half;
  remote = bench_point_static(point) ? bench_static : bench_heap();
  mapped = shmem_ptr(remote, partner);
  for (unsigned k = 0; k < BENCH_WINDOW; k++) {
    remote[k] = before(k);
    cell[k] = 2 * PATTERN + (long)k;
  }
  return 0;
}

static const char *check(void)
{
  for (unsigned k = 0; k < BENCH_WINDOW; k++) {
    if (bench_node.me == bench_node.half && remote[k] != after(k))
      return "a word is not what the operation makes of it";
    if (bench_node.me == 0 && o->ours == get && cell[k] != after(k))
      return "what a get brought is not what is there";
    if (bench_node.me == 0 && shmem_long_g(remote + k, partner) != after(k))
      return "what a g brought is not what is there";
  }
  return NULL;
}

static const struct bench_case cases[] = {
    {BENCH_CASE("shmem_words", prepare, check, ours), .raw_smp = {bare}, .least = BENCH_WINDOW},
    {BENCH_CASE("shmem_atomics", prepare, check, ours), .raw_smp = {bare}, .least = BENCH_WINDOW},
    {.test = NULL},
};

const struct bench_suite bench_suite_shmem_words = {.cases = cases};

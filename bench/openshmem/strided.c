/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Every other word to and from the partner, by PE 0, against a loop. An operation is a word. */
#include "pe.h"

#include <mpp/shmem.h>
#include <string.h>

enum { COUNT = 1024, STEP = 2, REST = -1 };

static long here[COUNT * STEP];
static volatile ptrdiff_t step = STEP; /* not known to the compiler */
static int get;

static void bare(long n)
{
  const ptrdiff_t s = step;
  long *const there = (long *)bench_node.mapped[bench_node.half];
  for (long i = 0; i < n / COUNT; i++) {
    if (get) bench_loop_longs(here, there, s, s, COUNT);
    else bench_loop_longs(there, here, s, s, COUNT);
    bench_compiler_barrier();
  }
}

static void ours(long n)
{
  const ptrdiff_t s = step;
  const int pe = (int)bench_node.half;
  for (long i = 0; i < n / COUNT; i++) {
    if (get) shmem_long_iget(here, bench_heap(), s, s, COUNT, pe);
    else shmem_long_iput(bench_heap(), here, s, s, COUNT, pe), shmem_quiet();
    bench_compiler_barrier();
  }
}

static int prepare(const char *point, size_t bytes)
{
  (void)bytes;
  get = !strcmp(point, "iget");
  long *const from = get ? bench_heap() : here, *const to = get ? here : bench_heap();
  for (long i = 0; i < COUNT * STEP; i++) {
    from[i] = i + 1;
    to[i] = REST;
  }
  return 0;
}

static const char *check(void)
{
  const long *to = get ? here : bench_heap();
  if (bench_node.me != (get ? 0 : bench_node.half)) return NULL;
  for (long i = 0; i < COUNT * STEP; i++)
    if (to[i] != (i % STEP == 0 ? i + 1 : REST)) return "a word is not what was to be moved there";
  return NULL;
}

static const struct bench_case cases[] = {
    {BENCH_CASE("shmem_strided", prepare, check, ours), .raw_smp = {bare}, .multiple = COUNT},
    {.test = NULL},
};

const struct bench_suite bench_suite_shmem_strided = {.cases = cases};

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* One PE computes and makes no call until a word of its memory changes. The others set it when they are done
 * with that PE: puts, gets, atomic operations, strided transfers and locks, on the heap and on static
 * variables, and collectives of sets without it. If nothing serves them while it computes, which is much
 * longer than they need, the word does not change. */
#include "places.h"

#include <time.h>

enum { LONGEST = 30, WORDS = 40000, LOCKS = 16, MAX_PES = 64 };

static long released; /* by all others */
static long data[WORDS], counter, locks[LOCKS], in_locks[2];
static long *heap_data, *heap_counter, *heap_locks;
static long syncs[8][_SHMEM_REDUCE_SYNC_SIZE + _SHMEM_BCAST_SYNC_SIZE];

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A read as in a program's own loop; other PEs or a thread of the library change the word. */
static long seen_released(void) { return __atomic_load_n(&released, __ATOMIC_ACQUIRE); }

static void compute(long until)
{
  const double start = now();
  volatile uint64_t x = 1;
  while (seen_released() < until && now() < start + LONGEST)
    for (int i = 0; i < 1000; i++) x = test_mix(x);
  CHECK(seen_released() >= until,
      "the others did not come to an end while this PE computed for %d s: %ld of %ld have", LONGEST,
      seen_released(), until);
}

/* Every PE has its own words at the PE that computes. */
static void transfers(struct rng *r, long *words, int pe)
{
  static long mine[WORDS], seen[WORDS];
  const size_t part = WORDS / (size_t)test.pes, n = 1 + rng_size(r, part - 1), step = part / n < 4 ? 1 : 3;
  long *there = words + part * (size_t)test.me;
  for (size_t i = 0; i < n; i++) mine[i] = (long)rng_next(r);
  if (step == 1) shmem_long_put(there, mine, n, pe);
  else shmem_long_iput(there, mine, (ptrdiff_t)step, 1, n, pe);
  shmem_quiet();
  if (step == 1) shmem_long_get(seen, there, n, pe);
  else shmem_long_iget(seen, there, 1, (ptrdiff_t)step, n, pe);
  CHECK(!memcmp(seen, mine, n * sizeof *mine), "%zu words with step %zu, put to PE %d and got back", n, step,
      pe);
  shmem_long_p(there, 5, pe);
  shmem_quiet();
  CHECK(shmem_long_g(there, pe) == 5, "p and g");
}

static void atomics(long *word, int pe)
{
  for (int i = 0; i < 20; i++) {
    shmem_long_fadd(word, 3, pe);
    shmem_long_add(word, -2, pe);
    const long seen = shmem_long_g(word, pe);
    shmem_long_cswap(word, seen, seen, pe);
  }
  shmem_quiet();
}

/* Among so many locks some have their word at the PE that computes. */
static void take_locks(long *some, long *inside, int pe)
{
  for (int i = 0; i < LOCKS; i++) {
    shmem_set_lock(&some[i]);
    const long seen = shmem_long_g(inside, pe);
    if (i == 0) shmem_long_p(inside, seen + 1, pe);
    shmem_clear_lock(&some[i]);
  }
}

/* The PEs below or above. */
static void collectives(int pe)
{
  static long source, target, work[_SHMEM_REDUCE_MIN_WRKDATA_SIZE];
  const int start = test.me < pe ? 0 : pe + 1, size = test.me < pe ? pe : test.pes - 1 - pe;
  long want = 0;
  for (int i = start; i < start + size; i++) want += i;
  source = test.me;
  shmem_barrier(start, 0, size, syncs[0]);
  shmem_long_sum_to_all(&target, &source, 1, start, 0, size, work, syncs[1]);
  CHECK(target == want, "sum of PEs %d to %d: %ld, not %ld", start, start + size - 1, target, want);
  shmem_barrier(start, 0, size, syncs[2]);
  shmem_broadcast64(&target, &source, 1, 0, start, 0, size, syncs[3]);
  CHECK(test.me == start || target == start, "broadcast from PE %d: %ld", start, target);
  shmem_barrier(start, 0, size, syncs[4]);
}

static void others(struct rng *r, int pe)
{
  transfers(r, data, pe);
  transfers(r, heap_data, pe);
  atomics(&counter, pe);
  atomics(heap_counter, pe);
  take_locks(locks, &in_locks[0], pe);
  take_locks(heap_locks, &in_locks[1], pe);
  collectives(pe);
  shmem_long_inc(&released, pe);
  shmem_quiet();
}

static void round_with(struct rng *r, int pe)
{
  counter = *heap_counter = in_locks[0] = in_locks[1] = 0;
  released = 0;
  shmem_barrier_all();
  if (test.me == pe) compute(test.pes - 1);
  else others(r, pe);
  shmem_barrier_all();
  if (test.me != pe) return;
  CHECK(counter == 20L * (test.pes - 1) && *heap_counter == counter, "the counters are %ld and %ld", counter,
      *heap_counter);
  CHECK(in_locks[0] == test.pes - 1 && in_locks[1] == test.pes - 1, "%ld and %ld PEs have been in the locks",
      in_locks[0], in_locks[1]);
}

int main(int argc, char **argv)
{
  if (test_am_only()) {
    fprintf(stderr, "skip: messages alone wait for a call of the library\n");
    return 77;
  }
  const char *asked = getenv("GASNET_PROGRESS_THREAD");
  test_start("progress", &argc, &argv);
  REQUIRE(getenv("GASNET_PROGRESS_THREAD") == asked,
      "start_pes has changed the environment, which programs that it starts get");
  REQUIRE(test.pes > 1 && test.pes <= MAX_PES, "needs 2 to %d PEs", MAX_PES);
  struct rng own = own_numbers(1);
  for (size_t k = 0; k < 8; k++)
    for (size_t i = 0; i < sizeof syncs[0] / sizeof syncs[0][0]; i++) syncs[k][i] = _SHMEM_SYNC_VALUE;
  heap_data = test_shmalloc(WORDS * sizeof *heap_data);
  heap_counter = test_shmalloc(sizeof *heap_counter);
  heap_locks = test_shmalloc(LOCKS * sizeof *heap_locks);
  memset(heap_locks, 0, LOCKS * sizeof *heap_locks);
  shmem_barrier_all();
  for (int pe = 0; pe < test.pes; pe++) round_with(&own, pe);
  return test_finish();
}

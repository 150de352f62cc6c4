/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Locks: mutual exclusion with counters that nothing else protects, first come first served, test_lock, many
 * locks at once, on the heap and on static variables. */
#include "common.h"

#include <time.h>

enum { LOCKS = 32, MAX_PES = 256, LONGEST = 30 }; /* seconds */

static int mapped;
static long static_locks[LOCKS];
static long *heap_locks;
static long counters[2 * LOCKS], copies[2 * LOCKS]; /* at PE 0, and at the last */

static long *lock_number(int i)
{
  static long function_lock;
  return i == 0 ? &function_lock : i < LOCKS ? &static_locks[i] : &heap_locks[i - LOCKS];
}

/* The holder reads and writes two counters at two PEs; if they differ, the last holder's store is missing. */
static void update(int i)
{
  const int far = test.pes - 1;
  const long value = shmem_long_g(&counters[i], 0), copy = shmem_long_g(&copies[i], far);
  CHECK(value == copy, "lock %d: the counters are %ld and %ld", i, value, copy);
  shmem_long_p(&counters[i], value + 1, 0);
  if (value % 7 == 0) test_yield();
  shmem_long_p(&copies[i], value + 1, far);
}

static void reset(void)
{
  shmem_barrier_all();
  memset(counters, 0, sizeof counters);
  memset(copies, 0, sizeof copies);
  shmem_barrier_all();
}

static long total_of(int from, int to)
{
  long total = 0;
  shmem_barrier_all();
  for (int i = from; i < to; i++) total += shmem_long_g(&counters[i], 0);
  return total;
}

static void exclusion(struct rng *common)
{
  const int lock = (int)rng_below(common, 2 * LOCKS);
  const long n = (long)test_scaled((mapped ? 5000.0 : 200.0) / test.pes + 20);
  reset();
  for (long i = 0; i < n; i++) {
    shmem_set_lock(lock_number(lock));
    update(lock);
    shmem_clear_lock(lock_number(lock));
  }
  CHECK(total_of(lock, lock + 1) == n * test.pes, "lock %d: %ld updates counted as %ld", lock, n * test.pes,
      total_of(lock, lock + 1));
}

/* Some wait, some only try. */
static void tries(struct rng *common, struct rng *own)
{
  static long done;
  const int lock = (int)rng_below(common, 2 * LOCKS);
  const long n = (long)test_scaled((mapped ? 5000.0 : 100.0) / test.pes + 20);
  long refused = 0, total = 0;
  reset();
  for (done = 0; done < n;) {
    if (rng_below(own, 2)) shmem_set_lock(lock_number(lock));
    else {
      const int rc = shmem_test_lock(lock_number(lock));
      CHECK(rc == 0 || rc == 1, "test_lock returned %d", rc);
      if (rc) {
        refused++;
        test_yield();
        continue;
      }
    }
    update(lock);
    shmem_clear_lock(lock_number(lock));
    done++;
  }
  shmem_barrier_all();
  for (int pe = 0; pe < test.pes; pe++) total += shmem_long_g(&done, pe);
  CHECK(total_of(lock, lock + 1) == total, "lock %d with tries: %ld updates counted as %ld", lock, total,
      total_of(lock, lock + 1));
  CHECK(test.pes > 1 || refused == 0, "test_lock refused a free lock %ld times", refused);
}

static void tries_of_a_held_lock(void)
{
  for (int i = 0; i < 2 * LOCKS; i += 3) {
    const int holder = i % test.pes;
    if (test.me == holder) CHECK(shmem_test_lock(lock_number(i)) == 0, "test_lock of free lock %d", i);
    shmem_barrier_all();
    if (test.me != holder)
      CHECK(shmem_test_lock(lock_number(i)) == 1, "test_lock of lock %d, which PE %d has", i, holder);
    shmem_barrier_all();
    if (test.me == holder) shmem_clear_lock(lock_number(i));
    shmem_barrier_all();
    if (test.me == (holder + 1) % test.pes) {
      CHECK(shmem_test_lock(lock_number(i)) == 0, "test_lock of lock %d, which is free again", i);
      shmem_clear_lock(lock_number(i));
    }
    shmem_barrier_all();
  }
}

/* Takes several at once, in ascending order against deadlock. */
static void many(struct rng *own)
{
  static long updates;
  long total = 0;
  reset();
  updates = 0;
  for (size_t round = 0; round < test_scaled(20); round++) {
    int held[4], n = 0;
    for (int i = (int)rng_below(own, LOCKS); i < 2 * LOCKS && n < 4;
         i += 1 + (int)rng_below(own, LOCKS / 2)) {
      shmem_set_lock(lock_number(i));
      held[n++] = i;
    }
    for (int k = 0; k < n; k++) update(held[k]);
    updates += n;
    while (n > 0) {
      const int k = (int)rng_below(own, (uint64_t)n);
      shmem_clear_lock(lock_number(held[k]));
      held[k] = held[--n];
    }
  }
  shmem_barrier_all();
  for (int pe = 0; pe < test.pes; pe++) total += shmem_long_g(&updates, pe);
  CHECK(total_of(0, 2 * LOCKS) == total, "many locks: %ld updates counted as %ld", total,
      total_of(0, 2 * LOCKS));
}

/* ---- first come, first served ---- */

static long called, order[MAX_PES], served;

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* What a PE has noted of its place in the queue: the second half of its word. */
static uint32_t node_of(long *lock, int pe)
{
  const long word = shmem_long_g(lock, pe);
  uint32_t node;
  memcpy(&node, (const char *)&word + sizeof word - sizeof node, sizeof node);
  return node;
}

/* Waits until the called PE stands behind `last`, whose node then changes. The first half of another word,
 * which tells who came last, changes earlier. Reading one's own word serves no messages, which may bring the
 * change; reading another PE's does. */
static void wait_for_arrival(long *lock, int last, uint32_t before)
{
  const double start = now();
  while (node_of(lock, last) == before && now() < start + LONGEST) {
    node_of(lock, (test.me + 1) % test.pes);
    test_yield();
  }
}

/* The holder calls the others one by one in a random order, then lets go: they are served in this order. */
static void in_order(struct rng *common)
{
  const int number = (int)rng_below(common, 2 * LOCKS), holder = (int)rng_below(common, (uint64_t)test.pes);
  long *lock = lock_number(number);
  int queue[MAX_PES], n = 0;
  for (int pe = 0; pe < test.pes; pe++)
    if (pe != holder) queue[n++] = pe;
  for (int i = n; i > 1; i--) {
    const int k = (int)rng_below(common, (uint64_t)i), last = queue[i - 1];
    queue[i - 1] = queue[k];
    queue[k] = last;
  }
  called = served = 0;
  shmem_barrier_all();
  if (test.me == holder) {
    shmem_set_lock(lock);
    for (int i = 0; i < n; i++) {
      const int last = i ? queue[i - 1] : holder;
      const uint32_t before = node_of(lock, last);
      shmem_long_p(&called, 1, queue[i]);
      shmem_quiet();
      wait_for_arrival(lock, last, before);
    }
  } else {
    shmem_wait(&called, 0);
    shmem_set_lock(lock);
    const long place = shmem_long_g(&served, holder);
    shmem_long_p(&order[place], test.me, holder);
    shmem_long_p(&served, place + 1, holder);
  }
  shmem_clear_lock(lock);
  shmem_barrier_all();
  if (test.me == holder)
    for (int i = 0; i < n; i++)
      CHECK(order[i] == queue[i],
          "lock %d, held by PE %d: number %d in the queue was PE %d, but PE %ld was served", number, holder,
          i, queue[i], order[i]);
  shmem_barrier_all();
}

int main(int argc, char **argv)
{
  test_start("locks", &argc, &argv);
  struct rng common = common_numbers(1), own = own_numbers(1);
  REQUIRE(test.pes <= MAX_PES, "at most %d PEs", MAX_PES);
  mapped = test_mapped();
  heap_locks = test_shmalloc(LOCKS * sizeof *heap_locks);
  memset(heap_locks, 0, LOCKS * sizeof *heap_locks);
  shmem_barrier_all();
  for (int i = 0; i < 6; i++) {
    exclusion(&common);
    tries(&common, &own);
  }
  tries_of_a_held_lock();
  many(&own);
  for (int i = 0; i < 6; i++) in_order(&common);
  return test_finish();
}

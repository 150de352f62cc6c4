/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Barriers of all kinds, locks, fences, semaphores: they hold threads back, and what was written before is
 * seen after. sync [--seed S] [--scale X] */
#include "common.h"

static struct rng common, mine; /* the same on all threads; this thread's own */

static void dawdle(void)
{
  if (rng_below(&mine, 4) == 0) test_yield();
}

static uint64_t get_word(upc_pts_t p)
{
  uint64_t word;
  upc_memget(&word, p, sizeof word);
  return word;
}

static void put_word(upc_pts_t p, uint64_t word) { upc_memput(p, &word, sizeof word); }

/* Word i of an array whose words lie in each thread in turn. */
static upc_pts_t word_at(upc_pts_t words, size_t i)
{
  return upc_pts_add(words, (ptrdiff_t)i, 1, sizeof(uint64_t));
}

static upc_pts_t make_words(size_t each)
{
  upc_pts_t words = upc_all_alloc(each * (size_t)THREADS, sizeof(uint64_t));
  memset(own(word_at(words, (size_t)MYTHREAD)), 0, each * sizeof(uint64_t));
  upc_barrier();
  return words;
}

/* ---- barriers ---- */

/* All numbers that threads give are equal; no number agrees with all. */
static void any_notify(int id)
{
  if (rng_below(&mine, 2)) upc_notify(id);
  else if (rng_below(&mine, 2)) upc_notify();
  else bupc_notify(id);
}

static void any_wait(int id)
{
  if (rng_below(&mine, 2)) upc_wait(id);
  else if (rng_below(&mine, 2)) upc_wait();
  else bupc_wait();
}

static void any_barrier(int id)
{
  switch (rng_below(&mine, 5)) {
  case 0: upc_barrier(); return;
  case 1: upc_barrier(id); return;
  case 2: bupc_barrier(id); return;
  case 3: bupc_barrier(); return;
  }
  any_notify(id);
  dawdle();
  any_wait(id);
}

static void barriers(void)
{
  upc_pts_t words = make_words(1);
  for (uint64_t round = 1, rounds = test_scaled(300); round <= rounds; round++) {
    int id = rng_below(&common, 4) ? (int)rng_next(&common) : (int)rng_below(&common, 3) - 1;
    dawdle();
    put_word(word_at(words, (size_t)MYTHREAD), round);
    any_barrier(id);
    size_t t = rng_below(&mine, (uint64_t)THREADS);
    uint64_t got = get_word(word_at(words, t));
    CHECK(got == round || got == round + 1, "barrier %llu with %d: thread %zu is at %llu",
        (unsigned long long)round, id, t, (unsigned long long)got);
  }
  upc_all_free(words);
}

/* A thread goes on between the halves; none passes the second before all have been at the first. */
static void split_barriers(void)
{
  upc_pts_t words = make_words(1);
  for (uint64_t round = 1, rounds = test_scaled(100); round <= rounds; round++) {
    put_word(word_at(words, (size_t)MYTHREAD), round);
    upc_notify((int)round);
    for (uint64_t n = rng_below(&mine, 20); n > 0; n--) {
      uint64_t got = get_word(word_at(words, rng_below(&mine, (uint64_t)THREADS)));
      CHECK(got == round || got + 1 == round, "at notify %llu another thread is at %llu",
          (unsigned long long)round, (unsigned long long)got);
    }
    upc_wait((int)round);
    for (int t = 0; t < THREADS; t++)
      CHECK(get_word(word_at(words, (size_t)t)) >= round, "thread %d has not notified barrier %llu", t,
          (unsigned long long)round);
    upc_barrier();
  }
  upc_all_free(words);
}

/* ---- fences ---- */

/* When the flag is seen, so is what was written before the fence. */
static void fences(void)
{
  enum { WORDS = 40 };
  upc_pts_t data = make_words(WORDS), flag = make_words(1);
  const size_t next = (size_t)((MYTHREAD + 1) % THREADS), me = (size_t)MYTHREAD;
  for (uint64_t round = 1, rounds = test_scaled(15); round <= rounds; round++) {
    for (size_t i = 0; i < WORDS; i++) put_word(word_at(data, i * (size_t)THREADS + next), round * 1000 + i);
    if (round % 2) upc_fence();
    else bupc_fence();
    put_word(word_at(flag, next), round);
    while (get_word(word_at(flag, me)) < round) {
      upc_fence();
      test_yield();
    }
    const uint64_t *here = (const uint64_t *)(const void *)own(word_at(data, me));
    for (size_t i = 0; i < WORDS; i++)
      CHECK(here[i] == round * 1000 + i, "word %zu is not there when the flag is", i);
    upc_barrier();
  }
  upc_all_free(data);
  upc_all_free(flag);
}

/* ---- locks ---- */

static void take(upc_lock_t *lock)
{
  switch (rng_below(&mine, 4)) {
  case 0:
    while (!upc_lock_attempt(lock)) test_yield();
    break;
  case 1:
    while (!bupc_lock_attempt(lock)) test_yield();
    break;
  case 2: bupc_lock(lock); break;
  default: upc_lock(lock);
  }
}

static void give(upc_lock_t *lock)
{
  if (rng_below(&mine, 2)) upc_unlock(lock);
  else bupc_unlock(lock);
}

/* Reads, waits, writes, in two places: the sum is right only if one thread at a time does so. */
static void add_one(upc_pts_t counter)
{
  uint64_t n = get_word(counter), twice = get_word(pts_bytes(counter, sizeof n));
  CHECK(twice == 2 * n, "two threads hold one lock: %llu and %llu", (unsigned long long)n,
      (unsigned long long)twice);
  put_word(counter, n + 1);
  dawdle();
  put_word(pts_bytes(counter, sizeof n), 2 * (n + 1));
}

#define LOCKS 6

/* Locks of all kinds: some are made by all together; thread i makes the others and tells all. */
static void make_locks(upc_lock_t *lock[LOCKS])
{
  upc_pts_t words = make_words(LOCKS);
  for (size_t i = 0; i < LOCKS; i++) {
    size_t maker = i % (size_t)THREADS;
    lock[i] = i < 2 ? upc_all_lock_alloc() : maker == (size_t)MYTHREAD ? upc_global_lock_alloc() : NULL;
    if (maker == (size_t)MYTHREAD) put_word(word_at(words, i), (uint64_t)(uintptr_t)lock[i]);
  }
  upc_barrier();
  for (size_t i = 0; i < LOCKS; i++) {
    upc_lock_t *told = (upc_lock_t *)(uintptr_t)get_word(word_at(words, i));
    CHECK(told != NULL && (i >= 2 || told == lock[i]), "lock %zu is %p, but for thread %zu %p", i,
        (void *)lock[i], i % (size_t)THREADS, (void *)told);
    for (size_t k = 0; k < i; k++) CHECK(lock[k] != told, "locks %zu and %zu are one", k, i);
    lock[i] = told;
  }
  upc_all_free(words);
}

static void locks(void)
{
  upc_lock_t *lock[LOCKS];
  upc_pts_t counters = upc_all_alloc(LOCKS, 2 * sizeof(uint64_t));
  uint64_t sum = 0, rounds = test_scaled(100);
  for (size_t i = 0; MYTHREAD == 0 && i < LOCKS; i++)
    upc_memset(upc_pts_add(counters, (ptrdiff_t)i, 1, 16), 0, 16);
  make_locks(lock);
  for (uint64_t n = 0; n < rounds; n++) {
    size_t i = rng_below(&mine, 3) ? 0 : rng_below(&mine, LOCKS);
    take(lock[i]);
    add_one(upc_pts_add(counters, (ptrdiff_t)i, 1, 16));
    give(lock[i]);
  }
  upc_barrier();
  for (size_t i = 0; i < LOCKS; i++) sum += get_word(upc_pts_add(counters, (ptrdiff_t)i, 1, 16));
  CHECK(sum == rounds * (uint64_t)THREADS, "under locks %llu were counted, not %llu", (unsigned long long)sum,
      (unsigned long long)(rounds * (uint64_t)THREADS));
  upc_barrier();
  for (size_t i = 0; i < LOCKS; i++)
    if ((i + 1) % (size_t)THREADS == (size_t)MYTHREAD) upc_lock_free(lock[i]);
  upc_all_free(counters);
}

/* A thread may hold several. */
static void nested_locks(void)
{
  upc_lock_t *outer = upc_all_lock_alloc(), *inner = bupc_all_lock_alloc();
  upc_pts_t counter = upc_all_alloc(1, 16);
  if (MYTHREAD == 0) upc_memset(counter, 0, 16);
  upc_barrier();
  for (int n = 0; n < 20; n++) {
    take(outer);
    take(inner);
    give(outer);
    add_one(counter);
    give(inner);
  }
  upc_barrier();
  CHECK(get_word(counter) == 20 * (uint64_t)THREADS, "under two locks: %llu",
      (unsigned long long)get_word(counter));
  upc_barrier();
  if (MYTHREAD == 0) upc_lock_free(outer);
  if (MYTHREAD == THREADS - 1) bupc_lock_free(inner);
  upc_all_free(counter);
}

static void attempts(void)
{
  upc_lock_t *lock = upc_all_lock_alloc();
  for (int holder = 0; holder < THREADS; holder++) {
    if (MYTHREAD == holder) CHECK(upc_lock_attempt(lock), "a lock that nobody holds is refused");
    upc_barrier();
    if (MYTHREAD != holder)
      CHECK(!upc_lock_attempt(lock), "thread %d holds it, and another one gets it", holder);
    upc_barrier();
    if (MYTHREAD == holder) upc_unlock(lock);
    upc_barrier();
  }
  if (MYTHREAD == 0) upc_lock(lock);
  upc_barrier();
  if (MYTHREAD == THREADS - 1) upc_lock_free(lock); /* while it is held */
  upc_barrier();
  if (MYTHREAD == 0) upc_unlock(lock);
  upc_barrier();
}

/* The first word of a lock, which changes when a thread has come into the queue. A lock's number is one more
 * than the place of this word: 16 bits of the thread, 34 bits of its address divided by 64. */
static uint64_t tail_of(const upc_lock_t *lock)
{
  const uint64_t place = (uint64_t)(uintptr_t)lock - 1, number = place & (((uint64_t)1 << 34) - 1);
  return get_word((upc_pts_t){64 * number, (uint32_t)(place >> 34) & 0xffff, 0});
}

static void wait_for_change(const upc_lock_t *lock, uint64_t before)
{
  while (tail_of(lock) == before) {
    upc_fence();
    test_yield();
  }
}

/* A thread that has the lock calls the others one by one, frees the lock and unlocks it: all get it, in the
 * order in which they came. */
static void queue_of_a_freed_lock(void)
{
  upc_lock_t *lock = upc_all_lock_alloc();
  upc_pts_t called = make_words(1), served = make_words(1);
  const size_t holder = rng_below(&common, (uint64_t)THREADS), me = (size_t)MYTHREAD;
  if (me == holder) {
    upc_lock(lock);
    for (size_t i = 1; i < (size_t)THREADS; i++) {
      const uint64_t before = tail_of(lock);
      put_word(word_at(called, (holder + i) % (size_t)THREADS), 1);
      wait_for_change(lock, before);
    }
    upc_lock_free(lock);
  } else {
    while (get_word(word_at(called, me)) == 0) {
      upc_fence();
      test_yield();
    }
    upc_lock(lock);
    const uint64_t before = get_word(word_at(served, holder)), right = (me + THREADS - holder) % THREADS - 1;
    CHECK(before == right, "number %llu in the queue got the lock as number %llu", (unsigned long long)right,
        (unsigned long long)before);
    put_word(word_at(served, holder), before + 1);
  }
  upc_unlock(lock);
  upc_barrier();
  CHECK(get_word(word_at(served, holder)) == (uint64_t)THREADS - 1, "%llu threads got the lock",
      (unsigned long long)get_word(word_at(served, holder)));
  upc_barrier();
  upc_all_free(called);
  upc_all_free(served);
}

/* All threads hold many locks at a time, each its own. */
static void held_at_once(void)
{
  enum { MANY = 100 };
  upc_lock_t *lock[MANY];
  for (int i = 0; i < MANY; i++) {
    lock[i] = upc_global_lock_alloc();
    if (i % 2) upc_lock(lock[i]);
    else CHECK(upc_lock_attempt(lock[i]), "new lock %d is refused", i);
    for (int k = 0; k < i; k++) CHECK(lock[k] != lock[i], "locks %d and %d are one", k, i);
  }
  for (int i = 0; i < MANY; i++) {
    upc_unlock(lock[(i + MANY / 2) % MANY]);
    upc_lock_free(lock[(i + MANY / 2) % MANY]);
  }
  upc_barrier();
}

/* Freed locks can be had again. */
static void many_locks(void)
{
  for (size_t n = test_scaled(400); n > 0; n--) {
    upc_lock_t *lock = rng_below(&mine, 2) ? upc_global_lock_alloc() : bupc_global_lock_alloc();
    if (n % 16 == 0) {
      take(lock);
      give(lock);
    }
    upc_lock_free(lock);
  }
  upc_lock_free(NULL);
  upc_barrier();
}

/* ---- semaphores ---- */

static upc_sem_t *sem_of(upc_pts_t words, int thread)
{
  return (upc_sem_t *)(uintptr_t)get_word(word_at(words, (size_t)thread));
}

static upc_pts_t make_sems(upc_sem_t **mine_too)
{
  upc_pts_t words = make_words(1);
  *mine_too = rng_below(&mine, 2) ? upc_sem_alloc() : bupc_sem_alloc();
  CHECK(*mine_too != NULL, "a semaphore is NULL");
  put_word(word_at(words, (size_t)MYTHREAD), (uint64_t)(uintptr_t)*mine_too);
  upc_barrier();
  return words;
}

static void end_sems(upc_pts_t words, upc_sem_t *sem)
{
  CHECK(!upc_sem_try(sem, 1), "more was posted than was posted");
  upc_barrier();
  upc_sem_free(sem);
  upc_all_free(words);
}

/* All threads post to all, and each takes its posts, in any portions. */
static void posts(void)
{
  upc_sem_t *sem;
  upc_pts_t words = make_sems(&sem);
  const size_t each = test_scaled(100);
  size_t left = each * (size_t)THREADS;
  CHECK(!upc_sem_try(sem, 1), "a new semaphore is not at 0");
  CHECK(upc_sem_try(sem, 0), "0 is always there");
  upc_sem_wait(sem, 0);
  upc_barrier();
  for (int t = 0; t < THREADS; t++) {
    for (size_t n = each, some; n > 0; n -= some) {
      some = rng_below(&mine, 3) ? 1 : 1 + rng_below(&mine, n);
      if (rng_below(&mine, 2)) upc_sem_post(sem_of(words, (MYTHREAD + t) % THREADS), some);
      else bupc_sem_post(sem_of(words, (MYTHREAD + t) % THREADS), some);
    }
  }
  while (left) {
    size_t some = 1 + rng_below(&mine, left < 100 ? left : 100);
    if (rng_below(&mine, 2)) upc_sem_wait(sem, some);
    else
      while (!(rng_below(&mine, 2) ? upc_sem_try(sem, some) : bupc_sem_try(sem, some))) test_yield();
    left -= some;
  }
  upc_barrier();
  end_sems(words, sem);
}

/* A ring of places: a putter waits for its turn by the taker's semaphore, a taker by that of the put. */
#define SLOTS 4
#define MOST  70000

static upc_handle_t put_signal(upc_pts_t dst, const void *src, size_t n, upc_sem_t *sem)
{
  switch (rng_below(&mine, 5)) {
  case 0: upc_memput_signal(dst, src, n, sem, 1); break;
  case 1: bupc_memput_signal(dst, src, n, sem, 1); break;
  case 2: return upc_memput_signal_async(dst, src, n, sem, 1);
  case 3: return bupc_memput_signal_async(dst, src, n, sem, 1);
  case 4:
    upc_memput(dst, src, n);
    upc_sem_post(sem, 1);
    break;
  }
  return UPC_COMPLETE_HANDLE;
}

static size_t length_of(int thread, uint64_t round)
{
  return test_key(7, (uint64_t)thread, round) % (round % 8 ? 300 : MOST + 1);
}

static void signals(void)
{
  upc_sem_t *full, *empty;
  upc_pts_t full_words = make_sems(&full), empty_words = make_sems(&empty),
            all = upc_all_alloc((size_t)THREADS, SLOTS * MOST);
  const int next = (MYTHREAD + 1) % THREADS, before = (MYTHREAD + THREADS - 1) % THREADS;
  upc_sem_t *to = sem_of(full_words, next), *back = sem_of(empty_words, before);
  const uint64_t rounds = test_scaled(150);
  static char data[SLOTS][MOST];
  upc_handle_t handle[SLOTS] = {UPC_COMPLETE_HANDLE};
  for (uint64_t i = 0; i < rounds + SLOTS; i++) {
    if (i >= SLOTS) {
      uint64_t k = i - SLOTS;
      const char *at = own(upc_pts_add(all, MYTHREAD, 1, SLOTS * MOST)) + k % SLOTS * MOST;
      upc_sem_wait(full, 1);
      CHECK_PATTERN(
          at, length_of(before, k), test_key(8, (uint64_t)before, k), "what a put with a signal brings");
      if (k + SLOTS < rounds) upc_sem_post(back, 1);
    }
    if (i < rounds) {
      size_t slot = i % SLOTS, n = length_of(MYTHREAD, i);
      if (i >= SLOTS) upc_sem_wait(empty, 1);
      upc_waitsync(handle[slot]);
      pattern_fill(data[slot], n, test_key(8, (uint64_t)MYTHREAD, i));
      handle[slot] = put_signal(
          pts_bytes(upc_pts_add(all, next, 1, SLOTS * MOST), slot * MOST), data[slot], n, to);
    }
  }
  upc_waitsync_all(handle, SLOTS);
  upc_barrier();
  end_sems(full_words, full);
  end_sems(empty_words, empty);
  upc_all_free(all);
}

/* The data of several putters is there when all of their posts are. */
static void gather(void)
{
  enum { PIECE = 5000 };
  upc_sem_t *sem;
  upc_pts_t words = make_sems(&sem), all = upc_all_alloc((size_t)THREADS, (size_t)THREADS * PIECE);
  char data[PIECE];
  upc_handle_t *handle = (upc_handle_t *)calloc((size_t)THREADS, sizeof *handle);
  for (uint64_t round = 0, rounds = test_scaled(20); round < rounds; round++) {
    pattern_fill(data, PIECE, test_key(9, (uint64_t)MYTHREAD, round));
    for (int t = 0; t < THREADS; t++)
      handle[t] = upc_memput_signal_async(
          pts_bytes(upc_pts_add(all, t, 1, (size_t)THREADS * PIECE), (size_t)MYTHREAD * PIECE), data, PIECE,
          sem_of(words, t), 3);
    upc_sem_wait(sem, 3 * (size_t)THREADS);
    const char *at = own(upc_pts_add(all, MYTHREAD, 1, (size_t)THREADS * PIECE));
    for (int t = 0; t < THREADS; t++)
      CHECK_PATTERN(at + t * PIECE, PIECE, test_key(9, (uint64_t)t, round), "one of several puts");
    upc_waitsync_all(handle, (size_t)THREADS);
    upc_barrier();
  }
  free(handle);
  end_sems(words, sem);
  upc_all_free(all);
}

static void many_sems(void)
{
  for (size_t n = test_scaled(400); n > 0; n--) {
    upc_sem_t *sem = upc_sem_alloc();
    upc_sem_post(sem, n);
    if (n % 2) upc_sem_wait(sem, n);
    if (n % 3) upc_sem_free(sem);
    else bupc_sem_free(sem);
  }
  upc_barrier();
}

int main(int argc, char **argv)
{
  test_start("sync", &argc, &argv);
  rng_init(&common, test_key(1, 0, 0));
  rng_init(&mine, test_key(2, (uint64_t)MYTHREAD, 0));
  barriers();
  split_barriers();
  fences();
  locks();
  nested_locks();
  attempts();
  for (int i = 0; i < 3; i++) queue_of_a_freed_lock();
  held_at_once();
  many_locks();
  posts();
  signals();
  gather();
  many_sems();
  return test_finish();
}

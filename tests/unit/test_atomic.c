/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The six families of atomics: values with every flag, counting from threads, and what the flags order. */
#include <pthread.h>
#include <sched.h>

#include "gasnet_tools.h"
#include "tests/unit/suite.h"

enum { THREADS = 4, TIMES = 20000, HANDOVERS = 20000 };

static const int flags[] = {
    GASNETT_ATOMIC_NONE,
    GASNETT_ATOMIC_REL,
    GASNETT_ATOMIC_ACQ,
    GASNETT_ATOMIC_REL | GASNETT_ATOMIC_ACQ,
    GASNETT_ATOMIC_ACQ_IF_TRUE,
    GASNETT_ATOMIC_ACQ_IF_FALSE,
    GASNETT_ATOMIC_REL | GASNETT_ATOMIC_ACQ_IF_TRUE,
    GASNETT_ATOMIC_RMB_PRE,
    GASNETT_ATOMIC_RMB_POST,
    GASNETT_ATOMIC_RMB_POST_IF_TRUE,
    GASNETT_ATOMIC_RMB_POST_IF_FALSE,
    GASNETT_ATOMIC_WMB_PRE,
    GASNETT_ATOMIC_WMB_POST,
    GASNETT_ATOMIC_MB_PRE,
    GASNETT_ATOMIC_MB_POST,
    GASNETT_ATOMIC_WMB_PRE | GASNETT_ATOMIC_RMB_POST,
    GASNETT_ATOMIC_MB_PRE | GASNETT_ATOMIC_MB_POST,
};
enum { FLAGS = sizeof flags / sizeof *flags };

/* The conditional flags are parts of the unconditional ones, and all others are distinct. */
static void test_flags(void)
{
  CU_ASSERT_EQUAL(GASNETT_ATOMIC_ACQ, GASNETT_ATOMIC_ACQ_IF_TRUE | GASNETT_ATOMIC_ACQ_IF_FALSE);
  CU_ASSERT_EQUAL(
      GASNETT_ATOMIC_RMB_POST, GASNETT_ATOMIC_RMB_POST_IF_TRUE | GASNETT_ATOMIC_RMB_POST_IF_FALSE);
  int all = 0,
      single[] = {GASNETT_ATOMIC_REL, GASNETT_ATOMIC_ACQ, GASNETT_ATOMIC_RMB_PRE, GASNETT_ATOMIC_RMB_POST,
          GASNETT_ATOMIC_WMB_PRE, GASNETT_ATOMIC_WMB_POST, GASNETT_ATOMIC_MB_PRE, GASNETT_ATOMIC_MB_POST};
  for (unsigned i = 0; i < sizeof single / sizeof *single; i++) {
    CU_ASSERT_EQUAL(all & single[i], 0);
    all |= single[i];
  }
}

struct cell { /* one atomic with guards; the threads below share it */
  uint64_t before;
  union {
    gasnett_atomic_t gasnett_atomic;
    gasnett_atomic32_t gasnett_atomic32;
    gasnett_atomic64_t gasnett_atomic64;
    gasnett_strongatomic_t gasnett_strongatomic;
    gasnett_strongatomic32_t gasnett_strongatomic32;
    gasnett_strongatomic64_t gasnett_strongatomic64;
  } a;
  uint64_t after;
};
#define GUARD UINT64_C(0x6b6b6b6b6b6b6b6b)

#define FAMILY_TESTS(name) \
  static void values_##name(int f) \
  { \
    struct cell c; \
    name##_t fixed = name##_init(77), *p = &c.a.name; \
    const name##_val_t top = ~(name##_val_t)0; \
    c.before = c.after = GUARD; \
    CU_ASSERT_EQUAL(name##_read(&fixed, f), 77); \
    name##_set(p, 5, f); \
    CU_ASSERT_EQUAL(name##_read(p, f), 5); \
    name##_increment(p, f); \
    CU_ASSERT_EQUAL(name##_read(p, f), 6); \
    name##_decrement(p, f); \
    CU_ASSERT_EQUAL(name##_read(p, f), 5); \
    CU_ASSERT_EQUAL(name##_add(p, 10, f), 15); \
    CU_ASSERT_EQUAL(name##_subtract(p, 12, f), 3); \
    CU_ASSERT_FALSE(name##_decrement_and_test(p, f)); \
    CU_ASSERT_FALSE(name##_decrement_and_test(p, f)); \
    CU_ASSERT_TRUE(name##_decrement_and_test(p, f)); \
    CU_ASSERT_FALSE(name##_decrement_and_test(p, f)); \
    CU_ASSERT_EQUAL(name##_read(p, f), top); \
    CU_ASSERT_EQUAL(name##_signed(name##_read(p, f)), -1); \
    CU_ASSERT_EQUAL(name##_add(p, 1, f), 0); \
    CU_ASSERT_EQUAL(name##_swap(p, top / 2, f), 0); \
    CU_ASSERT_FALSE(name##_compare_and_swap(p, top, 1, f)); \
    CU_ASSERT_EQUAL(name##_read(p, f), top / 2); \
    CU_ASSERT_TRUE(name##_compare_and_swap(p, top / 2, top, f)); \
    CU_ASSERT_EQUAL(name##_read(p, f), top); \
    CU_ASSERT_EQUAL(c.before, GUARD); \
    CU_ASSERT_EQUAL(c.after, GUARD); \
  } \
  static struct { \
    name##_t add, inc, cas, swapped; \
  } shared_##name; \
  static void *count_##name(void *arg) \
  { \
    name##_val_t seen = 0; \
    int f = *(int *)arg; \
    for (int i = 0; i < TIMES; i++) { \
      name##_increment(&shared_##name.inc, f); \
      name##_add(&shared_##name.add, 7, f); \
      name##_subtract(&shared_##name.add, 4, f); \
      name##_val_t old; \
      do old = name##_read(&shared_##name.cas, f); \
      while (!name##_compare_and_swap(&shared_##name.cas, old, old + 2, f)); \
      seen += name##_swap(&shared_##name.swapped, 1, f); \
    } \
    return (void *)(uintptr_t)seen; \
  } \
  static void threads_##name(int f) \
  { \
    pthread_t t[THREADS]; \
    uintptr_t seen = 0; \
    name##_set(&shared_##name.add, 0, 0); \
    name##_set(&shared_##name.inc, 0, 0); \
    name##_set(&shared_##name.cas, 0, 0); \
    name##_set(&shared_##name.swapped, 0, 0); \
    for (int i = 0; i < THREADS; i++) \
      CU_ASSERT_EQUAL_FATAL(pthread_create(&t[i], NULL, count_##name, &f), 0); \
    for (int i = 0; i < THREADS; i++) { \
      void *sum; \
      pthread_join(t[i], &sum); \
      seen += (uintptr_t)sum; \
    } \
    CU_ASSERT_EQUAL(name##_read(&shared_##name.inc, 0), (THREADS * TIMES)); \
    CU_ASSERT_EQUAL(name##_read(&shared_##name.add, 0), 3 * THREADS * TIMES); \
    CU_ASSERT_EQUAL(name##_read(&shared_##name.cas, 0), 2 * THREADS * TIMES); \
    CU_ASSERT_EQUAL(seen, (THREADS * TIMES) - 1); /* all swaps but the first found a 1 */ \
  } \
  static void test_##name(void) \
  { \
    for (unsigned i = 0; i < FLAGS; i++) values_##name(flags[i]); \
    threads_##name(GASNETT_ATOMIC_NONE); \
    threads_##name(GASNETT_ATOMIC_REL | GASNETT_ATOMIC_ACQ); \
  }

FAMILY_TESTS(gasnett_atomic)
FAMILY_TESTS(gasnett_atomic32)
FAMILY_TESTS(gasnett_atomic64)
FAMILY_TESTS(gasnett_strongatomic)
FAMILY_TESTS(gasnett_strongatomic32)
FAMILY_TESTS(gasnett_strongatomic64)

static void test_widths(void)
{
  gasnett_atomic64_t a = gasnett_atomic64_init(UINT64_C(0xffffffff));
  CU_ASSERT_EQUAL(gasnett_atomic64_add(&a, 1, 0), UINT64_C(0x100000000));
  CU_ASSERT_EQUAL(sizeof(gasnett_atomic32_t), 4);
  CU_ASSERT_EQUAL(sizeof(gasnett_atomic64_t), 8);
  CU_ASSERT_EQUAL(GASNETT_ATOMIC_MAX, UINT32_MAX);
  CU_ASSERT_EQUAL(GASNETT_ATOMIC_SIGNED_MIN, INT32_MIN);
  CU_ASSERT_EQUAL(GASNETT_ATOMIC_SIGNED_MAX, INT32_MAX);
}

/* A plain payload handed over by REL and ACQ, back and forth. The thread sanitizer checks the same run. */
static struct {
  gasnett_atomic_t turn;
  uint64_t payload[8];
} channel;

static void *answer(void *arg)
{
  uintptr_t wrong = 0;
  (void)arg;
  for (uint32_t i = 0; i < HANDOVERS; i++) {
    while (gasnett_atomic_read(&channel.turn, GASNETT_ATOMIC_ACQ) != 2 * i + 1) sched_yield();
    for (int k = 0; k < 8; k++) wrong += channel.payload[k] != i;
    for (int k = 0; k < 8; k++) channel.payload[k] = ~(uint64_t)i;
    gasnett_atomic_increment(&channel.turn, GASNETT_ATOMIC_REL);
  }
  return (void *)wrong;
}

static void test_handover(void)
{
  pthread_t t;
  void *theirs;
  uintptr_t wrong = 0;
  gasnett_atomic_set(&channel.turn, 0, 0);
  CU_ASSERT_EQUAL_FATAL(pthread_create(&t, NULL, answer, NULL), 0);
  for (uint32_t i = 0; i < HANDOVERS; i++) {
    for (int k = 0; k < 8; k++) channel.payload[k] = i;
    gasnett_atomic_set(&channel.turn, 2 * i + 1, GASNETT_ATOMIC_REL);
    while (!gasnett_atomic_compare_and_swap(&channel.turn, 2 * i + 2, 2 * i + 2, GASNETT_ATOMIC_ACQ_IF_TRUE))
      sched_yield();
    for (int k = 0; k < 8; k++) wrong += channel.payload[k] != ~(uint64_t)i;
  }
  pthread_join(t, &theirs);
  CU_ASSERT_EQUAL(wrong + (uintptr_t)theirs, 0);
}

/* Dekker's test: each thread stores, then loads the other's word. With MB (the flag, or the fence) between
 * the two, one of them sees the other's store. Without it both may miss it where processors buffer stores. */
enum { ROUNDS = 40000, STEP = 16 };
static struct {
  gasnett_atomic_t stored[ROUNDS][2];
  unsigned char saw[ROUNDS][2];
  gasnett_atomic_t arrived;
} dekker;

/* Waits until both threads are at this round, so that they start it as nearly together as two cores can. */
static void meet(int round)
{
  gasnett_atomic_increment(&dekker.arrived, 0);
  for (int spins = 0; gasnett_atomic_read(&dekker.arrived, 0) < 2 * (uint32_t)(round / STEP + 1); spins++)
    if (spins % 1000 == 999) sched_yield();
}

static void *dekker_thread(void *arg)
{
  int me = (int)(intptr_t)arg;
  for (int i = 0; i < ROUNDS; i++) {
    if (i % STEP == 0) meet(i);
    gasnett_atomic_set(&dekker.stored[i][me], 1, i % 2 ? GASNETT_ATOMIC_MB_POST : GASNETT_ATOMIC_NONE);
    if (i % 2 == 0) gasnett_local_mb();
    dekker.saw[i][me] = (unsigned char)gasnett_atomic_read(&dekker.stored[i][!me], GASNETT_ATOMIC_NONE);
  }
  return NULL;
}

static void test_full_fence(void)
{
  pthread_t t[2];
  unsigned missed = 0;
  for (intptr_t i = 0; i < 2; i++)
    CU_ASSERT_EQUAL_FATAL(pthread_create(&t[i], NULL, dekker_thread, (void *)i), 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  for (int i = 0; i < ROUNDS; i++) missed += !dekker.saw[i][0] && !dekker.saw[i][1];
  CU_ASSERT_EQUAL(missed, 0);
}

int main(void)
{
  static const struct unit_test tests[] = {
      {"flags", test_flags},
      {"atomic", test_gasnett_atomic},
      {"atomic32", test_gasnett_atomic32},
      {"atomic64", test_gasnett_atomic64},
      {"strongatomic", test_gasnett_strongatomic},
      {"strongatomic32", test_gasnett_strongatomic32},
      {"strongatomic64", test_gasnett_strongatomic64},
      {"widths", test_widths},
      {"handover", test_handover},
      {"full fence", test_full_fence},
  };
  return RUN_SUITE("atomic", tests);
}

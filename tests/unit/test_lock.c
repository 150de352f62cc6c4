/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Mutexes, conditions, reader-writer locks, spinlocks and thread keys. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>

#include "gasnet_tools.h"
#if defined(GASNET_DEBUG)
#include "tests/unit/in_child.h"
#endif
#include "tests/unit/suite.h"

enum { THREADS = 4, TIMES = 20000, ITEMS = 5000 };

static gasnett_mutex_t mutex = GASNETT_MUTEX_INITIALIZER;
static gasnett_spinlock_t spin = GASNETT_SPINLOCK_INITIALIZER;
static uint64_t counted, spun;

static void *count(void *arg)
{
  for (int i = 0; i < TIMES; i++) {
    gasnett_mutex_lock(&mutex);
    counted++;
    gasnett_mutex_unlock(&mutex);
    gasnett_spinlock_lock(&spin);
    spun++;
    gasnett_spinlock_unlock(&spin);
  }
  return arg;
}

static void in_threads(void *(*body)(void *), int n)
{
  pthread_t t[THREADS];
  for (intptr_t i = 0; i < n; i++) CU_ASSERT_EQUAL_FATAL(pthread_create(&t[i], NULL, body, (void *)i), 0);
  for (int i = 0; i < n; i++) pthread_join(t[i], NULL);
}

static void test_exclusion(void)
{
  counted = spun = 0;
  in_threads(count, THREADS);
  CU_ASSERT_EQUAL(counted, THREADS * TIMES);
  CU_ASSERT_EQUAL(spun, THREADS * TIMES);
}

static int tried[2];

static void *try_both(void *arg)
{
  tried[0] = gasnett_mutex_trylock(&mutex);
  tried[1] = gasnett_spinlock_trylock(&spin);
  if (tried[0] == 0) gasnett_mutex_unlock(&mutex);
  if (tried[1] == 0) gasnett_spinlock_unlock(&spin);
  return arg;
}

static void test_try(void)
{
  CU_ASSERT_EQUAL(gasnett_mutex_trylock(&mutex), 0);
  CU_ASSERT_EQUAL(gasnett_spinlock_trylock(&spin), 0);
  gasnett_mutex_assertlocked(&mutex);
  in_threads(try_both, 1);
  CU_ASSERT(tried[0] == EBUSY && tried[1] == EBUSY);
  CU_ASSERT_EQUAL(gasnett_mutex_unlock(&mutex), 0);
  gasnett_spinlock_unlock(&spin);
  gasnett_mutex_assertunlocked(&mutex);
  in_threads(try_both, 1);
  CU_ASSERT(tried[0] == 0 && tried[1] == 0);
}

static void test_dynamic(void)
{
  gasnett_mutex_t m;
  CU_ASSERT_EQUAL(gasnett_mutex_init(&m), 0);
  CU_ASSERT_EQUAL(gasnett_mutex_lock(&m), 0);
  CU_ASSERT_EQUAL(gasnett_mutex_unlock(&m), 0);
  CU_ASSERT_EQUAL(gasnett_mutex_destroy(&m), 0);
  gasnett_mutex_init(&m);
  gasnett_mutex_destroy_ignoreerr(&m);
}

#if defined(GASNET_DEBUG)
static void assert_unheld(void *arg)
{
  gasnett_mutex_t m = GASNETT_MUTEX_INITIALIZER;
  (void)arg;
  gasnett_mutex_assertlocked(&m);
}

static void test_assertions(void)
{
  CU_ASSERT(ended_with(in_child(assert_unheld, NULL), 1));
  CU_ASSERT_PTR_NOT_NULL(strstr(child_said, "is not held by this thread"));
}
#endif

/* A queue of one place between two producers and two consumers: every item arrives once. */
static struct {
  gasnett_mutex_t mutex;
  gasnett_cond_t changed;
  int full, item, closed;
  uint64_t produced, consumed, sum;
} box = {GASNETT_MUTEX_INITIALIZER, GASNETT_COND_INITIALIZER, 0, 0, 0, 0, 0, 0};

static void produce(void)
{
  for (int i = 1; i <= ITEMS; i++) {
    gasnett_mutex_lock(&box.mutex);
    while (box.full) gasnett_cond_wait(&box.changed, &box.mutex);
    gasnett_mutex_assertlocked(&box.mutex);
    box.item = i;
    box.full = 1;
    box.produced++;
    gasnett_cond_broadcast(&box.changed);
    gasnett_mutex_unlock(&box.mutex);
  }
}

static void consume(void)
{
  for (int i = 0; i < ITEMS; i++) {
    gasnett_mutex_lock(&box.mutex);
    while (!box.full) gasnett_cond_wait(&box.changed, &box.mutex);
    box.sum += (uint64_t)box.item;
    box.full = 0;
    box.consumed++;
    gasnett_cond_broadcast(&box.changed);
    gasnett_mutex_unlock(&box.mutex);
  }
}

static void *box_thread(void *arg)
{
  if ((intptr_t)arg % 2) produce();
  else consume();
  return NULL;
}

static void test_condition(void)
{
  in_threads(box_thread, 4);
  CU_ASSERT_EQUAL(box.produced, 2 * ITEMS);
  CU_ASSERT_EQUAL(box.consumed, 2 * ITEMS);
  CU_ASSERT_EQUAL(box.sum, (uint64_t)ITEMS * (ITEMS + 1));
  gasnett_cond_t c;
  CU_ASSERT_EQUAL(gasnett_cond_init(&c), 0);
  CU_ASSERT_EQUAL(gasnett_cond_signal(&c), 0);
  CU_ASSERT_EQUAL(gasnett_cond_destroy(&c), 0);
}

/* Writers keep two words equal; readers must never see them differ. */
static gasnett_rwlock_t rw = GASNETT_RWLOCK_INITIALIZER;
static uint64_t twin[2];
static gasnett_atomic_t torn, inside;

static void *rw_thread(void *arg)
{
  int writer = (intptr_t)arg % 2 == 0;
  for (int i = 0; i < TIMES / 4; i++) {
    if (writer) {
      gasnett_rwlock_wrlock(&rw);
      gasnett_atomic_increment(&inside, 0);
      if (gasnett_atomic_read(&inside, 0) != 1) gasnett_atomic_increment(&torn, 0);
      twin[0]++;
      twin[1]++;
      gasnett_atomic_decrement(&inside, 0);
    } else {
      gasnett_rwlock_rdlock(&rw);
      if (twin[0] != twin[1]) gasnett_atomic_increment(&torn, 0);
    }
    gasnett_rwlock_unlock(&rw);
    if (!writer && i % 16 == 0) sched_yield();
  }
  return NULL;
}

static void test_rwlock_threads(void)
{
  twin[0] = twin[1] = 0;
  in_threads(rw_thread, THREADS);
  CU_ASSERT_EQUAL(gasnett_atomic_read(&torn, 0), 0);
  CU_ASSERT_EQUAL(twin[0], THREADS / 2 * (TIMES / 4));
}

static int others[2];

static void *try_rw(void *arg)
{
  others[0] = gasnett_rwlock_tryrdlock(&rw);
  if (others[0] == 0) gasnett_rwlock_unlock(&rw);
  others[1] = gasnett_rwlock_trywrlock(&rw);
  if (others[1] == 0) gasnett_rwlock_unlock(&rw);
  return arg;
}

static void test_rwlock_rules(void)
{
  CU_ASSERT_EQUAL(gasnett_rwlock_rdlock(&rw), 0);
  CU_ASSERT_EQUAL(gasnett_rwlock_rdlock(&rw), 0); /* twice by one thread */
  gasnett_rwlock_assertrdlocked(&rw);
  in_threads(try_rw, 1);
  CU_ASSERT(others[0] == 0 && others[1] == EBUSY);
  gasnett_rwlock_unlock(&rw);
  in_threads(try_rw, 1);
  CU_ASSERT(others[0] == 0 && others[1] == EBUSY);
  gasnett_rwlock_unlock(&rw);
  CU_ASSERT_EQUAL(gasnett_rwlock_wrlock(&rw), 0);
  gasnett_rwlock_assertwrlocked(&rw);
  CU_ASSERT_EQUAL(gasnett_rwlock_rdlock(&rw), EDEADLK);
  CU_ASSERT_EQUAL(gasnett_rwlock_wrlock(&rw), EDEADLK);
  in_threads(try_rw, 1);
  CU_ASSERT(others[0] == EBUSY && others[1] == EBUSY);
  gasnett_rwlock_unlock(&rw);
  in_threads(try_rw, 1);
  CU_ASSERT(others[0] == 0 && others[1] == 0);
  CU_ASSERT_EQUAL(gasnett_rwlock_unlock(&rw), EPERM);
  gasnett_rwlock_t dynamic;
  CU_ASSERT_EQUAL(gasnett_rwlock_init(&dynamic), 0);
  CU_ASSERT_EQUAL(gasnett_rwlock_destroy(&dynamic), 0);
}

GASNETT_THREADKEY_DECLARE(test_key);
GASNETT_THREADKEY_DEFINE(test_key);
static gasnett_atomic_t key_errors;

static void *use_key(void *arg)
{
  gasnett_threadkey_init(test_key);
  if (gasnett_threadkey_get(test_key) != NULL) gasnett_atomic_increment(&key_errors, 0);
  gasnett_threadkey_set(test_key, arg);
  for (int i = 0; i < 100; i++) {
    sched_yield();
    if (gasnett_threadkey_get(test_key) != arg) gasnett_atomic_increment(&key_errors, 0);
  }
  gasnett_threadkey_set_noinit(test_key, NULL);
  if (gasnett_threadkey_get_noinit(test_key) != NULL) gasnett_atomic_increment(&key_errors, 0);
  return NULL;
}

static void test_threadkey(void)
{
  int here;
  gasnett_threadkey_set(test_key, &here);
  in_threads(use_key, THREADS);
  CU_ASSERT_EQUAL(gasnett_atomic_read(&key_errors, 0), 0);
  CU_ASSERT_PTR_EQUAL(gasnett_threadkey_get(test_key), &here);
}

int main(void)
{
  static const struct unit_test tests[] = {
    {"exclusion", test_exclusion},
    {"try", test_try},
    {"init and destroy", test_dynamic},
#if defined(GASNET_DEBUG)
    {"assertions", test_assertions},
#endif
    {"condition", test_condition},
    {"rwlock in threads", test_rwlock_threads},
    {"rwlock rules", test_rwlock_rules},
    {"thread key", test_threadkey},
  };
  return RUN_SUITE("lock", tests);
}

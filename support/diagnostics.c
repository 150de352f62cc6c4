/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A quick trial of the tools on the machine at hand, for gasnett_run_diagnostics. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "gasnet_tools.h"
#include "support/error.h"

#define MOST_THREADS 64

struct trial {
  int iters;
  gasnett_atomic_t counter;
  gasnett_atomic64_t counter64;
  gasnett_mutex_t mutex;
  uint64_t guarded;
};

static void *atomics_thread(void *arg)
{
  struct trial *t = arg;
  for (int i = 0; i < t->iters; i++) {
    gasnett_atomic_increment(&t->counter, GASNETT_ATOMIC_NONE);
    gasnett_atomic64_add(&t->counter64, 3, GASNETT_ATOMIC_REL);
    gasnett_mutex_lock(&t->mutex);
    t->guarded++;
    gasnett_mutex_unlock(&t->mutex);
  }
  return NULL;
}

static int expect_true(int ok, const char *what)
{
  if (!ok) pst_warn("diagnostics: %s failed", what);
  return !ok;
}

static int try_shared(int iters, int threads)
{
  static struct trial t; /* one caller at a time, as documented for diagnostics */
  pthread_t thread[MOST_THREADS];
  int started = 0;
  memset(&t, 0, sizeof t);
  t.iters = iters;
  gasnett_mutex_init(&t.mutex);
  while (started < threads && pthread_create(&thread[started], NULL, atomics_thread, &t) == 0) started++;
  for (int i = 0; i < started; i++) pthread_join(thread[i], NULL);
  gasnett_mutex_destroy(&t.mutex);
  uint64_t times = (uint64_t)iters * (uint64_t)started;
  int failed = expect_true(started == threads, "starting threads");
  failed += expect_true(gasnett_atomic_read(&t.counter, 0) == (uint32_t)times, "atomic increment");
  failed += expect_true(gasnett_atomic64_read(&t.counter64, 0) == 3 * times, "64-bit atomic add");
  return failed + expect_true(t.guarded == times, "mutex");
}

static int try_ticks(int iters)
{
  gasnett_tick_t last = gasnett_ticks_now();
  int backwards = 0;
  for (int i = 0; i < iters; i++) {
    gasnett_tick_t now = gasnett_ticks_now();
    backwards += now < last;
    last = now;
  }
  return expect_true(backwards == 0, "ticks run forward");
}

static int try_heap(int iters)
{
  int wrong = 0;
  for (int i = 0; i < iters; i++) {
    size_t size = (size_t)i % 1000;
    char *p = pst_heap_calloc(1, size, PST_HEAP_LOC);
    wrong += gasnett_count0s(p, size) != size;
    pst_heap_free(p, PST_HEAP_LOC);
  }
  pst_heap_check_all(PST_HEAP_LOC);
  return expect_true(wrong == 0, "zeroed memory");
}

/* sections: letters A (atomics and locks), T (ticks), H (heap); NULL or "" for all. */
static int section_wanted(const char *sections, char letter)
{
  return !sections || !*sections || strchr(sections, letter) != NULL;
}

int gasnett_run_diagnostics(int iters, int threads, const char *sections, const void *seginfo)
{
  int failed = 0;
  (void)seginfo;
  if (threads < 1) threads = 1;
  if (threads > MOST_THREADS) threads = MOST_THREADS;
  if (section_wanted(sections, 'A')) failed += try_shared(iters, threads);
  if (section_wanted(sections, 'T')) failed += try_ticks(iters);
  if (section_wanted(sections, 'H')) failed += try_heap(iters);
  return failed;
}

void gasnett_diagnostic_gethandlers(void *table, int *count)
{
  void *none = NULL;
  memcpy(table, &none, sizeof none);
  *count = 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A handler-safe lock that is taken and released, beside a bare mutex: by one thread, which never waits,
 * or by all threads of node 0 at once. Under the lock one counter is increased. */
#include "../engine/engine.h"

#include <gasnet.h>
#include <pthread.h>
#include <stdatomic.h>

static gasnet_hsl_t hsl = GASNET_HSL_INITIALIZER;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile long by_hsl, by_mutex; /* written under the lock */
static atomic_long pairs;              /* of both, as asked for */

static void pair(long n)
{
  for (long i = 0; i < n; i++) {
    gasnet_hsl_lock(&hsl);
    by_hsl++;
    gasnet_hsl_unlock(&hsl);
  }
  atomic_fetch_add(&pairs, n);
}

static void pair_bare(long n)
{
  for (long i = 0; i < n; i++) {
    pthread_mutex_lock(&mutex);
    by_mutex++;
    pthread_mutex_unlock(&mutex);
  }
  atomic_fetch_add(&pairs, n);
}

static const char *check(void)
{
  return by_hsl + by_mutex == atomic_load(&pairs) ? NULL : "additions under the lock were lost";
}

static const struct bench_case cases[] = {
    {BENCH_CASE("hsl_pair", NULL, check, pair), .flags = BENCH_THREADED_CASE, .after = check,
        .raw_smp = {pair_bare}, .least = 1000},
    {.test = NULL},
};

const struct bench_suite bench_suite_hsl = {.cases = cases};

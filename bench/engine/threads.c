/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The threads of a node. They sleep while nothing is measured, and start together. */
#include "run.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

_Thread_local unsigned bench_thread;

static struct {
  pthread_mutex_t lock;
  pthread_cond_t begun;
  unsigned generation; /* number of the series, under the lock */
  int stop;
  bench_series_fn series;
  long n;
  atomic_uint here, ended; /* in this generation */
  unsigned threads;
  pthread_t *id;
  struct {
    double start, end;
  } * time;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER, .begun = PTHREAD_COND_INITIALIZER};

/* There may be more threads than cores. */
static void await(atomic_uint *count)
{
  while (atomic_load(count) != pool.threads) sched_yield();
}

static void take_part(void)
{
  atomic_fetch_add(&pool.here, 1);
  await(&pool.here);
  pool.time[bench_thread].start = bench_now_ns();
  pool.series(pool.n);
  pool.time[bench_thread].end = bench_now_ns();
  atomic_fetch_add(&pool.ended, 1);
}

/* Waits for a generation after `seen` and returns it; 0: there are no more. */
static unsigned next(unsigned seen)
{
  pthread_mutex_lock(&pool.lock);
  while (pool.generation == seen && !pool.stop) pthread_cond_wait(&pool.begun, &pool.lock);
  const unsigned now = pool.stop ? 0 : pool.generation;
  pthread_mutex_unlock(&pool.lock);
  return now;
}

static void *live(void *number)
{
  bench_thread = (unsigned)(uintptr_t)number;
  for (unsigned seen = 0; (seen = next(seen)) != 0;) take_part();
  return NULL;
}

void bench_threads_start(unsigned threads)
{
  pool.threads = threads;
  pool.id = calloc(threads, sizeof *pool.id);
  pool.time = calloc(threads, sizeof *pool.time);
  if (!pool.id || !pool.time) bench_die("no memory for %u threads", threads);
  for (unsigned i = 1; i < threads; i++)
    if (pthread_create(&pool.id[i], NULL, live, (void *)(uintptr_t)i) != 0)
      bench_die("cannot start %u threads; lower --threads or raise the limit of processes", threads);
}

static void begin(int stop)
{
  pthread_mutex_lock(&pool.lock);
  pool.stop = stop;
  pool.generation++;
  pthread_cond_broadcast(&pool.begun);
  pthread_mutex_unlock(&pool.lock);
}

void bench_threads_stop(void)
{
  begin(1);
  for (unsigned i = 1; i < pool.threads; i++) pthread_join(pool.id[i], NULL);
  free(pool.id);
  free(pool.time);
}

double bench_threads_run(bench_series_fn series, long n)
{
  pool.series = series;
  pool.n = n;
  atomic_store(&pool.here, 0);
  atomic_store(&pool.ended, 0);
  begin(0);
  take_part();
  await(&pool.ended);
  double start = pool.time[0].start, end = pool.time[0].end;
  for (unsigned i = 1; i < pool.threads; i++) {
    if (pool.time[i].start < start) start = pool.time[i].start;
    if (pool.time[i].end > end) end = pool.time[i].end;
  }
  return end - start;
}

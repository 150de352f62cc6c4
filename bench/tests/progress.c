/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* How long single transfers take while their target computes without calls, where a progress thread serves
 * it, or sleeps in a wait. */
#include "transfer.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

enum {
  END = BENCH_H_PROGRESS,
  TRANSFERS = 21,
  STRETCH_MS = 20,
  WAKES = 41,
  SLEEP_NS = 300000,
  ASLEEP_NS = 60000000
};

static volatile int ended;
static void on_end(gasnet_token_t token)
{
  (void)token;
  ended = 1;
}

static void compute(double ns)
{
  for (const double end = bench_now_ns() + ns; bench_now_ns() < end;) {}
}

static int by_value(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *values, size_t n)
{
  qsort(values, n, sizeof *values, by_value);
  return values[n / 2];
}

static void get_word(void)
{
  gasnet_get(bench_node.local, (gasnet_node_t)bench_node.peer, bench_node.remote[bench_node.peer], 8);
}
static void put_word(void)
{
  gasnet_put((gasnet_node_t)bench_node.peer, bench_node.remote[bench_node.peer], bench_node.local, 8);
}

/* The median of single transfers: without a progress thread each takes until the peer polls between two
 * stretches of its work. */
static double one_of(void (*transfer)(void), unsigned n)
{
  double times[TRANSFERS];
  for (unsigned i = 0; i < n; i++) {
    const double start = bench_now_ns();
    transfer();
    times[i] = bench_now_ns() - start;
  }
  return median(times, n);
}

static int is_target(void) { return bench_node.me == bench_node.half; }

static double idle(void)
{
  bench_sync();
  return bench_node.me == 0 ? one_of(get_word, TRANSFERS) : 0;
}

static double busy(void)
{
  double time = 0;
  ended = 0; /* before any thread of the target may set it */
  bench_sync();
  if (bench_node.me == 0) {
    time = one_of(get_word, TRANSFERS);
    gasnet_AMRequestShort0((gasnet_node_t)bench_node.peer, END);
  } else if (is_target()) {
    for (; !ended; gasnet_AMPoll()) compute(STRETCH_MS * 1e6);
  }
  return time;
}

/* ---- how long a thread waits for its turn where both cores compute ---- */

static double late[WAKES];
static atomic_int sleeping;

static void *sleep_often(void *unused)
{
  const struct timespec t = {0, SLEEP_NS};
  bench_pin(bench_node.two_cores, 2);
  prctl(PR_SET_TIMERSLACK, 1L);
  for (unsigned i = 0; i < WAKES; i++) {
    const double start = bench_now_ns();
    nanosleep(&t, NULL);
    late[i] = bench_now_ns() - start - SLEEP_NS;
  }
  atomic_store(&sleeping, 0);
  return unused;
}

static double measure_delay(void)
{
  pthread_t t;
  atomic_store(&sleeping, 1);
  if (pthread_create(&t, NULL, sleep_often, NULL) != 0) bench_die("cannot start a thread");
  while (atomic_load(&sleeping)) compute(1e5);
  pthread_join(t, NULL);
  return median(late, WAKES);
}

/* The target measures; node 0 needs its core meanwhile, as it does in a get. */
static double delay(void)
{
  double time = 0;
  if (is_target()) *(double *)bench_node.segment = measure_delay();
  bench_sync();
  if (bench_node.me == 0)
    gasnet_get(&time, (gasnet_node_t)bench_node.peer, bench_node.remote[bench_node.peer], sizeof time);
  return time;
}

/* The allowed value, computed from the same round's values. */
static double allowed(void) { return 2 * idle() + delay(); }

/* ---- a target that sleeps in the barrier, as all other nodes do ---- */

static void (*transfer)(void);
static unsigned timed;
static int choose_transfer(const char *point, size_t bytes)
{
  (void)bytes;
  transfer = strcmp(point, "get") == 0 ? get_word : put_word;
  timed = strcmp(point, "first_put") == 0 ? 1 : TRANSFERS;
  return 0;
}

/* Node 0 makes no call meanwhile, for its own messages would keep the others awake. */
static double asleep(void)
{
  const struct timespec t = {0, ASLEEP_NS};
  bench_sync();
  if (bench_node.me != 0) return 0;
  nanosleep(&t, NULL);
  return one_of(transfer, timed);
}

static double awake(void)
{
  bench_sync();
  return bench_node.me == 0 ? one_of(transfer, timed) : 0;
}

static const struct bench_case cases[] = {
    {.test = "progress_busy", .value = busy, .against = allowed},
    {.test = "waiting_target", .prepare = choose_transfer, .value = asleep, .against = awake},
    {.test = NULL},
};
static const struct bench_handler handlers[] = {{END, on_end}, {0, NULL}};

const struct bench_suite bench_suite_progress = {.cases = cases, .handlers = handlers};

/* What a get from a node waits for that computes and makes no calls, where a progress thread serves it. */
#include "transfer.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

enum { END = BENCH_H_PROGRESS, GETS = 21, STRETCH_MS = 20, WAKES = 41, SLEEP_NS = 300000 };

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

/* The median of single ones: where nobody answers, each takes until the peer has a look between two stretches of its work. */
static double one_get(void)
{
  double times[GETS];
  for (unsigned i = 0; i < GETS; i++) {
    const double start = bench_now_ns();
    gasnet_get(bench_node.local, (gasnet_node_t)bench_node.peer, bench_node.remote[bench_node.peer], 8);
    times[i] = bench_now_ns() - start;
  }
  return median(times, GETS);
}

static int is_target(void) { return bench_node.me == bench_node.half; }

static double idle(void)
{
  bench_sync();
  return bench_node.me == 0 ? one_get() : 0;
}

static double busy(void)
{
  double time = 0;
  ended = 0; /* before the target may be told, by whichever of its threads */
  bench_sync();
  if (bench_node.me == 0) {
    time = one_get();
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
  if (bench_node.me == 0) gasnet_get(&time, (gasnet_node_t)bench_node.peer, bench_node.remote[bench_node.peer], sizeof time);
  return time;
}

/* What is allowed, made of the same round's values. */
static double allowed(void) { return 2 * idle() + delay(); }

static const struct bench_case cases[] = {{.test = "progress_busy", .value = busy, .against = allowed}, {.test = NULL}};
static const struct bench_handler handlers[] = {{END, on_end}, {0, NULL}};

const struct bench_suite bench_suite_progress = {.cases = cases, .handlers = handlers};

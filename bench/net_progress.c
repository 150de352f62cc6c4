/* What a get from a node waits for that computes and makes no calls. */
#include "net.h"

#include <gasnet.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

enum { GETS = 21, STRETCH_MS = 20 };

static volatile int ended;
void net_on_end(gasnet_token_t token)
{
  (void)token;
  ended = 1;
}

static void compute(double ns)
{
  for (const double end = bench_now_ns() + ns; bench_now_ns() < end;) {}
}

/* The median of single ones: where nobody answers, each takes until node 1 has a look between two stretches of its work. */
static double one_get(void)
{
  double times[GETS];
  for (unsigned i = 0; i < GETS; i++) {
    const double start = bench_now_ns();
    gasnet_get(net.local, 1, net.there, 8);
    times[i] = bench_now_ns() - start;
  }
  return bench_median(times, GETS);
}

static double idle(void)
{
  net_sync();
  return net.me == 0 ? one_get() : 0;
}

static double busy(void)
{
  double time = 0;
  net_sync();
  if (net.me == 0) {
    time = one_get();
    gasnet_AMRequestShort0(1, NET_H_END);
  } else {
    for (ended = 0; !ended; gasnet_AMPoll()) compute(STRETCH_MS * 1e6);
  }
  return time;
}

/* ---- how long a thread waits for its turn where both cores compute ---- */

enum { WAKES = 41, SLEEP_NS = 300000 };
static double late[WAKES];
static atomic_int sleeping;

static void *sleep_often(void *unused)
{
  const struct timespec t = {0, SLEEP_NS};
  bench_pin(net.core, 2);
  prctl(PR_SET_TIMERSLACK, 1L);
  for (unsigned i = 0; i < WAKES; i++) {
    const double start = bench_now_ns();
    nanosleep(&t, NULL);
    late[i] = bench_now_ns() - start - SLEEP_NS;
  }
  atomic_store(&sleeping, 0);
  return unused;
}

/* Node 1 measures; node 0 needs its core meanwhile, as it does in a get. */
static double delay(void)
{
  double time;
  pthread_t t;
  if (net.me == 1) {
    atomic_store(&sleeping, 1);
    if (pthread_create(&t, NULL, sleep_often, NULL) != 0) gasnet_exit(1);
    while (atomic_load(&sleeping)) compute(1e5);
    pthread_join(t, NULL);
    *(double *)net.segment = bench_median(late, WAKES);
  }
  net_sync();
  gasnet_get(&time, 1, net.there, sizeof time);
  return time;
}

/* Against what is allowed, made of the same round's values. */
void net_measure_progress(void)
{
  double allowed[BENCH_ROUNDS_MAX], ours[BENCH_ROUNDS_MAX], ratio[BENCH_ROUNDS_MAX];
  if (!net_selected("progress_busy")) return;
  for (unsigned r = 0; r < net.rounds; r++) {
    allowed[r] = 2 * idle() + delay();
    ours[r] = busy();
    ratio[r] = ours[r] / allowed[r];
  }
  net_emit("progress_busy", bench_median(allowed, net.rounds), bench_median(ours, net.rounds), bench_median(ratio, net.rounds));
  net_sync();
}

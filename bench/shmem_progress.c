/* Operations on the memory of a PE that computes and makes no call, against the same while it waits in the library. */
#include "shmem.h"

#include <mpp/shmem.h>
#include <stdio.h>

static long over; /* PE 0 is done; a word of PE 1's */
static long cell;

static void compute(void)
{
  volatile uint64_t x = 1;
  const double start = bench_now_ns();
  while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE) && bench_now_ns() - start < 20e9)
    for (int i = 0; i < 1000; i++) x = x * 6364136223846793005u + 1;
}

static void put(long *word) { shmem_long_put(word, &cell, 1, 1), shmem_quiet(); }
static void get(long *word) { shmem_long_get(&cell, word, 1, 1); }
static void fadd(long *word) { shmem_long_fadd(word, 1, 1); }

/* Time of one operation on average, and of the slowest. */
static double slowest;

static double time_of(void (*op)(long *), long *word, long n)
{
  slowest = 0;
  const double start = bench_now_ns();
  double last = start;
  for (long i = 0; i < n; i++) {
    op(word);
    const double now = n > 1000 ? last : bench_now_ns(); /* where they take nanoseconds, only all together are measured */
    if (now - last > slowest) slowest = now - last;
    last = now;
  }
  return (bench_now_ns() - start) / (double)n;
}

static double with_target(void (*op)(long *), long *word, long n, int computing)
{
  double t = 0;
  over = 0;
  shmem_barrier_all();
  if (osh.me == 0) {
    t = time_of(op, word, n);
    shmem_long_p(&over, 1, 1);
    shmem_quiet();
  } else if (computing) {
    compute();
  } else {
    shmem_long_wait_until(&over, SHMEM_CMP_EQ, 1);
  }
  shmem_barrier_all();
  return n > 1000 ? t : slowest;
}

#define WAYS(op) \
  static double op##_heap_idle(long n) { return with_target(op, osh.heap, n, 0); } \
  static double op##_heap_busy(long n) { return with_target(op, osh.heap, n, 1); } \
  static double op##_static_idle(long n) { return with_target(op, osh_static, n, 0); } \
  static double op##_static_busy(long n) { return with_target(op, osh_static, n, 1); }
WAYS(put) WAYS(get) WAYS(fadd)

static const struct { const char *key; osh_measure_fn idle, busy; } ways[] = {
  {"busy_put_heap", put_heap_idle, put_heap_busy}, {"busy_get_heap", get_heap_idle, get_heap_busy},
  {"busy_fadd_heap", fadd_heap_idle, fadd_heap_busy}, {"busy_put_static", put_static_idle, put_static_busy},
  {"busy_get_static", get_static_idle, get_static_busy}, {"busy_fadd_static", fadd_static_idle, fadd_static_busy},
};

void osh_measure_progress(void)
{
  for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++) {
    const struct osh_contest c = {ways[i].key, ways[i].idle, ways[i].busy, 20000};
    osh_contest(&c);
  }
}

void osh_measure_network(const char *name)
{
  for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++) {
    char key[64];
    snprintf(key, sizeof key, "%s_%s", name, ways[i].key);
    const struct osh_contest c = {key, ways[i].idle, ways[i].busy, 200};
    osh_contest(&c);
  }
}

/* Collectives on the list of all nodes. */
#include "smp.h"

#include <gasnet.h>
#include <gasnetx.h>
#include <stdatomic.h>
#include <string.h>

enum { BROADCAST = 8192, LONGS = 8192, OFF_SRC = SMP_OFF_WORDS, OFF_DST = SMP_OFF_WORDS + (128 << 10) };

static gasnetx_nodes_t everybody(void) { return (gasnetx_nodes_t){0, 1, smp.nodes}; }

/* ---- bare, two processes: a line each, and the other's data where it lies ---- */

struct line {
  _Alignas(128) _Atomic uint64_t seq;
  uint64_t value;
};
static struct line *line_of(unsigned node) { return (struct line *)(smp.here[node] + SMP_OFF_BARE); }
static uint64_t seq;

static inline void post(void) { atomic_store_explicit(&line_of(smp.me)->seq, ++seq, memory_order_release); }
static inline void await(void)
{
  while (atomic_load_explicit(&line_of(1 - smp.me)->seq, memory_order_acquire) < seq) bench_pause();
}

static double bare_broadcast(long n)
{
  const double start = bench_now_ns();
  for (long i = 0; i < n; i++) {
    post();
    await();
    if (smp.me == 1) memcpy(smp.here[1] + OFF_DST, smp.here[0] + OFF_SRC, BROADCAST);
    post();
    await();
  }
  return (bench_now_ns() - start) / (double)n;
}

/* A second exchange, for the next value would overwrite one that has not been read. */
static double bare_sum_1(long n)
{
  uint64_t sum = 0;
  const double start = bench_now_ns();
  for (long i = 0; i < n; i++) {
    line_of(smp.me)->value = (uint64_t)i;
    post();
    await();
    sum += (uint64_t)i + line_of(1 - smp.me)->value;
    post();
    await();
  }
  bench_compiler_barrier();
  return (bench_now_ns() - start + (double)(sum & 1)) / (double)n;
}

static double bare_sum_many(long n)
{
  const long *a = (const long *)(smp.here[0] + OFF_SRC), *b = (const long *)(smp.here[1] + OFF_SRC);
  long *dst = (long *)(smp.here[smp.me] + OFF_DST);
  const double start = bench_now_ns();
  for (long i = 0; i < n; i++) {
    post();
    await();
    for (int k = 0; k < LONGS; k++) dst[k] = a[k] + b[k];
    bench_compiler_barrier();
    post();
    await();
  }
  return (bench_now_ns() - start) / (double)n;
}

/* ---- ours ---- */

static void add_longs(void *a, const void *b, size_t n)
{
  for (size_t i = 0; i < n; i++) ((long *)a)[i] += ((const long *)b)[i];
}

static double ours_broadcast(long n)
{
  const gasnetx_nodes_t all = everybody();
  const double start = bench_now_ns();
  for (long i = 0; i < n; i++) gasnetx_team_broadcast(&all, 0, smp.remote[smp.me] + OFF_DST, smp.remote[smp.me] + OFF_SRC, BROADCAST, 0);
  return (bench_now_ns() - start) / (double)n;
}

static double sum(long n, size_t longs)
{
  const gasnetx_nodes_t all = everybody();
  const double start = bench_now_ns();
  for (long i = 0; i < n; i++)
    gasnetx_team_reduce(&all, smp.remote[smp.me] + OFF_DST, smp.remote[smp.me] + OFF_SRC, longs, sizeof(long), add_longs);
  return (bench_now_ns() - start) / (double)n;
}
static double ours_sum_1(long n) { return sum(n, 1); }
static double ours_sum_many(long n) { return sum(n, LONGS); }

static double ours_barrier(long n)
{
  const gasnetx_nodes_t all = everybody();
  const double start = bench_now_ns();
  for (long i = 0; i < n; i++) gasnetx_team_barrier(&all);
  return (bench_now_ns() - start) / (double)n;
}

static double gasnets_barrier(long n)
{
  const double start = bench_now_ns();
  for (long i = 0; i < n; i++) {
    gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
    gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
  }
  return (bench_now_ns() - start) / (double)n;
}

void smp_measure_pair_team(void)
{
  static const struct smp_contest contests[] = {
    {"team_barrier_2", {gasnets_barrier}, ours_barrier, 40000},
    {"team_broadcast", {bare_broadcast}, ours_broadcast, 20000},
    {"team_sum_1", {bare_sum_1}, ours_sum_1, 20000},
    {"team_sum_8192", {bare_sum_many}, ours_sum_many, 4000},
  };
  memset(smp.here[smp.me] + OFF_SRC, 1, LONGS * sizeof(long));
  for (unsigned i = 0; i < sizeof contests / sizeof *contests; i++) smp_contest(&contests[i]);
}

void smp_measure_team_barrier(void)
{
  char key[32];
  const struct smp_contest c = {key, {gasnets_barrier}, ours_barrier, 16000 / (long)smp.nodes};
  snprintf(key, sizeof key, "team_barrier_%u", smp.nodes);
  smp_contest(&c);
}

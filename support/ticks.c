/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include <errno.h>
#include <stdatomic.h>
#include <time.h>

#include "gasnet_tools.h"

/* The counter is compared with the system's clock at least so long: 30 ns of error at each end are 6 ppm. */
#define CALIBRATION_NS 10000000u
#define METRIC_ROUNDS  1000

int pst_ticks_native;

gasnett_tick_t pst_ticks_from_system(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (gasnett_tick_t)t.tv_sec * 1000000000u + (gasnett_tick_t)t.tv_nsec;
}

int64_t gasnett_gettimeofday_us(void)
{
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* The two clocks read at the same moment: of several tries the one in which the least time passed. */
struct moment {
  gasnett_tick_t ticks, ns;
};

static struct moment take_moment(void)
{
  struct moment best = {0, 0};
  gasnett_tick_t least = GASNETT_TICK_MAX;
  for (int i = 0; i < 10; i++) {
    gasnett_tick_t before = gasnett_ticks_now();
    gasnett_tick_t ns = pst_ticks_from_system();
    gasnett_tick_t after = gasnett_ticks_now();
    if (after - before >= least) continue;
    least = after - before;
    best.ticks = before + (after - before) / 2;
    best.ns = ns;
  }
  return best;
}

static struct moment start; /* taken before main, so that the calibration need not wait in most programs */

#if defined(PLATFORM_ARCH_X86_64)
#include <cpuid.h>
/* Leaf 80000007h, edx bit 8: the counter runs at one rate in all power states. */
static int native_counter(void)
{
  unsigned a, b, c, d;
  return __get_cpuid(0x80000007u, &a, &b, &c, &d) && (d & (1u << 8)) != 0;
}
#elif defined(PLATFORM_ARCH_AARCH64)
static int native_counter(void) { return 1; }
#else
static int native_counter(void) { return 0; }
#endif

__attribute__((constructor)) static void ticks_start(void)
{
  pst_ticks_native = native_counter();
  start = take_moment();
}

static double measure_rate(void)
{
#if defined(PLATFORM_ARCH_AARCH64)
  uint64_t hz;
  __asm__("mrs %0, cntfrq_el0" : "=r"(hz));
  if (hz) return 1e9 / (double)hz;
#endif
  if (!pst_ticks_native) return 1.0;
  struct moment now;
  do now = take_moment();
  while (now.ns - start.ns < CALIBRATION_NS);
  return (double)(now.ns - start.ns) / (double)(now.ticks - start.ticks);
}

/* Threads that calibrate at the same time get nearly the same number; the first one's is kept for ever, so
 * that conversions are monotonic. It is kept as bits, and guards nothing, so relaxed order suffices. */
static double ns_per_tick(void)
{
  static _Atomic uint64_t known;
  union {
    double d;
    uint64_t u;
  } rate = {.u = atomic_load_explicit(&known, memory_order_relaxed)};
  if (rate.u) return rate.d;
  uint64_t none = 0;
  rate.d = measure_rate();
  if (!atomic_compare_exchange_strong_explicit(
          &known, &none, rate.u, memory_order_relaxed, memory_order_relaxed))
    rate.u = none;
  return rate.d;
}

uint64_t gasnett_ticks_to_ns(gasnett_tick_t ticks)
{
  double ns = (double)ticks * ns_per_tick();
  return ns >= 18446744073709551615.0 ? UINT64_MAX : (uint64_t)(ns + 0.5);
}

uint64_t gasnett_ticks_to_us(gasnett_tick_t ticks) { return gasnett_ticks_to_ns(ticks) / 1000; }

double gasnett_tick_granularity(void)
{
  gasnett_tick_t least = GASNETT_TICK_MAX;
  for (int i = 0; i < METRIC_ROUNDS; i++) {
    gasnett_tick_t before = gasnett_ticks_now(), after;
    do after = gasnett_ticks_now();
    while (after == before);
    if (after - before < least) least = after - before;
  }
  return (double)least * ns_per_tick() * 1e-9;
}

/* The least over a few rounds: the others were interrupted. */
double gasnett_tick_overhead(void)
{
  gasnett_tick_t least = GASNETT_TICK_MAX;
  for (int round = 0; round < 10; round++) {
    gasnett_tick_t before = gasnett_ticks_now(), now = before;
    for (int i = 0; i < METRIC_ROUNDS; i++) {
      now = gasnett_ticks_now();
      gasnett_compiler_fence();
    }
    if (now - before < least) least = now - before;
  }
  return (double)least * ns_per_tick() * 1e-9 / METRIC_ROUNDS;
}

double gasnett_tick_granularityus(void) { return gasnett_tick_granularity() * 1e6; }
double gasnett_tick_overheadus(void) { return gasnett_tick_overhead() * 1e6; }

int gasnett_nsleep(uint64_t nanoseconds)
{
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_sec += (time_t)(nanoseconds / 1000000000u);
  until.tv_nsec += (long)(nanoseconds % 1000000000u);
  if (until.tv_nsec >= 1000000000) {
    until.tv_nsec -= 1000000000;
    until.tv_sec++;
  }
  int err;
  do err = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
  while (err == EINTR);
  return err;
}

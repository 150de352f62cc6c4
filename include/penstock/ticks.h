/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A cheap clock that counts upwards at a constant rate, alike on all cores (README-tools, "Timers"). */
#ifndef PENSTOCK_TICKS_H
#define PENSTOCK_TICKS_H
#include "penstock/platform.h"
PST_BEGIN_C

typedef uint64_t gasnett_tick_t;
#define GASNETT_TICK_MIN ((gasnett_tick_t)0)
#define GASNETT_TICK_MAX (~(gasnett_tick_t)0)

/* Non-zero when the processor's own counter may be used: its rate does not change and it does not stop. */
extern int pst_ticks_native;
gasnett_tick_t pst_ticks_from_system(void); /* nanoseconds of CLOCK_MONOTONIC */

PST_INLINE gasnett_tick_t gasnett_ticks_now(void)
{
#if defined(PLATFORM_ARCH_X86_64)
  if (PST_LIKELY(pst_ticks_native)) return __builtin_ia32_rdtsc();
#elif defined(PLATFORM_ARCH_AARCH64)
  gasnett_tick_t t;
  __asm__ __volatile__("mrs %0, cntvct_el0" : "=r"(t)::"memory");
  return t;
#endif
  return pst_ticks_from_system();
}

/* A difference of two ticks in wall-clock time. The first conversion of a process may take 10 ms: it measures
 * the rate. */
uint64_t gasnett_ticks_to_ns(gasnett_tick_t ticks);
uint64_t gasnett_ticks_to_us(gasnett_tick_t ticks);

/* The least difference between two readings, and the time of one: in microseconds, then in seconds. */
double gasnett_tick_granularityus(void);
double gasnett_tick_overheadus(void);
double gasnett_tick_granularity(void);
double gasnett_tick_overhead(void);

/* Microseconds since 1970; may jump when the clock is set. */
int64_t gasnett_gettimeofday_us(void);

PST_END_C
#endif

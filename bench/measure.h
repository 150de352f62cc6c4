/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Time, cores, the statistics of samples, and barriers that keep loops as they are written. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sched_setaffinity; for every file that includes this first */
#endif
#include <stddef.h>
#include <stdint.h>

double bench_now_ns(void);

/* The first `most` of the cores that this process may use, in order; how many. */
unsigned bench_cores(int *core, unsigned most);
/* Restricts the calling thread, and those that it starts, to them. 0, or -1 with errno. */
int bench_pin(const int *core, unsigned n);

/* Of samples of the time of an operation, or of what its values travel as. */
struct bench_summary {
  unsigned n; /* samples; 0: nothing was measured */
  double median, least, p99, q1, q3;
};
/* statistics.c. Of n values, at least one; `sorted` has room for as many. */
void bench_summarise(const double *values, unsigned n, double *sorted, struct bench_summary *s);

static inline void bench_pause(void)
{
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield" ::: "memory");
#endif
}

/* Keeps a loop as it is written: nothing is moved across it, hoisted or vectorised. */
static inline void bench_compiler_barrier(void) { __asm__ volatile("" ::: "memory"); }
/* Keeps a value that is not used otherwise. */
#define BENCH_USE(v) __asm__ volatile("" : : "r"(v))

#endif

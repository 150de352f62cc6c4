/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "measure.h"

#include <sched.h>
#include <time.h>

double bench_now_ns(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

unsigned bench_cores(int *core, unsigned most)
{
  cpu_set_t set;
  unsigned n = 0;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 0;
  for (int c = 0; c < CPU_SETSIZE && n < most; c++)
    if (CPU_ISSET(c, &set)) core[n++] = c;
  return n;
}

int bench_pin(const int *core, unsigned n)
{
  cpu_set_t set;
  CPU_ZERO(&set);
  for (unsigned i = 0; i < n; i++) CPU_SET(core[i], &set);
  return sched_setaffinity(0, sizeof set, &set);
}

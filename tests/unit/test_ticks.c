/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The clock. */
#include <stdio.h>
#include <time.h>

#include "gasnet_tools.h"
#include "tests/unit/suite.h"

static uint64_t system_ns(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void test_forward(void)
{
  gasnett_tick_t last = gasnett_ticks_now();
  unsigned backwards = 0;
  for (int i = 0; i < 1000000; i++) {
    gasnett_tick_t now = gasnett_ticks_now();
    backwards += now < last;
    last = now;
  }
  CU_ASSERT_EQUAL(backwards, 0);
}

/* Ticks taken between two readings of the system's clock cannot differ by more than the readings around them
 * do. */
static void test_rate(void)
{
  uint64_t outer0 = system_ns();
  gasnett_tick_t t0 = gasnett_ticks_now();
  uint64_t inner0 = system_ns();
  while (system_ns() - outer0 < 50000000) {}
  uint64_t inner1 = system_ns();
  gasnett_tick_t t1 = gasnett_ticks_now();
  uint64_t outer1 = system_ns();
  double ns = (double)gasnett_ticks_to_ns(t1 - t0);
  CU_ASSERT(ns > (double)(inner1 - inner0) * 0.999);
  CU_ASSERT(ns < (double)(outer1 - outer0) * 1.001);
  CU_ASSERT_EQUAL(gasnett_ticks_to_us(t1 - t0), gasnett_ticks_to_ns(t1 - t0) / 1000);
}

static void test_conversion(void)
{
  CU_ASSERT_EQUAL(gasnett_ticks_to_ns(0), 0);
  CU_ASSERT(gasnett_ticks_to_ns(GASNETT_TICK_MAX) > gasnett_ticks_to_ns(GASNETT_TICK_MAX / 2));
  uint64_t last = 0;
  for (gasnett_tick_t t = 1; t < GASNETT_TICK_MAX / 4; t *= 2) {
    uint64_t ns = gasnett_ticks_to_ns(t);
    CU_ASSERT(ns >= last);
    last = ns;
  }
}

static void test_metrics(void)
{
  double granularity = gasnett_tick_granularityus(), overhead = gasnett_tick_overheadus();
  CU_ASSERT(granularity > 0 && granularity < 1000);
  CU_ASSERT(overhead > 0 && overhead < 100);
  CU_ASSERT(gasnett_tick_granularity() < 1e-3 && gasnett_tick_overhead() < 1e-4);
}

static void test_wall_clock(void)
{
  int64_t before = (int64_t)time(NULL);
  int64_t us = gasnett_gettimeofday_us();
  int64_t after = (int64_t)time(NULL) + 1;
  CU_ASSERT(us / 1000000 >= before - 1 && us / 1000000 <= after);
}

int main(void)
{
  static const struct unit_test tests[] = {
      {"forward", test_forward},
      {"rate", test_rate},
      {"conversion", test_conversion},
      {"metrics", test_metrics},
      {"wall clock", test_wall_clock},
  };
  return RUN_SUITE("ticks", tests);
}

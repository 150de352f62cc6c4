/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The statistics of a benchmark's samples. */
#include "bench/statistics.c"

#include "tests/unit/suite.h"

static struct bench_summary of(const double *values, unsigned n)
{
  static double sorted[1001];
  struct bench_summary s;
  bench_summarise(values, n, sorted, &s);
  CU_ASSERT(s.n == n);
  return s;
}

static int near(double a, double b) { return a - b < 1e-9 && b - a < 1e-9; }

static void test_few(void)
{
  const struct bench_summary one = of((double[]){7}, 1), two = of((double[]){4, 2}, 2),
                             five = of((double[]){5, 1, 4, 2, 3}, 5);
  CU_ASSERT(
      near(one.median, 7) && near(one.least, 7) && near(one.p99, 7) && near(one.q1, 7) && near(one.q3, 7));
  CU_ASSERT(near(two.median, 3) && near(two.least, 2) && near(two.q1, 2.5) && near(two.q3, 3.5) &&
      near(two.p99, 3.98));
  CU_ASSERT(near(five.median, 3) && near(five.least, 1) && near(five.q1, 2) && near(five.q3, 4) &&
      near(five.p99, 4.96));
}

/* Interrupted samples show in the 99th percentile alone. */
static void test_many(void)
{
  double values[1001];
  for (unsigned i = 0; i < 1001; i++) values[i] = (i * 8) % 1001; /* each of 0 to 1000 once */
  const struct bench_summary s = of(values, 1001);
  CU_ASSERT(
      near(s.median, 500) && near(s.least, 0) && near(s.q1, 250) && near(s.q3, 750) && near(s.p99, 990));
  for (unsigned i = 0; i < 1001; i++) values[i] = i % 50 == 0 ? 1e6 : 10;
  const struct bench_summary t = of(values, 1001);
  CU_ASSERT(near(t.median, 10) && near(t.q3, 10) && near(t.least, 10) && near(t.p99, 1e6));
}

static void test_unchanged(void)
{
  const double values[] = {3, 1, 2};
  of(values, 3);
  CU_ASSERT(values[0] == 3 && values[1] == 1 && values[2] == 2);
}

int main(void)
{
  static const struct unit_test tests[] = {
      {"few", test_few}, {"many", test_many}, {"unchanged", test_unchanged}};
  return RUN_SUITE("statistics", tests);
}

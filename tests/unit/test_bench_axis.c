/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The axes of gasnetbench's charts hold all values; their ticks are round, ascend, and are neither too many
 * nor too few. The first argument repeats a run. */
#include "bench/control/chart.c"

#include "tests/fail.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

/* Charts need it, which are not made here. */
void *memory_needed(void *memory) { return memory; }

static double between(double low, double high) { return low + (high - low) * (double)below(1000001) / 1e6; }

static int ascend(const double *v, unsigned n)
{
  for (unsigned i = 1; i < n; i++)
    if (!(v[i] > v[i - 1])) return 0;
  return 1;
}

static void check_axis(const struct axis *a, double least, double most)
{
  CU_ASSERT(a->low <= least * (1 + 1e-9) + 1e-300 && a->high >= most * (1 - 1e-9));
  CU_ASSERT(a->ticks >= 2 && a->ticks <= 14 && a->minors < TICKS_MOST);
  CU_ASSERT(ascend(a->tick, a->ticks));
  CU_ASSERT(a->tick[0] >= a->low * 0.999 - 1e-9 && a->tick[a->ticks - 1] <= a->high * 1.001);
}

static void test_any_values(void)
{
  for (unsigned i = 0; i < 20000; i++) {
    const double least = pow(10, between(-6, 6)), most = least * pow(10, between(0, 6));
    struct axis a = {.from = 0, .to = 100};
    axis_fit(&a, least, most);
    check_axis(&a, a.log ? least : 0, most);
    CU_ASSERT(axis_at(&a, least) >= 0 && axis_at(&a, least) <= axis_at(&a, most) && axis_at(&a, most) <= 100);
  }
}

static void test_odd_values(void)
{
  static const double pair[][2] = {
      {0, 0}, {0, 1}, {-5, 20}, {-20, -5}, {1, 1}, {0, 1e-12}, {100, 100}, {1e-9, 1e9}};
  for (unsigned i = 0; i < sizeof pair / sizeof *pair; i++) {
    struct axis a = {.from = 0, .to = 100};
    axis_fit(&a, pair[i][0], pair[i][1]);
    CU_ASSERT(a.low <= pair[i][0] && a.high >= pair[i][1] && a.high > a.low && a.ticks >= 2 &&
        ascend(a.tick, a.ticks));
  }
}

/* Where sizes are far enough apart for labels, each size has one. */
static void test_points(void)
{
  double size[64];
  struct axis a;
  for (unsigned i = 0; i < 13; i++) size[i] = pow(4, i);
  axis_fit_points(&a, size, 13, 13);
  CU_ASSERT(a.ticks == 13 && a.minors == 0);
  for (unsigned i = 0; i < 25; i++) size[i] = pow(2, i);
  axis_fit_points(&a, size, 25, 13);
  CU_ASSERT(a.ticks == 13 && a.minors == 12);
  for (unsigned i = 0; i < 64; i++) size[i] = i + 1;
  axis_fit_points(&a, size, 64, 13);
  CU_ASSERT(a.ticks <= 13 && a.ticks > 5 && ascend(a.tick, a.ticks) && a.minors == 0);
  axis_fit_points(&a, size, 1, 13);
  CU_ASSERT(a.ticks == 1 && a.low < 1 && a.high > 1);
}

int main(void)
{
  const struct unit_test tests[] = {
      {"any values", test_any_values}, {"odd values", test_odd_values}, {"points", test_points}};
  random_begin();
  return RUN_SUITE("axes of gasnetbench", tests);
}

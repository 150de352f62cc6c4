/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The strided patterns of this job together: our speed in percent of the best loop's. */
#include "../engine/engine.h"

#include <math.h>
#include <string.h>

static const char *const tests[] = {"put_strided", "get_strided", "pack_strided"};
static const char *const points[] = {"col_1K", "col_8K", "block16", "face64_x", "face64_y", "face64_z",
    "face128_x", "face128_y", "face128_z", "face256_x", "face256_y", "face256_z", "rows512", "block8",
    "elem3"};

static double speed;

/* Those that memory does not limit: packed, sub-blocks, and the faces of the small cube. */
static int is_wide(const char *test, const char *point)
{
  return !strcmp(test, "pack_strided") || !strcmp(point, "block16") || !strncmp(point, "face64_", 7);
}

/* For node 0; 0: nothing was measured. */
static double mean_or_least(int wide, int least)
{
  double sum = 0, slowest = 0;
  unsigned n = 0;
  for (unsigned t = 0; t < sizeof tests / sizeof *tests; t++)
    for (unsigned p = 0; p < sizeof points / sizeof *points; p++) {
      const double ratio = bench_ratio_of(tests[t], points[p]);
      if (ratio <= 0 || (wide && !is_wide(tests[t], points[p]))) continue;
      sum += log(ratio);
      n++;
      if (ratio > slowest) slowest = ratio;
    }
  if (n == 0) return 0;
  return least ? 100 / slowest : 100 * exp(-sum / n);
}

static int prepare(const char *point, size_t bytes)
{
  (void)bytes;
  if (bench_node.me == 0) speed = mean_or_least(!strcmp(point, "mean_wide"), !strcmp(point, "least"));
  bench_tell(&speed, sizeof speed);
  if (speed > 0) return 0;
  bench_missing("needs --raw and put_strided, get_strided or pack_strided in the same run");
  return -1;
}

static double value(void) { return speed; }

static const struct bench_case cases[] = {
    {.test = "strided_speed", .prepare = prepare, .value = value},
    {.test = NULL},
};

const struct bench_suite bench_suite_strided_speed = {.cases = cases};

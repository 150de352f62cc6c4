/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What is to be measured, in which jobs, and how long. */
#ifndef BENCH_CONTROL_PLAN_H
#define BENCH_CONTROL_PLAN_H
#include "bench/control/report.h"
#include "bench/control/settings.h"

struct plan {
  unsigned jobs;  /* results say to which they belong, by numbers from 0 on */
  double seconds; /* for each point */
};

/* Fills the report with results that wait, in the order in which they are shown. Ends the process where
 * nothing is left to measure. */
void plan_make(const struct settings *s, struct report *r, struct plan *p);

/* The i-th point of a test in this run; "" behind the last. */
void plan_points(const struct settings *s, const struct bench_test *t, unsigned i, char point[POINT_MOST]);
unsigned processors_here(void);

/* What there is to measure: tests by group with their points, and with --check the bounds. */
void list_tests(const struct settings *s);
#endif

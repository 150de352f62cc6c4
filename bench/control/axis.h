/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A chart's axis: values to places, and ticks with labels. */
#ifndef BENCH_CONTROL_AXIS_H
#define BENCH_CONTROL_AXIS_H

enum { TICKS_MOST = 64 };
struct axis {
  double low, high; /* values at its ends */
  int log;
  double from, to; /* places of these */
  double tick[TICKS_MOST];
  unsigned ticks;
  double minor[TICKS_MOST]; /* lines without labels */
  unsigned minors;
};

/* Round bounds around the values, logarithmic where they differ much and are above 0; else from 0 on. */
void axis_fit(struct axis *a, double least, double most);
/* Logarithmic, with ticks at the given values, which ascend and are above 0: at all, or where they would be
 * closer than so many labels are, at some. */
void axis_fit_points(struct axis *a, const double *value, unsigned n, unsigned labels_most);
double axis_at(const struct axis *a, double value);
#endif

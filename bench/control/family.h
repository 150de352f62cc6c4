/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What a chart shows of a test: series of results that differ in their point alone. */
#ifndef BENCH_CONTROL_FAMILY_H
#define BENCH_CONTROL_FAMILY_H
#include "bench/control/report.h"

enum { SERIES_MOST = 12, SERIES_POINTS = 160 };

/* What a curve shows of its results; in the strip below, our speed as a part of the bare transport's. */
enum side { OURS, RAW, EARLIER, SIDES, EFFICIENCY = SIDES };

struct series {
  const struct result *at[SERIES_POINTS]; /* measured; by size or count ascending */
  unsigned count;
  char label[TEXT_MOST];
  const char *color;
};

struct family {
  const char *test;
  const struct result *first;
  struct series series[SERIES_MOST];
  unsigned count, dropped; /* that were too many */
  double most_efficient;   /* 0: none is known */
};

/* All of a test's results that were measured. */
void family_make(const struct report *r, const char *test, struct family *f);
/* The value that is shown, or not a number: that side has none. */
double side_value(const struct result *r, enum side side);
/* "64 KiB: 12.30 us, half of the samples from 12.1 to 12.6". */
void side_hint(const struct result *r, enum side side, char text[TEXT_MOST]);
/* How the legend calls it. */
void side_label(const struct report *r, const struct family *f, const struct series *s, enum side side,
    char text[TEXT_MOST]);
const char *side_color(const struct family *f, const struct series *s, enum side side);
/* Least and most of what is shown, of our quarters too. */
void family_range(const struct family *f, double *least, double *most);
/* The places of all points on an axis, ascending, each once: bytes or nodes. How many. */
unsigned family_places(const struct family *f, double place[SERIES_POINTS]);
double point_place(const struct result *r);
#endif

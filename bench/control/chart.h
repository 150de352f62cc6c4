/* One test as a drawing. */
#ifndef BENCH_CONTROL_CHART_H
#define BENCH_CONTROL_CHART_H
#include <stdio.h>

#include "bench/control/series.h"
#include "bench/control/units.h"

/* 1 where it was drawn, 0 where the test has less than two points. */
int chart_write(FILE *out, const struct report *r, const char *test);

/* ---- its parts ---- */

enum { CHART_WIDTH = 820, CHART_LEFT = 74, CHART_RIGHT = 28 };
/* Title, what the test is, and legend; returns where the space below begins. */
double chart_head(FILE *out, const struct report *r, const struct family *f);
/* How high that is. */
double chart_head_height(const struct report *r, const struct family *f);
/* An attribute by which lines of the sides differ. */
extern const char *const chart_dash[SIDES];
/* "time, less is better". */
void chart_unit(enum bench_unit unit, char text[VALUE_MOST]);
/* "64 KiB: 12.30 us, half of the samples from 12.1 to 12.6". */
void chart_hint(const struct result *r, enum side side, char text[TEXT_MOST]);
void curves_write(FILE *out, const struct report *r, const struct family *f);
void bars_write(FILE *out, const struct report *r, const struct family *f);
#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Values as people read them. */
#ifndef BENCH_CONTROL_UNITS_H
#define BENCH_CONTROL_UNITS_H
#include "bench/control/report.h"

enum { UNITS = BENCH_GUPS + 1, VALUE_MOST = 32 };

const char *unit_name(enum bench_unit unit);
/* What values travel as: ns, s, bytes, %. */
const char *unit_base(enum bench_unit unit);
/* Is it shown as the inverse of what travels? */
int unit_is_rate(enum bench_unit unit);
/* A value of that result, as it travels, in the unit that is shown. */
double unit_shown(const struct result *r, double value);
/* Of the samples of one side, as it travels; not a number: that side has none. Of percentages, of which more
 * is better, BEST and P99 change places; LOW and HIGH are the quarters in the order in which they are shown.
 */
enum stat { MEDIAN, BEST, P99, LOW, HIGH };
double result_stat(const struct result *r, enum side side, enum stat stat);
/* The same as a row of a table shows it: long times in a larger unit, all of a row in that of the median;
 * *name is that unit. */
double unit_row(const struct result *r, double value, const char **name);
/* A value in the unit that is shown, as an axis has it: times in whatever unit keeps them short. */
const char *unit_tick(enum bench_unit unit, double v, char text[VALUE_MOST]);

/* "time, less is better" */
const char *unit_title(enum bench_unit unit, char text[VALUE_MOST]);

/* Four significant digits. */
const char *value_text(double v, char text[VALUE_MOST]);
/* "64 KiB" of 65536. */
const char *size_text(double bytes, char text[VALUE_MOST]);
/* A point as the table shows it: sizes with their unit. */
const char *point_text(const struct result *r, char text[VALUE_MOST]);
/* How near we are to the bare transport, in percent: 100 is as fast. 0: not known, or it says nothing, as of
 * starting jobs. */
double efficiency(const struct result *r);
#endif

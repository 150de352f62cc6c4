/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Results against their bounds, and against an earlier run. */
#ifndef BENCH_CONTROL_JUDGE_H
#define BENCH_CONTROL_JUDGE_H
#include "bench/control/report.h"

/* The bound that a point has here, from number *from on, which is then set behind it; NULL: none. Transports
 * are shell patterns. */
const struct bench_bound *bound_of(
    const char *test, const char *point, const char *conduit, const char *transport, unsigned *from);
/* Sets .bound and .over of what was measured: of several bounds the first that it is over, else the first.
 * Returns how many are over. What has a bound against the bare transport, of which nothing was measured, is
 * missing then. */
unsigned check_all(struct report *r);
/* The value that a bound speaks of. */
double check_value(const struct bench_bound *b, const struct result *r);
/* Does the bound speak of our value alone, and not of the bare transport's too? */
int bound_is_absolute(const struct bench_bound *b);
/* The result's bound as "<= 1.15 x". */
void bound_text(const struct result *r, char text[TEXT_MOST]);

/* Gives each result the one of `then` that it is compared with, and says what has changed. */
void compare_all(struct report *now, const struct report *then, double noise);
enum change compare(const struct result *now, double noise);
/* How much the shown value has changed, in percent. */
double compare_percent(const struct result *now);
unsigned compare_count(const struct report *now, enum change c);
const char *change_name(enum change c);
#endif

/* Results against their bounds. */
#ifndef BENCH_CONTROL_CHECK_H
#define BENCH_CONTROL_CHECK_H
#include "bench/control/report.h"

/* Sets .bound and .over of what was measured: of several bounds the first that it is over, else the first. Returns how many are over.
 * What has a bound against the bare transport, of which nothing was measured, is missing then. */
unsigned check_all(struct report *r);
/* The value that a bound speaks of. */
double check_value(const struct bench_bound *b, const struct result *r);
#endif

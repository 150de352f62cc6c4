#ifndef BENCH_CONTROL_STATS_H
#define BENCH_CONTROL_STATS_H
#include "bench/control/report.h"

/* Of n values, at least one, which are sorted. */
void stats_make(struct stats *s, double *values, unsigned n);
double stats_median(double *values, unsigned n);
#endif

#ifndef BENCH_CONTROL_LIST_H
#define BENCH_CONTROL_LIST_H
#include "bench/control/settings.h"

/* What there is to measure: tests by group with their points, and with --check the bounds. */
void list_tests(const struct settings *s);
#endif

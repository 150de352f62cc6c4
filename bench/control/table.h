/* The report for people. */
#ifndef BENCH_CONTROL_TABLE_H
#define BENCH_CONTROL_TABLE_H
#include <stdio.h>

#include "bench/control/report.h"

void table_write(FILE *out, const struct report *r);
#endif

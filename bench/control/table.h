/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#ifndef BENCH_CONTROL_TABLE_H
#define BENCH_CONTROL_TABLE_H
#include <stdio.h>

#include "bench/control/report.h"

/* The report for people, and as comma-separated values. */
void table_write(FILE *out, const struct report *r);
void csv_write(FILE *out, const struct report *r);
#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#ifndef BENCH_CONTROL_CHART_H
#define BENCH_CONTROL_CHART_H
#include <stddef.h>

#include "bench/control/report.h"

/* One test as a drawing, *n bytes of SVG for the caller to free; NULL where it has less than two points. */
char *chart_make(const struct report *r, const char *test, size_t *n);
#endif

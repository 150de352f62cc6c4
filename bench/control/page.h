/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A report as a page with charts. */
#ifndef BENCH_CONTROL_PAGE_H
#define BENCH_CONTROL_PAGE_H
#include <stddef.h>

#include "bench/control/report.h"

/* Makes the directory where it is missing; ends the process where nothing can be written into it. */
void page_prepare(const char *directory);
/* Writes TEST.svg of each test, and report.html with all, which needs nothing from elsewhere. Ends the
 * process where it cannot write. Returns how many charts. */
unsigned page_write(const char *directory, const struct report *r);

/* One test as a drawing, *n bytes of SVG for the caller to free; NULL where it has less than two points. */
char *chart_make(const struct report *r, const char *test, size_t *n);
#endif

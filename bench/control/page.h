/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A report as a page with charts. */
#ifndef BENCH_CONTROL_PAGE_H
#define BENCH_CONTROL_PAGE_H
#include "bench/control/report.h"

/* Makes the directory where there is none; ends the process where nothing can be written into it. */
void page_prepare(const char *directory);
/* Into the directory: TEST.svg of each test, and report.html with all, which needs nothing from elsewhere.
 * Ends the process where it cannot write. Returns how many charts. */
unsigned page_write(const char *directory, const struct report *r);
#endif

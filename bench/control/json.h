/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The report as JSON, for programs, and reading it again. */
#ifndef BENCH_CONTROL_JSON_H
#define BENCH_CONTROL_JSON_H
#include <stdio.h>

#include "bench/control/report.h"

#define JSON_FORMAT "gasnetbench 1"
#define JSON_BYTES  ((size_t)32 << 20) /* a report has no more */
enum { ERROR_MOST = 200, JSON_VALUES = 1000000 };

void json_write(FILE *out, const struct report *r);
/* A report that json_write has written, `n` bytes of it: 0, or -1 and what is wrong with it. *r is then
 * empty. What comes from no report of ours is refused, whatever it is; all is refused where there was no
 * jansson when this was built. */
int report_read(const char *text, size_t n, struct report *r, char error[ERROR_MOST]);
/* The same from a file; ends the process where it cannot be read. */
void report_load(const char *path, struct report *r);
#endif

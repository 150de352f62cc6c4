/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The report for people, and as comma-separated values. One table of columns serves both, and the page. */
#ifndef BENCH_CONTROL_TABLE_H
#define BENCH_CONTROL_TABLE_H
#include <stdio.h>

#include "bench/control/report.h"

void table_write(FILE *out, const struct report *r);
void csv_write(FILE *out, const struct report *r);

enum { CELL = TEXT_MOST, COLUMNS_MOST = 40 };
struct column;
enum reader { FOR_PEOPLE, FOR_PROGRAMS };
/* The columns that this reader needs of this report, NULL at the end. */
void columns_choose(const struct report *r, enum reader reader, const struct column *column[COLUMNS_MOST]);
const char *column_head(const struct column *c, enum reader reader);
/* What the column has for this result. Where it has nothing people see "-", programs nothing. */
const char *column_cell(const struct column *c, const struct result *r, enum reader reader, char text[CELL]);
/* Is it set to the right, as numbers are? */
int column_is_right(const struct column *c);
/* Has it something for a result that was not measured, too? */
int column_names(const struct column *c);

/* The lines above the results, of kind "", "pale" or "note": what was measured, when and where. */
typedef void describe_fn(void *to, const char *kind, const char *text);
void describe_run(const struct report *r, const char *name, describe_fn *line, void *to);
/* "against FILE (1.0, 2026-01-01): 1 slower, ..." */
void describe_changes(const struct report *r, char text[4 * TEXT_MOST]);
#endif

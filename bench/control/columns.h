/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The report's columns: one table of them serves the table, the page and comma-separated values. */
#ifndef BENCH_CONTROL_COLUMNS_H
#define BENCH_CONTROL_COLUMNS_H
#include "bench/control/report.h"

enum { CELL = TEXT_MOST, COLUMNS_MOST = 40 };
struct column;

/* For whom the columns are. */
enum reader { FOR_PEOPLE, FOR_PROGRAMS };
/* Those that this reader needs of this report, NULL at the end. */
void columns_choose(const struct report *r, enum reader reader, const struct column *column[COLUMNS_MOST]);
const char *column_head(const struct column *c, enum reader reader);
/* What the column has for this result. People see "-" where it has nothing, programs nothing. */
const char *column_cell(const struct column *c, const struct result *r, enum reader reader, char text[CELL]);
/* Is it set to the right, as numbers are? */
int column_is_right(const struct column *c);
/* Does it have something for a result that was not measured, too? */
int column_names(const struct column *c);

/* What a group of tests is. */
const char *group_text(const char *group);
/* "conduit smp, 2 nodes", of what all results have alike. */
void common_text(const struct report *r, char text[TEXT_MOST]);
/* "host: processor, 8 processors, Linux" */
void host_text(const struct place *p, char text[4 * TEXT_MOST]);
#endif

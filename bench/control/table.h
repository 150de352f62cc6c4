/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The report for people, and as comma-separated values. One table of columns, and one function for rows,
 * serve both, and the page. */
#ifndef BENCH_CONTROL_TABLE_H
#define BENCH_CONTROL_TABLE_H
#include <stdio.h>

#include "bench/control/report.h"

void table_write(FILE *out, const struct report *r);
void csv_write(FILE *out, const struct report *r);

/* A table in any form: its columns are those that its readers need of the report. */
enum table_style { AS_TEXT, AS_CSV, AS_HTML };
enum { COLUMNS_MOST = 40 };
struct table {
  FILE *out;
  const struct report *r;
  const struct style *style;
  const struct column *column[COLUMNS_MOST];
  unsigned columns;
  int unnamed; /* the first column, the tests' names, is left out; 0 unless the caller sets it */
  /* For text: */
  unsigned width[COLUMNS_MOST], owed;
  const char *last; /* the test of the row before */
};
void table_open(struct table *t, FILE *out, const struct report *r, enum table_style style);
/* r NULL: the columns' heads. */
void table_row(struct table *t, const struct result *r);

/* The lines above the results, of kind "", "pale" or "note": what was measured, when and where. */
typedef void describe_fn(void *to, const char *kind, const char *text);
void describe_run(const struct report *r, const char *name, describe_fn *line, void *to);
/* "against FILE (1.0, 2026-01-01): 1 slower, ..." */
void describe_changes(const struct report *r, char text[4 * TEXT_MOST]);
#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A report in its forms: for people a table and a page with charts, for programs comma-separated values and
 * JSON, which is read again. One table of columns, and one function for rows, serve all but JSON. */
#ifndef BENCH_CONTROL_FORMS_H
#define BENCH_CONTROL_FORMS_H
#include <stdio.h>

#include "bench/control/report.h"

typedef void write_fn(FILE *out, const struct report *r);
write_fn table_write, csv_write, json_write;
/* Writes TEST.svg of each test, and report.html with all, which needs nothing from elsewhere. Ends the
 * process where it cannot write. Returns how many charts. */
unsigned page_write(const char *directory, const struct report *r);
/* Makes the directory where it is missing; ends the process where nothing can be written into it. */
void page_prepare(const char *directory);

/* One test as a drawing in SVG, for the caller to free; NULL where it has less than two points. */
char *chart_make(const struct report *r, const char *test);

/* ---- reading ---- */

#define JSON_FORMAT "gasnetbench 1"
#define JSON_BYTES  ((size_t)32 << 20) /* a report has no more */
enum { ERROR_MOST = 200, JSON_VALUES = 1000000 };

/* A report that json_write has written, `n` bytes of it: 0, or -1 and what is wrong with it. *r is then
 * empty. What comes from no report of ours is refused, whatever it is; all is refused where there was no
 * jansson when this was built. */
int report_read(const char *text, size_t n, struct report *r, char error[ERROR_MOST]);
/* The same from a file; ends the process where it cannot be read. */
void report_load(const char *path, struct report *r);

/* ---- what table and page share ---- */

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
/* Of all that was measured or was to be; of one test where that is not NULL. */
void table_rows(struct table *t, const char *test);

/* The lines above the results, of kind "", "pale" or "note": what was measured, when and where. */
typedef void describe_fn(void *to, const char *kind, const char *text);
void describe_run(const struct report *r, const char *name, describe_fn *line, void *to);
/* "against FILE (1.0, 2026-01-01): 1 slower, ..." */
void describe_changes(const struct report *r, char text[4 * TEXT_MOST]);
#endif

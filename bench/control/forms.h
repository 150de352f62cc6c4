/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A report in its forms: for people a table and a page with charts, for programs JSON, which is read again.
 */
#ifndef BENCH_CONTROL_FORMS_H
#define BENCH_CONTROL_FORMS_H
#include <stdio.h>

#include "bench/control/report.h"

void table_write(FILE *out, const struct report *r);
void json_write(FILE *out, const struct report *r);
/* report.html in that directory, which is made where it is missing; ends the process where it cannot be. */
FILE *page_open(const char *directory);
/* Writes and closes that page, which needs nothing from elsewhere, and TEST.svg of each test. Ends the
 * process where it cannot write. Returns how many charts. */
unsigned page_write(FILE *out, const char *directory, const struct report *r);
/* One test as a drawing in SVG; NULL where it has less than two points. */
const char *chart_make(const struct report *r, const char *test);

/* ---- reading ---- */

/* What a comparison needs of a report that json_write has written: NULL, or what is wrong with it; *r is
 * empty then. All is refused where there was no jansson when this was built. */
const char *report_read(FILE *in, struct report *r);
/* The same from a file; ends the process where it cannot be read. */
void report_load(const char *path, struct report *r);

/* ---- what table and page share ---- */

/* What a column is needed for. */
enum need { ALWAYS, CONDUITS, TRANSPORTS, NODES, THREADS, BARE, BOUNDS, CHANGES, NEEDS };
enum { COLUMNS = 18 };
struct table {
  const struct report *r;
  int needs[NEEDS];           /* CONDUITS and so on: not all results have the same one */
  const struct result *sized; /* the first whose count of nodes is not its point, or NULL */
};
void table_open(struct table *t, const struct report *r);
/* What a result has in a column, for NULL its head; NULL: nothing, not even an empty cell. Of what was not
 * measured the reason is in place of the first value and of all that would follow. */
const char *table_cell(const struct table *t, const struct result *r, unsigned column);
int cell_is_reason(const struct result *r, unsigned column);
/* Does it stand on the right, as numbers do? */
int cell_is_right(const struct result *r, unsigned column);

/* The lines above the results, of kind "", "pale" or "note": what was measured, when and where. */
typedef void describe_fn(FILE *out, const char *kind, const char *text);
void describe_run(const struct table *t, const char *name, describe_fn *line, FILE *out);
/* "against FILE (1.0, 2026-01-01): 1 slower, ..." */
const char *describe_changes(const struct report *r);
#endif

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
/* Writes TEST.svg of each test, and report.html with all, which needs nothing from elsewhere. Ends the
 * process where it cannot write. Returns how many charts. */
unsigned page_write(const char *directory, const struct report *r);
/* Makes the directory where it is missing; ends the process where nothing can be written into it. */
void page_prepare(const char *directory);

/* One test as a drawing in SVG, for the caller to free; NULL where it has less than two points. */
char *chart_make(const struct report *r, const char *test);

/* ---- reading ---- */

enum { ERROR_MOST = 200 };

/* What a comparison needs of a report that json_write has written: 0, or -1 and what is wrong with it; *r is
 * empty then. All is refused where there was no jansson when this was built. */
int report_read(FILE *in, struct report *r, char error[ERROR_MOST]);
/* The same from a file; ends the process where it cannot be read. */
void report_load(const char *path, struct report *r);

/* ---- what table and page share ---- */

/* What its readers need a column for: what not all results have alike, and the bare transport. */
struct table {
  const struct report *r;
  int conduits, transports, nodes, threads, raw;
  const struct result *sized; /* the first whose count of nodes is not its point, or NULL */
};
void table_open(struct table *t, const struct report *r);

struct cell {
  const char *head, *text; /* of its column, and its own */
  int right;               /* it stands on that side, as numbers do */
};
enum { CELLS_MOST = 18 };
struct row {
  struct cell cell[CELLS_MOST];
  unsigned cells, reason; /* 1: the last says why it was not measured, in place of all that would follow */
};
void table_row(const struct table *t, const struct result *r, struct row *row);
/* The heads of all columns. */
void table_heads(const struct table *t, struct row *row);

/* The lines above the results, of kind "", "pale" or "note": what was measured, when and where. */
typedef void describe_fn(FILE *out, const char *kind, const char *text);
void describe_run(const struct table *t, const char *name, describe_fn *line, FILE *out);
/* "against FILE (1.0, 2026-01-01): 1 slower, ..." */
const char *describe_changes(const struct report *r);
#endif

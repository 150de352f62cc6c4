/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "bench/control/forms.h"

#include <math.h>
#include <string.h>

/* ---- columns ---- */

/* Both varieties and the common text say of the nodes only what is not a point. */
void table_open(struct table *t, const struct report *r)
{
  *t = (struct table){.r = r};
  EACH_RESULT (each, r) {
    if (!t->sized && each->points != BENCH_NODES) t->sized = each;
    t->conduits |= strcmp(each->conduit, r->result->conduit) != 0;
    t->transports |= strcmp(each->transport, r->result->transport) != 0;
    t->nodes |= each->points != BENCH_NODES && each->nodes != t->sized->nodes;
    t->threads |= each->threads != r->result->threads;
    t->raw |= each->raw.n > 0;
  }
}

enum { LEFT, RIGHT };

static void add_cell(struct row *row, const char *head, int right, const char *text)
{
  row->cell[row->cells++] = (struct cell){head, text, right};
}

static void add_value(
    struct row *row, const char *head, const struct result *r, enum side side, enum statistic stat)
{
  const double value = result_stat(r, side, stat);
  add_cell(row, head, RIGHT, isnan(value) ? "-" : row_text(r, value));
}

static const char *efficiency_text(double e)
{
  if (e <= 0) return "-";
  if (e >= 1000) return text_of(e < 10000 ? "%.1f x" : "%.0f x", e / 100);
  return text_of(e < 9.95 ? "%.1f %%" : "%.0f %%", e);
}

static void add_check(struct row *row, const struct result *r)
{
  add_cell(row, "value", RIGHT, r->bound ? held_text(r) : "-");
  add_cell(row, "bound", LEFT, r->bound ? bound_text(r) : "-");
  add_cell(row, "check", LEFT, !r->bound ? "-" : r->over ? "OVER" : "ok");
}

static void add_change(struct row *row, const struct result *r)
{
  add_value(row, "before", r, EARLIER, MEDIAN);
  add_cell(row, "change", RIGHT, r->earlier ? text_of("%+.1f %%", compare_percent(r)) : "-");
  add_cell(row, "verdict", LEFT, change_name(r->change));
}

void table_row(const struct table *t, const struct result *r, struct row *row)
{
  row->cells = 0;
  row->reason = r->state == MISSING;
  add_cell(row, "test", LEFT, r->test);
  if (t->conduits) add_cell(row, "conduit", LEFT, r->conduit);
  if (t->transports) add_cell(row, "transport", LEFT, r->transport);
  if (t->nodes) add_cell(row, "nodes", RIGHT, text_of("%u", r->nodes));
  if (t->threads) add_cell(row, "threads", RIGHT, text_of("%u", r->threads));
  add_cell(row, "point", RIGHT, point_text(r));
  if (row->reason) {
    add_cell(row, "", LEFT, text_of("not measured: %s", r->missing));
    return;
  }
  add_value(row, "median", r, OURS, MEDIAN);
  add_value(row, "best", r, OURS, BEST);
  add_value(row, "p99", r, OURS, P99);
  add_cell(row, "unit", LEFT, row_unit(r));
  if (t->raw) add_value(row, "raw", r, RAW, MEDIAN);
  if (t->raw) add_cell(row, "efficiency", RIGHT, efficiency_text(efficiency(r)));
  if (t->r->checked) add_check(row, r);
  if (t->r->then) add_change(row, r);
}

void table_heads(const struct table *t, struct row *row)
{
  static const struct result any = {.point = "", .state = MEASURED};
  table_row(t, &any, row);
  for (unsigned c = 0; c < row->cells; c++) row->cell[c].text = row->cell[c].head;
}

/* ---- as text ---- */

static void widen(const struct row *row, int width[])
{
  for (unsigned c = 0; c + row->reason < row->cells; c++) {
    const int n = (int)strlen(row->cell[c].text);
    if (n > width[c]) width[c] = n;
  }
}

/* Without blanks at the end of the line. */
static void write_row(FILE *out, const struct row *row, const int width[])
{
  unsigned n = row->cells;
  while (!*row->cell[n - 1].text) n--;
  for (unsigned c = 0; c < n; c++) {
    const struct cell *cell = &row->cell[c];
    const int last_left = c + 1 == n && !cell->right;
    fprintf(out, cell->right ? "%s%*s" : "%s%-*s", c ? "  " : "", last_left ? 0 : width[c], cell->text);
  }
  fputc('\n', out);
}

/* A test's name stands in its first row alone. */
static void write_groups(FILE *out, const struct table *t)
{
  const struct result *last = NULL;
  struct row heads, row;
  int width[CELLS_MOST] = {0};
  table_heads(t, &heads);
  widen(&heads, width);
  EACH_RESULT (each, t->r)
    if (each->state != WAITING) table_row(t, each, &row), widen(&row, width);
  EACH_RESULT (each, t->r) {
    if (each->state == WAITING) continue;
    table_row(t, each, &row);
    if (last && strcmp(last->test, each->test) == 0) row.cell[0].text = "";
    if (!last || strcmp(last->group, each->group) != 0) {
      fprintf(out, "\n%s: %s\n", each->group, bench_group_what(each->group));
      write_row(out, &heads, width);
    }
    write_row(out, &row, width);
    last = each;
  }
}

/* ---- what stands above and below ---- */

static const char *common_text(const struct table *t)
{
  const struct result *first = t->r->result;
  const char *text = t->conduits ? "" : text_of("conduit %s", first->conduit);
  if (!t->conduits && !t->transports && strcmp(first->transport, "-") != 0)
    text = text_add(text, "", " (%s)", first->transport);
  if (!t->nodes && t->sized) text = text_add(text, ", ", "%u nodes", t->sized->nodes);
  if (!t->threads && first->threads > 1) text = text_add(text, ", ", "%u threads each", first->threads);
  return text;
}

void describe_run(const struct table *t, const char *name, describe_fn *line, FILE *out)
{
  const struct place *p = &t->r->place;
  const char *common = common_text(t);
  line(out, "", text_of("%s %s, %s%s%s", name, p->version, p->date, *common ? ", " : "", common));
  if (*p->hosts) line(out, "pale", text_of("hosts %s, started from %s", p->hosts, p->host));
  line(out, "pale",
      text_of("%s: %s, %u processor%s, %s", p->host, p->processor, p->processors,
          p->processors == 1 ? "" : "s", p->system));
  if (*p->network) line(out, "pale", p->network);
  for (unsigned i = 0; i < t->r->notes; i++) line(out, "note", t->r->note[i]);
}

static void write_line(FILE *out, const char *kind, const char *text)
{
  fprintf(out, "%s%s\n", strcmp(kind, "note") == 0 ? "note: " : "", text);
}

static int is_gone(const struct result *r) { return !bench_test_named(r->test); }
static int is_new(const struct result *r) { return r->change == CHANGE_NEW; }

/* The names of the tests that have such results, each once, behind what they are. */
static void write_tests(FILE *out, const char *what, const struct report *r, int (*is)(const struct result *))
{
  const char *last = "";
  EACH_RESULT (each, r) {
    if (!is(each) || strcmp(last, each->test) == 0) continue;
    fprintf(out, "%s%s", *last ? " " : what, each->test);
    last = each->test;
  }
  if (*last) fputc('\n', out);
}

const char *describe_changes(const struct report *r)
{
  enum { ALWAYS_SAID = 3 }; /* of others only those that there are */
  static const struct {
    enum change change;
    const char *text;
  } said[] = {{CHANGE_SLOWER, "slower"}, {CHANGE_FASTER, "faster"},
      {CHANGE_NONE, "the same within the noise"}, {CHANGE_PLACE, "changed as the bare transport did"},
      {CHANGE_NEW, "new"}, {CHANGE_GONE, "no longer measured"}};
  const struct place *p = &r->then->place;
  const char *text = text_of("against %s (%s, %s)", r->then_name, p->version, p->date);
  for (unsigned i = 0; i < sizeof said / sizeof *said; i++) {
    const unsigned count = compare_count(r, said[i].change);
    if (count || i < ALWAYS_SAID) text = text_add(text, i ? ", " : ": ", "%u %s", count, said[i].text);
  }
  return text;
}

static void write_changes(FILE *out, const struct report *r)
{
  fprintf(out, "\n%s\n", describe_changes(r));
  write_tests(out, "tests with points that were not measured then: ", r, is_new);
  write_tests(out, "tests that there were then, and are gone: ", r->then, is_gone);
}

void table_write(FILE *out, const struct report *r)
{
  struct table t;
  table_open(&t, r);
  describe_run(&t, "gasnetbench", write_line, out);
  write_groups(out, &t);
  if (r->checked) fprintf(out, "\n%u of %u points are over their bounds\n", r->over, r->bounds);
  if (r->then) write_changes(out, r);
}

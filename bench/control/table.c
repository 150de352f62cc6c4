/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "bench/control/forms.h"

#include <math.h>
#include <string.h>

#include "bench/control/drawing.h"

/* ---- columns ---- */

/* A text of the result, a count of it, a value as it travels, and what a function makes of the result. */
enum kind { FIELD, COUNT, VALUE, MADE };
/* NAMES: it is known of results that were not measured, too. */
enum { LEFT, RIGHT, NAMES = 2 };
/* What people need a column for. VARIES: not all results have the same there. */
enum when { ALWAYS, VARIES, FOR_RAW, FOR_BOUNDS, FOR_EARLIER };
enum reader { FOR_PEOPLE, FOR_PROGRAMS };
enum { CELL = TEXT_MOST };

struct column {
  const char *head[2]; /* by reader; NULL: it is not for these */
  enum kind kind;
  int flags;
  enum when when;
  size_t field; /* of FIELD and COUNT */
  enum side side;
  enum statistic stat;                                                         /* of VALUE, with the side */
  const char *(*make)(const struct result *r, enum reader reader, char *text); /* NULL: there is none */
};

static const char *exact_value(double value, char *text)
{
  snprintf(text, CELL, "%.6g", value);
  return text;
}

#define MAKE(name) \
  static const char *make_##name(const struct result *r, __attribute__((unused)) enum reader reader, \
      __attribute__((unused)) char *text)

MAKE(point) { return point_text(r, text); }
MAKE(verdict) { return change_name(r->change); }
MAKE(unit) { return reader == FOR_PEOPLE ? row_unit(r) : unit_name(r->unit); }
MAKE(time_ratio) { return r->raw.n > 0 && r->ratio > 0 ? exact_value(r->ratio, text) : NULL; }
MAKE(bound) { return r->bound ? bound_text(r, text) : NULL; }
MAKE(check) { return !r->bound ? NULL : !r->over ? "ok" : reader == FOR_PEOPLE ? "OVER" : "over"; }

MAKE(efficiency)
{
  const double e = efficiency(r);
  if (e >= 1000) snprintf(text, CELL, e < 10000 ? "%.1f x" : "%.0f x", e / 100);
  else snprintf(text, CELL, e < 9.95 ? "%.1f %%" : "%.0f %%", e);
  return e > 0 ? text : NULL;
}

/* What the bound speaks of. */
MAKE(held)
{
  if (!r->bound) return NULL;
  const double v = check_value(r->bound, r);
  return bound_is_absolute(r->bound) ? row_text(r, v, text) : value_text(v, text);
}

MAKE(change)
{
  if (!r->earlier) return NULL;
  if (reader == FOR_PROGRAMS) return exact_value(compare_percent(r), text);
  snprintf(text, CELL, "%+.1f %%", compare_percent(r));
  return text;
}

/* clang-format off */
#define OF_RESULT(of_kind, name) .kind = of_kind, .field = offsetof(struct result, name)
#define STAT(of_side, of_stat)   .kind = VALUE, .side = of_side, .stat = of_stat, .flags = RIGHT
#define BY(function, its_flags)  .kind = MADE, .make = make_##function, .flags = its_flags

/* Those that common_text looks at. */
enum { CONDUIT = 3, TRANSPORT, NODES, THREADS };
static const struct column columns[] = {
    {{"test", "test"}, OF_RESULT(FIELD, test), .flags = NAMES},
    {{NULL, "group"}, OF_RESULT(FIELD, group), .flags = NAMES},
    {{NULL, "point"}, OF_RESULT(FIELD, point), .flags = NAMES},
    [CONDUIT] = {{"conduit", NULL}, OF_RESULT(FIELD, conduit), .flags = NAMES, .when = VARIES},
    [TRANSPORT] = {{"transport", NULL}, OF_RESULT(FIELD, transport), .flags = NAMES, .when = VARIES},
    [NODES] = {{"nodes", "nodes"}, OF_RESULT(COUNT, nodes), .flags = NAMES | RIGHT, .when = VARIES},
    [THREADS] = {{"threads", "threads"}, OF_RESULT(COUNT, threads), .flags = NAMES | RIGHT, .when = VARIES},
    {{NULL, "conduit"}, OF_RESULT(FIELD, conduit), .flags = NAMES},
    {{NULL, "transport"}, OF_RESULT(FIELD, transport), .flags = NAMES},
    {{"point", NULL}, BY(point, NAMES | RIGHT)},
    {{NULL, "unit"}, BY(unit, NAMES)},
    {{NULL, "samples"}, OF_RESULT(COUNT, ours.n)},
    {{"median", "median"}, STAT(OURS, MEDIAN)},
    {{"best", "best"}, STAT(OURS, BEST)},
    {{"p99", "p99"}, STAT(OURS, P99)},
    {{"unit", NULL}, BY(unit, LEFT)},
    {{NULL, "quarter_low"}, STAT(OURS, LOW)},
    {{NULL, "quarter_high"}, STAT(OURS, HIGH)},
    {{"raw", "raw_median"}, STAT(RAW, MEDIAN), .when = FOR_RAW},
    {{NULL, "raw_best"}, STAT(RAW, BEST)},
    {{NULL, "time_ratio"}, BY(time_ratio, RIGHT)},
    {{"efficiency", NULL}, BY(efficiency, RIGHT), .when = FOR_RAW},
    {{"value", NULL}, BY(held, RIGHT), .when = FOR_BOUNDS},
    {{"bound", "bound"}, BY(bound, LEFT), .when = FOR_BOUNDS},
    {{"check", "check"}, BY(check, LEFT), .when = FOR_BOUNDS},
    {{"before", "before"}, STAT(EARLIER, MEDIAN), .when = FOR_EARLIER},
    {{"change", "change_percent"}, BY(change, RIGHT), .when = FOR_EARLIER},
    {{"verdict", "change"}, BY(verdict, LEFT), .when = FOR_EARLIER},
    {{NULL, "missing"}, OF_RESULT(FIELD, missing), .flags = NAMES},
};
/* clang-format on */

/* What the column has for this result. Where it has nothing people see "-", programs nothing. */
static const char *column_cell(const struct column *c, const struct result *r, enum reader reader, char *text)
{
  const char *field = (const char *)r + c->field, *made = text;
  if (r->state == MISSING && !(c->flags & NAMES)) return "";
  const double value = result_stat(r, c->side, c->stat);
  switch (c->kind) {
  case FIELD: return field;
  case COUNT: snprintf(text, CELL, "%u", *(const unsigned *)field); break;
  case MADE: made = c->make(r, reader, text); break;
  case VALUE:
    if (isnan(value)) made = NULL;
    else if (reader == FOR_PEOPLE) row_text(r, value, text);
    else exact_value(unit_shown(r, value), text);
  }
  return made ? made : reader == FOR_PEOPLE ? "-" : "";
}

/* ---- what all results have alike ---- */

/* A result with what all have in this column; NULL: it varies. A count of nodes that is a point is not looked
 * at. */
static const struct result *column_common(const struct report *r, const struct column *c)
{
  const struct result *first = NULL;
  char text[2][CELL];
  for (const struct result *each = NULL; (each = report_next(r, each)) != NULL;) {
    if (c->field == offsetof(struct result, nodes) && each->points == BENCH_NODES) continue;
    if (!first) first = each;
    if (strcmp(column_cell(c, first, FOR_PEOPLE, text[0]), column_cell(c, each, FOR_PEOPLE, text[1])) != 0)
      return NULL;
  }
  return first ? first : r->result;
}

static int column_is_needed(const struct report *r, const struct column *c)
{
  switch (c->when) {
  case ALWAYS: return 1;
  case VARIES: return !column_common(r, c);
  case FOR_BOUNDS: return r->checked;
  case FOR_EARLIER: return r->then != NULL;
  case FOR_RAW:
    for (const struct result *each = NULL; (each = report_next(r, each)) != NULL;)
      if (each->raw.n > 0) return 1;
  }
  return 0;
}

static void common_text(const struct report *r, char text[TEXT_MOST])
{
  const struct result *conduit = column_common(r, &columns[CONDUIT]);
  const struct result *transport = column_common(r, &columns[TRANSPORT]);
  const struct result *nodes = column_common(r, &columns[NODES]);
  const struct result *threads = column_common(r, &columns[THREADS]);
  text[0] = '\0';
  if (conduit) text_add(text, "", "conduit %s", conduit->conduit);
  if (conduit && transport && strcmp(transport->transport, "-") != 0)
    text_add(text, "", " (%s)", transport->transport);
  if (nodes && nodes->points != BENCH_NODES) text_add(text, ", ", "%u nodes", nodes->nodes);
  if (threads && threads->threads > 1) text_add(text, ", ", "%u threads each", threads->threads);
}

/* ---- a table: each style writes cells, and all else is common ---- */

/* A column's head, a result's value, and why it was not measured, in place of all cells that follow. */
enum cell { HEAD, RESULT, REASON };

/* Blanks at the end of a line are not written: `owed` counts those that a further cell needs. A test's name
 * stands in its first row alone. */
static void cell_as_text(struct table *t, unsigned c, enum cell cell, const char *text)
{
  const int again = c == 0 && cell == RESULT && strcmp(t->last, text) == 0;
  const unsigned width = t->width[c], n = again ? 0 : (unsigned)strlen(text), gap = c ? 2 : 0;
  const unsigned blanks = width > n ? width - n : 0;
  const int right = t->column[c]->flags & RIGHT && cell != REASON;
  if (n) fprintf(t->out, "%*s%s", (int)(t->owed + gap + (right ? blanks : 0)), "", text);
  t->owed = n ? (right ? 0 : blanks) : t->owed + gap + width;
  if (c == 0 && cell == RESULT) t->last = text;
}

/* Fields with commas or quotes stand in quotes, which are doubled inside. */
static void cell_as_csv(struct table *t, unsigned c, __attribute__((unused)) enum cell cell, const char *text)
{
  const char *quote = strpbrk(text, ",\"\n\r") ? "\"" : "";
  fprintf(t->out, "%s%s", c ? "," : "", quote);
  for (; *text; text++) {
    if (*text == '"') fputc('"', t->out);
    fputc(*text, t->out);
  }
  fputs(quote, t->out);
}

static void cell_as_html(struct table *t, unsigned c, enum cell cell, const char *text)
{
  const char *kind = "", *tag = cell == HEAD ? "th" : "td";
  if (t->column[c]->flags & RIGHT) kind = " class=\"n\"";
  else if (strcmp(text, "OVER") == 0 || strcmp(text, "slower") == 0) kind = " class=\"bad\"";
  else if (strcmp(text, "faster") == 0) kind = " class=\"good\"";
  if (cell == REASON) fprintf(t->out, "<td class=\"why\" colspan=\"%u\">", t->columns - c);
  else fprintf(t->out, "<%s%s>", tag, kind);
  escaped(t->out, text);
  fprintf(t->out, "</%s>", tag);
}

/* Writes nothing: for the widths of columns of text. */
static void cell_measure(struct table *t, unsigned c, enum cell cell, const char *text)
{
  const unsigned n = (unsigned)strlen(text);
  if (cell != REASON && n > t->width[c]) t->width[c] = n;
}

static const struct style {
  enum reader reader;
  const char *begin, *end; /* of a row */
  void (*cell)(struct table *t, unsigned c, enum cell cell, const char *text);
} styles[] = {
    [AS_TEXT] = {FOR_PEOPLE, "", "\n", cell_as_text},
    [AS_CSV] = {FOR_PROGRAMS, "", "\n", cell_as_csv},
    [AS_HTML] = {FOR_PEOPLE, "<tr>", "</tr>\n", cell_as_html},
};

/* Programs have a column for the reason why a result was not measured. */
void table_row(struct table *t, const struct result *r)
{
  const struct style *s = t->style;
  const int missing = r && r->state == MISSING && s->reader == FOR_PEOPLE;
  char text[CELL + 32];
  unsigned c = t->unnamed;
  fputs(s->begin, t->out);
  for (t->owed = 0; c < t->columns && (!missing || t->column[c]->flags & NAMES); c++)
    if (r) s->cell(t, c, RESULT, column_cell(t->column[c], r, s->reader, text));
    else s->cell(t, c, HEAD, t->column[c]->head[s->reader]);
  if (missing && c < t->columns) {
    snprintf(text, sizeof text, "not measured: %s", r->missing);
    s->cell(t, c, REASON, text);
  }
  fputs(s->end, t->out);
}

void table_rows(struct table *t, const char *test)
{
  for (const struct result *each = NULL; (each = report_next(t->r, each)) != NULL;)
    if (each->state != WAITING && (!test || strcmp(each->test, test) == 0)) table_row(t, each);
}

void table_open(struct table *t, FILE *out, const struct report *r, enum table_style style)
{
  static const struct style measuring = {FOR_PEOPLE, "", "", cell_measure};
  const enum reader reader = styles[style].reader;
  *t = (struct table){.out = out, .r = r, .style = &measuring, .last = ""};
  for (const struct column *c = columns; c < columns + sizeof columns / sizeof *columns; c++)
    if (c->head[reader] && (reader == FOR_PROGRAMS || column_is_needed(r, c))) t->column[t->columns++] = c;
  if (style == AS_TEXT) {
    table_row(t, NULL);
    table_rows(t, NULL);
  }
  t->style = &styles[style];
}

static void write_groups(struct table *t)
{
  const char *group = "";
  for (const struct result *each = NULL; (each = report_next(t->r, each)) != NULL;) {
    if (each->state == WAITING) continue;
    if (strcmp(group, each->group) != 0) {
      fprintf(t->out, "\n%s: %s\n", each->group, bench_group_what(each->group));
      table_row(t, NULL);
    }
    table_row(t, each);
    group = each->group;
  }
}

/* ---- what stands above and below ---- */

void describe_run(const struct report *r, const char *name, describe_fn *line, void *to)
{
  const struct place *p = &r->place;
  char text[4 * TEXT_MOST], common[TEXT_MOST];
  common_text(r, common);
  snprintf(text, sizeof text, "%s %s, %s%s%s", name, p->version, p->date, *common ? ", " : "", common);
  line(to, "", text);
  snprintf(text, sizeof text, "hosts %s, started from %s", p->hosts, p->host);
  if (*p->hosts) line(to, "pale", text);
  snprintf(text, sizeof text, "%s: %s, %u processor%s, %s", p->host, p->processor, p->processors,
      p->processors == 1 ? "" : "s", p->system);
  line(to, "pale", text);
  if (*p->network) line(to, "pale", p->network);
  for (unsigned i = 0; i < r->notes; i++) line(to, "note", r->note[i]);
}

static void write_line(void *out, const char *kind, const char *text)
{
  fprintf(out, "%s%s\n", strcmp(kind, "note") == 0 ? "note: " : "", text);
}

static int is_gone(const struct result *r) { return !bench_test_named(r->test); }
static int is_new(const struct result *r) { return r->change == CHANGE_NEW; }

/* The names of the tests that have such results, each once, behind what they are. */
static void write_tests(FILE *out, const char *what, const struct report *r, int (*is)(const struct result *))
{
  const char *last = "";
  for (const struct result *each = NULL; (each = report_next(r, each)) != NULL;) {
    if (!is(each) || strcmp(last, each->test) == 0) continue;
    fprintf(out, "%s%s", *last ? " " : what, each->test);
    last = each->test;
  }
  if (*last) fputc('\n', out);
}

void describe_changes(const struct report *r, char text[4 * TEXT_MOST])
{
  enum { ALWAYS_SAID = 3 }; /* of others only those that there are */
  static const struct {
    enum change change;
    const char *text;
  } said[] = {{CHANGE_SLOWER, "slower"}, {CHANGE_FASTER, "faster"},
      {CHANGE_NONE, "the same within the noise"}, {CHANGE_PLACE, "changed as the bare transport did"},
      {CHANGE_NEW, "new"}, {CHANGE_GONE, "no longer measured"}};
  const struct place *p = &r->then->place;
  int n = snprintf(text, 4 * TEXT_MOST, "against %.600s (%.60s, %.60s)", r->then_name, p->version, p->date);
  for (unsigned i = 0; i < sizeof said / sizeof *said; i++) {
    const unsigned count = compare_count(r, said[i].change);
    if (!count && i >= ALWAYS_SAID) continue;
    n += snprintf(text + n, 4 * TEXT_MOST - (size_t)n, "%s %u %s", i ? "," : ":", count, said[i].text);
  }
}

static void write_changes(FILE *out, const struct report *r)
{
  char text[4 * TEXT_MOST];
  describe_changes(r, text);
  fprintf(out, "\n%s\n", text);
  write_tests(out, "tests with points that were not measured then: ", r, is_new);
  write_tests(out, "tests that there were then, and are gone: ", r->then, is_gone);
}

void table_write(FILE *out, const struct report *r)
{
  struct table t;
  table_open(&t, out, r, AS_TEXT);
  describe_run(r, "gasnetbench", write_line, out);
  write_groups(&t);
  if (r->checked) fprintf(out, "\n%u of %u points are over their bounds\n", r->over, r->bounds);
  if (r->then) write_changes(out, r);
}

void csv_write(FILE *out, const struct report *r)
{
  struct table t;
  table_open(&t, out, r, AS_CSV);
  table_row(&t, NULL);
  table_rows(&t, NULL);
}

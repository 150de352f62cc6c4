/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "bench/control/table.h"

#include <math.h>
#include <string.h>

#include "bench/control/drawing.h"
#include "bench/control/judge.h"
#include "bench/control/units.h"

/* When a column is needed: where not all results have this alike, or where the report has such values. */
enum {
  VARY_NODES = 1 << 0,
  VARY_THREADS = 1 << 1,
  VARY_CONDUIT = 1 << 2,
  VARY_TRANSPORT = 1 << 3,
  HAS_RAW = 1 << 4,
  HAS_BOUNDS = 1 << 5,
  HAS_EARLIER = 1 << 6
};

/* ---- what all results have alike ---- */

/* The first result whose count of nodes is not its point: only such counts can be alike. */
static const struct result *first_of_nodes(const struct report *r)
{
  for (unsigned i = 0; i < r->count; i++)
    if (r->result[i].points != BENCH_NODES) return &r->result[i];
  return NULL;
}

static unsigned report_needs(const struct report *r)
{
  const struct result *first = first_of_nodes(r);
  unsigned needs = (r->checked ? HAS_BOUNDS : 0) | (r->then ? HAS_EARLIER : 0);
  for (unsigned i = 0; i < r->count; i++) {
    const struct result *a = &r->result[0], *b = &r->result[i];
    if (b->points != BENCH_NODES && b->nodes != first->nodes) needs |= VARY_NODES;
    if (a->threads != b->threads) needs |= VARY_THREADS;
    if (strcmp(a->conduit, b->conduit) != 0) needs |= VARY_CONDUIT;
    if (strcmp(a->transport, b->transport) != 0) needs |= VARY_TRANSPORT;
    if (b->raw.n > 0) needs |= HAS_RAW;
  }
  return needs;
}

static void common_text(const struct report *r, char text[TEXT_MOST])
{
  const unsigned needs = report_needs(r);
  const struct result *first = &r->result[0], *nodes = first_of_nodes(r);
  text[0] = '\0';
  if (!r->count) return;
  if (!(needs & VARY_CONDUIT)) text_add(text, "", "conduit %s", first->conduit);
  if (!(needs & (VARY_CONDUIT | VARY_TRANSPORT)) && strcmp(first->transport, "-") != 0)
    text_add(text, "", " (%s)", first->transport);
  if (!(needs & VARY_NODES) && nodes) text_add(text, ", ", "%u nodes", nodes->nodes);
  if (!(needs & VARY_THREADS) && first->threads > 1) text_add(text, ", ", "%u threads each", first->threads);
}

static const char *group_text(const char *group)
{
  for (const struct bench_group *g = bench_groups; g->name; g++)
    if (strcmp(g->name, group) == 0) return g->what;
  return "";
}

/* ---- numbers, as they travel; not a number: there is none ---- */

static double nodes(const struct result *r) { return r->nodes; }
static double threads(const struct result *r) { return r->threads; }
static double samples(const struct result *r) { return r->ours.n; }
static double median(const struct result *r) { return r->ours.median; }
static double best(const struct result *r) { return unit_best(r, &r->ours); }
static double p99(const struct result *r) { return unit_p99(r, &r->ours); }
static double raw_median(const struct result *r) { return r->raw.n > 0 ? r->raw.median : NAN; }
static double raw_best(const struct result *r) { return r->raw.n > 0 ? unit_best(r, &r->raw) : NAN; }
static double time_ratio(const struct result *r) { return r->raw.n > 0 && r->ratio > 0 ? r->ratio : NAN; }
static double before(const struct result *r) { return r->earlier ? r->earlier->ours.median : NAN; }
static double change_by(const struct result *r) { return r->earlier ? compare_percent(r) : NAN; }

/* In the unit that is shown, in which rates turn around. */
static double quarter(const struct result *r, int upper)
{
  double quarter[2];
  unit_quarters(r, &r->ours, &quarter[0], &quarter[1]);
  return quarter[upper];
}
static double quarter_low(const struct result *r) { return quarter(r, 0); }
static double quarter_high(const struct result *r) { return quarter(r, 1); }

/* ---- texts; NULL: there is none ---- */

enum { CELL = TEXT_MOST };

static const char *row_value(const struct result *r, double value, char *text)
{
  const char *unit;
  return value_text(unit_row(r, value, &unit), text);
}

static const char *point(const struct result *r, char *text) { return point_text(r, text); }
static const char *verdict(const struct result *r, char *text) { return (void)text, change_name(r->change); }
static const char *unit(const struct result *r, char *text) { return (void)text, unit_name(r->unit); }

static const char *unit_of_row(const struct result *r, char *text)
{
  const char *unit;
  (void)text;
  unit_row(r, r->ours.median, &unit);
  return unit;
}

static const char *speed(const struct result *r, char *text)
{
  const double e = efficiency(r);
  if (e <= 0) return NULL;
  if (e >= 1000) snprintf(text, CELL, e < 10000 ? "%.1f x" : "%.0f x", e / 100);
  else snprintf(text, CELL, e < 9.95 ? "%.1f %%" : "%.0f %%", e);
  return text;
}

/* What the bound speaks of. */
static const char *held(const struct result *r, char *text)
{
  if (!r->bound) return NULL;
  const double v = check_value(r->bound, r);
  return bound_is_absolute(r->bound) ? row_value(r, v, text) : value_text(v, text);
}

static const char *bound(const struct result *r, char *text)
{
  if (!r->bound) return NULL;
  bound_text(r, text);
  return text;
}

static const char *check(const struct result *r, char *text)
{
  return (void)text, !r->bound ? NULL : r->over ? "over" : "ok";
}
static const char *loud_check(const struct result *r, char *text)
{
  return r->bound && r->over ? "OVER" : check(r, text);
}

/* ---- columns ---- */

/* A text of the result or one that is made; a count, a value as it travels, one as it is shown, a percentage.
 */
enum kind { FIELD, MADE, COUNT, VALUE, SHOWN, PERCENT };
enum { LEFT, RIGHT, NAMES = 2 };
enum reader { FOR_PEOPLE, FOR_PROGRAMS };

struct column {
  const char *head, *csv; /* for people and for programs; NULL: not for these */
  enum kind kind;
  int flags;     /* RIGHT, and NAMES where it is known of results that were not measured, too */
  unsigned when; /* people need it; 0: always */
  size_t field;
  const char *(*text)(const struct result *r, char *text);
  double (*number)(const struct result *r);
};

/* clang-format off */
#define OF_RESULT(head, csv, when, field) \
  {head, csv, FIELD, NAMES, when, offsetof(struct result, field), NULL, NULL}
#define MADE_TEXT(head, csv, flags, when, text) {head, csv, MADE, flags, when, 0, text, NULL}
#define NUMBER(head, csv, kind, flags, when, number) {head, csv, kind, RIGHT | (flags), when, 0, NULL, number}
/* clang-format on */

static const struct column columns[] = {
    OF_RESULT("test", "test", 0, test),
    OF_RESULT(NULL, "group", 0, group),
    OF_RESULT(NULL, "point", 0, point),
    OF_RESULT("conduit", NULL, VARY_CONDUIT, conduit),
    OF_RESULT("transport", NULL, VARY_TRANSPORT, transport),
    NUMBER("nodes", "nodes", COUNT, NAMES, VARY_NODES, nodes),
    NUMBER("threads", "threads", COUNT, NAMES, VARY_THREADS, threads),
    OF_RESULT(NULL, "conduit", 0, conduit),
    OF_RESULT(NULL, "transport", 0, transport),
    MADE_TEXT("point", NULL, RIGHT | NAMES, 0, point),
    MADE_TEXT(NULL, "unit", NAMES, 0, unit),
    NUMBER(NULL, "samples", COUNT, 0, 0, samples),
    NUMBER("median", "median", VALUE, 0, 0, median),
    NUMBER("best", "best", VALUE, 0, 0, best),
    NUMBER("p99", "p99", VALUE, 0, 0, p99),
    MADE_TEXT("unit", NULL, LEFT, 0, unit_of_row),
    NUMBER(NULL, "quarter_low", SHOWN, 0, 0, quarter_low),
    NUMBER(NULL, "quarter_high", SHOWN, 0, 0, quarter_high),
    NUMBER("raw", "raw_median", VALUE, 0, HAS_RAW, raw_median),
    NUMBER(NULL, "raw_best", VALUE, 0, 0, raw_best),
    NUMBER(NULL, "time_ratio", SHOWN, 0, 0, time_ratio),
    MADE_TEXT("efficiency", NULL, RIGHT, HAS_RAW, speed),
    MADE_TEXT("value", NULL, RIGHT, HAS_BOUNDS, held),
    MADE_TEXT("bound", "bound", LEFT, HAS_BOUNDS, bound),
    MADE_TEXT(NULL, "check", LEFT, 0, check),
    MADE_TEXT("check", NULL, LEFT, HAS_BOUNDS, loud_check),
    NUMBER("before", "before", VALUE, 0, HAS_EARLIER, before),
    NUMBER("change", "change_percent", PERCENT, 0, HAS_EARLIER, change_by),
    MADE_TEXT("verdict", "change", LEFT, HAS_EARLIER, verdict),
    OF_RESULT(NULL, "missing", 0, missing),
};

/* ---- a table: each style writes cells, and all else is common ---- */

static const char *column_head(const struct column *c, enum reader reader)
{
  return reader == FOR_PEOPLE ? c->head : c->csv;
}

static const char *number_cell(const struct column *c, const struct result *r, enum reader reader, char *text)
{
  const enum kind kind = c->kind;
  double v = c->number(r);
  if (isnan(v)) return NULL;
  if (kind == VALUE && reader == FOR_PEOPLE) return row_value(r, v, text);
  if (kind == VALUE) v = unit_shown(r, v);
  if (kind == PERCENT && reader == FOR_PEOPLE) snprintf(text, CELL, "%+.1f %%", v);
  else snprintf(text, CELL, kind == COUNT ? "%.0f" : "%.6g", v);
  return text;
}

/* What the column has for this result. Where it has nothing people see "-", programs nothing. */
static const char *column_cell(const struct column *c, const struct result *r, enum reader reader, char *text)
{
  const char *made = NULL;
  if (r->state == MISSING && !(c->flags & NAMES)) return "";
  if (c->kind == FIELD) made = (const char *)r + c->field;
  else if (c->kind == MADE) made = c->text(r, text);
  else made = number_cell(c, r, reader, text);
  return made ? made : reader == FOR_PEOPLE ? "-" : "";
}

/* Blanks at the end of a line are not written: `owed` counts those that a further cell needs. */
static void cell_as_text(
    struct table *t, unsigned c, const char *text, __attribute__((unused)) const struct result *r)
{
  const unsigned width = t->width[c], n = (unsigned)strlen(text), gap = c ? 2 : 0;
  const unsigned blanks = width > n ? width - n : 0;
  const int right = t->column[c]->flags & RIGHT;
  if (n) fprintf(t->out, "%*s%s", (int)(t->owed + gap + (right ? blanks : 0)), "", text);
  t->owed = n ? (right ? 0 : blanks) : t->owed + gap + width;
}

static void reason_as_text(struct table *t, __attribute__((unused)) unsigned left, const char *reason)
{
  fprintf(t->out, "  not measured: %s", reason);
}

/* Fields with commas or quotes stand in quotes, which are doubled inside. */
static void cell_as_csv(
    struct table *t, unsigned c, const char *text, __attribute__((unused)) const struct result *r)
{
  const int quoted = strpbrk(text, ",\"\n\r") != NULL;
  if (c) fputc(',', t->out);
  if (quoted) fputc('"', t->out);
  for (; *text; text++) {
    if (*text == '"') fputc('"', t->out);
    fputc(*text, t->out);
  }
  if (quoted) fputc('"', t->out);
}

static void cell_as_html(struct table *t, unsigned c, const char *text, const struct result *r)
{
  const char *kind = "", *tag = r ? "td" : "th";
  if (t->column[c]->flags & RIGHT) kind = " class=\"n\"";
  else if (strcmp(text, "OVER") == 0 || strcmp(text, "slower") == 0) kind = " class=\"bad\"";
  else if (strcmp(text, "faster") == 0) kind = " class=\"good\"";
  fprintf(t->out, "<%s%s>", tag, kind);
  escaped(t->out, text);
  fprintf(t->out, "</%s>", tag);
}

static void reason_as_html(struct table *t, unsigned left, const char *reason)
{
  fprintf(t->out, "<td class=\"why\" colspan=\"%u\">not measured: ", left);
  escaped(t->out, reason);
  fputs("</td>", t->out);
}

static const struct style {
  enum reader reader;
  const char *begin, *end;                                                             /* of a row */
  void (*cell)(struct table *t, unsigned c, const char *text, const struct result *r); /* r NULL: a head */
  /* Why a result was not measured, in place of `left` cells; NULL: that has a column. */
  void (*reason)(struct table *t, unsigned left, const char *reason);
} styles[] = {
    [AS_TEXT] = {FOR_PEOPLE, "", "\n", cell_as_text, reason_as_text},
    [AS_CSV] = {FOR_PROGRAMS, "", "\n", cell_as_csv, NULL},
    [AS_HTML] = {FOR_PEOPLE, "<tr>", "</tr>\n", cell_as_html, reason_as_html},
};

static void widen(unsigned *width, const char *text)
{
  if (strlen(text) > *width) *width = (unsigned)strlen(text);
}

static void table_measure(struct table *t)
{
  char text[CELL];
  for (unsigned c = 0; c < t->columns; c++) {
    widen(&t->width[c], column_head(t->column[c], FOR_PEOPLE));
    for (unsigned i = 0; i < t->r->count; i++)
      if (t->r->result[i].state != WAITING)
        widen(&t->width[c], column_cell(t->column[c], &t->r->result[i], FOR_PEOPLE, text));
  }
}

void table_open(struct table *t, FILE *out, const struct report *r, enum table_style style)
{
  const enum reader reader = styles[style].reader;
  const unsigned needs = report_needs(r);
  *t = (struct table){.out = out, .r = r, .style = &styles[style], .last = ""};
  for (unsigned i = 0; i < sizeof columns / sizeof *columns; i++) {
    const struct column *c = &columns[i];
    if (column_head(c, reader) && (reader == FOR_PROGRAMS || !c->when || c->when & needs))
      t->column[t->columns++] = c;
  }
  if (style == AS_TEXT) table_measure(t);
}

void table_row(struct table *t, const struct result *r)
{
  const struct style *s = t->style;
  const int missing = r && r->state == MISSING && s->reason;
  char text[CELL];
  unsigned c = t->unnamed;
  fputs(s->begin, t->out);
  for (t->owed = 0; c < t->columns && (!missing || t->column[c]->flags & NAMES); c++) {
    const char *cell = r ? column_cell(t->column[c], r, s->reader, text)
                         : column_head(t->column[c], s->reader);
    /* In text a test's name stands in its first row alone. */
    const int again = c == 0 && r && s == &styles[AS_TEXT] && strcmp(t->last, cell) == 0;
    s->cell(t, c, again ? "" : cell, r);
    if (c == 0 && r) t->last = r->test;
  }
  if (missing && c < t->columns) s->reason(t, t->columns - c, r->missing);
  fputs(s->end, t->out);
}

static void write_groups(struct table *t)
{
  const char *group = "";
  for (unsigned i = 0; i < t->r->count; i++) {
    const struct result *each = &t->r->result[i];
    if (each->state == WAITING) continue;
    if (strcmp(group, each->group) != 0) {
      fprintf(t->out, "\n%s: %s\n", each->group, group_text(each->group));
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

static void write_check(FILE *out, const struct report *r)
{
  unsigned bounds = 0, over = 0;
  for (unsigned i = 0; i < r->count; i++) {
    bounds += r->result[i].bound != NULL;
    over += r->result[i].bound && r->result[i].over;
  }
  fprintf(out, "\n%u of %u points are over their bounds\n", over, bounds);
}

static int is_gone(const struct result *r) { return !bench_test_named(r->test); }
static int is_new(const struct result *r) { return r->change == CHANGE_NEW; }

/* The names of the tests that have such results, each once, behind what they are. */
static void write_tests(FILE *out, const char *what, const struct report *r, int (*is)(const struct result *))
{
  const char *last = "";
  for (unsigned i = 0; i < r->count; i++) {
    const struct result *each = &r->result[i];
    if (!is(each) || strcmp(last, each->test) == 0) continue;
    fprintf(out, "%s%s", *last ? " " : what, each->test);
    last = each->test;
  }
  if (*last) fputc('\n', out);
}

void describe_changes(const struct report *r, char text[4 * TEXT_MOST])
{
  static const struct {
    enum change change;
    const char *text;
  } rare[] = {{CHANGE_PLACE, "changed as the bare transport did"}, {CHANGE_NEW, "new"},
      {CHANGE_GONE, "no longer measured"}};
  const struct place *p = &r->then->place;
  int n = snprintf(text, 4 * TEXT_MOST,
      "against %.600s (%.60s, %.60s): %u slower, %u faster, %u the same within the noise", r->then_name,
      p->version, p->date, compare_count(r, CHANGE_SLOWER), compare_count(r, CHANGE_FASTER),
      compare_count(r, CHANGE_NONE));
  for (unsigned i = 0; i < sizeof rare / sizeof *rare; i++) {
    const unsigned count = compare_count(r, rare[i].change);
    if (count) n += snprintf(text + n, 4 * TEXT_MOST - (size_t)n, ", %u %s", count, rare[i].text);
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
  if (r->checked) write_check(out, r);
  if (r->then) write_changes(out, r);
}

void csv_write(FILE *out, const struct report *r)
{
  struct table t;
  table_open(&t, out, r, AS_CSV);
  table_row(&t, NULL);
  for (unsigned i = 0; i < r->count; i++)
    if (r->result[i].state != WAITING) table_row(&t, &r->result[i]);
}

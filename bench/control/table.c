/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "bench/control/forms.h"

#include <math.h>
#include <string.h>

/* ---- columns ---- */

/* Both varieties and the common text say of the nodes only what is not a point. */
void table_open(struct table *t, const struct report *r)
{
  *t = (struct table){.r = r, .needs = {[ALWAYS] = 1, [BOUNDS] = r->checked, [CHANGES] = r->then != NULL}};
  EACH_RESULT (each, r) {
    if (!t->sized && each->points != BENCH_NODES) t->sized = each;
    t->needs[CONDUITS] |= strcmp(each->conduit, r->result->conduit) != 0;
    t->needs[TRANSPORTS] |= strcmp(each->transport, r->result->transport) != 0;
    t->needs[NODES] |= each->points != BENCH_NODES && each->nodes != t->sized->nodes;
    t->needs[THREADS] |= each->threads != r->result->threads;
    t->needs[BARE] |= each->raw.n > 0;
  }
}

static const char *side_text(const struct result *r, enum side side, enum statistic stat)
{
  const double value = result_stat(r, side, stat);
  return isnan(value) ? "-" : row_text(r, value);
}

static const char *efficiency_text(const struct result *r)
{
  const double e = efficiency(r);
  if (e <= 0) return "-";
  if (e >= 1000) return text_of(e < 10000 ? "%.1f x" : "%.0f x", e / 100);
  return text_of(e < 9.95 ? "%.1f %%" : "%.0f %%", e);
}

static const char *change_text(const struct result *r)
{
  return r->earlier ? text_of("%+.1f %%", compare_percent(r)) : "-";
}

static const char *test_text(const struct result *r) { return r->test; }
static const char *conduit_text(const struct result *r) { return r->conduit; }
static const char *transport_text(const struct result *r) { return r->transport; }
static const char *nodes_text(const struct result *r) { return text_of("%u", r->nodes); }
static const char *threads_text(const struct result *r) { return text_of("%u", r->threads); }
static const char *median_text(const struct result *r) { return side_text(r, OURS, MEDIAN); }
static const char *best_text(const struct result *r) { return side_text(r, OURS, BEST); }
static const char *p99_text(const struct result *r) { return side_text(r, OURS, P99); }
static const char *raw_text(const struct result *r) { return side_text(r, RAW, MEDIAN); }
static const char *check_text(const struct result *r) { return !r->bound ? "-" : r->over ? "OVER" : "ok"; }
static const char *before_text(const struct result *r) { return side_text(r, EARLIER, MEDIAN); }
static const char *verdict_text(const struct result *r) { return change_name(r->change); }

static const struct {
  const char *head;
  enum need need;
  int right;
  const char *(*text)(const struct result *r);
} columns[COLUMNS] = {{"test", ALWAYS, 0, test_text}, {"conduit", CONDUITS, 0, conduit_text},
    {"transport", TRANSPORTS, 0, transport_text}, {"nodes", NODES, 1, nodes_text},
    {"threads", THREADS, 1, threads_text}, {"point", ALWAYS, 1, point_text},
    {"median", ALWAYS, 1, median_text}, {"best", ALWAYS, 1, best_text}, {"p99", ALWAYS, 1, p99_text},
    {"unit", ALWAYS, 0, row_unit}, {"raw", BARE, 1, raw_text}, {"efficiency", BARE, 1, efficiency_text},
    {"value", BOUNDS, 1, held_text}, {"bound", BOUNDS, 0, bound_text}, {"check", BOUNDS, 0, check_text},
    {"before", CHANGES, 1, before_text}, {"change", CHANGES, 1, change_text},
    {"verdict", CHANGES, 0, verdict_text}};
enum { FIRST_VALUE = 6 };

int cell_is_reason(const struct result *r, unsigned c)
{
  return r && r->state == MISSING && c == FIRST_VALUE;
}

int cell_is_right(const struct result *r, unsigned c) { return columns[c].right && !cell_is_reason(r, c); }

const char *table_cell(const struct table *t, const struct result *r, unsigned c)
{
  if (!t->needs[columns[c].need]) return NULL;
  if (!r) return columns[c].head;
  if (cell_is_reason(r, c)) return text_of("not measured: %s", r->missing);
  return r->state == MISSING && c > FIRST_VALUE ? NULL : columns[c].text(r);
}

/* ---- as text ---- */

static void widen(const struct table *t, const struct result *r, int width[])
{
  for (unsigned c = 0; c < COLUMNS; c++) {
    const char *text = cell_is_reason(r, c) ? NULL : table_cell(t, r, c);
    if (text && (int)strlen(text) > width[c]) width[c] = (int)strlen(text);
  }
}

/* Without blanks at the end of the line; a test's name stands in its first row alone. */
static void write_row(
    FILE *out, const struct table *t, const struct result *r, const struct result *before, const int width[])
{
  const char *text[COLUMNS];
  unsigned last = 0;
  for (unsigned c = 0; c < COLUMNS; c++)
    if ((text[c] = table_cell(t, r, c)) != NULL && *text[c]) last = c;
  if (before && strcmp(before->test, r->test) == 0) text[0] = "";
  for (unsigned c = 0; c <= last; c++) {
    const int right = cell_is_right(r, c);
    if (text[c])
      fprintf(out, right ? "%s%*s" : "%s%-*s", c ? "  " : "", c == last && !right ? 0 : width[c], text[c]);
  }
  fputc('\n', out);
}

static void write_groups(FILE *out, const struct table *t)
{
  const struct result *last = NULL;
  int width[COLUMNS] = {0};
  widen(t, NULL, width);
  EACH_RESULT (each, t->r)
    if (each->state != WAITING) widen(t, each, width);
  EACH_RESULT (each, t->r) {
    if (each->state == WAITING) continue;
    if (!last || strcmp(last->group, each->group) != 0) {
      fprintf(out, "\n%s: %s\n", each->group, bench_group_what(each->group));
      write_row(out, t, NULL, NULL, width);
    }
    write_row(out, t, each, last, width);
    last = each;
  }
}

/* ---- what stands above and below ---- */

static const char *common_text(const struct table *t)
{
  const struct result *first = t->r->result;
  const char *text = t->needs[CONDUITS] ? "" : text_of("conduit %s", first->conduit);
  if (!t->needs[CONDUITS] && !t->needs[TRANSPORTS] && strcmp(first->transport, "-") != 0)
    text = text_of("%s (%s)", text, first->transport);
  if (!t->needs[NODES] && t->sized) text = text_add(text, ", ", text_of("%u nodes", t->sized->nodes));
  if (!t->needs[THREADS] && first->threads > 1)
    text = text_add(text, ", ", text_of("%u threads each", first->threads));
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
    if (count || i < ALWAYS_SAID)
      text = text_add(text, i ? ", " : ": ", text_of("%u %s", count, said[i].text));
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

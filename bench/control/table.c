/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "bench/control/table.h"

#include <string.h>

#include "bench/control/columns.h"
#include "bench/control/judge.h"

struct table {
  const struct column *column[COLUMNS_MOST];
  unsigned width[COLUMNS_MOST], name_width;
};

static void widen(unsigned *width, const char *text)
{
  if (strlen(text) > *width) *width = (unsigned)strlen(text);
}

static void table_measure(struct table *t, const struct report *r)
{
  char text[CELL];
  t->name_width = 4;
  for (unsigned c = 0; t->column[c]; c++) {
    widen(&t->width[c], column_head(t->column[c], FOR_PEOPLE));
    for (unsigned i = 0; i < r->count; i++)
      if (r->result[i].state != WAITING)
        widen(&t->width[c], column_cell(t->column[c], &r->result[i], FOR_PEOPLE, text));
  }
  for (unsigned i = 0; i < r->count; i++)
    if (r->result[i].state != WAITING) widen(&t->name_width, r->result[i].test);
}

/* Blanks at the end of a line are not written: `owed` counts those that a further cell needs. */
static void write_cell(FILE *out, const struct table *t, unsigned c, const char *text, unsigned *owed)
{
  const unsigned width = t->width[c], n = (unsigned)strlen(text), blanks = width > n ? width - n : 0;
  const int right = column_is_right(t->column[c]);
  if (n) fprintf(out, "%*s%s", (int)(*owed + 2 + (right ? blanks : 0)), "", text);
  *owed = n ? (right ? 0 : blanks) : *owed + 2 + width;
}

static void write_head(FILE *out, const struct table *t)
{
  unsigned owed = 0;
  fprintf(out, "%-*s", (int)t->name_width, "test");
  for (unsigned c = 0; t->column[c]; c++) write_cell(out, t, c, column_head(t->column[c], FOR_PEOPLE), &owed);
  fputc('\n', out);
}

static void write_row(FILE *out, const struct table *t, const struct result *r, int named)
{
  char text[CELL];
  unsigned owed = 0;
  fprintf(out, "%-*s", (int)t->name_width, named ? r->test : "");
  for (unsigned c = 0; t->column[c] && (r->state != MISSING || column_names(t->column[c])); c++)
    write_cell(out, t, c, column_cell(t->column[c], r, FOR_PEOPLE, text), &owed);
  if (r->state == MISSING) fprintf(out, "  not measured: %s", r->missing);
  fputc('\n', out);
}

static void write_rows(FILE *out, const struct table *t, const struct report *r)
{
  const char *group = "", *test = "";
  for (unsigned i = 0; i < r->count; i++) {
    const struct result *each = &r->result[i];
    if (each->state == WAITING) continue;
    if (strcmp(group, each->group) != 0) {
      fprintf(out, "\n%s: %s\n", each->group, group_text(each->group));
      write_head(out, t);
    }
    write_row(out, t, each, strcmp(test, each->test) != 0);
    group = each->group;
    test = each->test;
  }
}

/* ---- what stands above and below ---- */

static void write_place(FILE *out, const struct report *r)
{
  const struct place *p = &r->place;
  char common[TEXT_MOST], host[4 * TEXT_MOST];
  common_text(r, common);
  host_text(p, host);
  fprintf(out, "gasnetbench %s, %s%s%s\n", p->version, p->date, *common ? ", " : "", common);
  if (*p->hosts) fprintf(out, "hosts %s, started from %s\n", p->hosts, p->host);
  fprintf(out, "%s\n", host);
  if (*p->network) fprintf(out, "%s\n", p->network);
  for (unsigned i = 0; i < r->notes; i++) fprintf(out, "note: %s\n", r->note[i]);
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

static void write_changes(FILE *out, const struct report *r)
{
  static const struct {
    enum change change;
    const char *text;
  } rare[] = {{CHANGE_PLACE, "changed as the bare transport did"}, {CHANGE_NEW, "new"},
      {CHANGE_GONE, "no longer measured"}};
  const struct place *p = &r->then->place;
  fprintf(out, "\nagainst %s (%s, %s): ", r->then_name, p->version, p->date);
  fprintf(out, "%u slower, %u faster, %u the same within the noise", compare_count(r, CHANGE_SLOWER),
      compare_count(r, CHANGE_FASTER), compare_count(r, CHANGE_NONE));
  for (unsigned i = 0; i < sizeof rare / sizeof *rare; i++) {
    const unsigned n = compare_count(r, rare[i].change);
    if (n) fprintf(out, ", %u %s", n, rare[i].text);
  }
  fputc('\n', out);
  write_tests(out, "tests with points that were not measured then: ", r, is_new);
  write_tests(out, "tests that there were then, and are gone: ", r->then, is_gone);
}

void table_write(FILE *out, const struct report *r)
{
  struct table t = {.name_width = 0};
  columns_choose(r, FOR_PEOPLE, t.column);
  table_measure(&t, r);
  write_place(out, r);
  write_rows(out, &t, r);
  if (r->checked) write_check(out, r);
  if (r->then) write_changes(out, r);
}

/* ---- comma-separated values ---- */

/* Fields with commas or quotes stand in quotes, which are doubled inside. */
static void write_field(FILE *out, const char *text)
{
  const int quoted = strpbrk(text, ",\"\n\r") != NULL;
  if (quoted) fputc('"', out);
  for (; *text; text++) {
    if (*text == '"') fputc('"', out);
    fputc(*text, out);
  }
  if (quoted) fputc('"', out);
}

void csv_write(FILE *out, const struct report *r)
{
  const struct column *column[COLUMNS_MOST];
  char text[CELL];
  columns_choose(r, FOR_PROGRAMS, column);
  for (unsigned c = 0; column[c]; c++)
    fprintf(out, "%s%s", c ? "," : "", column_head(column[c], FOR_PROGRAMS));
  fputc('\n', out);
  for (unsigned i = 0; i < r->count; i++) {
    if (r->result[i].state == WAITING) continue;
    for (unsigned c = 0; column[c]; c++) {
      if (c) fputc(',', out);
      write_field(out, column_cell(column[c], &r->result[i], FOR_PROGRAMS, text));
    }
    fputc('\n', out);
  }
}

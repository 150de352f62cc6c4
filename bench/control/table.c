#include "bench/control/table.h"

#include <string.h>

#include "bench/control/columns.h"
#include "bench/control/compare.h"

struct table {
  struct column column[COLUMNS_MOST];
  unsigned columns, name_width;
};

static void measure(struct table *t, const struct report *r)
{
  char text[CELL];
  t->name_width = 4;
  for (unsigned i = 0; i < r->count; i++) {
    const struct result *each = &r->result[i];
    if (each->state == WAITING) continue;
    if (strlen(each->test) > t->name_width) t->name_width = (unsigned)strlen(each->test);
    for (unsigned c = 0; c < t->columns; c++) {
      if (each->state == MISSING && !t->column[c].names) continue;
      t->column[c].cell(each, text);
      if (strlen(text) > t->column[c].width) t->column[c].width = (unsigned)strlen(text);
    }
  }
}

/* ---- writing ---- */

/* Blanks at the end of a line are none of it. */
static void write_cell(FILE *out, const char *text, unsigned width, int right, unsigned *owed)
{
  const unsigned n = (unsigned)strlen(text), blanks = width > n ? width - n : 0;
  if (n) fprintf(out, "%*s%s", (int)(*owed + 2 + (right ? blanks : 0)), "", text);
  *owed = n ? (right ? 0 : blanks) : *owed + 2 + width;
}

static void write_head(FILE *out, const struct table *t)
{
  unsigned owed = 0;
  fprintf(out, "%-*s", (int)t->name_width, "test");
  for (unsigned c = 0; c < t->columns; c++) write_cell(out, t->column[c].head, t->column[c].width, t->column[c].right, &owed);
  fputc('\n', out);
}

static void write_row(FILE *out, const struct table *t, const struct result *r, int named)
{
  char text[CELL];
  unsigned owed = 0;
  fprintf(out, "%-*s", (int)t->name_width, named ? r->test : "");
  for (unsigned c = 0; c < t->columns; c++) {
    if (r->state == MISSING && !t->column[c].names) break;
    t->column[c].cell(r, text);
    write_cell(out, text, t->column[c].width, t->column[c].right, &owed);
  }
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

static void write_place(FILE *out, const struct report *r)
{
  const struct place *p = &r->place;
  char common[TEXT_MOST];
  common_text(r, common);
  fprintf(out, "gasnetbench %s, %s%s%s\n", p->version, p->date, *common ? ", " : "", common);
  if (*p->hosts) fprintf(out, "hosts %s, started from %s\n", p->hosts, p->host);
  fprintf(out, "%s: %s, %u processor%s, %s\n", p->host, p->processor, p->processors, p->processors == 1 ? "" : "s", p->system);
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

/* Names of tests that this program no longer has, each once. */
static void write_gone(FILE *out, const struct report *then)
{
  unsigned told = 0;
  for (unsigned i = 0; i < then->count; i++) {
    const char *test = then->result[i].test;
    if (bench_test_named(test) || (i > 0 && strcmp(then->result[i - 1].test, test) == 0)) continue;
    fprintf(out, "%s%s", told++ ? " " : "tests that there were then, and are gone: ", test);
  }
  if (told) fputc('\n', out);
}

static void write_new(FILE *out, const struct report *r)
{
  const char *test = "";
  unsigned told = 0;
  for (unsigned i = 0; i < r->count; i++) {
    const struct result *each = &r->result[i];
    if (each->state != MEASURED || each->earlier || strcmp(test, each->test) == 0) continue;
    test = each->test;
    fprintf(out, "%s%s", told++ ? " " : "tests with points that were not measured then: ", test);
  }
  if (told) fputc('\n', out);
}

static void write_changes(FILE *out, const struct report *r)
{
  struct changes c;
  compare_count(r, r->noise, &c);
  fprintf(out, "\nagainst %s (%s, %s): %u slower, %u faster, %u the same within the noise", r->then_name, r->then->place.version,
          r->then->place.date, c.count[CHANGE_SLOWER], c.count[CHANGE_FASTER], c.count[CHANGE_NONE]);
  if (c.count[CHANGE_PLACE]) fprintf(out, ", %u changed as the bare transport did", c.count[CHANGE_PLACE]);
  if (c.count[CHANGE_NEW]) fprintf(out, ", %u new", c.count[CHANGE_NEW]);
  if (c.missing) fprintf(out, ", %u no longer measured", c.missing);
  fputc('\n', out);
  write_new(out, r);
  write_gone(out, r->then);
}

void table_write(FILE *out, const struct report *r)
{
  struct table t = {0};
  t.columns = columns_choose(r, t.column);
  measure(&t, r);
  write_place(out, r);
  write_rows(out, &t, r);
  if (r->checked) write_check(out, r);
  if (r->then) write_changes(out, r);
}

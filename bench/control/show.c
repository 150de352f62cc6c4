/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A report for people: a table, and a page with charts. */
#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/control/report.h"
#include "launch/arguments.h"

/* ---- columns ---- */

/* What a column is needed for. */
enum need { ALWAYS, CONDUITS, TRANSPORTS, NODES, THREADS, BARE, BOUNDS, CHANGES, NEEDS };
struct table {
  const struct report *r;
  int needs[NEEDS];           /* CONDUITS and so on: not all results have the same one */
  const struct result *sized; /* the first whose count of nodes is not its point, or NULL */
};

/* Both varieties and the common text say of the nodes only what is not a point. */
static void table_open(struct table *t, const struct report *r)
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

static const char *efficiency_text(const struct result *r)
{
  const double e = efficiency(r);
  if (e <= 0) return "-";
  if (e >= 1000) return text_of(e < 10000 ? "%.1f x" : "%.0f x", e / 100);
  return text_of(e < 9.95 ? "%.1f %%" : "%.0f %%", e);
}

/* How much the shown value has changed. */
static const char *percent_text(const struct result *r)
{
  if (!r->earlier) return "-";
  const double before = unit_shown(r, r->earlier->ours.median), after = unit_shown(r, r->ours.median);
  return text_of("%+.1f %%", before != 0 ? 100 * (after - before) / fabs(before) : 0);
}

static const char *test_text(const struct result *r) { return r->test; }
static const char *conduit_text(const struct result *r) { return r->conduit; }
static const char *transport_text(const struct result *r) { return r->transport; }
static const char *nodes_text(const struct result *r) { return text_of("%u", r->nodes); }
static const char *threads_text(const struct result *r) { return text_of("%u", r->threads); }
static const char *check_text(const struct result *r) { return !r->bound ? "-" : r->over ? "OVER" : "ok"; }
static const char *verdict_text(const struct result *r) { return change_text[r->change].name; }

static const struct {
  const char *head;
  enum need need;
  int right;
  const char *(*text)(const struct result *r); /* NULL: the value of that side */
  enum side side;
  enum statistic stat;
} columns[] = {{"test", ALWAYS, 0, test_text, 0, 0}, {"conduit", CONDUITS, 0, conduit_text, 0, 0},
    {"transport", TRANSPORTS, 0, transport_text, 0, 0}, {"nodes", NODES, 1, nodes_text, 0, 0},
    {"threads", THREADS, 1, threads_text, 0, 0}, {"point", ALWAYS, 1, point_text, 0, 0},
    {"median", ALWAYS, 1, NULL, OURS, MEDIAN}, {"best", ALWAYS, 1, NULL, OURS, BEST},
    {"p99", ALWAYS, 1, NULL, OURS, P99}, {"unit", ALWAYS, 0, row_unit, 0, 0},
    {"raw", BARE, 1, NULL, RAW, MEDIAN}, {"efficiency", BARE, 1, efficiency_text, 0, 0},
    {"value", BOUNDS, 1, held_text, 0, 0}, {"bound", BOUNDS, 0, bound_text, 0, 0},
    {"check", BOUNDS, 0, check_text, 0, 0}, {"before", CHANGES, 1, NULL, EARLIER, MEDIAN},
    {"change", CHANGES, 1, percent_text, 0, 0}, {"verdict", CHANGES, 0, verdict_text, 0, 0}};
enum { COLUMNS = sizeof columns / sizeof *columns, FIRST_VALUE = 6 };

static int is_reason(const struct result *r, unsigned c)
{
  return r && r->state == MISSING && c == FIRST_VALUE;
}

/* Does it stand on the right, as numbers do? */
static int is_right(const struct result *r, unsigned c) { return columns[c].right && !is_reason(r, c); }

/* What a result has in a column, for NULL its head; NULL: nothing, not even an empty cell. Of what was not
 * measured the reason is in place of the first value and of all that would follow. */
static const char *table_cell(const struct table *t, const struct result *r, unsigned c)
{
  if (!t->needs[columns[c].need]) return NULL;
  if (!r) return columns[c].head;
  if (is_reason(r, c)) return text_of("not measured: %s", r->missing);
  if (r->state == MISSING && c > FIRST_VALUE) return NULL;
  if (columns[c].text) return columns[c].text(r);
  const double value = result_stat(r, columns[c].side, columns[c].stat);
  return isnan(value) ? "-" : row_text(r, value);
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

/* The lines above the results, of kind "", "pale" or "note": what was measured, when and where. */
typedef void describe_fn(FILE *out, const char *kind, const char *text);
static void describe_run(const struct table *t, const char *name, describe_fn *line, FILE *out)
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

/* "against FILE (1.0, 2026-01-01): 1 slower, ..." */
static const char *describe_changes(const struct report *r)
{
  const struct place *p = &r->then->place;
  const char *text = text_of("against %s (%s, %s)", r->then_name, p->version, p->date);
  for (enum change c = CHANGE_SLOWER; c < CHANGES_MOST; c++)
    if (r->changes[c] || c <= CHANGE_NONE) /* of others only those that there are */
      text = text_add(
          text, c == CHANGE_SLOWER ? ": " : ", ", text_of("%u %s", r->changes[c], change_text[c].of_several));
  return text;
}

/* ---- as text ---- */

static void widen(const struct table *t, const struct result *r, int width[])
{
  for (unsigned c = 0; c < COLUMNS; c++) {
    const char *text = is_reason(r, c) ? NULL : table_cell(t, r, c);
    if (text && (int)strlen(text) > width[c]) width[c] = (int)strlen(text);
  }
}

/* Without blanks at the end of the line; a test's name stands in its first row alone. */
static void print_row(
    FILE *out, const struct table *t, const struct result *r, const struct result *before, const int width[])
{
  const char *text[COLUMNS];
  unsigned last = 0;
  for (unsigned c = 0; c < COLUMNS; c++)
    if ((text[c] = table_cell(t, r, c)) != NULL && *text[c]) last = c;
  if (before && strcmp(before->test, r->test) == 0) text[0] = "";
  for (unsigned c = 0; c <= last; c++) {
    const int right = is_right(r, c);
    if (text[c])
      fprintf(out, right ? "%s%*s" : "%s%-*s", c ? "  " : "", c == last && !right ? 0 : width[c], text[c]);
  }
  fputc('\n', out);
}

static void print_groups(FILE *out, const struct table *t)
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
      print_row(out, t, NULL, NULL, width);
    }
    print_row(out, t, each, last, width);
    last = each;
  }
}

static void print_line(FILE *out, const char *kind, const char *text)
{
  fprintf(out, "%s%s\n", strcmp(kind, "note") == 0 ? "note: " : "", text);
}

/* The names of the tests that have new results, or of those that there are no more, each once. */
static void name_tests(FILE *out, const char *what, const struct report *r, int gone)
{
  const char *last = "";
  EACH_RESULT (each, r) {
    if (!(gone ? !bench_test_named(each->test) : each->change == CHANGE_NEW) || strcmp(last, each->test) == 0)
      continue;
    fprintf(out, "%s%s", *last ? " " : what, each->test);
    last = each->test;
  }
  if (*last) fputc('\n', out);
}

void table_write(FILE *out, const struct report *r)
{
  struct table t;
  table_open(&t, r);
  describe_run(&t, "gasnetbench", print_line, out);
  print_groups(out, &t);
  if (r->checked) fprintf(out, "\n%u of %u points are over their bounds\n", r->over, r->bounds);
  if (!r->then) return;
  fprintf(out, "\n%s\n", describe_changes(r));
  name_tests(out, "tests with points that were not measured then: ", r, 0);
  name_tests(out, "tests that there were then, and are gone: ", r->then, 1);
}

/* ---- as a page ---- */

static const char style[] =
    "<style>\n"
    "body { margin: 0 auto; max-width: 1080px; padding: 24px; color: #1f2933; background: #fff; line-height: "
    "1.45;\n"
    "  font-family: system-ui, 'Segoe UI', 'DejaVu Sans', Helvetica, Arial, sans-serif; font-size: 15px; }\n"
    "h1 { font-size: 26px; margin: 8px 0; } h2 { font-size: 20px; margin: 40px 0 8px; border-bottom: 1px "
    "solid #e4e7eb; padding-bottom: 6px; }\n"
    "p { margin: 4px 0; } .pale { color: #5f6c7b; }\n"
    "nav a { margin-right: 14px; } a { color: #1f6fb2; text-decoration: none; } a:hover { text-decoration: "
    "underline; }\n"
    ".note { background: #fff6e0; border-left: 4px solid #e08a00; padding: 8px 12px; margin: 10px 0; }\n"
    "figure { margin: 24px 0 8px; } figure svg { max-width: 100%; height: auto; border: 1px solid #e4e7eb; "
    "border-radius: 6px; }\n"
    "table { border-collapse: collapse; font-size: 13px; margin: 8px 0; font-variant-numeric: tabular-nums; "
    "}\n"
    "th, td { padding: 3px 10px; border-bottom: 1px solid #e4e7eb; text-align: left; white-space: nowrap; } "
    "th { color: #5f6c7b; font-weight: 600; }\n"
    "td.n, th.n { text-align: right; } td.why { white-space: normal; color: #5f6c7b; } tr:hover td { "
    "background: #f7f9fb; }\n"
    "summary { cursor: pointer; color: #5f6c7b; } .wide { overflow-x: auto; }\n"
    ".bad { color: #b42318; font-weight: 600; } .good { color: #1d7a46; font-weight: 600; }\n"
    "@media print { nav { display: none; } body { max-width: none; } figure { break-inside: avoid; } }\n"
    "</style>\n";

struct page {
  FILE *out;
  const struct report *r;
  const char *directory;
  struct table table;
  unsigned from; /* the first column that is shown: 1 is behind the tests' names */
  unsigned charts;
};

/* Of NULL the heads. */
static void write_row(const struct page *p, const struct result *r)
{
  const char *tag = r ? "td" : "th", *text;
  fputs("<tr>", p->out);
  for (unsigned c = p->from; c < COLUMNS; c++) {
    if (!(text = table_cell(&p->table, r, c))) continue;
    const char *kind = "";
    unsigned rest = 0; /* columns from this one on */
    for (unsigned k = c; k < COLUMNS; k++) rest += table_cell(&p->table, NULL, k) != NULL;
    if (is_right(r, c)) kind = " class=\"n\"";
    else if (strcmp(text, "OVER") == 0 || strcmp(text, "slower") == 0) kind = " class=\"bad\"";
    else if (strcmp(text, "faster") == 0) kind = " class=\"good\"";
    else if (is_reason(r, c)) kind = text_of(" class=\"why\" colspan=\"%u\"", rest);
    fprintf(p->out, "<%s%s>%s</%s>", tag, kind, escaped(text), tag);
  }
  fputs("</tr>\n", p->out);
}

static void begin_table(struct page *p, unsigned from)
{
  p->from = from;
  fputs("<div class=\"wide\"><table>\n", p->out);
  write_row(p, NULL);
}

static void write_results(const struct page *p, const char *test)
{
  EACH_RESULT (each, p->r)
    if (each->state != WAITING && strcmp(each->test, test) == 0) write_row(p, each);
}

static void end_table(const struct page *p) { fputs("</table></div>\n", p->out); }

/* Names of tests are letters, digits and underscores: they are names of files. */
static void write_chart(struct page *p, const char *test, const char *chart)
{
  const char *path = text_of("%s/%s.svg", p->directory, test);
  FILE *f = fopen(path, "we");
  if (!f || fputs(chart, f) < 0 || fclose(f) != 0) fail(1, "cannot write %s: %m", path);
  p->charts++;
  fprintf(p->out, "<figure id=\"%s\">\n%s</figure>\n<details><summary>values</summary>\n", test, chart);
  begin_table(p, 1);
  write_results(p, test);
  end_table(p);
  fputs("</details>\n", p->out);
}

/* A group's tests with a chart, or those without, which share a table. */
static void write_tests(struct page *p, const char *group, int charts)
{
  unsigned tests = 0;
  const char *last = "";
  EACH_RESULT (each, p->r) {
    if (strcmp(each->group, group) != 0 || strcmp(last, each->test) == 0) continue;
    const char *chart = chart_make(p->r, each->test);
    if (charts && chart) write_chart(p, each->test, chart);
    if (!charts && !chart) {
      if (!tests++) begin_table(p, 0);
      write_results(p, each->test);
    }
    last = each->test;
  }
  if (tests) end_table(p);
}

static int has_group(const struct report *r, const char *group)
{
  EACH_RESULT (each, r)
    if (each->state != WAITING && strcmp(each->group, group) == 0) return 1;
  return 0;
}

static void write_line(FILE *out, const char *kind, const char *text)
{
  fprintf(out, "<p class=\"%s\">%s</p>\n", kind, escaped(text));
}

static void write_changes(struct page *p)
{
  const struct report *r = p->r;
  fputs("<h2 id=\"changes\">changes</h2>\n", p->out);
  write_line(p->out, "pale", text_of("A%s", describe_changes(r) + 1)); /* "Against ..." */
  if (r->changes[CHANGE_SLOWER] + r->changes[CHANGE_FASTER] == 0) return;
  begin_table(p, 0);
  EACH_RESULT (each, r)
    if (each->change == CHANGE_SLOWER || each->change == CHANGE_FASTER) write_row(p, each);
  end_table(p);
}

FILE *page_open(const char *directory)
{
  if (mkdir(directory, 0777) != 0 && errno != EEXIST)
    fail(EXIT_MISUSE, "--plot: cannot make the directory %s: %m", directory);
  FILE *out = fopen(text_of("%s/report.html", directory), "we");
  if (!out) fail(EXIT_MISUSE, "--plot: cannot write into %s: %m", directory);
  return out;
}

unsigned page_write(FILE *out, const char *directory, const struct report *r)
{
  struct page p = {.out = out, .r = r, .directory = directory};
  table_open(&p.table, r);
  fprintf(out,
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>gasnetbench, %s</title>\n%s</head>\n<body>\n<h1>gasnetbench</h1>\n",
      r->place.date, style);
  describe_run(&p.table, "Penstock", write_line, out);
  fprintf(out, "<nav>%s", r->then ? "<a href=\"#changes\">changes</a>" : "");
  for (const struct bench_group *g = bench_groups; g->name; g++)
    if (has_group(r, g->name)) fprintf(out, "<a href=\"#%s\">%s</a>", g->name, g->name);
  fputs("</nav>\n", out);
  if (r->then) write_changes(&p);
  for (const struct bench_group *g = bench_groups; g->name; g++) {
    if (!has_group(r, g->name)) continue;
    fprintf(out, "<h2 id=\"%s\">%s</h2>\n<p class=\"pale\">%s</p>\n", g->name, g->name, g->what);
    write_tests(&p, g->name, 0);
    write_tests(&p, g->name, 1);
  }
  fputs("<p class=\"pale\">Shown are medians; the pale bands are the middle half of the samples. "
        "Efficiency is the bare transport's time divided by ours.</p>\n</body>\n</html>\n",
      out);
  if (ferror(out) || fclose(out) != 0) fail(1, "cannot write %s/report.html: %m", directory);
  return p.charts;
}

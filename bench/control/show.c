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

/* A report as it is shown. */
struct view {
  FILE *out;
  const struct report *r;
  int needs[NEEDS];           /* CONDUITS and so on: not all results have the same one */
  const struct result *sized; /* the first whose count of nodes is not its point, or NULL */
  /* Of a page: */
  const char *directory; /* NULL: it is text, not a page */
  unsigned from, charts; /* the first column that is shown: 1 is behind the tests' names; how many charts */
};

/* Both varieties and the common text say of the nodes only what is not a point. */
static void view_open(struct view *v, FILE *out, const struct report *r, const char *directory)
{
  *v = (struct view){.out = out,
      .r = r,
      .directory = directory,
      .needs = {1, [BOUNDS] = r->checked, [CHANGES] = r->then != NULL}};
  EACH_RESULT (each, r) {
    if (!v->sized && each->points != BENCH_NODES) v->sized = each;
    v->needs[CONDUITS] |= strcmp(each->conduit, r->result->conduit) != 0;
    v->needs[TRANSPORTS] |= strcmp(each->transport, r->result->transport) != 0;
    v->needs[NODES] |= each->points != BENCH_NODES && each->nodes != v->sized->nodes;
    v->needs[THREADS] |= each->threads != r->result->threads;
    v->needs[BARE] |= each->raw.n > 0;
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
static const char *table_cell(const struct view *v, const struct result *r, unsigned c)
{
  if (!v->needs[columns[c].need]) return NULL;
  if (!r) return columns[c].head;
  if (is_reason(r, c)) return text_of("not measured: %s", r->missing);
  if (r->state == MISSING && c > FIRST_VALUE) return NULL;
  if (columns[c].text) return columns[c].text(r);
  const double value = result_stat(r, columns[c].side, columns[c].stat);
  return isnan(value) ? "-" : row_text(r, value);
}

/* ---- what stands above and below ---- */

/* A line of kind "", "pale" or "note". */
static void write_line(const struct view *v, const char *kind, const char *text)
{
  if (v->directory) fprintf(v->out, "<p class=\"%s\">%s</p>\n", kind, escaped(text));
  else fprintf(v->out, "%s%s\n", strcmp(kind, "note") == 0 ? "note: " : "", text);
}

/* What was measured, when and where. */
static void describe_run(const struct view *v, const char *name)
{
  const struct place *p = &v->r->place;
  const struct result *first = v->r->result;
  const char *common = v->needs[CONDUITS] ? "" : text_of("conduit %s", first->conduit);
  if (!v->needs[CONDUITS] && !v->needs[TRANSPORTS] && strcmp(first->transport, "-") != 0)
    common = text_of("%s (%s)", common, first->transport);
  if (!v->needs[NODES] && v->sized) common = text_add(common, ", ", text_of("%u nodes", v->sized->nodes));
  if (!v->needs[THREADS] && first->threads > 1)
    common = text_add(common, ", ", text_of("%u threads each", first->threads));
  write_line(v, "", text_of("%s %s, %s%s%s", name, p->version, p->date, *common ? ", " : "", common));
  if (*p->hosts) write_line(v, "pale", text_of("hosts %s, started from %s", p->hosts, p->host));
  write_line(v, "pale",
      text_of("%s: %s, %u processor%s, %s", p->host, p->processor, p->processors,
          p->processors == 1 ? "" : "s", p->system));
  if (*p->network) write_line(v, "pale", p->network);
  for (unsigned i = 0; i < v->r->notes; i++) write_line(v, "note", v->r->note[i]);
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

/* Without blanks at the end of the line; a test's name stands in its first row alone. */
static void print_row(
    const struct view *v, const struct result *r, const struct result *before, const int width[])
{
  const char *text[COLUMNS];
  unsigned last = 0;
  for (unsigned c = 0; c < COLUMNS; c++)
    if ((text[c] = table_cell(v, r, c)) != NULL && *text[c]) last = c;
  if (before && strcmp(before->test, r->test) == 0) text[0] = "";
  for (unsigned c = 0; c <= last; c++) {
    const int right = is_right(r, c), wide = c == last && !right ? 0 : width[c];
    if (text[c]) fprintf(v->out, right ? "%s%*s" : "%s%-*s", c ? "  " : "", wide, text[c]);
  }
  fputc('\n', v->out);
}

static void print_groups(const struct view *v)
{
  const struct result *last = NULL;
  int width[COLUMNS];
  for (unsigned c = 0; c < COLUMNS; c++) {
    size_t most = v->needs[columns[c].need] ? strlen(columns[c].head) : 0;
    EACH_RESULT (each, v->r) {
      const char *text = each->state == WAITING || is_reason(each, c) ? NULL : table_cell(v, each, c);
      if (text && strlen(text) > most) most = strlen(text);
    }
    width[c] = (int)most;
  }
  EACH_RESULT (each, v->r) {
    if (each->state == WAITING) continue;
    if (!last || strcmp(last->group, each->group) != 0) {
      fprintf(v->out, "\n%s: %s\n", each->group, bench_group_what(each->group));
      print_row(v, NULL, NULL, width);
    }
    print_row(v, each, last, width);
    last = each;
  }
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
  struct view v;
  view_open(&v, out, r, NULL);
  describe_run(&v, "gasnetbench");
  print_groups(&v);
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

/* Of NULL the heads. */
static void write_row(const struct view *v, const struct result *r)
{
  const char *tag = r ? "td" : "th", *text;
  unsigned rest = 0; /* columns from this one on */
  for (unsigned c = v->from; c < COLUMNS; c++) rest += (unsigned)v->needs[columns[c].need];
  fputs("<tr>", v->out);
  for (unsigned c = v->from; c < COLUMNS; c++) {
    if (!(text = table_cell(v, r, c))) continue;
    const char *kind = "";
    if (is_right(r, c)) kind = " class=\"n\"";
    else if (strcmp(text, "OVER") == 0 || strcmp(text, "slower") == 0) kind = " class=\"bad\"";
    else if (strcmp(text, "faster") == 0) kind = " class=\"good\"";
    else if (is_reason(r, c)) kind = text_of(" class=\"why\" colspan=\"%u\"", rest);
    fprintf(v->out, "<%s%s>%s</%s>", tag, kind, escaped(text), tag);
    rest--;
  }
  fputs("</tr>\n", v->out);
}

#define TABLE_END "</table></div>\n"

static void begin_table(struct view *v, unsigned from)
{
  v->from = from;
  fputs("<div class=\"wide\"><table>\n", v->out);
  write_row(v, NULL);
}

/* A group's tests with a chart, or those without, which share a table. Names of tests are letters, digits and
 * underscores: they are names of files. */
static void write_tests(struct view *v, const char *group, int charts)
{
  unsigned tests = 0;
  const char *last = "";
  EACH_RESULT (each, v->r) {
    if (strcmp(each->group, group) != 0 || strcmp(last, each->test) == 0) continue;
    const char *chart = chart_make(v->r, last = each->test);
    if (!charts != !chart) continue;
    if (chart) {
      const char *path = text_of("%s/%s.svg", v->directory, last);
      FILE *f = fopen(path, "we");
      if (!f || fputs(chart, f) < 0 || fclose(f) != 0) fail(1, "cannot write %s: %m", path);
      v->charts++;
      fprintf(v->out, "<figure id=\"%s\">\n%s</figure>\n<details><summary>values</summary>\n", last, chart);
    }
    if (chart || !tests++) begin_table(v, chart != NULL);
    EACH_RESULT (r, v->r)
      if (r->state != WAITING && strcmp(r->test, last) == 0) write_row(v, r);
    if (chart) fputs(TABLE_END "</details>\n", v->out);
  }
  if (tests) fputs(TABLE_END, v->out);
}

static int has_group(const struct report *r, const char *group)
{
  EACH_RESULT (each, r)
    if (each->state != WAITING && strcmp(each->group, group) == 0) return 1;
  return 0;
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
  struct view v;
  view_open(&v, out, r, directory);
  fprintf(out,
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>gasnetbench, %s</title>\n%s</head>\n<body>\n<h1>gasnetbench</h1>\n",
      r->place.date, style);
  describe_run(&v, "Penstock");
  fprintf(out, "<nav>%s", r->then ? "<a href=\"#changes\">changes</a>" : "");
  for (const struct bench_group *g = bench_groups; g->name; g++)
    if (has_group(r, g->name)) fprintf(out, "<a href=\"#%s\">%s</a>", g->name, g->name);
  fputs("</nav>\n", out);
  if (r->then) fputs("<h2 id=\"changes\">changes</h2>\n", out);
  if (r->then) write_line(&v, "pale", text_of("A%s", describe_changes(r) + 1)); /* "Against ..." */
  if (r->changes[CHANGE_SLOWER] + r->changes[CHANGE_FASTER] > 0) {
    begin_table(&v, 0);
    EACH_RESULT (each, r)
      if (each->change == CHANGE_SLOWER || each->change == CHANGE_FASTER) write_row(&v, each);
    fputs(TABLE_END, out);
  }
  for (const struct bench_group *g = bench_groups; g->name; g++) {
    if (!has_group(r, g->name)) continue;
    fprintf(out, "<h2 id=\"%s\">%s</h2>\n<p class=\"pale\">%s</p>\n", g->name, g->name, g->what);
    write_tests(&v, g->name, 0);
    write_tests(&v, g->name, 1);
  }
  fputs("<p class=\"pale\">Shown are medians; the pale bands are the middle half of the samples. "
        "Efficiency is the bare transport's time divided by ours.</p>\n</body>\n</html>\n",
      out);
  if (ferror(out) || fclose(out) != 0) fail(1, "cannot write %s/report.html: %m", directory);
  return v.charts;
}

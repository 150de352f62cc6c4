/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "bench/control/forms.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/control/drawing.h"
#include "bench/control/settings.h"
#include "launch/arguments.h"

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

/* ---- tables ---- */

/* Of NULL the heads. */
static void write_row(const struct page *p, const struct result *r)
{
  const char *tag = r ? "td" : "th", *text;
  fputs("<tr>", p->out);
  for (unsigned c = p->from; c < COLUMNS; c++) {
    if (!(text = table_cell(&p->table, r, c))) continue;
    const char *kind = "";
    unsigned span = 0;
    for (unsigned k = c; k < COLUMNS && cell_is_reason(r, c); k++)
      span += table_cell(&p->table, NULL, k) != NULL;
    if (cell_is_right(r, c)) kind = " class=\"n\"";
    else if (strcmp(text, "OVER") == 0 || strcmp(text, "slower") == 0) kind = " class=\"bad\"";
    else if (strcmp(text, "faster") == 0) kind = " class=\"good\"";
    if (span) fprintf(p->out, "<td class=\"why\" colspan=\"%u\">", span);
    else fprintf(p->out, "<%s%s>", tag, kind);
    markup(p->out, "%s</%s>", text, tag);
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

/* ---- files ---- */

FILE *page_open(const char *directory)
{
  if (mkdir(directory, 0777) != 0 && errno != EEXIST)
    fail(EXIT_USAGE, "--plot: cannot make the directory %s: %m", directory);
  FILE *out = fopen(text_of("%s/report.html", directory), "we");
  if (!out) fail(EXIT_USAGE, "--plot: cannot write into %s: %m", directory);
  return out;
}

/* Names of tests are letters, digits and underscores: they are names of files. */
static void write_svg(const char *directory, const char *test, const char *chart)
{
  const char *path = text_of("%s/%s.svg", directory, test);
  FILE *f = fopen(path, "we");
  if (!f || fputs(chart, f) < 0 || fclose(f) != 0) fail(1, "cannot write %s: %m", path);
}

/* ---- groups of tests ---- */

static void write_chart(struct page *p, const char *test, const char *chart)
{
  write_svg(p->directory, test, chart);
  p->charts++;
  fprintf(p->out, "<figure id=\"%s\">\n%s</figure>\n<details><summary>values</summary>\n", test, chart);
  begin_table(p, 1);
  write_results(p, test);
  end_table(p);
  fputs("</details>\n", p->out);
}

/* Its tests with a chart, or those without, which share a table. */
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

/* ---- the page ---- */

static void write_line(FILE *out, const char *kind, const char *text)
{
  markup(out, "<p class=\"%s\">%s</p>\n", kind, text);
}

static void write_changes(struct page *p)
{
  const struct report *r = p->r;
  fputs("<h2 id=\"changes\">changes</h2>\n", p->out);
  write_line(p->out, "pale", text_of("A%s", describe_changes(r) + 1)); /* "Against ..." */
  if (compare_count(r, CHANGE_SLOWER) + compare_count(r, CHANGE_FASTER) == 0) return;
  begin_table(p, 0);
  EACH_RESULT (each, r)
    if (each->change == CHANGE_SLOWER || each->change == CHANGE_FASTER) write_row(p, each);
  end_table(p);
}

static void write_contents(const struct page *p)
{
  fputs("<nav>", p->out);
  if (p->r->then) fputs("<a href=\"#changes\">changes</a>", p->out);
  for (const struct bench_group *g = bench_groups; g->name; g++)
    if (has_group(p->r, g->name)) fprintf(p->out, "<a href=\"#%s\">%s</a>", g->name, g->name);
  fputs("</nav>\n", p->out);
}

unsigned page_write(FILE *out, const char *directory, const struct report *r)
{
  struct page p = {.out = out, .r = r, .directory = directory};
  table_open(&p.table, r);
  fprintf(p.out,
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>gasnetbench, %s</title>\n%s</head>\n<body>\n<h1>gasnetbench</h1>\n",
      r->place.date, style);
  describe_run(&p.table, "Penstock", write_line, p.out);
  write_contents(&p);
  if (r->then) write_changes(&p);
  for (const struct bench_group *g = bench_groups; g->name; g++) {
    if (!has_group(r, g->name)) continue;
    fprintf(p.out, "<h2 id=\"%s\">%s</h2>\n<p class=\"pale\">%s</p>\n", g->name, g->name, g->what);
    write_tests(&p, g->name, 0);
    write_tests(&p, g->name, 1);
  }
  fputs("<p class=\"pale\">Shown are medians; the pale bands are the middle half of the samples. "
        "Efficiency is the bare transport's time divided by ours.</p>\n</body>\n</html>\n",
      p.out);
  if (ferror(p.out) || fclose(p.out) != 0) fail(1, "cannot write %s/report.html: %m", directory);
  return p.charts;
}

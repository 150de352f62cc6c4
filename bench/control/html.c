#include "bench/control/html.h"

#include <stdlib.h>
#include <string.h>

#include "bench/control/chart.h"
#include "bench/control/columns.h"
#include "bench/control/compare.h"
#include "bench/control/svg.h"
#include "bench/control/units.h"
#include "launch/options.h"

static const char style[] =
  "<style>\n"
  "body { margin: 0 auto; max-width: 1080px; padding: 24px; color: #1f2933; background: #fff; line-height: 1.45;\n"
  "  font-family: system-ui, 'Segoe UI', 'DejaVu Sans', Helvetica, Arial, sans-serif; font-size: 15px; }\n"
  "h1 { font-size: 26px; margin: 8px 0; } h2 { font-size: 20px; margin: 40px 0 8px; border-bottom: 1px solid #e4e7eb; padding-bottom: 6px; }\n"
  "p { margin: 4px 0; } .pale { color: #5f6c7b; }\n"
  "nav a { margin-right: 14px; } a { color: #1f6fb2; text-decoration: none; } a:hover { text-decoration: underline; }\n"
  ".note { background: #fff6e0; border-left: 4px solid #e08a00; padding: 8px 12px; margin: 10px 0; }\n"
  "figure { margin: 24px 0 8px; } figure svg { max-width: 100%; height: auto; border: 1px solid #e4e7eb; border-radius: 6px; }\n"
  "table { border-collapse: collapse; font-size: 13px; margin: 8px 0; font-variant-numeric: tabular-nums; }\n"
  "th, td { padding: 3px 10px; border-bottom: 1px solid #e4e7eb; text-align: left; white-space: nowrap; } th { color: #5f6c7b; font-weight: 600; }\n"
  "td.n, th.n { text-align: right; } td.why { white-space: normal; color: #5f6c7b; } tr:hover td { background: #f7f9fb; }\n"
  "summary { cursor: pointer; color: #5f6c7b; } .wide { overflow-x: auto; }\n"
  ".bad { color: #b42318; font-weight: 600; } .good { color: #1d7a46; font-weight: 600; }\n"
  "@media print { nav { display: none; } body { max-width: none; } figure { break-inside: avoid; } }\n"
  "</style>\n";

/* ---- tables ---- */

static int takes(const struct result *r, const char *test) { return r->state != WAITING && strcmp(r->test, test) == 0; }

static const char *class_of(const struct column *c, const struct result *r, const char *text)
{
  if (c->right) return " class=\"n\"";
  if (strcmp(text, "OVER") == 0 || strcmp(text, "slower") == 0) return " class=\"bad\"";
  return r->earlier && strcmp(text, "faster") == 0 ? " class=\"good\"" : "";
}

static void write_row(FILE *out, const struct column *column, unsigned n, const struct result *r, int named)
{
  char text[CELL];
  unsigned written = 0;
  fputs("<tr>", out);
  if (named) fprintf(out, "<td>%s</td>", r->test);
  for (; written < n; written++) {
    if (r->state == MISSING && !column[written].names) break;
    column[written].cell(r, text);
    fprintf(out, "<td%s>", class_of(&column[written], r, text));
    escaped(out, text);
    fputs("</td>", out);
  }
  if (r->state == MISSING) {
    fprintf(out, "<td class=\"why\" colspan=\"%u\">not measured: ", n - written);
    escaped(out, r->missing);
    fputs("</td>", out);
  }
  fputs("</tr>\n", out);
}

static void write_head(FILE *out, const struct column *column, unsigned n, int named)
{
  fprintf(out, "<div class=\"wide\"><table>\n<tr>%s", named ? "<th>test</th>" : "");
  for (unsigned c = 0; c < n; c++) fprintf(out, "<th%s>%s</th>", column[c].right ? " class=\"n\"" : "", column[c].head);
  fputs("</tr>\n", out);
}

static void write_foot(FILE *out) { fputs("</table></div>\n", out); }

/* ---- a test ---- */

/* Its chart for the caller to free, or NULL where it has none. */
static char *chart_of(const struct report *r, const char *test)
{
  char *text = NULL;
  size_t n = 0;
  FILE *f = open_memstream(&text, &n);
  if (!f) fail(1, "out of memory");
  const int drawn = chart_write(f, r, test);
  if (fclose(f) != 0) fail(1, "out of memory");
  if (drawn) return text;
  free(text);
  return NULL;
}

static void write_test(FILE *out, const struct report *r, const char *test, const char *chart, const struct column *column, unsigned n)
{
  fprintf(out, "<figure id=\"%s\">\n%s</figure>\n<details><summary>values</summary>\n", test, chart);
  write_head(out, column, n, 0);
  for (unsigned i = 0; i < r->count; i++)
    if (takes(&r->result[i], test)) write_row(out, column, n, &r->result[i], 0);
  write_foot(out);
  fputs("</details>\n", out);
}

/* ---- a group ---- */

static int begins_test(const struct report *r, unsigned i) { return i == 0 || strcmp(r->result[i - 1].test, r->result[i].test) != 0; }

/* Tests without a chart share a table; then come the others, each by itself. */
static void write_group(FILE *out, const struct report *r, const char *group)
{
  struct column column[COLUMNS_MOST];
  const unsigned n = columns_choose(r, column);
  unsigned rows = 0;
  fprintf(out, "<h2 id=\"%s\">%s</h2>\n<p class=\"pale\">%s</p>\n", group, group, group_text(group));
  for (int charts = 0; charts < 2; charts++) {
    for (unsigned i = 0; i < r->count; i++) {
      if (strcmp(r->result[i].group, group) != 0 || !begins_test(r, i)) continue;
      const char *test = r->result[i].test;
      char *chart = chart_of(r, test);
      if (charts && chart) write_test(out, r, test, chart, column, n);
      for (unsigned k = i; !charts && !chart && k < r->count; k++) {
        if (!takes(&r->result[k], test)) continue;
        if (!rows++) write_head(out, column, n, 1);
        write_row(out, column, n, &r->result[k], 1);
      }
      free(chart);
    }
    if (!charts && rows) write_foot(out);
  }
}

static int has_group(const struct report *r, const char *group)
{
  for (unsigned i = 0; i < r->count; i++)
    if (r->result[i].state != WAITING && strcmp(r->result[i].group, group) == 0) return 1;
  return 0;
}

/* ---- the page ---- */

static void write_line(FILE *out, const char *class, const char *text)
{
  fprintf(out, "<p class=\"%s\">", class);
  escaped(out, text);
  fputs("</p>\n", out);
}

static void write_place(FILE *out, const struct report *r)
{
  const struct place *p = &r->place;
  char text[5 * TEXT_MOST], common[TEXT_MOST];
  common_text(r, common);
  snprintf(text, sizeof text, "Penstock %s, %s%s%s", p->version, p->date, *common ? ", " : "", common);
  write_line(out, "", text);
  snprintf(text, sizeof text, "%s: %s, %u processor%s, %s", p->host, p->processor, p->processors, p->processors == 1 ? "" : "s", p->system);
  write_line(out, "pale", text);
  snprintf(text, sizeof text, "hosts: %s", p->hosts);
  if (*p->hosts) write_line(out, "pale", text);
  if (*p->network) write_line(out, "pale", p->network);
  for (unsigned i = 0; i < r->notes; i++) write_line(out, "note", r->note[i]);
}

static void write_changes(FILE *out, const struct report *r)
{
  struct column column[COLUMNS_MOST];
  const unsigned n = columns_choose(r, column);
  char text[3 * TEXT_MOST];
  struct changes c;
  compare_count(r, r->noise, &c);
  fputs("<h2 id=\"changes\">changes</h2>\n", out);
  snprintf(text, sizeof text, "Against %.200s (%.20s, %.30s): %u slower, %u faster, %u the same within the noise, %u new.", r->then_name,
           r->then->place.version, r->then->place.date, c.count[CHANGE_SLOWER], c.count[CHANGE_FASTER], c.count[CHANGE_NONE] + c.count[CHANGE_PLACE],
           c.count[CHANGE_NEW]);
  write_line(out, "pale", text);
  if (c.count[CHANGE_SLOWER] + c.count[CHANGE_FASTER] == 0) return;
  write_head(out, column, n, 1);
  for (unsigned i = 0; i < r->count; i++) {
    const struct result *each = &r->result[i];
    if (each->state != MEASURED) continue;
    const enum change change = compare(each, r->noise);
    if (change == CHANGE_SLOWER || change == CHANGE_FASTER) write_row(out, column, n, each, 1);
  }
  write_foot(out);
}

static void write_contents(FILE *out, const struct report *r)
{
  fputs("<nav>", out);
  if (r->then) fputs("<a href=\"#changes\">changes</a>", out);
  for (const struct bench_group *g = bench_groups; g->name; g++)
    if (has_group(r, g->name)) fprintf(out, "<a href=\"#%s\">%s</a>", g->name, g->name);
  fputs("</nav>\n", out);
}

void html_write(FILE *out, const struct report *r)
{
  fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n", out);
  fprintf(out, "<title>gasnetbench, %s</title>\n%s</head>\n<body>\n<h1>gasnetbench</h1>\n", r->place.date, style);
  write_place(out, r);
  write_contents(out, r);
  if (r->then) write_changes(out, r);
  for (const struct bench_group *g = bench_groups; g->name; g++)
    if (has_group(r, g->name)) write_group(out, r, g->name);
  fputs("<p class=\"pale\">Shown are medians; the pale bands are the middle half of the samples. "
        "Efficiency is the bare transport's time divided by ours.</p>\n</body>\n</html>\n", out);
}

#include "bench/control/chart.h"

#include <string.h>

#include "bench/control/svg.h"

const char *const chart_dash[SIDES] = {"", " stroke-dasharray=\"5 3\"", " stroke-dasharray=\"1.5 3\""};

void chart_unit(enum bench_unit unit, char text[VALUE_MOST])
{
  const int time = unit == BENCH_NS || unit == BENCH_US || unit == BENCH_S;
  snprintf(text, VALUE_MOST, "%s, %s is better", time ? "time" : unit_name(unit), unit_more_is_better(unit) ? "more" : "less");
}

void chart_hint(const struct result *r, enum side side, char text[TEXT_MOST])
{
  const struct stats *s = side_of(r, side);
  char point[VALUE_MOST], median[VALUE_MOST], from[VALUE_MOST], to[VALUE_MOST];
  const char *unit;
  const double value = unit_row(r, s->median, &unit), a = unit_row(r, s->q1, &unit), b = unit_row(r, s->q3, &unit);
  snprintf(text, TEXT_MOST, "%s: %s %s, half of the samples from %s to %s", point_text(r, point), value_text(value, median), unit,
           value_text(a < b ? a : b, from), value_text(a < b ? b : a, to));
}

/* ---- the legend, which has as many lines as it needs ---- */

enum { LEGEND_TOP = 76, LEGEND_LINE = 20, LEGEND_MARK = 30, LEGEND_GAP = 22 };

static void legend_bar(FILE *out, double x, double y, const char *color, enum side side)
{
  char style[120];
  snprintf(style, sizeof style, side == OURS ? "rx=\"2\" fill=\"%s\" fill-opacity=\"0.82\"" : "stroke=\"%s\" stroke-width=\"2.4\"%s", color,
           side == EARLIER ? " stroke-dasharray=\"2 2\"" : "");
  if (side == OURS) svg_box(out, x, y - 10, 24, 12, style);
  else svg_line(out, x + 18, y - 12, x + 18, y + 4, style);
}

static void legend_mark(FILE *out, double x, double y, const char *color, enum side side)
{
  char style[120];
  snprintf(style, sizeof style, "stroke=\"%s\" stroke-width=\"2\"%s", color, chart_dash[side]);
  svg_line(out, x, y - 4, x + 24, y - 4, style);
  if (side == EARLIER) return;
  svg_mark(out, x + 12, y - 4, color, side == RAW, NULL);
}

/* Where it ends; `out` NULL: only that. */
static double legend(FILE *out, const struct report *r, const struct family *f)
{
  double x = CHART_LEFT, y = LEGEND_TOP;
  char text[TEXT_MOST];
  for (unsigned i = 0; i < f->count; i++)
    for (enum side side = OURS; side < SIDES; side++) {
      if (!f->has[side] || !side_of(f->series[i].at[0], side) || (i > 0 && side != OURS && f->first->points == BENCH_NAMES)) continue;
      side_label(r, f, &f->series[i], side, text);
      const double width = LEGEND_MARK + 0.9 * SVG_FONT_WIDTH * (double)strlen(text);
      if (x > CHART_LEFT && x + width > CHART_WIDTH - CHART_RIGHT) {
        x = CHART_LEFT;
        y += LEGEND_LINE;
      }
      if (out) (f->first->points == BENCH_NAMES ? legend_bar : legend_mark)(out, x, y, side_color(f, &f->series[i], side), side);
      if (out) svg_text(out, x + LEGEND_MARK, y, AT_START, "fill=\"" SVG_INK "\"", text);
      x += width + LEGEND_GAP;
    }
  return y + 12;
}

double chart_head_height(const struct report *r, const struct family *f) { return legend(NULL, r, f); }

static void common(const struct family *f, char text[TEXT_MOST])
{
  const struct result *r = f->first;
  text[0] = '\0';
  if (f->count > 1) return;
  const int named = strcmp(r->transport, "-") != 0;
  snprintf(text, TEXT_MOST, "%s%s%s", r->conduit, named ? " " : "", named ? r->transport : "");
  const size_t n = strlen(text);
  if (r->points != BENCH_NODES) snprintf(text + n, TEXT_MOST - n, ", %u nodes%s", r->nodes, r->threads > 1 ? ", threads" : "");
}

double chart_head(FILE *out, const struct report *r, const struct family *f)
{
  char text[TEXT_MOST];
  const struct bench_test *t = f->first->of;
  svg_text(out, CHART_LEFT, 30, AT_START, "fill=\"" SVG_INK "\" font-size=\"17\" font-weight=\"600\"", f->test);
  if (t) svg_text(out, CHART_LEFT, 49, AT_START, "fill=\"" SVG_PALE "\"", t->what);
  common(f, text);
  svg_text(out, CHART_WIDTH - CHART_RIGHT, 30, AT_END, "fill=\"" SVG_PALE "\"", text);
  snprintf(text, sizeof text, "%.80s, %.10s", r->place.processor, r->place.date);
  if (f->dropped) snprintf(text, sizeof text, "%u further points are in the tables only", f->dropped);
  svg_text(out, CHART_WIDTH - CHART_RIGHT, 49, AT_END, "fill=\"" SVG_PALE "\"", text);
  return legend(out, r, f);
}

int chart_write(FILE *out, const struct report *r, const char *test)
{
  static struct family f;
  unsigned points = 0;
  family_make(r, test, &f);
  for (unsigned i = 0; i < f.count; i++)
    if (f.series[i].count > points) points = f.series[i].count;
  if (points < 2) return 0;
  if (f.first->points == BENCH_NAMES) bars_write(out, r, &f);
  else curves_write(out, r, &f);
  return 1;
}

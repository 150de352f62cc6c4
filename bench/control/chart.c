/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What a chart shows of a test: series of results that differ in their point alone. Tests by size or by count
 * of nodes are curves, and below them our efficiency where the bare transport was measured. Tests by name are
 * bars, and marks where the bare transport and the earlier run are. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/control/drawing.h"
#include "bench/control/forms.h"
#include "launch/arguments.h"

enum { SERIES_MOST = 12, SERIES_POINTS = 160 };

struct series {
  const struct result *at[SERIES_POINTS]; /* measured; by size or count ascending */
  unsigned count;
  const char *label, *color;
};

struct chart {
  FILE *out;
  const struct report *r;
  const char *test;
  const struct result *first;
  int bars;
  struct series series[SERIES_MOST];
  unsigned count, points, dropped; /* points of the longest series; results that were too many */
  double least, most;              /* of what is shown, of our quarters too */
  double most_efficient;           /* 0: none is known */
  double place[SERIES_POINTS];     /* of curves: bytes or nodes, ascending, each once */
  unsigned places;
  struct axis x, y;
};

static const char *const palette[SERIES_MOST] = {"#1f6fb2", "#d0463b", "#2f8f5b", "#e08a00", "#7a4fa3",
    "#0f8b99", "#a0522d", "#5a6f1f", "#c2418f", "#44546a", "#b59b00", "#3d3d9e"};

static double point_place(const struct result *r) { return strtod(r->point, NULL); }

static double shown(const struct result *r, enum side side, enum statistic stat)
{
  return unit_shown(r, result_stat(r, side, stat));
}

/* What a curve shows beside the sides: our speed as a part of the bare transport's. */
enum { EFFICIENCY = SIDES };

/* Not a number: that side has none. */
static double side_value(const struct result *r, unsigned side)
{
  if (side == EFFICIENCY) return efficiency(r) > 0 ? efficiency(r) : NAN;
  return shown(r, side, MEDIAN);
}

/* ---- making ---- */

static int series_has(const struct series *s, const struct result *r)
{
  const struct result *first = s->at[0];
  return first->target == r->target && first->threads == r->threads &&
      (r->points == BENCH_NODES || first->nodes == r->nodes) && strcmp(first->conduit, r->conduit) == 0 &&
      strcmp(first->transport, r->transport) == 0;
}

static struct series *series_of(struct chart *c, const struct result *r)
{
  for (unsigned i = 0; i < c->count; i++)
    if (series_has(&c->series[i], r)) return &c->series[i];
  if (c->count == SERIES_MOST) return NULL;
  c->series[c->count].color = palette[c->count];
  return &c->series[c->count++];
}

static void chart_add_place(struct chart *c, double place)
{
  unsigned at = 0;
  while (at < c->places && c->place[at] < place) at++;
  if ((at < c->places && c->place[at] == place) || c->places == SERIES_POINTS) return;
  memmove(&c->place[at + 1], &c->place[at], (c->places - at) * sizeof *c->place);
  c->place[at] = place;
  c->places++;
}

static void chart_add_values(struct chart *c, const struct result *r)
{
  const double value[] = {shown(r, OURS, MEDIAN), shown(r, OURS, LOW), shown(r, OURS, HIGH),
      shown(r, RAW, MEDIAN), shown(r, EARLIER, MEDIAN)};
  for (unsigned v = 0; v < sizeof value / sizeof *value; v++) {
    c->least = fmin(c->least, value[v]);
    c->most = fmax(c->most, value[v]);
  }
  c->most_efficient = fmax(c->most_efficient, efficiency(r));
}

static void chart_add(struct chart *c, const struct result *r)
{
  struct series *s = series_of(c, r);
  if (!s || s->count == SERIES_POINTS) {
    c->dropped++;
    return;
  }
  unsigned at = s->count++;
  for (; !c->bars && at > 0 && point_place(s->at[at - 1]) > point_place(r); at--) s->at[at] = s->at[at - 1];
  s->at[at] = r;
  if (s->count > c->points) c->points = s->count;
  if (!c->bars) chart_add_place(c, point_place(r));
  chart_add_values(c, r);
}

/* "ofi net, 4 nodes"; nothing of nodes where these are the points. */
static const char *setting_text(const struct result *r, int conduit, int nodes)
{
  const char *text = conduit ? r->conduit : "";
  if (conduit && strcmp(r->transport, "-") != 0) text = text_add(text, " ", r->transport);
  return nodes && r->points != BENCH_NODES ? text_add(text, ", ", text_of("%u nodes", r->nodes)) : text;
}

/* The label tells a curve from the others. */
static void series_name(const struct chart *c, struct series *s)
{
  const struct result *r = s->at[0];
  int conduit = 0, nodes = 0, threads = 0;
  for (unsigned i = 0; i < c->count; i++) {
    const struct result *other = c->series[i].at[0];
    conduit |= other->target != r->target;
    nodes |= other->nodes != r->nodes;
    threads |= other->threads != r->threads;
  }
  s->label = setting_text(r, conduit, nodes);
  if (threads)
    s->label = text_add(s->label, ", ", text_of("%u thread%s", r->threads, r->threads == 1 ? "" : "s"));
}

/* All results of a test that were measured. */
static void chart_fill(struct chart *c, const struct report *r, const char *test)
{
  *c = (struct chart){.r = r, .test = test, .least = 1e300, .most = -1e300};
  EACH_RESULT (each, r) {
    if (each->state != MEASURED || strcmp(each->test, test) != 0) continue;
    if (!c->first) c->first = each;
    c->bars = c->first->points == BENCH_NAMES;
    chart_add(c, each);
  }
  for (unsigned i = 0; i < c->count; i++) series_name(c, &c->series[i]);
}

/* ---- how the sides are told from each other ---- */

enum { WIDTH = 820, LEFT = 74, RIGHT = WIDTH - 28 };
enum { HEIGHT = 290, BELOW = 52, STRIP = 92, STRIP_GAP = 30, X_LABELS = 13, X_GAP = 18 };
enum { BAR = 13, BAR_GAP = 9, BARS_BELOW = 50, BARS_X_GAP = 17, NAMES_MOST = 28 /* letters */ };

#define ROUND " stroke-linecap=\"round\""
static const struct {
  double width; /* of a curve */
  const char *dash, *cap;
  const char *bar; /* ours is one, the others are lines across it */
} look[] = {
    [OURS] = {2.2, "", ROUND, ""},
    [RAW] = {1.8, " stroke-dasharray=\"5 3\"", ROUND, ""},
    [EARLIER] = {1.8, " stroke-dasharray=\"1.5 3\"", ROUND, " stroke-dasharray=\"2 2\""},
    [EFFICIENCY] = {1.8, "", "", NULL},
};

/* The bare transport of a lone curve is grey: it is not ours. */
static const char *side_color(const struct chart *c, const struct series *s, unsigned side)
{
  if (side == OURS || side == EFFICIENCY || (!c->bars && c->count > 1)) return s->color;
  if (side == EARLIER) return "#e08a00";
  return c->bars ? "#1f2933" : "#7b8794"; /* on bars it is a mark */
}

/* A bar from `from` to `to`, or the mark across it at `to`, which is so much longer on both sides. */
static void draw_side(const struct chart *c, unsigned side, const char *color, double from, double to,
    double y, double height, double longer)
{
  if (side == OURS)
    fprintf(c->out,
        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"2\" fill=\"%s\" "
        "fill-opacity=\"0.82\"/>\n",
        fmin(from, to), y, fabs(to - from), height, color);
  else svg_line(c->out, to, y - longer, to, y + height + longer, color, 2.4, look[side].bar);
}

/* "64 KiB: 12.30 us, half of the samples from 12.1 to 12.6". */
static const char *side_hint(const struct result *r, unsigned side)
{
  if (side == EFFICIENCY) return text_of("%s: %.0f %% of the bare speed", point_text(r), efficiency(r));
  return text_of("%s: %s %s, half of the samples from %s to %s", point_text(r),
      row_text(r, result_stat(r, side, MEDIAN)), row_unit(r), row_text(r, result_stat(r, side, LOW)),
      row_text(r, result_stat(r, side, HIGH)));
}

/* ---- title and legend, which has as many lines as it needs ---- */

enum { LEGEND_TOP = 76, LEGEND_LINE = 20, LEGEND_MARK = 30, LEGEND_GAP = 22 };

/* What the legend calls this side of the series; marks on bars look alike for all series. */
static const char *side_label(const struct chart *c, const struct series *s, unsigned side)
{
  const struct bench_test *t = c->first->of;
  const char *raw = strcmp(s->at[0]->conduit, "smp") == 0 ? t->raw : t->raw_network;
  const char *label = c->bars && side != OURS ? "" : s->label;
  if (side == EARLIER) return text_add(label, ": ", text_of("earlier, %.10s", c->r->then->place.date));
  if (side == RAW && c->count == 1) return raw ? raw : "bare";
  if (side == RAW) return text_add(label, ": ", "bare");
  return *label ? label : "Penstock";
}

static void draw_sample(const struct chart *c, const struct series *s, unsigned side, double x, double y)
{
  const char *color = side_color(c, s, side);
  if (c->bars && side == OURS) draw_side(c, side, color, x, x + 24, y - 10, 12, 0);
  else if (c->bars) draw_side(c, side, color, x, x + 18, y - 10, 12, 2);
  else svg_line(c->out, x, y - 4, x + 24, y - 4, color, 2, look[side].dash);
  if (!c->bars && side != EARLIER) svg_mark(c->out, x + 12, y - 4, color, side == RAW, "");
}

/* Returns where it ends. */
static double draw_legend(const struct chart *c)
{
  double x = LEFT, y = LEGEND_TOP;
  for (unsigned i = 0; i < c->count; i++)
    for (unsigned side = OURS; side < SIDES; side++) {
      const struct series *s = &c->series[i];
      if (isnan(side_value(s->at[0], side)) || (i > 0 && side != OURS && c->bars)) continue;
      const char *text = side_label(c, s, side);
      const double width = LEGEND_MARK + 0.9 * SVG_FONT_WIDTH * (double)strlen(text);
      if (x > LEFT && x + width > RIGHT) {
        x = LEFT;
        y += LEGEND_LINE;
      }
      draw_sample(c, s, side, x, y);
      svg_text(c->out, x + LEGEND_MARK, y, AT_START, SVG_FILL(SVG_INK), text);
      x += width + LEGEND_GAP;
    }
  return y + 12;
}

/* A lone curve has no label: what its results have alike stands in the corner. Returns where the legend
 * ends. */
static double draw_head(const struct chart *c)
{
  const struct result *r = c->first;
  const char *common = setting_text(r, c->count == 1, c->count == 1);
  const char *place = text_of("%.80s, %.10s", c->r->place.processor, c->r->place.date);
  if (c->count == 1 && r->points != BENCH_NODES && r->threads > 1) common = text_add(common, ", ", "threads");
  if (c->dropped) place = text_of("%u further points are in the tables only", c->dropped);
  svg_text(c->out, LEFT, 30, AT_START, SVG_FILL(SVG_INK) " font-size=\"17\" font-weight=\"600\"", c->test);
  svg_text(c->out, LEFT, 49, AT_START, SVG_FILL(SVG_PALE), r->of->what);
  svg_text(c->out, RIGHT, 30, AT_END, SVG_FILL(SVG_PALE), common);
  svg_text(c->out, RIGHT, 49, AT_END, SVG_FILL(SVG_PALE), place);
  return draw_legend(c);
}

/* ---- axes ---- */

static const char *label_point(const struct result *r, double value)
{
  return r->points == BENCH_SIZES ? size_text(value) : text_of("%g", value);
}

static const char *label_value(const struct result *r, double value)
{
  const int percent = r->unit == BENCH_PERCENT && r->points != BENCH_NAMES;
  return text_of("%s%s", unit_tick(r->unit, value), percent ? " %" : "");
}

static const char *label_percent(__attribute__((unused)) const struct result *r, double value)
{
  return text_of("%g %%", value);
}

/* ---- curves ---- */

/* What curves are drawn upon. Points are named below the last field. */
static void draw_field(struct chart *c, double top, double bottom, int last)
{
  c->x.near = c->y.to = top;
  c->x.far = c->y.from = bottom;
  if (last) c->x.label = label_point;
  if (last) c->x.name = c->first->points == BENCH_SIZES ? "size of an operation" : "nodes";
  axis_draw(c->out, &c->x, c->first);
  axis_draw(c->out, &c->y, c->first);
  svg_line(c->out, LEFT, bottom, RIGHT, bottom, SVG_PALE, 0, "");
  svg_line(c->out, LEFT, top, LEFT, bottom, SVG_PALE, 0, "");
}

static void draw_point(const struct chart *c, const struct result *r, double value)
{
  if (!isnan(value)) fprintf(c->out, "%.1f,%.1f ", axis_at(&c->x, point_place(r)), axis_at(&c->y, value));
}

/* Between the quarters of our samples. */
static void draw_band(const struct chart *c, const struct series *s)
{
  fprintf(c->out, "<polygon fill=\"%s\" fill-opacity=\"0.14\" points=\"", s->color);
  for (unsigned k = 0; k < s->count; k++) draw_point(c, s->at[k], shown(s->at[k], OURS, HIGH));
  for (unsigned k = s->count; k-- > 0;) draw_point(c, s->at[k], shown(s->at[k], OURS, LOW));
  fputs("\"/>\n", c->out);
}

static void draw_curve(const struct chart *c, const struct series *s, unsigned side)
{
  const char *color = side_color(c, s, side);
  fprintf(c->out, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"%g\"", color, look[side].width);
  fprintf(c->out, " stroke-linejoin=\"round\"%s%s points=\"", look[side].cap, look[side].dash);
  for (unsigned k = 0; k < s->count; k++) draw_point(c, s->at[k], side_value(s->at[k], side));
  fputs("\"/>\n", c->out);
  for (unsigned k = 0; k < s->count && side != EARLIER; k++) {
    const double v = side_value(s->at[k], side);
    if (isnan(v)) continue;
    svg_mark(c->out, axis_at(&c->x, point_place(s->at[k])), axis_at(&c->y, v), color, side == RAW,
        side_hint(s->at[k], side));
  }
}

/* From 0 to a little more than the most, with four ticks at the most, 100 among them. */
static void fit_percent(struct axis *y, double most)
{
  const double step = most > 500 ? 500 : most > 250 ? 100 : 50;
  y->high = fmax(most * 1.05, 115);
  for (double v = 0; v <= y->high; v += step) y->tick[y->ticks++] = v;
}

/* The efficiency, at the same points as the curves above. */
static void draw_strip(struct chart *c, double top)
{
  const double most = fmax(c->most_efficient, 100);
  c->y = (struct axis){.upright = 1, .near = LEFT, .far = RIGHT, .label = label_percent, .mark = 100};
  if (most > 1000) axis_fit(&c->y, 10, most);
  else fit_percent(&c->y, most);
  svg_text(c->out, LEFT, top - 8, AT_START, SVG_FILL(SVG_PALE),
      "efficiency: our speed as a part of the bare transport's");
  draw_field(c, top, top + STRIP, 1);
  for (unsigned i = 0; i < c->count; i++) draw_curve(c, &c->series[i], EFFICIENCY);
}

/* Both ways to draw a test return where the drawing ends. */
static double draw_curves(struct chart *c, double top)
{
  const double bottom = top + HEIGHT;
  const int strip = c->most_efficient > 0;
  c->x = (struct axis){.from = LEFT, .to = RIGHT, .gap = X_GAP};
  c->y = (struct axis){.upright = 1, .near = LEFT, .far = RIGHT, .label = label_value};
  c->y.name = unit_title(c->first->unit);
  axis_fit_points(&c->x, c->place, c->places, X_LABELS);
  axis_fit(&c->y, c->least, c->most);
  draw_field(c, top, bottom, !strip);
  for (unsigned i = 0; i < c->count; i++) draw_band(c, &c->series[i]);
  for (unsigned side = SIDES; side-- > OURS;)
    for (unsigned i = 0; i < c->count; i++) draw_curve(c, &c->series[i], side);
  if (!strip) return bottom + BELOW;
  draw_strip(c, bottom + STRIP_GAP);
  return bottom + STRIP_GAP + STRIP + BELOW;
}

/* ---- bars ---- */

static double names_width(const struct series *s)
{
  size_t most = 4;
  for (unsigned k = 0; k < s->count; k++)
    if (strlen(s->at[k]->point) > most) most = strlen(s->at[k]->point);
  return (double)(most > NAMES_MOST ? NAMES_MOST : most) * SVG_FONT_WIDTH + 24;
}

static void draw_bar(const struct chart *c, const struct series *s, const struct result *r, double y)
{
  const double zero = c->x.log ? c->x.from : axis_at(&c->x, 0);
  for (unsigned side = OURS; side < SIDES; side++) {
    const double v = side_value(r, side);
    if (isnan(v)) continue;
    markup(c->out, "<g><title>%s</title>", side_hint(r, side));
    draw_side(c, side, side_color(c, s, side), zero, axis_at(&c->x, v), y, BAR, 3);
    fputs("</g>\n", c->out);
  }
  const char *text = unit_tick(r->unit, strtod(text_of("%.3g", side_value(r, OURS)), NULL));
  svg_text(c->out, c->x.to + 8, y + BAR - 2, AT_START, SVG_FILL(SVG_INK) " font-size=\"11\"", text);
}

/* The bars of one name, one for each series that has it. */
static void draw_name(const struct chart *c, const char *name, double y)
{
  svg_text(c->out, c->x.from - 10, y + c->count * (BAR + 2) / 2.0 + 3, AT_END, SVG_FILL(SVG_INK), name);
  for (unsigned i = 0; i < c->count; i++)
    for (unsigned k = 0; k < c->series[i].count; k++)
      if (strcmp(c->series[i].at[k]->point, name) == 0)
        draw_bar(c, &c->series[i], c->series[i].at[k], y + i * (BAR + 2));
}

static double draw_bars(struct chart *c, double top)
{
  const struct series *names = &c->series[0];
  const double each = c->count * (BAR + 2) + BAR_GAP, bottom = top + each * names->count;
  c->x = (struct axis){
      .from = names_width(names), .to = RIGHT - 44, .near = top, .far = bottom, .gap = BARS_X_GAP};
  c->x.label = label_value;
  c->x.name = unit_title(c->first->unit);
  axis_fit(&c->x, c->least > 0 && c->most < 50 * c->least ? 0 : c->least, c->most);
  c->x.minors = 0;
  axis_draw(c->out, &c->x, c->first);
  for (unsigned k = 0; k < names->count; k++)
    draw_name(c, names->at[k]->point, top + BAR_GAP / 2.0 + k * each);
  svg_line(c->out, c->x.from, top, c->x.from, bottom, SVG_PALE, 0, "");
  return bottom + BARS_BELOW;
}

/* How high it is, its first line has to say. */
const char *chart_make(const struct report *r, const char *test)
{
  static struct chart c;
  size_t n;
  char *body;
  chart_fill(&c, r, test);
  if (c.points < 2) return NULL;
  c.out = memory_needed(open_memstream(&body, &n));
  const double top = draw_head(&c) + 8, height = (c.bars ? draw_bars : draw_curves)(&c, top);
  if (fclose(c.out) != 0) fail(1, "out of memory");
  const char *text = text_of(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %g\" width=\"%d\" height=\"%g\""
      " role=\"img\" font-family=\"system-ui, 'Segoe UI', 'DejaVu Sans', Helvetica, Arial, sans-serif\""
      " font-size=\"12\">\n<title>%s</title>\n<rect x=\"0.0\" y=\"0.0\" width=\"%.1f\" height=\"%.1f\" "
      "fill=\"#ffffff\"/>\n%s</svg>\n",
      WIDTH, height, WIDTH, height, test, (double)WIDTH, height, body);
  free(body);
  return text;
}

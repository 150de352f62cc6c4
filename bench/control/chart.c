/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What a chart shows of a test: series of results that differ in their point alone. Tests by size or by count
 * of nodes are curves, and below them our efficiency where the bare transport was measured. Tests by name are
 * bars, and marks where the bare transport and the earlier run are. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/control/report.h"
#include "launch/arguments.h"

/* ---- pieces of drawings in SVG ---- */

enum { SVG_FONT_WIDTH = 7 }; /* a letter of 12 units' height, about */
#define SVG_FILL(color) "fill=\"" color "\""
#define SVG_INK         "#1f2933"
#define SVG_PALE        "#5f6c7b"
#define SVG_GRID        "#e4e7eb"
#define SVG_FAINT       "#f1f3f5"

/* Of such a width, or where that is 0 of the usual one; `dash` is a further attribute, or "". */
static void svg_line(
    FILE *out, double x1, double y1, double x2, double y2, const char *color, double width, const char *dash)
{
  fprintf(out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"", x1, y1, x2, y2, color);
  if (width > 0) fprintf(out, " stroke-width=\"%g\"", width);
  fprintf(out, "%s/>\n", dash);
}

/* `style` is further attributes. */
enum anchor { AT_START, AT_MIDDLE, AT_END };
static void svg_text(FILE *out, double x, double y, enum anchor anchor, const char *style, const char *text)
{
  static const char *const name[] = {"start", "middle", "end"};
  fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" %s>%s</text>\n", x, y, name[anchor], style,
      escaped(text));
}

/* A disc, or a hollow one, with a text that shows under the pointer. */
static void svg_mark(FILE *out, double x, double y, const char *color, int hollow, const char *hint)
{
  fprintf(out,
      "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%g\" stroke=\"%s\" stroke-width=\"1.5\" "
      "fill=\"%s\"><title>%s</title></circle>\n",
      x, y, hollow ? 2.6 : 3.2, color, hollow ? "#ffffff" : color, escaped(hint));
}

/* ---- axes, which map values to places ---- */

enum { TICKS_MOST = 64 };
/* What an axis is labelled with. */
enum labels { NO_LABELS, POINT_LABELS, VALUE_LABELS, PERCENT_LABELS };
struct axis {
  double low, high; /* values at its ends */
  int log;
  double from, to;                            /* places of its ends */
  double tick[TICKS_MOST], minor[TICKS_MOST]; /* lines with labels, and without */
  unsigned ticks, minors;
  int upright; /* it goes up; else to the right */
  double near, far,
      gap; /* where lines across it begin and end; labels of one to the right are so far below */
  enum labels labels;
  const char *name; /* or NULL */
  double mark;      /* a dashed line across it, above 0 */
};

/* 1, 2 or 5 times a power of ten: the greatest up to v (up 0), or the least from v on. */
static double round_number(double v, int up)
{
  static const double step[] = {1, 2, 5, 10};
  const double power = pow(10, floor(log10(v) + 1e-9));
  for (int i = 0; i < 4; i++) {
    if (up && step[i] * power >= v * (1 - 1e-9)) return step[i] * power;
    if (!up && i < 3 && step[i + 1] * power > v * (1 + 1e-9)) return step[i] * power;
  }
  return 10 * power;
}

static void add_value(double *values, unsigned *n, double v)
{
  if (*n < TICKS_MOST) values[(*n)++] = v;
}

/* Powers of ten, and between them 2 and 5 where there is room. */
static void log_ticks(struct axis *a)
{
  const double decades = log10(a->high / a->low);
  for (double power = pow(10, floor(log10(a->low) + 1e-9)); power <= a->high * 1.001; power *= 10)
    for (int k = 1; k < 10; k++) {
      const double v = k * power;
      if (v < a->low * 0.999 || v > a->high * 1.001) continue;
      if (k == 1 || (decades <= 2.5 && (k == 2 || k == 5))) add_value(a->tick, &a->ticks, v);
      else if (decades <= 4) add_value(a->minor, &a->minors, v);
    }
}

static void linear_ticks(struct axis *a)
{
  const double step = round_number((a->high - a->low) / 6, 1);
  a->low = step * floor(a->low / step + 1e-9);
  a->high = step * ceil(a->high / step - 1e-9);
  for (int i = 0; i < TICKS_MOST && a->low + i * step <= a->high + step / 2; i++) {
    const double v = a->low + i * step;
    add_value(a->tick, &a->ticks, fabs(v) < step / 1e6 ? 0 : v);
  }
}

/* Round bounds around the values; logarithmic where these differ much and are above 0; else from 0 on. */
static void axis_fit(struct axis *a, double least, double most)
{
  a->ticks = a->minors = 0;
  a->log = least > 0 && most > 6 * least;
  if (a->log) {
    a->low = round_number(least, 0);
    a->high = round_number(most, 1);
    log_ticks(a);
    return;
  }
  a->low = least < 0 ? least : 0;
  a->high = most > 0 ? most * 1.04 : 0;
  if (a->high <= a->low) a->high = a->low + 1;
  linear_ticks(a);
}

/* Logarithmic, with ticks at the given values, which ascend and are above 0. Ticks that would be closer than
 * `labels_most` labels are have no label. */
static void axis_fit_points(struct axis *a, const double *value, unsigned n, unsigned labels_most)
{
  const double around = n > 1 ? pow(value[n - 1] / value[0], 0.03) : 2;
  double last = -1;
  a->ticks = a->minors = 0;
  a->log = 1;
  a->low = value[0] / around;
  a->high = value[n - 1] * around;
  for (unsigned i = 0; i < n; i++) {
    const double part = log(value[i] / a->low) / log(a->high / a->low);
    if (last >= 0 && part - last < 0.98 / labels_most) {
      if (n <= TICKS_MOST / 2) add_value(a->minor, &a->minors, value[i]);
      continue;
    }
    add_value(a->tick, &a->ticks, value[i]);
    last = part;
  }
}

static double axis_at(const struct axis *a, double value)
{
  double part;
  if (a->log) part = value > 0 ? log(value / a->low) / log(a->high / a->low) : 0;
  else part = (value - a->low) / (a->high - a->low);
  part = part < 0 ? 0 : part > 1 ? 1 : part;
  return a->from + part * (a->to - a->from);
}

/* A line across the drawing, at a value. */
static void axis_across(FILE *out, const struct axis *a, double value, const char *color, const char *more)
{
  const double at = axis_at(a, value);
  if (a->upright) svg_line(out, a->near, at, a->far, at, color, 0, more);
  else svg_line(out, at, a->near, at, a->far, color, 0, more);
}

static const char *axis_label(const struct axis *a, const struct result *r, double value)
{
  if (a->labels == POINT_LABELS && r->points == BENCH_SIZES) return size_text(value);
  if (a->labels != VALUE_LABELS) return text_of(a->labels == POINT_LABELS ? "%g" : "%g %%", value);
  const int percent = r->unit == BENCH_PERCENT && r->points != BENCH_NAMES;
  return text_of("%s%s", unit_tick(r->unit, value), percent ? " %" : "");
}

/* Lines across the drawing at all ticks, labels for values of such results, and the axis's name. */
static void axis_draw(FILE *out, const struct axis *a, const struct result *r)
{
  const double middle = (a->from + a->to) / 2;
  for (unsigned i = 0; i < a->minors; i++) axis_across(out, a, a->minor[i], SVG_FAINT, "");
  for (unsigned i = 0; i < a->ticks; i++) {
    const double at = axis_at(a, a->tick[i]);
    axis_across(out, a, a->tick[i], SVG_GRID, "");
    if (!a->labels) continue;
    const char *text = axis_label(a, r, a->tick[i]);
    if (a->upright) svg_text(out, a->near - 8, at + 4, AT_END, SVG_FILL(SVG_INK), text);
    else svg_text(out, at, a->far + a->gap, AT_MIDDLE, SVG_FILL(SVG_INK), text);
  }
  if (a->name && a->upright) fprintf(out, "<g transform=\"rotate(-90 18 %.1f)\">\n", middle);
  if (a->name)
    svg_text(out, a->upright ? 18 : middle, a->upright ? middle : a->far + 2 * a->gap + 2, AT_MIDDLE,
        SVG_FILL(SVG_PALE), a->name);
  if (a->name && a->upright) fputs("</g>\n", out);
  if (a->mark > 0) axis_across(out, a, a->mark, "#7b8794", " stroke-dasharray=\"5 3\"");
}

/* ---- what is drawn ---- */

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

/* What a curve shows beside the sides: our speed as a part of the bare transport's. */
enum { EFFICIENCY = SIDES };

/* Not a number: that side has none. */
static double shown(const struct result *r, unsigned side, enum statistic stat)
{
  if (side == EFFICIENCY) return efficiency(r) > 0 ? efficiency(r) : NAN;
  return unit_shown(r, result_stat(r, side, stat));
}

/* ---- making ---- */

static void chart_add_place(struct chart *c, double place)
{
  unsigned at = 0;
  while (at < c->places && c->place[at] < place) at++;
  if ((at < c->places && c->place[at] == place) || c->places == SERIES_POINTS) return;
  memmove(&c->place[at + 1], &c->place[at], (c->places++ - at) * sizeof *c->place);
  c->place[at] = place;
}

static void chart_add(struct chart *c, const struct result *r)
{
  const double value[] = {shown(r, OURS, MEDIAN), shown(r, OURS, LOW), shown(r, OURS, HIGH),
      shown(r, RAW, MEDIAN), shown(r, EARLIER, MEDIAN)};
  struct series *s = &c->series[c->count ? c->count - 1 : 0]; /* its results stand together in a report */
  const int further = s->count && (s->at[0]->target != r->target || s->at[0]->threads != r->threads);
  s += further;
  if (c->count + further > SERIES_MOST || s->count == SERIES_POINTS) {
    c->dropped++;
    return;
  }
  c->count = (unsigned)(s - c->series) + 1;
  s->color = palette[c->count - 1];
  unsigned at = s->count++;
  for (; !c->bars && at > 0 && point_place(s->at[at - 1]) > point_place(r); at--) s->at[at] = s->at[at - 1];
  s->at[at] = r;
  if (s->count > c->points) c->points = s->count;
  if (!c->bars) chart_add_place(c, point_place(r));
  for (unsigned v = 0; v < sizeof value / sizeof *value; v++) {
    c->least = fmin(c->least, value[v]);
    c->most = fmax(c->most, value[v]);
  }
  c->most_efficient = fmax(c->most_efficient, efficiency(r));
}

/* "ofi net" */
static const char *target_text(const struct result *r)
{
  return strcmp(r->transport, "-") != 0 ? text_of("%s %s", r->conduit, r->transport) : r->conduit;
}

/* All results of a test that were measured. A label tells a curve from the others. */
static void chart_fill(struct chart *c, const struct report *r, const char *test)
{
  *c = (struct chart){.r = r, .test = test, .least = 1e300, .most = -1e300};
  EACH_RESULT (each, r) {
    if (each->state != MEASURED || strcmp(each->test, test) != 0) continue;
    if (!c->first) c->first = each;
    c->bars = c->first->points == BENCH_NAMES;
    chart_add(c, each);
  }
  const struct series *first = &c->series[0], *end = first + c->count;
  int targets = 0, threads = 0;
  for (const struct series *s = first; s < end; s++) {
    targets |= s->at[0]->target != first->at[0]->target;
    threads |= s->at[0]->threads != first->at[0]->threads;
  }
  for (struct series *s = c->series; s < end; s++) {
    const unsigned n = s->at[0]->threads;
    s->label = targets ? target_text(s->at[0]) : "";
    if (threads) s->label = text_add(s->label, ", ", text_of("%u thread%s", n, n == 1 ? "" : "s"));
  }
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

/* A lone curve has no label: what its results have alike stands in the corner. Returns where it ends. */
static double draw_head(const struct chart *c)
{
  double x = LEFT, y = LEGEND_TOP;
  const struct result *r = c->first;
  const char *common = c->count == 1 ? target_text(r) : "";
  const char *place = text_of("%.80s, %.10s", c->r->place.processor, c->r->place.date);
  if (c->count == 1 && r->points != BENCH_NODES)
    common = text_of("%s, %u nodes%s", common, r->nodes, r->threads > 1 ? ", threads" : "");
  if (c->dropped) place = text_of("%u further points are in the tables only", c->dropped);
  svg_text(c->out, LEFT, 30, AT_START, SVG_FILL(SVG_INK) " font-size=\"17\" font-weight=\"600\"", c->test);
  svg_text(c->out, LEFT, 49, AT_START, SVG_FILL(SVG_PALE), r->of->what);
  svg_text(c->out, RIGHT, 30, AT_END, SVG_FILL(SVG_PALE), common);
  svg_text(c->out, RIGHT, 49, AT_END, SVG_FILL(SVG_PALE), place);
  for (const struct series *s = c->series; s < c->series + c->count; s++)
    for (unsigned side = OURS; side < SIDES; side++) {
      if (isnan(shown(s->at[0], side, MEDIAN)) || (s > c->series && side != OURS && c->bars)) continue;
      const char *text = side_label(c, s, side), *color = side_color(c, s, side);
      const double width = LEGEND_MARK + 0.9 * SVG_FONT_WIDTH * (double)strlen(text);
      if (x > LEFT && x + width > RIGHT) {
        x = LEFT;
        y += LEGEND_LINE;
      }
      if (c->bars)
        draw_side(c, side, color, x, x + (side == OURS ? 24 : 18), y - 10, 12, side == OURS ? 0 : 2);
      else svg_line(c->out, x, y - 4, x + 24, y - 4, color, 2, look[side].dash);
      if (!c->bars && side != EARLIER) svg_mark(c->out, x + 12, y - 4, color, side == RAW, "");
      svg_text(c->out, x + LEGEND_MARK, y, AT_START, SVG_FILL(SVG_INK), text);
      x += width + LEGEND_GAP;
    }
  return y + 12;
}

/* ---- curves ---- */

/* What curves are drawn upon. Points are named below the last field. */
static void draw_field(struct chart *c, double top, double bottom, int last)
{
  c->x.near = c->y.to = top;
  c->x.far = c->y.from = bottom;
  if (last) c->x.labels = POINT_LABELS;
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
  for (unsigned k = 0; k < s->count; k++) draw_point(c, s->at[k], shown(s->at[k], side, MEDIAN));
  fputs("\"/>\n", c->out);
  for (unsigned k = 0; k < s->count && side != EARLIER; k++) {
    const double v = shown(s->at[k], side, MEDIAN);
    if (isnan(v)) continue;
    svg_mark(c->out, axis_at(&c->x, point_place(s->at[k])), axis_at(&c->y, v), color, side == RAW,
        side_hint(s->at[k], side));
  }
}

/* The efficiency, at the same points as the curves above: from 0 to a little more than the most, with four
 * ticks at the most, 100 among them. */
static void draw_strip(struct chart *c, double top)
{
  const double most = fmax(c->most_efficient, 100), step = most > 500 ? 500 : most > 250 ? 100 : 50;
  c->y = (struct axis){.upright = 1, .near = LEFT, .far = RIGHT, .labels = PERCENT_LABELS, .mark = 100};
  c->y.high = fmax(most * 1.05, 115);
  if (most > 1000) axis_fit(&c->y, 10, most);
  else
    for (double v = 0; v <= c->y.high; v += step) c->y.tick[c->y.ticks++] = v;
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
  c->y = (struct axis){
      .upright = 1, .near = LEFT, .far = RIGHT, .labels = VALUE_LABELS, .name = unit_title(c->first->unit)};
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

static void draw_bar(const struct chart *c, const struct series *s, const struct result *r, double y)
{
  const double zero = c->x.log ? c->x.from : axis_at(&c->x, 0);
  for (unsigned side = OURS; side < SIDES; side++) {
    const double v = shown(r, side, MEDIAN);
    if (isnan(v)) continue;
    fprintf(c->out, "<g><title>%s</title>", escaped(side_hint(r, side)));
    draw_side(c, side, side_color(c, s, side), zero, axis_at(&c->x, v), y, BAR, 3);
    fputs("</g>\n", c->out);
  }
  const char *text = unit_tick(r->unit, strtod(text_of("%.3g", shown(r, OURS, MEDIAN)), NULL));
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
  double letters = 4;
  for (unsigned k = 0; k < names->count; k++)
    letters = fmin(fmax(letters, (double)strlen(names->at[k]->point)), NAMES_MOST);
  c->x = (struct axis){.from = letters * SVG_FONT_WIDTH + 24,
      .to = RIGHT - 44,
      .near = top,
      .far = bottom,
      .gap = BARS_X_GAP,
      .labels = VALUE_LABELS,
      .name = unit_title(c->first->unit)};
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

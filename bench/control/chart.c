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

/* `style` is further attributes. */
static void svg_line(
    FILE *out, double x1, double y1, double x2, double y2, const char *color, const char *style)
{
  fprintf(out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"%s/>\n", x1, y1, x2, y2,
      color, style);
}

/* Its start, middle or end is there; `style` is further attributes. */
static void svg_text(FILE *out, double x, double y, const char *anchor, const char *style, const char *text)
{
  fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" %s>%s</text>\n", x, y, anchor, style,
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
  enum labels labels;
  const char *name; /* or NULL */
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

/* Round bounds around the values; logarithmic where these differ much and are above 0, with ticks at powers
 * of ten, and at 2 and 5 between them where there is room; else from 0 on. */
static void axis_fit(struct axis *a, double least, double most)
{
  a->ticks = a->minors = 0;
  a->log = least > 0 && most > 6 * least;
  if (a->log) {
    a->low = round_number(least, 0);
    a->high = round_number(most, 1);
    const double decades = log10(a->high / a->low);
    for (double power = pow(10, floor(log10(a->low) + 1e-9)); power <= a->high * 1.001; power *= 10)
      for (int k = 1; k < 10; k++) {
        const double v = k * power;
        if (v < a->low * 0.999 || v > a->high * 1.001) continue;
        if (k == 1 || (decades <= 2.5 && (k == 2 || k == 5))) add_value(a->tick, &a->ticks, v);
        else if (decades <= 4) add_value(a->minor, &a->minors, v);
      }
    return;
  }
  a->low = least < 0 ? least : 0;
  a->high = most > 0 ? most * 1.04 : 0;
  if (a->high <= a->low) a->high = a->low + 1;
  const double step = round_number((a->high - a->low) / 6, 1);
  a->low = step * floor(a->low / step + 1e-9);
  a->high = step * ceil(a->high / step - 1e-9);
  for (int i = 0; i < TICKS_MOST && a->low + i * step <= a->high + step / 2; i++) {
    const double v = a->low + i * step;
    add_value(a->tick, &a->ticks, fabs(v) < step / 1e6 ? 0 : v);
  }
}

/* Logarithmic, with ticks at the values, which ascend above 0; without labels where there is no room. */
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

/* ---- what is drawn ---- */

enum { SERIES_MOST = 12 };

struct series {
  const struct result *at[NUMBERS_MOST]; /* measured; by size or count ascending */
  unsigned count;
  const char *label, *color;
};

struct chart {
  FILE *out;
  const struct report *r;
  const struct result *first;
  int bars, targets, threads; /* has series of several targets, of several counts of threads */
  struct series series[SERIES_MOST];
  unsigned count, points, dropped; /* points of the longest series; results that were too many */
  double least, most;              /* of what is shown, of our quarters too */
  double most_efficient;           /* 0: none is known */
  struct numbers places;           /* of curves: bytes or nodes */
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

enum { WIDTH = 820, LEFT = 74, RIGHT = WIDTH - 28 };
enum { HEIGHT = 290, BELOW = 52, STRIP = 92, STRIP_GAP = 30, X_LABELS = 13, X_GAP = 18 };
enum { BAR = 13, BAR_GAP = 9, BARS_BELOW = 50, BARS_X_GAP = 17, NAMES_MOST = 28 /* letters */ };

/* Of the curve of each side, and of the efficiency. */
static const char *const dash[] = {"", " stroke-dasharray=\"5 3\"", " stroke-dasharray=\"1.5 3\"", ""};

/* ---- axes, drawn ---- */

/* A line across the drawing, at a value. */
static void axis_across(
    const struct chart *c, const struct axis *a, double value, const char *color, const char *more)
{
  const double at = axis_at(a, value);
  if (a == &c->y) svg_line(c->out, c->x.from, at, c->x.to, at, color, more);
  else svg_line(c->out, at, c->y.to, at, c->y.from, color, more);
}

/* Lines across the drawing at all ticks, their labels, and the axis's name. */
static void axis_draw(const struct chart *c, const struct axis *a)
{
  const int up = a == &c->y, gap = c->bars ? BARS_X_GAP : X_GAP;
  const int percent = c->first->unit == BENCH_PERCENT && c->first->points != BENCH_NAMES;
  const double middle = (a->from + a->to) / 2;
  for (unsigned i = 0; i < a->minors; i++) axis_across(c, a, a->minor[i], SVG_FAINT, "");
  for (unsigned i = 0; i < a->ticks; i++) {
    const double v = a->tick[i], at = axis_at(a, v);
    const char *text = text_of(a->labels == PERCENT_LABELS ? "%g %%" : "%g", v);
    axis_across(c, a, v, SVG_GRID, "");
    if (!a->labels) continue;
    if (a->labels == VALUE_LABELS) text = text_add(unit_tick(c->first->unit, v), "", percent ? " %" : "");
    if (a->labels == POINT_LABELS && c->first->points == BENCH_SIZES) text = size_text(v);
    if (up) svg_text(c->out, c->x.from - 8, at + 4, "end", SVG_FILL(SVG_INK), text);
    else svg_text(c->out, at, c->y.from + gap, "middle", SVG_FILL(SVG_INK), text);
  }
  if (a->name && up) fprintf(c->out, "<g transform=\"rotate(-90 18 %.1f)\">\n", middle);
  if (a->name)
    svg_text(c->out, up ? 18 : middle, up ? middle : c->y.from + 2 * gap + 2, "middle", SVG_FILL(SVG_PALE),
        a->name);
  if (a->name && up) fputs("</g>\n", c->out);
  if (a->labels == PERCENT_LABELS) axis_across(c, a, 100, "#7b8794", dash[RAW]);
}

/* "ofi net" */
static const char *target_text(const struct result *r)
{
  return strcmp(r->transport, "-") != 0 ? text_of("%s %s", r->conduit, r->transport) : r->conduit;
}

/* All results of a test that were measured; those of a series stand together. A label tells a curve from the
 * others. */
static void chart_fill(struct chart *c, const struct report *r, const char *test)
{
  *c = (struct chart){.r = r, .least = 1e300, .most = -1e300};
  EACH_RESULT (each, r) {
    if (each->state != MEASURED || strcmp(each->test, test) != 0) continue;
    const double value[] = {shown(each, OURS, MEDIAN), shown(each, OURS, LOW), shown(each, OURS, HIGH),
        shown(each, RAW, MEDIAN), shown(each, EARLIER, MEDIAN)};
    if (!c->first) c->first = each;
    c->bars = c->first->points == BENCH_NAMES;
    struct series *s = &c->series[c->count ? c->count - 1 : 0];
    s += s->count && (s->at[0]->target != each->target || s->at[0]->threads != each->threads);
    if (s == c->series + SERIES_MOST || s->count == NUMBERS_MOST) {
      c->dropped++;
      continue;
    }
    c->count = (unsigned)(s - c->series) + 1;
    s->color = palette[c->count - 1];
    unsigned at = s->count++;
    for (; !c->bars && at > 0 && point_place(s->at[at - 1]) > point_place(each); at--)
      s->at[at] = s->at[at - 1];
    s->at[at] = each;
    if (s->count > c->points) c->points = s->count;
    if (!c->bars) numbers_add(&c->places, point_place(each));
    c->targets |= each->target != c->first->target;
    c->threads |= each->threads != c->first->threads;
    for (unsigned v = 0; v < sizeof value / sizeof *value; v++) {
      c->least = fmin(c->least, value[v]);
      c->most = fmax(c->most, value[v]);
    }
    c->most_efficient = fmax(c->most_efficient, efficiency(each));
  }
  for (struct series *s = c->series; s < c->series + c->count; s++) {
    const unsigned n = s->at[0]->threads;
    s->label = c->targets ? target_text(s->at[0]) : "";
    if (c->threads) s->label = text_add(s->label, ", ", text_of("%u thread%s", n, n == 1 ? "" : "s"));
  }
}

/* ---- how the sides are told from each other ---- */

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
  else
    svg_line(c->out, to, y - longer, to, y + height + longer, color,
        side == RAW ? " stroke-width=\"2.4\"" : " stroke-width=\"2.4\" stroke-dasharray=\"2 2\"");
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
  svg_text(
      c->out, LEFT, 30, "start", SVG_FILL(SVG_INK) " font-size=\"17\" font-weight=\"600\"", c->first->test);
  svg_text(c->out, LEFT, 49, "start", SVG_FILL(SVG_PALE), r->of->what);
  svg_text(c->out, RIGHT, 30, "end", SVG_FILL(SVG_PALE), common);
  svg_text(c->out, RIGHT, 49, "end", SVG_FILL(SVG_PALE), place);
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
      else svg_line(c->out, x, y - 4, x + 24, y - 4, color, text_of(" stroke-width=\"2\"%s", dash[side]));
      if (!c->bars && side != EARLIER) svg_mark(c->out, x + 12, y - 4, color, side == RAW, "");
      svg_text(c->out, x + LEGEND_MARK, y, "start", SVG_FILL(SVG_INK), text);
      x += width + LEGEND_GAP;
    }
  return y + 12;
}

/* ---- curves ---- */

/* What curves are drawn upon. Points are named below the last field. */
static void draw_field(struct chart *c, double top, double bottom, int last)
{
  c->y.to = top;
  c->y.from = bottom;
  if (last) c->x.labels = POINT_LABELS;
  if (last) c->x.name = c->first->points == BENCH_SIZES ? "size of an operation" : "nodes";
  axis_draw(c, &c->x);
  axis_draw(c, &c->y);
  svg_line(c->out, LEFT, bottom, RIGHT, bottom, SVG_PALE, "");
  svg_line(c->out, LEFT, top, LEFT, bottom, SVG_PALE, "");
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
  fprintf(c->out,
      "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"%s\" stroke-linejoin=\"round\"%s%s points=\"",
      color, side == OURS ? "2.2" : "1.8", side == EFFICIENCY ? "" : " stroke-linecap=\"round\"", dash[side]);
  for (unsigned k = 0; k < s->count; k++) draw_point(c, s->at[k], shown(s->at[k], side, MEDIAN));
  fputs("\"/>\n", c->out);
  for (unsigned k = 0; k < s->count && side != EARLIER; k++) {
    const double v = shown(s->at[k], side, MEDIAN);
    if (isnan(v)) continue;
    svg_mark(c->out, axis_at(&c->x, point_place(s->at[k])), axis_at(&c->y, v), color, side == RAW,
        side_hint(s->at[k], side));
  }
}

/* Both ways to draw a test return where the drawing ends. */
static double draw_curves(struct chart *c, double top)
{
  const double bottom = top + HEIGHT;
  const int strip = c->most_efficient > 0;
  c->x = (struct axis){.from = LEFT, .to = RIGHT};
  c->y = (struct axis){.labels = VALUE_LABELS, .name = unit_title(c->first->unit)};
  axis_fit_points(&c->x, c->places.value, c->places.count, X_LABELS);
  axis_fit(&c->y, c->least, c->most);
  draw_field(c, top, bottom, !strip);
  for (unsigned i = 0; i < c->count; i++) draw_band(c, &c->series[i]);
  for (unsigned side = SIDES; side-- > OURS;)
    for (unsigned i = 0; i < c->count; i++) draw_curve(c, &c->series[i], side);
  if (!strip) return bottom + BELOW;
  /* The efficiency at the same points, from 0 to a little more than the most: few ticks, 100 among them. */
  const double begin = bottom + STRIP_GAP, most = fmax(c->most_efficient, 100);
  c->y = (struct axis){.labels = PERCENT_LABELS, .high = fmax(most * 1.05, 115)};
  if (most > 1000) axis_fit(&c->y, 10, most);
  else
    for (double v = 0; v <= c->y.high; v += most > 500 ? 500 : most > 250 ? 100 : 50)
      add_value(c->y.tick, &c->y.ticks, v);
  svg_text(c->out, LEFT, begin - 8, "start", SVG_FILL(SVG_PALE),
      "efficiency: our speed as a part of the bare transport's");
  draw_field(c, begin, begin + STRIP, 1);
  for (unsigned i = 0; i < c->count; i++) draw_curve(c, &c->series[i], EFFICIENCY);
  return begin + STRIP + BELOW;
}

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
  svg_text(c->out, c->x.to + 8, y + BAR - 2, "start", SVG_FILL(SVG_INK) " font-size=\"11\"", text);
}

static double draw_bars(struct chart *c, double top)
{
  const struct series *names = &c->series[0];
  const double each = c->count * (BAR + 2) + BAR_GAP, bottom = top + each * names->count;
  double letters = 4;
  for (unsigned k = 0; k < names->count; k++)
    letters = fmin(fmax(letters, (double)strlen(names->at[k]->point)), NAMES_MOST);
  c->x = (struct axis){.to = RIGHT - 44, .labels = VALUE_LABELS, .name = unit_title(c->first->unit)};
  c->x.from = letters * SVG_FONT_WIDTH + 24;
  c->y = (struct axis){.from = bottom, .to = top};
  axis_fit(&c->x, c->least > 0 && c->most < 50 * c->least ? 0 : c->least, c->most);
  c->x.minors = 0;
  axis_draw(c, &c->x);
  for (unsigned k = 0; k < names->count; k++) {
    const char *name = names->at[k]->point;
    const double y = top + BAR_GAP / 2.0 + k * each;
    svg_text(c->out, c->x.from - 10, y + c->count * (BAR + 2) / 2.0 + 3, "end", SVG_FILL(SVG_INK), name);
    for (const struct series *s = c->series; s < c->series + c->count; s++)
      for (unsigned i = 0; i < s->count; i++)
        if (strcmp(s->at[i]->point, name) == 0) draw_bar(c, s, s->at[i], y + (s - c->series) * (BAR + 2));
  }
  svg_line(c->out, c->x.from, top, c->x.from, bottom, SVG_PALE, "");
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

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
#include "bench/control/page.h"
#include "bench/control/units.h"
#include "launch/arguments.h"

enum { SERIES_MOST = 12, SERIES_POINTS = 160 };

/* What a curve shows of its results; in the strip below, our speed as a part of the bare transport's. */
enum { EFFICIENCY = SIDES };

struct series {
  const struct result *at[SERIES_POINTS]; /* measured; by size or count ascending */
  unsigned count;
  char label[TEXT_MOST];
  const char *color;
};

struct family {
  const char *test;
  const struct result *first;
  struct series series[SERIES_MOST];
  unsigned count, points, dropped; /* points of the longest series; results that were too many */
  double most_efficient;           /* 0: none is known */
};

static const char *const palette[SERIES_MOST] = {"#1f6fb2", "#d0463b", "#2f8f5b", "#e08a00", "#7a4fa3",
    "#0f8b99", "#a0522d", "#5a6f1f", "#c2418f", "#44546a", "#b59b00", "#3d3d9e"};

static int has_bars(const struct family *f) { return f->first->points == BENCH_NAMES; }
static double point_place(const struct result *r) { return strtod(r->point, NULL); }

static double shown(const struct result *r, unsigned side, enum stat stat)
{
  return unit_shown(r, result_stat(r, side, stat));
}

/* The value that is shown; not a number where that side has none. */
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

static struct series *series_of(struct family *f, const struct result *r)
{
  for (unsigned i = 0; i < f->count; i++)
    if (series_has(&f->series[i], r)) return &f->series[i];
  if (f->count == SERIES_MOST) return NULL;
  f->series[f->count].color = palette[f->count];
  return &f->series[f->count++];
}

static void family_add(struct family *f, const struct result *r)
{
  struct series *s = series_of(f, r);
  if (!s || s->count == SERIES_POINTS) {
    f->dropped++;
    return;
  }
  unsigned at = s->count++;
  for (; r->points != BENCH_NAMES && at > 0 && point_place(s->at[at - 1]) > point_place(r); at--)
    s->at[at] = s->at[at - 1];
  s->at[at] = r;
  if (s->count > f->points) f->points = s->count;
  f->most_efficient = fmax(f->most_efficient, efficiency(r));
}

/* The label tells a curve from the others. */
static void series_name(const struct family *f, struct series *s)
{
  const struct result *r = s->at[0];
  int conduit = 0, nodes = 0, threads = 0;
  for (unsigned i = 0; i < f->count; i++) {
    const struct result *other = f->series[i].at[0];
    conduit |= other->target != r->target;
    nodes |= other->nodes != r->nodes && r->points != BENCH_NODES;
    threads |= other->threads != r->threads;
  }
  if (conduit) text_add(s->label, "", "%s", r->conduit);
  if (conduit && strcmp(r->transport, "-") != 0) text_add(s->label, " ", "%s", r->transport);
  if (nodes) text_add(s->label, ", ", "%u nodes", r->nodes);
  if (threads) text_add(s->label, ", ", "%u thread%s", r->threads, r->threads == 1 ? "" : "s");
}

/* All results of a test that were measured. */
static void family_make(const struct report *r, const char *test, struct family *f)
{
  memset(f, 0, sizeof *f);
  f->test = test;
  for (unsigned i = 0; i < r->count; i++) {
    const struct result *each = &r->result[i];
    if (each->state != MEASURED || strcmp(each->test, test) != 0) continue;
    if (!f->first) f->first = each;
    family_add(f, each);
  }
  for (unsigned i = 0; i < f->count; i++) series_name(f, &f->series[i]);
}

/* ---- showing ---- */

/* "64 KiB: 12.30 us, half of the samples from 12.1 to 12.6". */
static void side_hint(const struct result *r, unsigned side, char text[TEXT_MOST])
{
  char point[VALUE_MOST], median[VALUE_MOST], from[VALUE_MOST], to[VALUE_MOST];
  const char *unit;
  if (side == EFFICIENCY) {
    snprintf(text, TEXT_MOST, "%s: %.0f %% of the bare speed", point_text(r, point), efficiency(r));
    return;
  }
  value_text(unit_row(r, result_stat(r, side, MEDIAN), &unit), median);
  value_text(unit_row(r, result_stat(r, side, LOW), &unit), from);
  value_text(unit_row(r, result_stat(r, side, HIGH), &unit), to);
  snprintf(text, TEXT_MOST, "%s: %s %s, half of the samples from %s to %s", point_text(r, point), median,
      unit, from, to);
}

/* What the legend calls this side of the series. */
static void side_label(const struct report *r, const struct family *f, const struct series *s, unsigned side,
    char text[TEXT_MOST])
{
  const struct bench_test *t = f->first->of;
  const char *raw = t ? strcmp(s->at[0]->conduit, "smp") == 0 ? t->raw : t->raw_network : NULL;
  const int shared = has_bars(f); /* its marks look alike for all series */
  const char *between = *s->label && !shared ? ": " : "", *label = shared ? "" : s->label;
  if (side == OURS) snprintf(text, TEXT_MOST, "%s", *s->label ? s->label : "Penstock");
  else if (side == RAW && f->count == 1) snprintf(text, TEXT_MOST, "%.60s", raw ? raw : "bare");
  else if (side == RAW) snprintf(text, TEXT_MOST, "%.100s%sbare", label, between);
  else snprintf(text, TEXT_MOST, "%.100s%searlier, %.10s", label, between, r->then->place.date);
}

/* The bare transport of a lone curve is grey: it is not ours. */
static const char *side_color(const struct family *f, const struct series *s, unsigned side)
{
  const int bars = has_bars(f); /* marks lie on these */
  if (side == RAW && (bars || f->count == 1)) return bars ? "#1f2933" : "#7b8794";
  return side == EARLIER && (bars || f->count == 1) ? "#e08a00" : s->color;
}

/* Least and most of what is shown, of our quarters too. */
static void family_range(const struct family *f, double *least, double *most)
{
  *least = 1e300;
  *most = -1e300;
  for (unsigned i = 0; i < f->count; i++)
    for (unsigned k = 0; k < f->series[i].count; k++) {
      const struct result *r = f->series[i].at[k];
      const double value[] = {shown(r, OURS, MEDIAN), shown(r, OURS, LOW), shown(r, OURS, HIGH),
          shown(r, RAW, MEDIAN), shown(r, EARLIER, MEDIAN)};
      for (unsigned v = 0; v < sizeof value / sizeof *value; v++) {
        *least = fmin(*least, value[v]);
        *most = fmax(*most, value[v]);
      }
    }
}

/* The places of all points on an axis, ascending, each once: bytes or nodes. Returns how many. */
static unsigned family_places(const struct family *f, double place[SERIES_POINTS])
{
  unsigned n = 0;
  for (unsigned i = 0; i < f->count; i++)
    for (unsigned k = 0; k < f->series[i].count; k++) {
      const double v = point_place(f->series[i].at[k]);
      unsigned at = 0;
      while (at < n && place[at] < v) at++;
      if ((at < n && place[at] == v) || n == SERIES_POINTS) continue;
      memmove(&place[at + 1], &place[at], (n - at) * sizeof *place);
      place[at] = v;
      n++;
    }
  return n;
}

/* ---- the drawing ---- */

enum { WIDTH = 820, LEFT = 74, RIGHT = WIDTH - 28 };
enum { HEIGHT = 290, BELOW = 52, STRIP = 92, STRIP_GAP = 30, X_LABELS = 13, X_GAP = 18 };
enum { BAR = 13, BAR_GAP = 9, BARS_BELOW = 50, BARS_X_GAP = 17, NAMES_MOST = 28 /* letters */ };

/* How the sides are told from each other. */
static const struct look {
  double width; /* of a curve */
  const char *dash, *cap;
  const char *bar; /* ours is one, the others are lines across it; with the color */
} look[] = {
    [OURS] = {2.2, "", SVG_ROUND, "rx=\"2\" fill=\"%s\" fill-opacity=\"0.82\""},
    [RAW] = {1.8, " stroke-dasharray=\"5 3\"", SVG_ROUND, "stroke=\"%s\" stroke-width=\"2.4\""},
    [EARLIER] = {1.8, " stroke-dasharray=\"1.5 3\"", SVG_ROUND,
        "stroke=\"%s\" stroke-width=\"2.4\" stroke-dasharray=\"2 2\""},
    [EFFICIENCY] = {1.8, "", "", NULL},
};

static const char *x_name(const struct family *f)
{
  return f->first->points == BENCH_SIZES ? "size of an operation"
      : f->first->points == BENCH_NODES  ? "nodes"
                                         : "";
}

/* ---- title and legend, which has as many lines as it needs ---- */

enum { LEGEND_TOP = 76, LEGEND_LINE = 20, LEGEND_MARK = 30, LEGEND_GAP = 22 };

static void legend_bar(FILE *out, double x, double y, const char *color, unsigned side)
{
  char style[120];
  snprintf(style, sizeof style, look[side].bar, color);
  if (side == OURS) svg_box(out, x, y - 10, 24, 12, style);
  else svg_line(out, x + 18, y - 12, x + 18, y + 4, style);
}

static void legend_curve(FILE *out, double x, double y, const char *color, unsigned side)
{
  char style[120];
  snprintf(style, sizeof style, "stroke=\"%s\" stroke-width=\"2\"%s", color, look[side].dash);
  svg_line(out, x, y - 4, x + 24, y - 4, style);
  if (side != EARLIER) svg_mark(out, x + 12, y - 4, color, side == RAW, "");
}

/* Where it ends; `out` NULL: only that. */
static double draw_legend(FILE *out, const struct report *r, const struct family *f)
{
  double x = LEFT, y = LEGEND_TOP;
  char text[TEXT_MOST];
  for (unsigned i = 0; i < f->count; i++)
    for (unsigned side = OURS; side < SIDES; side++) {
      const struct series *s = &f->series[i];
      if (isnan(side_value(s->at[0], side)) || (i > 0 && side != OURS && has_bars(f))) continue;
      side_label(r, f, s, side, text);
      const double width = LEGEND_MARK + 0.9 * SVG_FONT_WIDTH * (double)strlen(text);
      if (x > LEFT && x + width > RIGHT) {
        x = LEFT;
        y += LEGEND_LINE;
      }
      if (out) (has_bars(f) ? legend_bar : legend_curve)(out, x, y, side_color(f, s, side), side);
      if (out) svg_text(out, x + LEGEND_MARK, y, AT_START, SVG_FILL(SVG_INK), text);
      x += width + LEGEND_GAP;
    }
  return y + 12;
}

/* What a lone curve's results have alike. */
static void common_of(const struct family *f, char text[TEXT_MOST])
{
  const struct result *r = f->first;
  text[0] = '\0';
  if (f->count > 1) return;
  text_add(text, "", "%s", r->conduit);
  if (strcmp(r->transport, "-") != 0) text_add(text, "", " %s", r->transport);
  if (r->points != BENCH_NODES) text_add(text, ", ", "%u nodes", r->nodes);
  if (r->points != BENCH_NODES && r->threads > 1) text_add(text, ", ", "threads");
}

static void draw_head(FILE *out, const struct report *r, const struct family *f)
{
  char text[TEXT_MOST];
  const struct bench_test *t = f->first->of;
  svg_text(out, LEFT, 30, AT_START, SVG_FILL(SVG_INK) " font-size=\"17\" font-weight=\"600\"", f->test);
  if (t) svg_text(out, LEFT, 49, AT_START, SVG_FILL(SVG_PALE), t->what);
  common_of(f, text);
  svg_text(out, RIGHT, 30, AT_END, SVG_FILL(SVG_PALE), text);
  snprintf(text, sizeof text, "%.80s, %.10s", r->place.processor, r->place.date);
  if (f->dropped) snprintf(text, sizeof text, "%u further points are in the tables only", f->dropped);
  svg_text(out, RIGHT, 49, AT_END, SVG_FILL(SVG_PALE), text);
  draw_legend(out, r, f);
}

/* ---- axes ---- */

static void x_label(const void *of, double value, char text[LABEL_MOST])
{
  const struct family *f = of;
  if (has_bars(f)) unit_tick(f->first->unit, value, text);
  else if (f->first->points == BENCH_SIZES) size_text(value, text);
  else snprintf(text, LABEL_MOST, "%g", value);
}

static void y_label(const void *of, double value, char text[LABEL_MOST])
{
  const enum bench_unit *unit = of;
  unit_tick(*unit, value, text);
  if (*unit == BENCH_PERCENT) strcat(text, " %");
}

static void draw_frame(FILE *out, double top, double bottom)
{
  svg_line(out, LEFT, bottom, RIGHT, bottom, SVG_STROKE(SVG_PALE));
  svg_line(out, LEFT, top, LEFT, bottom, SVG_STROKE(SVG_PALE));
}

/* ---- curves ---- */

static void draw_quarter(
    FILE *out, const struct result *r, enum stat quarter, const struct axis *x, const struct axis *y)
{
  fprintf(out, "%.1f,%.1f ", axis_at(x, point_place(r)), axis_at(y, shown(r, OURS, quarter)));
}

/* Between the quarters of our samples. */
static void draw_band(FILE *out, const struct series *s, const struct axis *x, const struct axis *y)
{
  fprintf(out, "<polygon fill=\"%s\" fill-opacity=\"0.14\" points=\"", s->color);
  for (unsigned k = 0; k < s->count; k++) draw_quarter(out, s->at[k], HIGH, x, y);
  for (unsigned k = s->count; k-- > 0;) draw_quarter(out, s->at[k], LOW, x, y);
  fputs("\"/>\n", out);
}

static void draw_curve(FILE *out, const struct series *s, const char *color, unsigned side,
    const struct axis *x, const struct axis *y)
{
  char hint[TEXT_MOST];
  fprintf(out, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"%g\"", color, look[side].width);
  fprintf(out, " stroke-linejoin=\"round\"%s%s points=\"", look[side].cap, look[side].dash);
  for (unsigned k = 0; k < s->count; k++) {
    const double v = side_value(s->at[k], side);
    if (!isnan(v)) fprintf(out, "%.1f,%.1f ", axis_at(x, point_place(s->at[k])), axis_at(y, v));
  }
  fputs("\"/>\n", out);
  for (unsigned k = 0; k < s->count && side != EARLIER; k++) {
    const double v = side_value(s->at[k], side);
    if (isnan(v)) continue;
    side_hint(s->at[k], side, hint);
    svg_mark(out, axis_at(x, point_place(s->at[k])), axis_at(y, v), color, side == RAW, hint);
  }
}

/* From 0 to a little more than the most, with four ticks at the most, 100 among them. */
static void fit_percent(struct axis *y, double most)
{
  const double step = most > 500 ? 500 : most > 250 ? 100 : 50;
  y->high = fmax(most * 1.05, 115);
  for (double v = 0; v <= y->high; v += step) y->tick[y->ticks++] = v;
}

static void draw_strip(FILE *out, const struct family *f, struct axis *x, double top)
{
  static const enum bench_unit percent = BENCH_PERCENT;
  struct axis y = {.from = top + STRIP, .to = top, .upright = 1, .near = LEFT, .far = RIGHT};
  const double most = fmax(f->most_efficient, 100);
  if (most > 1000) axis_fit(&y, 10, most);
  else fit_percent(&y, most);
  svg_text(out, LEFT, top - 8, AT_START, SVG_FILL(SVG_PALE),
      "efficiency: our speed as a part of the bare transport's");
  x->near = y.to;
  x->far = y.from;
  axis_draw(out, x, x_label, f, x_name(f));
  axis_draw(out, &y, y_label, &percent, NULL);
  axis_across(out, &y, 100, "stroke=\"#7b8794\" stroke-dasharray=\"5 3\"");
  draw_frame(out, top, top + STRIP);
  for (unsigned i = 0; i < f->count; i++)
    draw_curve(out, &f->series[i], f->series[i].color, EFFICIENCY, x, &y);
}

static void draw_curves(FILE *out, const struct report *r, const struct family *f)
{
  const double top = draw_legend(NULL, r, f) + 8, bottom = top + HEIGHT;
  const int strip = f->most_efficient > 0;
  struct axis x = {.from = LEFT, .to = RIGHT, .near = top, .far = bottom, .gap = X_GAP};
  struct axis y = {.from = bottom, .to = top, .upright = 1, .near = LEFT, .far = RIGHT};
  double place[SERIES_POINTS], least, most;
  char title[VALUE_MOST];
  axis_fit_points(&x, place, family_places(f, place), X_LABELS);
  family_range(f, &least, &most);
  axis_fit(&y, least, most);
  svg_begin(out, WIDTH, bottom + (strip ? STRIP_GAP + STRIP : 0) + BELOW, f->test);
  draw_head(out, r, f);
  axis_draw(out, &x, strip ? NULL : x_label, f, strip ? NULL : x_name(f));
  axis_draw(out, &y, y_label, &f->first->unit, unit_title(f->first->unit, title));
  draw_frame(out, top, bottom);
  for (unsigned i = 0; i < f->count; i++) draw_band(out, &f->series[i], &x, &y);
  for (unsigned side = SIDES; side-- > OURS;)
    for (unsigned i = 0; i < f->count; i++)
      draw_curve(out, &f->series[i], side_color(f, &f->series[i], side), side, &x, &y);
  if (strip) draw_strip(out, f, &x, bottom + STRIP_GAP);
}

/* ---- bars ---- */

static double names_width(const struct series *s)
{
  size_t most = 4;
  for (unsigned k = 0; k < s->count; k++)
    if (strlen(s->at[k]->point) > most) most = strlen(s->at[k]->point);
  return (double)(most > NAMES_MOST ? NAMES_MOST : most) * SVG_FONT_WIDTH + 24;
}

/* Ours is a bar, the others are marks on it. */
static void draw_side(FILE *out, const struct family *f, const struct series *s, const struct result *r,
    unsigned side, const struct axis *x, double y)
{
  char style[120], hint[TEXT_MOST];
  const double v = side_value(r, side);
  if (isnan(v)) return;
  const double zero = x->log ? x->from : axis_at(x, 0), at = axis_at(x, v);
  side_hint(r, side, hint);
  snprintf(style, sizeof style, look[side].bar, side_color(f, s, side));
  fputs("<g><title>", out);
  escaped(out, hint);
  fputs("</title>", out);
  if (side == OURS) svg_box(out, fmin(at, zero), y, fabs(at - zero), BAR, style);
  else svg_line(out, at, y - 3, at, y + BAR + 3, style);
  fputs("</g>\n", out);
}

/* To three digits. */
static double rounded(double v)
{
  char text[VALUE_MOST];
  snprintf(text, sizeof text, "%.3g", v);
  return strtod(text, NULL);
}

static void draw_bar(FILE *out, const struct family *f, const struct series *s, const struct result *r,
    const struct axis *x, double y)
{
  char value[VALUE_MOST];
  for (unsigned side = OURS; side < SIDES; side++) draw_side(out, f, s, r, side, x, y);
  unit_tick(r->unit, rounded(side_value(r, OURS)), value);
  svg_text(out, x->to + 8, y + BAR - 2, AT_START, SVG_FILL(SVG_INK) " font-size=\"11\"", value);
}

/* The bars of one name, one for each series that has it. */
static void draw_name(FILE *out, const struct family *f, const char *name, const struct axis *x, double y)
{
  svg_text(out, x->from - 10, y + f->count * (BAR + 2) / 2.0 + 3, AT_END, SVG_FILL(SVG_INK), name);
  for (unsigned i = 0; i < f->count; i++) {
    const struct series *s = &f->series[i];
    unsigned k = 0;
    while (k < s->count && strcmp(s->at[k]->point, name) != 0) k++;
    if (k < s->count) draw_bar(out, f, s, s->at[k], x, y + i * (BAR + 2));
  }
}

static void draw_bars(FILE *out, const struct report *r, const struct family *f)
{
  const struct series *names = &f->series[0];
  const double top = draw_legend(NULL, r, f) + 8, each = f->count * (BAR + 2) + BAR_GAP;
  const double bottom = top + each * names->count;
  struct axis x = {
      .from = names_width(names), .to = RIGHT - 44, .near = top, .far = bottom, .gap = BARS_X_GAP};
  double least, most;
  char text[VALUE_MOST];
  family_range(f, &least, &most);
  axis_fit(&x, least > 0 && most < 50 * least ? 0 : least, most);
  x.minors = 0;
  svg_begin(out, WIDTH, bottom + BARS_BELOW, f->test);
  draw_head(out, r, f);
  axis_draw(out, &x, x_label, f, unit_title(f->first->unit, text));
  for (unsigned k = 0; k < names->count; k++)
    draw_name(out, f, names->at[k]->point, &x, top + BAR_GAP / 2.0 + k * each);
  svg_line(out, x.from, top, x.from, bottom, SVG_STROKE(SVG_PALE));
}

char *chart_make(const struct report *r, const char *test, size_t *n)
{
  static struct family f;
  char *text = NULL;
  family_make(r, test, &f);
  if (f.points < 2) return NULL;
  FILE *out = open_memstream(&text, n);
  if (!out) fail(1, "out of memory");
  (has_bars(&f) ? draw_bars : draw_curves)(out, r, &f);
  svg_end(out);
  if (fclose(out) != 0) fail(1, "out of memory");
  return text;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Pieces of HTML and of drawings in SVG, and axes, which map values to places. */
#ifndef BENCH_CONTROL_DRAWING_H
#define BENCH_CONTROL_DRAWING_H
#include <stdio.h>

#include "bench/control/report.h"

/* As fprintf of %s, %u, %g and %f, with texts escaped: their characters mean nothing to HTML or XML. */
void markup(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Of such a width, or where that is 0 of the usual one; `dash` is a further attribute, or "". */
void svg_line(
    FILE *out, double x1, double y1, double x2, double y2, const char *color, double width, const char *dash);
/* `style` is further attributes. */
enum anchor { AT_START, AT_MIDDLE, AT_END };
void svg_text(FILE *out, double x, double y, enum anchor anchor, const char *style, const char *text);
/* A disc, or a hollow one, with a text that shows under the pointer. */
void svg_mark(FILE *out, double x, double y, const char *color, int hollow, const char *hint);

enum { SVG_FONT_WIDTH = 7 }; /* a letter of 12 units' height, about */
#define SVG_FILL(color) "fill=\"" color "\""
#define SVG_INK         "#1f2933"
#define SVG_PALE        "#5f6c7b"
#define SVG_GRID        "#e4e7eb"
#define SVG_FAINT       "#f1f3f5"

enum { TICKS_MOST = 64 };
typedef const char *axis_label_fn(const struct result *r, double value);
struct axis {
  double low, high; /* values at its ends */
  int log;
  double from, to;                            /* places of its ends */
  double tick[TICKS_MOST], minor[TICKS_MOST]; /* lines with labels, and without */
  unsigned ticks, minors;
  int upright; /* it goes up; else to the right */
  double near, far,
      gap;              /* where lines across it begin and end; labels of one to the right are so far below */
  axis_label_fn *label; /* makes the labels; NULL: it has none */
  const char *name;     /* or NULL */
  double mark;          /* a dashed line across it, above 0 */
};

/* Round bounds around the values; logarithmic where these differ much and are above 0; else from 0 on. */
void axis_fit(struct axis *a, double least, double most);
/* Logarithmic, with ticks at the given values, which ascend and are above 0. Ticks that would be closer than
 * `labels_most` labels are have no label. */
void axis_fit_points(struct axis *a, const double *value, unsigned n, unsigned labels_most);
double axis_at(const struct axis *a, double value);

/* Lines across the drawing at all ticks, labels for values of such results, and the axis's name. */
void axis_draw(FILE *out, const struct axis *a, const struct result *r);
#endif

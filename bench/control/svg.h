/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Pieces of a drawing. */
#ifndef BENCH_CONTROL_SVG_H
#define BENCH_CONTROL_SVG_H
#include <stdio.h>

enum anchor { AT_START, AT_MIDDLE, AT_END };
/* Text in HTML or XML: what means something there is escaped. */
void escaped(FILE *out, const char *text);

void svg_begin(FILE *out, double width, double height, const char *title);
void svg_end(FILE *out);
/* `style` is attributes, such as fill="#123". */
void svg_line(FILE *out, double x1, double y1, double x2, double y2, const char *style);
void svg_box(FILE *out, double x, double y, double width, double height, const char *style);
void svg_text(FILE *out, double x, double y, enum anchor anchor, const char *style, const char *text);
/* A mark with a text that shows under the pointer: a disc, or hollow. */
void svg_mark(FILE *out, double x, double y, const char *color, int hollow, const char *hint);

enum { SVG_FONT_WIDTH = 7 }; /* a letter of 12 units' height, about */
#define SVG_FILL(color)   "fill=\"" color "\""
#define SVG_STROKE(color) "stroke=\"" color "\""
#define SVG_INK           "#1f2933"
#define SVG_PALE          "#5f6c7b"
#define SVG_GRID          "#e4e7eb"
#define SVG_FAINT         "#f1f3f5"
#endif

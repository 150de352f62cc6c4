/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "bench/control/drawing.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

static void write_escaped(FILE *out, const char *text)
{
  for (; *text; text++) switch (*text) {
    case '&': fputs("&amp;", out); break;
    case '<': fputs("&lt;", out); break;
    case '>': fputs("&gt;", out); break;
    case '"': fputs("&quot;", out); break;
    case '\'': fputs("&#39;", out); break;
    default: fputc(*text, out);
    }
}

void markup(FILE *out, const char *format, ...)
{
  char one[16];
  va_list args;
  va_start(args, format);
  while (*format) {
    const size_t plain = strcspn(format, "%");
    fwrite(format, 1, plain, out);
    format += plain;
    const size_t n = strcspn(format, "sufg") + (*format != '\0');
    snprintf(one, sizeof one, "%.*s", (int)n, format);
    format += n;
    if (!n) break;
    if (one[n - 1] == 's') write_escaped(out, va_arg(args, const char *));
    else if (one[n - 1] == 'u') fprintf(out, one, va_arg(args, unsigned));
    else fprintf(out, one, va_arg(args, double));
  }
  va_end(args);
}

void svg_line(
    FILE *out, double x1, double y1, double x2, double y2, const char *color, double width, const char *dash)
{
  markup(out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"", x1, y1, x2, y2, color);
  if (width > 0) markup(out, " stroke-width=\"%g\"", width);
  fprintf(out, "%s/>\n", dash);
}

void svg_text(FILE *out, double x, double y, enum anchor anchor, const char *style, const char *text)
{
  static const char *const name[] = {"start", "middle", "end"};
  fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" %s>", x, y, name[anchor], style);
  markup(out, "%s</text>\n", text);
}

void svg_mark(FILE *out, double x, double y, const char *color, int hollow, const char *hint)
{
  markup(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%g\" stroke=\"%s\" stroke-width=\"1.5\" fill=\"%s\">", x,
      y, hollow ? 2.6 : 3.2, color, hollow ? "#ffffff" : color);
  markup(out, "<title>%s</title></circle>\n", hint);
}

/* ---- axes ---- */

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

void axis_fit(struct axis *a, double least, double most)
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

void axis_fit_points(struct axis *a, const double *value, unsigned n, unsigned labels_most)
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

double axis_at(const struct axis *a, double value)
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

static void axis_draw_name(FILE *out, const struct axis *a)
{
  const double middle = (a->from + a->to) / 2;
  if (a->upright) fprintf(out, "<g transform=\"rotate(-90 18 %.1f)\">\n", middle);
  svg_text(out, a->upright ? 18 : middle, a->upright ? middle : a->far + 2 * a->gap + 2, AT_MIDDLE,
      SVG_FILL(SVG_PALE), a->name);
  if (a->upright) fputs("</g>\n", out);
}

void axis_draw(FILE *out, const struct axis *a, const struct result *r)
{
  for (unsigned i = 0; i < a->minors; i++) axis_across(out, a, a->minor[i], SVG_FAINT, "");
  for (unsigned i = 0; i < a->ticks; i++) {
    const double at = axis_at(a, a->tick[i]);
    axis_across(out, a, a->tick[i], SVG_GRID, "");
    if (!a->label) continue;
    const char *text = a->label(r, a->tick[i]);
    if (a->upright) svg_text(out, a->near - 8, at + 4, AT_END, SVG_FILL(SVG_INK), text);
    else svg_text(out, at, a->far + a->gap, AT_MIDDLE, SVG_FILL(SVG_INK), text);
  }
  if (a->name) axis_draw_name(out, a);
  if (a->mark > 0) axis_across(out, a, a->mark, "#7b8794", " stroke-dasharray=\"5 3\"");
}

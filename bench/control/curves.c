/* Tests by size or by count of nodes: curves, and below them our efficiency where the bare transport was measured. */
#include <math.h>
#include <string.h>

#include "bench/control/axis.h"
#include "bench/control/chart.h"
#include "bench/control/svg.h"
#include "bench/control/units.h"

enum { HEIGHT = 290, BELOW = 52, STRIP = 92, STRIP_GAP = 30, X_LABELS = 13 };

/* ---- axes ---- */

static void make_x(const struct family *f, struct axis *x)
{
  double place[SERIES_POINTS];
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
  axis_fit_points(x, place, n, X_LABELS);
  x->from = CHART_LEFT;
  x->to = CHART_WIDTH - CHART_RIGHT;
}

static void draw_x(FILE *out, const struct axis *x, const struct family *f, double top, double bottom, int labels)
{
  char text[VALUE_MOST];
  for (unsigned i = 0; i < x->ticks; i++) {
    const double at = axis_at(x, x->tick[i]);
    svg_line(out, at, top, at, bottom, "stroke=\"" SVG_GRID "\"");
    if (f->first->points == BENCH_SIZES) size_text(x->tick[i], text);
    else snprintf(text, sizeof text, "%g", x->tick[i]);
    if (labels) svg_text(out, at, bottom + 18, AT_MIDDLE, "fill=\"" SVG_INK "\"", text);
  }
  for (unsigned i = 0; i < x->minors; i++) svg_line(out, axis_at(x, x->minor[i]), top, axis_at(x, x->minor[i]), bottom, "stroke=\"" SVG_FAINT "\"");
  if (!labels) return;
  const char *name = f->first->points == BENCH_SIZES ? "size of an operation" : "nodes";
  svg_text(out, (x->from + x->to) / 2, bottom + 38, AT_MIDDLE, "fill=\"" SVG_PALE "\"", name);
}

static void draw_y(FILE *out, const struct axis *y, enum bench_unit unit)
{
  char text[VALUE_MOST + 4];
  for (unsigned i = 0; i < y->minors; i++)
    svg_line(out, CHART_LEFT, axis_at(y, y->minor[i]), CHART_WIDTH - CHART_RIGHT, axis_at(y, y->minor[i]), "stroke=\"" SVG_FAINT "\"");
  for (unsigned i = 0; i < y->ticks; i++) {
    const double at = axis_at(y, y->tick[i]);
    svg_line(out, CHART_LEFT, at, CHART_WIDTH - CHART_RIGHT, at, "stroke=\"" SVG_GRID "\"");
    unit_tick(unit, y->tick[i], text);
    if (unit == BENCH_PERCENT) strcat(text, " %");
    svg_text(out, CHART_LEFT - 8, at + 4, AT_END, "fill=\"" SVG_INK "\"", text);
  }
}

static void draw_frame(FILE *out, double top, double bottom)
{
  svg_line(out, CHART_LEFT, bottom, CHART_WIDTH - CHART_RIGHT, bottom, "stroke=\"" SVG_PALE "\"");
  svg_line(out, CHART_LEFT, top, CHART_LEFT, bottom, "stroke=\"" SVG_PALE "\"");
}

static void write_unit(FILE *out, const struct axis *y, enum bench_unit unit)
{
  char text[VALUE_MOST];
  const double middle = (y->from + y->to) / 2;
  chart_unit(unit, text);
  fprintf(out, "<g transform=\"rotate(-90 18 %.1f)\">\n", middle);
  svg_text(out, 18, middle, AT_MIDDLE, "fill=\"" SVG_PALE "\"", text);
  fputs("</g>\n", out);
}

/* ---- curves ---- */

static double shown(const struct result *r, enum side side) { return unit_shown(r, side_of(r, side)->median); }

/* Between the quarters of our samples. */
static void draw_band(FILE *out, const struct series *s, const char *color, const struct axis *x, const struct axis *y)
{
  double low, high;
  fprintf(out, "<polygon fill=\"%s\" fill-opacity=\"0.14\" points=\"", color);
  for (unsigned k = 0; k < s->count; k++) {
    unit_quarters(s->at[k], &s->at[k]->ours, &low, &high);
    fprintf(out, "%.1f,%.1f ", axis_at(x, point_place(s->at[k])), axis_at(y, high));
  }
  for (unsigned k = s->count; k-- > 0;) {
    unit_quarters(s->at[k], &s->at[k]->ours, &low, &high);
    fprintf(out, "%.1f,%.1f ", axis_at(x, point_place(s->at[k])), axis_at(y, low));
  }
  fputs("\"/>\n", out);
}

static void draw_curve(FILE *out, const struct series *s, const char *color, enum side side, const struct axis *x, const struct axis *y)
{
  char hint[TEXT_MOST];
  fprintf(out, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"%g\" stroke-linejoin=\"round\" stroke-linecap=\"round\"%s points=\"", color,
          side == OURS ? 2.2 : 1.8, chart_dash[side]);
  for (unsigned k = 0; k < s->count; k++)
    if (side_of(s->at[k], side)) fprintf(out, "%.1f,%.1f ", axis_at(x, point_place(s->at[k])), axis_at(y, shown(s->at[k], side)));
  fputs("\"/>\n", out);
  for (unsigned k = 0; k < s->count && side != EARLIER; k++) {
    if (!side_of(s->at[k], side)) continue;
    chart_hint(s->at[k], side, hint);
    svg_mark(out, axis_at(x, point_place(s->at[k])), axis_at(y, shown(s->at[k], side)), color, side == RAW, hint);
  }
}

static void draw_curves(FILE *out, const struct family *f, const struct axis *x, const struct axis *y)
{
  for (unsigned i = 0; i < f->count; i++) draw_band(out, &f->series[i], f->series[i].color, x, y);
  for (enum side side = SIDES; side-- > OURS;)
    for (unsigned i = 0; i < f->count; i++) draw_curve(out, &f->series[i], side_color(f, &f->series[i], side), side, x, y);
}

/* ---- our efficiency ---- */

static int has_efficiency(const struct family *f)
{
  for (unsigned i = 0; i < f->count; i++)
    for (unsigned k = 0; k < f->series[i].count; k++)
      if (efficiency(f->series[i].at[k]) > 0) return 1;
  return 0;
}

static double most_efficient(const struct family *f)
{
  double most = 100;
  for (unsigned i = 0; i < f->count; i++)
    for (unsigned k = 0; k < f->series[i].count; k++) most = fmax(most, efficiency(f->series[i].at[k]));
  return most;
}

static void draw_efficiency(FILE *out, const struct series *s, const struct axis *x, const struct axis *y)
{
  char point[VALUE_MOST], hint[TEXT_MOST];
  fprintf(out, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\" stroke-linejoin=\"round\" points=\"", s->color);
  for (unsigned k = 0; k < s->count; k++)
    if (efficiency(s->at[k]) > 0) fprintf(out, "%.1f,%.1f ", axis_at(x, point_place(s->at[k])), axis_at(y, efficiency(s->at[k])));
  fputs("\"/>\n", out);
  for (unsigned k = 0; k < s->count; k++) {
    const double e = efficiency(s->at[k]);
    if (e <= 0) continue;
    snprintf(hint, sizeof hint, "%s: %.0f %% of the bare speed", point_text(s->at[k], point), e);
    svg_mark(out, axis_at(x, point_place(s->at[k])), axis_at(y, e), s->color, 0, hint);
  }
}

/* From 0 to a little more than the most, with four ticks at the most, 100 among them. */
static void fit_percent(struct axis *y, double most)
{
  const double step = most > 500 ? 500 : most > 250 ? 100 : 50;
  *y = (struct axis){.high = fmax(most * 1.05, 115), .from = y->from, .to = y->to};
  for (double v = 0; v <= y->high; v += step) y->tick[y->ticks++] = v;
}

static void draw_strip(FILE *out, const struct family *f, const struct axis *x, double top)
{
  struct axis y = {.from = top + STRIP, .to = top};
  const double most = most_efficient(f);
  if (most > 1000) axis_fit(&y, 10, most);
  else fit_percent(&y, most);
  svg_text(out, CHART_LEFT, top - 8, AT_START, "fill=\"" SVG_PALE "\"", "efficiency: our speed as a part of the bare transport's");
  draw_x(out, x, f, top, top + STRIP, 1);
  draw_y(out, &y, BENCH_PERCENT);
  svg_line(out, CHART_LEFT, axis_at(&y, 100), CHART_WIDTH - CHART_RIGHT, axis_at(&y, 100), "stroke=\"#7b8794\" stroke-dasharray=\"5 3\"");
  draw_frame(out, top, top + STRIP);
  for (unsigned i = 0; i < f->count; i++) draw_efficiency(out, &f->series[i], x, &y);
}

/* ---- the whole ---- */

void curves_write(FILE *out, const struct report *r, const struct family *f)
{
  struct axis x, y;
  double least, most;
  const int strip = has_efficiency(f);
  const double top = chart_head_height(r, f) + 8, bottom = top + HEIGHT;
  if (!family_range(f, &least, &most)) return;
  svg_begin(out, CHART_WIDTH, bottom + (strip ? STRIP_GAP + STRIP : 0) + BELOW, f->test);
  chart_head(out, r, f);
  make_x(f, &x);
  axis_fit(&y, least, most);
  y.from = bottom;
  y.to = top;
  draw_x(out, &x, f, top, bottom, !strip);
  draw_y(out, &y, f->first->unit);
  write_unit(out, &y, f->first->unit);
  draw_frame(out, top, bottom);
  draw_curves(out, f, &x, &y);
  if (strip) draw_strip(out, f, &x, bottom + STRIP_GAP);
  svg_end(out);
}

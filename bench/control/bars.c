/* Tests by name: a bar for each name and curve, and marks where the bare transport and the earlier run are. */
#include <stdlib.h>
#include <string.h>

#include "bench/control/axis.h"
#include "bench/control/chart.h"
#include "bench/control/svg.h"
#include "bench/control/units.h"

enum { BAR = 13, GAP = 9, BELOW = 50, NAMES_MOST = 28 /* letters */ };

static unsigned names_width(const struct series *s)
{
  unsigned most = 4;
  for (unsigned k = 0; k < s->count; k++)
    if (strlen(s->at[k]->point) > most) most = (unsigned)strlen(s->at[k]->point);
  return (most > NAMES_MOST ? NAMES_MOST : most) * SVG_FONT_WIDTH + 24;
}

static const struct result *same_name(const struct series *s, const struct result *r)
{
  for (unsigned k = 0; k < s->count; k++)
    if (strcmp(s->at[k]->point, r->point) == 0) return s->at[k];
  return NULL;
}

static void draw_tick(FILE *out, const struct result *r, enum side side, const char *color, const struct axis *x, double y)
{
  const struct stats *s = side_of(r, side);
  char style[120], hint[TEXT_MOST];
  if (!s) return;
  const double at = axis_at(x, unit_shown(r, s->median));
  chart_hint(r, side, hint);
  snprintf(style, sizeof style, "stroke=\"%s\" stroke-width=\"2.4\"%s", color, side == EARLIER ? " stroke-dasharray=\"2 2\"" : "");
  fputs("<g><title>", out);
  escaped(out, hint);
  fputs("</title>", out);
  svg_line(out, at, y - 3, at, y + BAR + 3, style);
  fputs("</g>\n", out);
}

/* To three digits. */
static double rounded(double v)
{
  char text[VALUE_MOST];
  snprintf(text, sizeof text, "%.3g", v);
  return strtod(text, NULL);
}

static void draw_bar(FILE *out, const struct family *f, const struct series *s, const struct result *r, const struct axis *x, double y)
{
  char style[80], hint[TEXT_MOST], value[VALUE_MOST];
  const double v = unit_shown(r, r->ours.median), zero = x->log ? x->from : axis_at(x, 0), at = axis_at(x, v);
  chart_hint(r, OURS, hint);
  snprintf(style, sizeof style, "rx=\"2\" fill=\"%s\" fill-opacity=\"0.82\"", s->color);
  fputs("<g><title>", out);
  escaped(out, hint);
  fputs("</title>", out);
  svg_box(out, at < zero ? at : zero, y, at < zero ? zero - at : at - zero, BAR, style);
  fputs("</g>\n", out);
  draw_tick(out, r, RAW, side_color(f, s, RAW), x, y);
  draw_tick(out, r, EARLIER, side_color(f, s, EARLIER), x, y);
  svg_text(out, x->to + 8, y + BAR - 2, AT_START, "fill=\"" SVG_INK "\" font-size=\"11\"", unit_tick(r->unit, rounded(v), value));
}

static void draw_scale(FILE *out, const struct axis *x, enum bench_unit unit, double top, double bottom)
{
  char text[VALUE_MOST];
  for (unsigned i = 0; i < x->ticks; i++) {
    const double at = axis_at(x, x->tick[i]);
    svg_line(out, at, top, at, bottom, "stroke=\"" SVG_GRID "\"");
    unit_tick(unit, x->tick[i], text);
    svg_text(out, at, bottom + 17, AT_MIDDLE, "fill=\"" SVG_INK "\"", text);
  }
  chart_unit(unit, text);
  svg_text(out, (x->from + x->to) / 2, bottom + 36, AT_MIDDLE, "fill=\"" SVG_PALE "\"", text);
}

static void draw_name(FILE *out, const struct family *f, const struct result *r, const struct axis *x, double y)
{
  svg_text(out, x->from - 10, y + f->count * (BAR + 2) / 2.0 + 3, AT_END, "fill=\"" SVG_INK "\"", r->point);
  for (unsigned i = 0; i < f->count; i++) {
    const struct result *each = same_name(&f->series[i], r);
    if (each) draw_bar(out, f, &f->series[i], each, x, y + i * (BAR + 2));
  }
}

void bars_write(FILE *out, const struct report *r, const struct family *f)
{
  const struct series *names = &f->series[0];
  const double top = chart_head_height(r, f) + 8, each = f->count * (BAR + 2) + GAP, bottom = top + each * names->count;
  struct axis x;
  double least, most;
  if (!family_range(f, &least, &most)) return;
  svg_begin(out, CHART_WIDTH, bottom + BELOW, f->test);
  chart_head(out, r, f);
  axis_fit(&x, least > 0 && most < 50 * least ? 0 : least, most);
  x.from = names_width(names);
  x.to = CHART_WIDTH - CHART_RIGHT - 44;
  draw_scale(out, &x, f->first->unit, top, bottom);
  for (unsigned k = 0; k < names->count; k++) draw_name(out, f, names->at[k], &x, top + GAP / 2.0 + k * each);
  svg_line(out, x.from, top, x.from, bottom, "stroke=\"" SVG_PALE "\"");
  svg_end(out);
}

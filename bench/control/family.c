/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "bench/control/family.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/control/units.h"

static const char *const palette[SERIES_MOST] = {"#1f6fb2", "#d0463b", "#2f8f5b", "#e08a00", "#7a4fa3",
    "#0f8b99", "#a0522d", "#5a6f1f", "#c2418f", "#44546a", "#b59b00", "#3d3d9e"};

double point_place(const struct result *r) { return strtod(r->point, NULL); }

/* The numbers of one side, or NULL: it has none. */
static const struct stats *side_of(const struct result *r, enum side side)
{
  if (side == OURS) return &r->ours;
  if (side == RAW) return r->raw.n > 0 ? &r->raw : NULL;
  return r->earlier ? &r->earlier->ours : NULL;
}

double side_value(const struct result *r, enum side side)
{
  if (side == EFFICIENCY) return efficiency(r) > 0 ? efficiency(r) : NAN;
  const struct stats *s = side_of(r, side);
  return s ? unit_shown(r, s->median) : NAN;
}

/* ---- making ---- */

static int belongs(const struct series *s, const struct result *r)
{
  const struct result *first = s->at[0];
  return first->target == r->target && first->threads == r->threads &&
      (r->points == BENCH_NODES || first->nodes == r->nodes) && strcmp(first->conduit, r->conduit) == 0 &&
      strcmp(first->transport, r->transport) == 0;
}

static struct series *series_of(struct family *f, const struct result *r)
{
  for (unsigned i = 0; i < f->count; i++)
    if (belongs(&f->series[i], r)) return &f->series[i];
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
  f->most_efficient = fmax(f->most_efficient, efficiency(r));
}

/* What tells a curve from the others. */
static void make_label(const struct family *f, struct series *s)
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

void family_make(const struct report *r, const char *test, struct family *f)
{
  memset(f, 0, sizeof *f);
  f->test = test;
  for (unsigned i = 0; i < r->count; i++) {
    const struct result *each = &r->result[i];
    if (each->state != MEASURED || strcmp(each->test, test) != 0) continue;
    if (!f->first) f->first = each;
    family_add(f, each);
  }
  for (unsigned i = 0; i < f->count; i++) make_label(f, &f->series[i]);
}

/* ---- showing ---- */

void side_hint(const struct result *r, enum side side, char text[TEXT_MOST])
{
  char point[VALUE_MOST], median[VALUE_MOST], from[VALUE_MOST], to[VALUE_MOST];
  const char *unit;
  if (side == EFFICIENCY) {
    snprintf(text, TEXT_MOST, "%s: %.0f %% of the bare speed", point_text(r, point), efficiency(r));
    return;
  }
  const struct stats *s = side_of(r, side);
  const double value = unit_row(r, s->median, &unit);
  const double a = unit_row(r, s->q1, &unit), b = unit_row(r, s->q3, &unit);
  snprintf(text, TEXT_MOST, "%s: %s %s, half of the samples from %s to %s", point_text(r, point),
      value_text(value, median), unit, value_text(fmin(a, b), from), value_text(fmax(a, b), to));
}

void side_label(const struct report *r, const struct family *f, const struct series *s, enum side side,
    char text[TEXT_MOST])
{
  const struct bench_test *t = f->first->of;
  const char *raw = t ? strcmp(s->at[0]->conduit, "smp") == 0 ? t->raw : t->raw_network : NULL;
  const int shared = f->first->points == BENCH_NAMES; /* marks that look alike for all */
  const char *between = *s->label && !shared ? ": " : "", *label = shared ? "" : s->label;
  if (side == OURS) snprintf(text, TEXT_MOST, "%s", *s->label ? s->label : "Penstock");
  else if (side == RAW && f->count == 1) snprintf(text, TEXT_MOST, "%.60s", raw ? raw : "bare");
  else if (side == RAW) snprintf(text, TEXT_MOST, "%.100s%sbare", label, between);
  else snprintf(text, TEXT_MOST, "%.100s%searlier, %.10s", label, between, r->then->place.date);
}

/* A lone curve's bare one is grey: it is not ours. */
const char *side_color(const struct family *f, const struct series *s, enum side side)
{
  const int bars = f->first->points == BENCH_NAMES; /* marks lie on these */
  if (side == RAW && (bars || f->count == 1)) return bars ? "#1f2933" : "#7b8794";
  return side == EARLIER && (bars || f->count == 1) ? "#e08a00" : s->color;
}

void family_range(const struct family *f, double *least, double *most)
{
  *least = 1e300;
  *most = -1e300;
  for (unsigned i = 0; i < f->count; i++)
    for (unsigned k = 0; k < f->series[i].count; k++) {
      const struct result *r = f->series[i].at[k];
      const double value[] = {side_value(r, OURS), unit_shown(r, r->ours.q1), unit_shown(r, r->ours.q3),
          side_value(r, RAW), side_value(r, EARLIER)};
      for (unsigned v = 0; v < sizeof value / sizeof *value; v++) {
        *least = fmin(*least, value[v]);
        *most = fmax(*most, value[v]);
      }
    }
}

unsigned family_places(const struct family *f, double place[SERIES_POINTS])
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

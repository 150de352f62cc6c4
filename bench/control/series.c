#include "bench/control/series.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/control/units.h"

static const char *const palette[SERIES_MOST] = {"#1f6fb2", "#d0463b", "#2f8f5b", "#e08a00", "#7a4fa3", "#0f8b99",
                                                 "#a0522d", "#5a6f1f", "#c2418f", "#44546a", "#b59b00", "#3d3d9e"};

double point_place(const struct result *r) { return strtod(r->point, NULL); }

const struct stats *side_of(const struct result *r, enum side side)
{
  if (side == OURS) return &r->ours;
  if (side == RAW) return r->raw.n > 0 ? &r->raw : NULL;
  return r->earlier ? &r->earlier->ours : NULL;
}

/* ---- making ---- */

static int belongs(const struct series *s, const struct result *r)
{
  const struct result *first = s->at[0];
  return first->target == r->target && first->threads == r->threads && (r->points == BENCH_NODES || first->nodes == r->nodes) &&
         strcmp(first->conduit, r->conduit) == 0 && strcmp(first->transport, r->transport) == 0;
}

static struct series *series_of(struct family *f, const struct result *r)
{
  for (unsigned i = 0; i < f->count; i++)
    if (belongs(&f->series[i], r)) return &f->series[i];
  if (f->count == SERIES_MOST) return NULL;
  f->series[f->count].color = palette[f->count];
  return &f->series[f->count++];
}

static void add(struct family *f, const struct result *r)
{
  struct series *s = series_of(f, r);
  if (!s || s->count == SERIES_POINTS) {
    f->dropped++;
    return;
  }
  unsigned at = s->count++;
  for (; r->points != BENCH_NAMES && at > 0 && point_place(s->at[at - 1]) > point_place(r); at--) s->at[at] = s->at[at - 1];
  s->at[at] = r;
  for (enum side side = OURS; side < SIDES; side++) f->has[side] |= side_of(r, side) != NULL;
}

/* What tells a curve from the others. */
static void make_label(const struct family *f, struct series *s)
{
  const struct result *r = s->at[0];
  int conduit = 0, nodes = 0, threads = 0, n = 0;
  for (unsigned i = 0; i < f->count; i++) {
    const struct result *other = f->series[i].at[0];
    conduit |= other->target != r->target;
    nodes |= other->nodes != r->nodes && r->points != BENCH_NODES;
    threads |= other->threads != r->threads;
  }
  s->label[0] = '\0';
  if (conduit) n += snprintf(s->label + n, TEXT_MOST - (size_t)n, "%s%s%s", r->conduit, strcmp(r->transport, "-") == 0 ? "" : " ",
                             strcmp(r->transport, "-") == 0 ? "" : r->transport);
  if (nodes) n += snprintf(s->label + n, TEXT_MOST - (size_t)n, "%s%u nodes", n ? ", " : "", r->nodes);
  if (threads) snprintf(s->label + n, TEXT_MOST - (size_t)n, "%s%u thread%s", n ? ", " : "", r->threads, r->threads == 1 ? "" : "s");
}

void family_make(const struct report *r, const char *test, struct family *f)
{
  memset(f, 0, sizeof *f);
  f->test = test;
  for (unsigned i = 0; i < r->count; i++) {
    const struct result *each = &r->result[i];
    if (each->state != MEASURED || strcmp(each->test, test) != 0) continue;
    if (!f->first) f->first = each;
    add(f, each);
  }
  for (unsigned i = 0; i < f->count; i++) make_label(f, &f->series[i]);
}

/* ---- showing ---- */

void side_label(const struct report *r, const struct family *f, const struct series *s, enum side side, char text[TEXT_MOST])
{
  const struct bench_test *t = f->first->of;
  const char *raw = t ? strcmp(s->at[0]->conduit, "smp") == 0 ? t->raw : t->raw_network : NULL;
  const int shared = f->first->points == BENCH_NAMES; /* marks that look alike for all */
  const char *between = *s->label && !shared ? ": " : "", *label = shared ? "" : s->label;
  if (side == OURS) snprintf(text, TEXT_MOST, "%s", *s->label ? s->label : "Penstock");
  else if (side == RAW && f->count == 1) snprintf(text, TEXT_MOST, "%.60s", raw ? raw : "bare");
  else if (side == RAW) snprintf(text, TEXT_MOST, "%.100s%sbare", label, between);
  else snprintf(text, TEXT_MOST, "%.100s%searlier, %.10s", label, between, r->then ? r->then->place.date : "");
}

/* A lone curve's bare one is grey: it is not ours. */
const char *side_color(const struct family *f, const struct series *s, enum side side)
{
  const int bars = f->first->points == BENCH_NAMES; /* marks lie on these */
  if (side == RAW && (bars || f->count == 1)) return bars ? "#1f2933" : "#7b8794";
  return side == EARLIER && (bars || f->count == 1) ? "#e08a00" : s->color;
}

static void widen(const struct result *r, const struct stats *s, int all, double *least, double *most)
{
  const double value[] = {s->median, s->q1, s->q3};
  for (unsigned i = 0; i < (all ? 3 : 1); i++) {
    const double v = unit_shown(r, value[i]);
    if (v < *least) *least = v;
    if (v > *most) *most = v;
  }
}

int family_range(const struct family *f, double *least, double *most)
{
  *least = 1e300;
  *most = -1e300;
  for (unsigned i = 0; i < f->count; i++)
    for (unsigned k = 0; k < f->series[i].count; k++)
      for (enum side side = OURS; side < SIDES; side++) {
        const struct stats *s = side_of(f->series[i].at[k], side);
        if (s) widen(f->series[i].at[k], s, side == OURS, least, most);
      }
  return *least <= *most;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmp/own.h"

#include <stdlib.h>

#include "xmp/section.h"

typedef pst_xmp_index_t index_t;

static struct pst_xmp_line line_of(const struct pst_xmp_axis *a, const struct pst_xmp_section *s)
{
  static const enum pst_xmp_line_kind kind[] = {[PST_XMP_NOT_DISTRIBUTED] = PST_XMP_LINE_WHOLE,
      [PST_XMP_BLOCK] = PST_XMP_LINE_BLOCK,
      [PST_XMP_CYCLIC] = PST_XMP_LINE_CYCLIC,
      [PST_XMP_GBLOCK] = PST_XMP_LINE_GBLOCK};
  return (struct pst_xmp_line){.kind = kind[a->kind],
      .first = s->first - a->lower,
      .step = s->step,
      .width = a->width,
      .nodes = a->nodes,
      .bound = a->start};
}

/* The pieces of the first period stand for all: those behind it are the same ones, cut by the section's end.
 */
static void own_take(struct pst_xmp_own *o, const struct pst_xmp_meetings *p)
{
  o->period = p->n ? p->piece[0].period : 1;
  for (int i = 0; i < p->n; i++) {
    const struct pst_xmp_meeting *const m = &p->piece[i];
    o->owned += m->run * m->repeats;
    if (m->k >= p->piece[0].k + o->period) continue;
    o->run[o->n++] = (struct pst_xmp_own_run){m->k, m->run, o->in_period};
    o->in_period += m->run;
  }
}

int pst_xmp_own_open(
    struct pst_xmp_own *o, const struct pst_xmp_axis *a, index_t node, const struct pst_xmp_section *s)
{
  const struct pst_xmp_line line = line_of(a, s), all = {.kind = PST_XMP_LINE_WHOLE, .step = 1, .nodes = 1};
  struct pst_xmp_meetings p = {0};
  int rc = 0;
  *o = (struct pst_xmp_own){.section = *s};
  if (s->count > 0) rc = pst_xmp_line_meet(&line, (int)node, &all, s->count, &p);
  if (rc == 0 && p.n && !(o->run = malloc((size_t)p.n * sizeof *o->run))) rc = -1;
  if (rc == 0) own_take(o, &p);
  free(p.piece);
  return rc;
}

void pst_xmp_own_close(struct pst_xmp_own *o)
{
  free(o->run);
  *o = (struct pst_xmp_own){.owned = 0};
}

/* The run of the period that has its owned element number r. */
static const struct pst_xmp_own_run *run_find(const struct pst_xmp_own *o, index_t r)
{
  int low = 0, high = o->n;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (o->run[middle].before <= r) low = middle;
    else high = middle;
  }
  return &o->run[low];
}

index_t pst_xmp_own_element(const struct pst_xmp_own *o, index_t j, index_t *more)
{
  const index_t turn = j / o->in_period, r = j % o->in_period;
  const struct pst_xmp_own_run *const run = run_find(o, r);
  const index_t rest = run->length - (r - run->before);
  *more = rest < o->owned - j ? rest : o->owned - j;
  return run->k + (r - run->before) + turn * o->period;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Strided sides in any order and direction. */
#ifndef TESTS_MULTI_VIS_SIDES_H
#define TESTS_MULTI_VIS_SIDES_H

#include "vis_model.h"

/* A size for elements. */
UNUSED static size_t vis_element(struct rng *r, size_t most)
{
  static const size_t sizes[] = {1, 2, 3, 4, 8, 8, 8, 12, 16, 24, 32, 64, 100};
  size_t e = rng_below(r, 10) ? sizes[rng_below(r, sizeof sizes / sizeof *sizes)] : 1 + rng_size(r, 4000);
  return e < most ? e : most;
}

struct vis_side {
  size_t dims, count[VIS_LEVELS];
  ptrdiff_t stride[VIS_LEVELS];
  size_t below, extent; /* bytes before the first element, and in all */
};

/* Two dimensions that interlock without overlap: elements at 0, 2, 4, ... and, say, at 5, 7, 9, ... Returns
 * the room that they take. */
static size_t vis_interlock(struct vis_side *s, struct rng *r, size_t two, size_t many, size_t elemsz)
{
  size_t odd = 1 + 2 * rng_below(r, s->count[many] + 2);
  s->stride[two] = (ptrdiff_t)(odd * elemsz);
  s->stride[many] = (ptrdiff_t)(2 * elemsz);
  return (odd + 2 * s->count[many] - 1) * elemsz;
}

/* Dimensions one around the other in any order, each forwards or backwards; the innermost two interlock now
 * and then. */
static void vis_spread(struct vis_side *s, struct rng *r, size_t elemsz)
{
  size_t order[VIS_LEVELS], room = elemsz, gaps = rng_below(r, 3) ? 0 : rng_below(r, 30),
                            backwards = rng_below(r, 3);
  int shuffled = rng_below(r, 3) != 0;
  for (size_t i = 0; i < s->dims; i++) order[i] = i;
  for (size_t i = s->dims; shuffled && i > 1; i--) {
    size_t k = rng_below(r, i), t = order[k];
    order[k] = order[i - 1];
    order[i - 1] = t;
  }
  int locked = s->dims >= 2 && s->count[order[0]] == 2 && s->count[order[1]] > 1 && rng_below(r, 2);
  if (locked) room = vis_interlock(s, r, order[0], order[1], elemsz);
  s->below = 0;
  s->extent = room;
  for (size_t i = locked ? 2 : 0; i < s->dims; i++) {
    size_t d = order[i], step = room + rng_below(r, gaps + 1), reach;
    if (rng_below(r, 4) == 0) step = vis_round(r, step);
    s->stride[d] = (ptrdiff_t)step;
    if (s->count[d] == 1) {
      s->stride[d] = (ptrdiff_t)rng_next(r);
      continue;
    } /* the stride is not used */
    reach = (s->count[d] - 1) * step;
    if (rng_below(r, 3) < backwards) {
      s->stride[d] = -s->stride[d];
      s->below += reach;
    }
    s->extent += reach;
    room = step * s->count[d];
  }
}

/* Sources may overlap: their strides may be 0 or shorter than the element. */
static void vis_crowd(struct vis_side *s, struct rng *r, size_t elemsz)
{
  s->below = 0;
  s->extent = elemsz;
  for (size_t i = 0; i < s->dims; i++) {
    size_t step = rng_below(r, 3) ? rng_below(r, 20) : 0, reach = (s->count[i] - 1) * step;
    int backwards = (int)rng_below(r, 2);
    s->stride[i] = backwards ? -(ptrdiff_t)step : (ptrdiff_t)step;
    if (backwards) s->below += reach;
    s->extent += reach;
  }
}

UNUSED static void vis_signed_strides(
    struct vis_side *dst, struct vis_side *src, struct rng *r, size_t elemsz)
{
  vis_spread(dst, r, elemsz);
  if (rng_below(r, 10)) vis_spread(src, r, elemsz);
  else vis_crowd(src, r, elemsz);
}

/* Sides of equal counts: at most `bytes`, and extents of at most `extent`. */
UNUSED static void vis_random_sides(
    struct vis_side *dst, struct vis_side *src, struct rng *r, size_t elemsz, size_t bytes, size_t extent)
{
  struct vis_block b = {.levels = vis_levels(r)};
  do {
    vis_counts(&b, r, bytes / elemsz);
    src->dims = dst->dims = b.levels;
    memcpy(dst->count, b.count + 1, sizeof dst->count);
    if (b.levels) dst->count[0] *= b.count[0]; /* which was meant for the bytes of a row */
    memcpy(src->count, dst->count, sizeof src->count);
    vis_signed_strides(dst, src, r, elemsz);
    bytes = bytes / 2 + elemsz; /* in case it does not fit */
  } while (dst->extent > extent || src->extent > extent);
}

/* Dimension 0 fastest. */
UNUSED static void vis_push_side(struct vis_bytes *b, const struct vis_zone *z, unsigned char *addr,
    const struct vis_side *s, size_t elemsz)
{
  size_t at[VIS_LEVELS] = {0};
  for (;;) {
    ptrdiff_t offset = 0;
    size_t i;
    for (i = 0; i < s->dims; i++) offset += s->count[i] > 1 ? (ptrdiff_t)at[i] * s->stride[i] : 0;
    vis_push(b, z, addr + offset, elemsz);
    for (i = 0; i < s->dims && ++at[i] == s->count[i]; i++) at[i] = 0;
    if (i == s->dims) return;
  }
}

#endif

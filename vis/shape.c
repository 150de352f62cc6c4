/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "vis/shape.h"

#include "support/error.h"

static int counts_have_zero(const size_t count[], size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (count[i] == 0) return 1;
  return 0;
}

/* Does a level continue what is below it on a side? */
static int level_continues(ptrdiff_t stride, ptrdiff_t inner_stride, size_t inner_count)
{
  return stride == inner_stride * (ptrdiff_t)inner_count;
}

/* Merges the level into longer rows or the level below it where both sides allow that. Inner levels come
 * first. */
static inline void shape_add_level(
    struct pst_shape *s, const char *call, size_t count, ptrdiff_t dst, ptrdiff_t src)
{
  const unsigned l = s->levels;
  if (count == 1) return;
  if (l == 0 && dst == (ptrdiff_t)s->row && src == dst) {
    s->row *= count;
    return;
  }
  if (l > 0 && level_continues(dst, s->dst[l - 1], s->count[l - 1]) &&
      level_continues(src, s->src[l - 1], s->count[l - 1])) {
    s->count[l - 1] *= count;
    return;
  }
  if (l == PST_SHAPE_LEVELS)
    pst_fatal("%s: more than %d levels with a count above 1", call, PST_SHAPE_LEVELS);
  s->count[l] = count;
  s->dst[l] = dst;
  s->src[l] = src;
  s->levels++;
}

void pst_shape_strided(struct pst_shape *s, const char *call, const size_t dststrides[],
    const size_t srcstrides[], const size_t count[], size_t stridelevels)
{
  s->levels = 0;
  s->row = 0;
  if (counts_have_zero(count, stridelevels + 1)) return;
  s->row = count[0];
  for (size_t i = 0; i < stridelevels; i++)
    shape_add_level(s, call, count[i + 1], (ptrdiff_t)dststrides[i], (ptrdiff_t)srcstrides[i]);
}

/* ---- any order, any direction ---- */

struct level {
  size_t count;
  ptrdiff_t dst, src;
};

/* A level that runs backwards at the destination is begun at its other end on both sides. */
static void level_reflect(struct level *l, ptrdiff_t *dstshift, ptrdiff_t *srcshift)
{
  if (l->dst >= 0) return;
  *dstshift += l->dst * (ptrdiff_t)(l->count - 1);
  *srcshift += l->src * (ptrdiff_t)(l->count - 1);
  l->dst = -l->dst;
  l->src = -l->src;
}

static void level_insert(struct level sorted[], unsigned n, struct level l)
{
  for (; n > 0 && sorted[n - 1].dst > l.dst; n--) sorted[n] = sorted[n - 1];
  sorted[n] = l;
}

/* The destination's small strides become inner levels: its cache lines have to be written whole, while the
 * source's are only read. */
void pst_shape_any(struct pst_shape *s, const char *call, size_t elemsz, const ptrdiff_t dststrides[],
    const ptrdiff_t srcstrides[], const size_t count[], size_t dims, ptrdiff_t *dstshift, ptrdiff_t *srcshift)
{
  struct level sorted[PST_SHAPE_LEVELS];
  unsigned n = 0;
  s->levels = 0;
  *dstshift = *srcshift = 0;
  s->row = counts_have_zero(count, dims) ? 0 : elemsz;
  if (s->row == 0) return;
  for (size_t i = 0; i < dims; i++) {
    struct level l = {count[i], dststrides[i], srcstrides[i]};
    if (l.count == 1) continue;
    if (n == PST_SHAPE_LEVELS)
      pst_fatal("%s: more than %d dimensions with a count above 1", call, PST_SHAPE_LEVELS);
    level_reflect(&l, dstshift, srcshift);
    level_insert(sorted, n++, l);
  }
  for (unsigned i = 0; i < n; i++) shape_add_level(s, call, sorted[i].count, sorted[i].dst, sorted[i].src);
}

size_t pst_shape_bytes(const struct pst_shape *s)
{
  size_t n = s->row;
  for (unsigned i = 0; i < s->levels; i++) n *= s->count[i];
  return n;
}

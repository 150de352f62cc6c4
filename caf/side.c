/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "caf/side.h"

/* ---- reading descriptors ---- */

static size_t extent_count(ptrdiff_t lower, ptrdiff_t upper, ptrdiff_t stride)
{
  const ptrdiff_t n = stride ? (upper - lower + stride) / stride : 0;
  return n > 0 ? (size_t)n : 0;
}

/* A dimension by its subscripts, which are in the array's bounds. Answers how far the first element moves. */
static ptrdiff_t vector_read(struct pst_caf_extent *e, const struct pst_caf_dim *d, const caf_vector_t *v)
{
  if (v->count) {
    e->count = v->count;
    e->list = v->of.list.subscript;
    e->list_kind = v->of.list.kind;
    e->lower = d->lower;
    return 0;
  }
  const ptrdiff_t first = (v->of.triplet.lower - d->lower) * e->stride;
  e->count = extent_count(v->of.triplet.lower, v->of.triplet.upper, v->of.triplet.stride);
  e->stride *= v->of.triplet.stride;
  return first;
}

void pst_caf_side_read(
    struct pst_caf_side *s, const gfc_descriptor_t *desc, const caf_vector_t *vector, int kind, char *base)
{
  const ptrdiff_t span = desc->element ? pst_caf_span(desc)
                                       : 0; /* characters of no length: it may be unset */
  s->base = base;
  s->element = desc->element;
  s->type = desc->type;
  s->kind = kind;
  s->rank = desc->rank;
  s->count = 1;
  for (int k = 0; k < desc->rank; k++) {
    const struct pst_caf_dim *const d = &desc->dim[k];
    s->dim[k] = (struct pst_caf_extent){pst_caf_dim_count(d), d->stride * span, NULL, 0, 0};
    if (vector) s->base += vector_read(&s->dim[k], d, &vector[k]);
    s->count *= s->dim[k].count;
  }
}

void pst_caf_side_pack(
    struct pst_caf_side *packed, const struct pst_caf_side *s, const struct pst_caf_side *like, char *base)
{
  *packed = (struct pst_caf_side){.base = base,
      .element = like->element,
      .type = like->type,
      .kind = like->kind,
      .rank = s->rank,
      .count = s->count};
  size_t stride = like->element;
  for (int k = 0; k < s->rank; k++) {
    packed->dim[k] = (struct pst_caf_extent){.count = s->dim[k].count, .stride = (ptrdiff_t)stride};
    stride *= s->dim[k].count;
  }
}

/* ---- elements ---- */

static ptrdiff_t list_at(const struct pst_caf_extent *e, size_t i)
{
  switch (e->list_kind) {
  case 1: return ((const int8_t *)e->list)[i] - e->lower;
  case 2: return ((const int16_t *)e->list)[i] - e->lower;
  case 8: return (ptrdiff_t)((const int64_t *)e->list)[i] - e->lower;
  case 16: return (ptrdiff_t)((const __int128 *)e->list)[i] - e->lower;
  default: return ((const int32_t *)e->list)[i] - e->lower;
  }
}

static ptrdiff_t extent_offset(const struct pst_caf_extent *e, size_t i)
{
  return (e->list ? list_at(e, i) : (ptrdiff_t)i) * e->stride;
}

char *pst_caf_walk_at(const struct pst_caf_walk *w)
{
  char *at = w->side->base;
  for (int k = 0; k < w->side->rank; k++) at += extent_offset(&w->side->dim[k], w->index[k]);
  return at;
}

void pst_caf_walk_next(struct pst_caf_walk *w)
{
  for (int k = 0; k < w->side->rank; k++) {
    if (++w->index[k] < w->side->dim[k].count) return;
    w->index[k] = 0;
  }
}

void pst_caf_side_range(const struct pst_caf_side *s, char **low, char **high)
{
  *low = *high = s->base;
  for (int k = 0; k < s->rank && s->count; k++) {
    const struct pst_caf_extent *const e = &s->dim[k];
    ptrdiff_t least = extent_offset(e, 0), most = least;
    for (size_t i = e->list ? 1 : e->count - 1; i < e->count; i++) {
      const ptrdiff_t at = extent_offset(e, i);
      if (at < least) least = at;
      if (at > most) most = at;
    }
    *low += least;
    *high += most;
  }
  *high += s->count ? s->element : 0;
}

/* ---- strided transfers ---- */

/* Dimensions of more than one element; -1: there is a list. */
static int dims_of(const struct pst_caf_side *s, const struct pst_caf_extent *dim[])
{
  int n = 0;
  for (int k = 0; k < s->rank; k++) {
    if (s->dim[k].list) return -1;
    if (s->dim[k].count != 1) dim[n++] = &s->dim[k];
  }
  return n;
}

int pst_caf_strided_make(
    struct pst_caf_strided *t, const struct pst_caf_side *dst, const struct pst_caf_side *src)
{
  const struct pst_caf_extent *d[PST_CAF_RANKS], *s[PST_CAF_RANKS];
  const int n = dims_of(dst, d);
  if (n < 0 || dims_of(src, s) != n) return 0;
  pst_caf_strided_begin(t, dst->base, src->base, dst->element);
  for (int k = 0; k < n; k++) {
    if (d[k]->count != s[k]->count) return 0;
    pst_caf_strided_add(t, d[k]->count, d[k]->stride, s[k]->stride);
  }
  return 1;
}

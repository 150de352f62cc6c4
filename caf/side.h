/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* One side of an assignment: a scalar, an array, or a section of one, in element order. */
#ifndef CAF_SIDE_H
#define CAF_SIDE_H

#include "caf/internal.h"

struct pst_caf_side {
  char *base; /* of the element whose indices are all 0 */
  size_t element;
  int type, kind;
  int rank;     /* 0: a scalar */
  size_t count; /* of elements */
  struct pst_caf_extent {
    size_t count;
    ptrdiff_t stride; /* in bytes */
    const void
        *list; /* NULL, or [count] integers of a kind: element i lies (list[i] - lower) strides behind */
    int list_kind;
    ptrdiff_t lower;
  } dim[PST_CAF_RANKS];
};

static inline size_t pst_caf_dim_count(const struct pst_caf_dim *d)
{
  return d->upper >= d->lower ? (size_t)(d->upper - d->lower) + 1 : 0;
}
static inline ptrdiff_t pst_caf_span(const gfc_descriptor_t *desc)
{
  return desc->span && desc->rank ? desc->span : (ptrdiff_t)desc->element;
}

/* vector: or NULL. base: of the descriptor's, wherever that lies. */
void pst_caf_side_read(
    struct pst_caf_side *s, const gfc_descriptor_t *desc, const caf_vector_t *vector, int kind, char *base);
/* The same elements one behind the other at base, of the type, kind and size of `like`. */
void pst_caf_side_pack(
    struct pst_caf_side *packed, const struct pst_caf_side *s, const struct pst_caf_side *like, char *base);
/* Bytes around the elements: from low to high, the first one behind. */
void pst_caf_side_range(const struct pst_caf_side *s, char **low, char **high);

/* Goes through the elements in order. */
struct pst_caf_walk {
  const struct pst_caf_side *side;
  size_t index[PST_CAF_RANKS];
};
char *pst_caf_walk_at(const struct pst_caf_walk *w);
void pst_caf_walk_next(struct pst_caf_walk *w); /* of a scalar: stays there */
/* The same for several elements, of the first dimension: all that it has, or one. */
static inline void pst_caf_walk_skip(struct pst_caf_walk *w, size_t count)
{
  w->index[0] += count - 1;
  pst_caf_walk_next(w);
}

/* Two sides as one transfer (gasnetx_puts_any_bulk): where neither has a list, and their shapes are the same
 * but for dimensions of one element. What is contiguous on both sides is one element; dims 0: all of it is.
 */
struct pst_caf_strided {
  char *dst, *src;
  size_t element, dims, count[PST_CAF_RANKS];
  ptrdiff_t dst_stride[PST_CAF_RANKS], src_stride[PST_CAF_RANKS];
};
/* 0: it is not. */
int pst_caf_strided_make(
    struct pst_caf_strided *t, const struct pst_caf_side *dst, const struct pst_caf_side *src);

/* The same step by step: of no dimensions, then one more. */
static inline void pst_caf_strided_begin(struct pst_caf_strided *t, char *dst, char *src, size_t element)
{
  t->dst = dst;
  t->src = src;
  t->element = element;
  t->dims = 0;
}
static inline void pst_caf_strided_add(
    struct pst_caf_strided *t, size_t count, ptrdiff_t dst_stride, ptrdiff_t src_stride)
{
  const ptrdiff_t element = (ptrdiff_t)t->element;
  if (count == 1) return;
  if (t->dims == 0 && dst_stride == element && src_stride == element) {
    t->element *= count;
    return;
  }
  t->dst_stride[t->dims] = dst_stride;
  t->src_stride[t->dims] = src_stride;
  t->count[t->dims++] = count;
}
/* Bytes around the elements of one side. There is at least one element. */
static inline void pst_caf_strided_range(
    const struct pst_caf_strided *t, char *base, const ptrdiff_t stride[], char **low, char **high)
{
  ptrdiff_t least = 0, most = (ptrdiff_t)t->element;
  for (size_t k = 0; k < t->dims; k++) {
    const ptrdiff_t last = (ptrdiff_t)(t->count[k] - 1) * stride[k];
    if (last < 0) least += last;
    else most += last;
  }
  *low = base + least;
  *high = base + most;
}

/* Vector subscripts without an element cannot be told from other subscripts, so there the other side says it.
 */
static inline int pst_caf_is_empty(const struct pst_caf_side *dst, const struct pst_caf_side *src)
{
  return dst->count == 0 || src->count == 0;
}

#endif

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

/* Vector subscripts without an element cannot be told from other subscripts, so there the other side says it.
 */
static inline int pst_caf_is_empty(const struct pst_caf_side *dst, const struct pst_caf_side *src)
{
  return dst->count == 0 || src->count == 0;
}

#endif

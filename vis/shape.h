/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The shape of a transfer whose two sides have the same counts: a row of bytes and loops around it, innermost
 * first. Normalised: levels that do not move are dropped, levels that continue each other on both sides are
 * merged. */
#ifndef VIS_SHAPE_H
#define VIS_SHAPE_H
#include <stddef.h>

enum { PST_SHAPE_LEVELS = 64 };

struct pst_shape {
  size_t row; /* contiguous bytes on both sides; 0: nothing to do */
  unsigned levels;
  size_t count[PST_SHAPE_LEVELS];
  ptrdiff_t dst[PST_SHAPE_LEVELS], src[PST_SHAPE_LEVELS]; /* strides in bytes */
};

/* A description as in gasnet_puts_bulk. At most PST_SHAPE_LEVELS levels that move; more is fatal, naming
 * `call`. */
void pst_shape_strided(struct pst_shape *s, const char *call, const size_t dststrides[],
    const size_t srcstrides[], const size_t count[], size_t stridelevels);

/* Elements of elemsz bytes in dimensions of any order and direction: that with the indices i0, i1, ... lies
 * i0 * strides[0] + i1 * strides[1] + ... from its side's base. In the shape the destination's strides are
 * positive and ascend; the source's may have either sign. *dstshift, *srcshift: what to add to the two bases
 * for the shape's first row. */
void pst_shape_any(struct pst_shape *s, const char *call, size_t elemsz, const ptrdiff_t dststrides[],
    const ptrdiff_t srcstrides[], const size_t count[], size_t dims, ptrdiff_t *dstshift,
    ptrdiff_t *srcshift);

/* All bytes. */
size_t pst_shape_bytes(const struct pst_shape *s);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Transfers between the memories of two threads, neither of which is mapped here. They go through a buffer of
 * this thread's, piece by piece: a get, then a put. They go on while the thread synchronises any of them. */
#ifndef UPC_THIRD_H
#define UPC_THIRD_H

#include "upc/upc.h"

/* One side: a list of regions, or elements with strides. The arrays stay until the transfer is complete. */
struct pst_upc_side {
  const upc_smemvec_t *vector; /* vlist */
  const upc_pts_t *list;       /* ilist: regions of len bytes */
  size_t len;                  /* bytes of one of them, or of an element */
  upc_pts_t base;              /* else: elements, dims, count and strides in bytes, dimension 0 the fastest */
  size_t dims;
  const size_t *count;
  const ptrdiff_t *strides;
  size_t own_count; /* of a single dimension, where count and strides are NULL */
  ptrdiff_t own_stride;
};

struct pst_upc_third;

/* NULL: it is complete. */
struct pst_upc_third *pst_upc_third_begin(
    const char *call, const struct pst_upc_side *dst, const struct pst_upc_side *src, size_t nbytes);
/* A step. Not 0: it was the last, and t is freed. */
int pst_upc_third_advance(struct pst_upc_third *t);
void pst_upc_third_wait(struct pst_upc_third *t);

struct pst_upc_side pst_upc_side_block(upc_const_pts_t p, size_t n);

#endif

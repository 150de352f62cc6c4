/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What debug builds check of a call, and the arguments of strided calls. What is wrong is fatal, with the
 * call, the argument, the entry or dimension, and the values. */
#ifndef VIS_CHECK_H
#define VIS_CHECK_H
#include "vis/transfer.h"

/* The two sides of a strided call as its nodes see them, with the call's own arrays. */
struct pst_block {
  char *dst, *src;
  const size_t *dststrides, *srcstrides, *count;
  size_t levels;
};
/* Of the parameters that gasnet_puts_bulk and its relatives have. */
#define PST_BLOCK ((struct pst_block){dstaddr, srcaddr, dststrides, srcstrides, count, stridelevels})

/* The same of an element-wise call. */
struct pst_grid {
  char *dst, *src;
  const ptrdiff_t *dststrides, *srcstrides;
  size_t elemsz;
  const size_t *count;
  size_t dims;
};
#define PST_GRID ((struct pst_grid){dstaddr, srcaddr, dststrides, srcstrides, elemsz, count, dims})

/* The call is allowed now. */
void pst_check_call(const char *call, gasnet_node_t node);
/* Every byte of the remote side lies in the node's segment. */
void pst_check_side(const char *call, const char *argument, gasnet_node_t node, const struct pst_side *s);
/* The call, and the remote range of a shape. */
void pst_check_shape(const struct pst_transfer *t, const struct pst_shape *s, char *dst, char *src);
/* The same of a strided call, and its strides. */
void pst_check_block(const struct pst_transfer *t, const struct pst_block *b, const struct pst_shape *s);
/* The call, equal totals of its lists, and the remote entries. */
void pst_check_lists(const struct pst_transfer *t, const struct pst_side *dst, const struct pst_side *src);
/* The put's notification. */
void pst_check_notify(const struct pst_transfer *t);

#endif

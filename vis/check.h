/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What debug builds check of the descriptions of transfers, whichever call brought them. */
#ifndef VIS_CHECK_H
#define VIS_CHECK_H
#include "vis/transfer.h"

/* The two sides of a strided call as its nodes see them, with the call's own arrays. */
struct pst_block {
  char *dst, *src;
  const size_t *dststrides, *srcstrides, *count;
  size_t levels;
};

/* The moment, and the remote range of a shape. Fatal with the call, the argument and the values, as below. */
void pst_check_shape(const struct pst_transfer *t, const struct pst_shape *s, char *dst, char *src);
/* Of a strided call with this shape also the strides, with their dimension. */
void pst_check_block(const struct pst_transfer *t, const struct pst_block *b, const struct pst_shape *s);
/* Lists: the moment, equal totals, the remote entries. */
void pst_check_lists(const struct pst_transfer *t, const struct pst_side *dst, const struct pst_side *src);
/* The put's notification. */
void pst_check_notify(const struct pst_transfer *t);

#endif

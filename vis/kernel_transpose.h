/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Transposes: shapes whose elements are neighbours along one level at the destination and along another at
 * the source. */
#ifndef VIS_KERNEL_TRANSPOSE_H
#define VIS_KERNEL_TRANSPOSE_H
#include "vis/kernel.h"

/* Copies elements i of a line of the destination, 64 bytes, and j of `across` neighbours at the source, all i
 * and j. d, s: that of 0, 0. dpitch: between the lines; spitch: between elements i at the source. stream:
 * past the caches; then the lines are aligned. */
typedef void (*pst_tile_fn)(char *d, ptrdiff_t dpitch, const char *s, ptrdiff_t spitch, int stream);

struct pst_tile {
  unsigned elemsz;
  unsigned across;
  pst_tile_fn copy;
};

/* Does it pay to take small blocks of two levels at once? */
int pst_transpose_suits(const struct pst_shape *s);

/* Such a shape. tiles: for element sizes, ends with one whose elemsz is 0. */
void pst_transpose_copy(const struct pst_tile tiles[], const struct pst_shape *s, char *dst, const char *src);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The kernels of one CPU level. */
#ifndef VIS_KERNEL_SET_H
#define VIS_KERNEL_SET_H
#include "vis/kernel.h"

enum {
  PST_KERNEL_SMALL = 64,
  PST_KERNEL_PAUSES = 6, /* the first is none */
  PST_KERNEL_PACKED = 7  /* longer rows are packed as fast by a load and a store each */
};

/* Each copies any shape whose row is of its size; all but the first want at least one level. */
struct pst_kernel_set {
  pst_kernel_fn single;                      /* no level */
  pst_kernel_fn small[PST_KERNEL_SMALL + 1]; /* by the row's bytes; [0] is not used */
  /* Any row, with ever longer pauses, for strides that map to few sets of the caches. */
  pst_kernel_fn paused[PST_KERNEL_PAUSES];
  /* Up to PST_KERNEL_PACKED bytes that become contiguous, two or more in 16 bytes of the source; or NULL. */
  pst_kernel_fn packed;
  pst_kernel_fn rows;      /* more than PST_KERNEL_SMALL bytes */
  pst_kernel_fn long_rows; /* so long that a call a row does not matter */
  pst_kernel_fn stream;    /* rows of at least 64 bytes, past the caches */
  pst_kernel_fn transpose; /* shapes that pst_transpose_suits */
};

extern const struct pst_kernel_set pst_kernel_portable;
#if defined(__x86_64__)
extern const struct pst_kernel_set pst_kernel_avx2, pst_kernel_avx512;
#endif

/* To the next position of the levels from `from` on, like an odometer. 0: all have been visited.
 * position[from..] begin at 0. */
static inline int pst_kernel_advance(
    const struct pst_shape *s, unsigned from, size_t position[], char **dst, const char **src)
{
  for (unsigned l = from; l < s->levels; l++) {
    *dst += s->dst[l];
    *src += s->src[l];
    if (++position[l] < s->count[l]) return 1;
    *dst -= s->dst[l] * (ptrdiff_t)s->count[l];
    *src -= s->src[l] * (ptrdiff_t)s->count[l];
    position[l] = 0;
  }
  return 0;
}

/* ---- transposes: neighbours along different levels at the destination and at the source ---- */

/* Copies a tile: all elements of a line (64 bytes) of the destination, times `across` neighbours at the
 * source. d, s: its first element. dpitch: from line to line; spitch: between the source's elements of one
 * line. stream: store past the caches; the lines are aligned then. */
typedef void (*pst_tile_fn)(char *d, ptrdiff_t dpitch, const char *s, ptrdiff_t spitch, int stream);

struct pst_tile {
  unsigned elemsz;
  unsigned across;
  pst_tile_fn copy;
};

/* Does it pay to take small blocks of two levels at once? */
int pst_transpose_suits(const struct pst_shape *s);
/* Copies such a shape. tiles: one for each element size that has one; elemsz of the last is 0. */
void pst_transpose_copy(const struct pst_tile tiles[], const struct pst_shape *s, char *dst, const char *src);

#endif

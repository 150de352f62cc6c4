/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The kernels of one CPU level. Each copies any shape with at least one level whose row is of its size. */
#ifndef VIS_KERNEL_SET_H
#define VIS_KERNEL_SET_H
#include "vis/kernel.h"

enum {
  PST_KERNEL_SMALL = 64,
  PST_KERNEL_PAUSES = 6, /* the first: none */
  PST_KERNEL_PACKED = 7  /* larger rows are packed as fast by a load and a store each */
};

struct pst_kernel_set {
  pst_kernel_fn single;                      /* no level at all */
  pst_kernel_fn small[PST_KERNEL_SMALL + 1]; /* by the row's bytes; [0] is not used */
  pst_kernel_fn paused[PST_KERNEL_PAUSES];   /* any row, with ever longer pauses, for strides that map to few
                                                sets of the caches */
  pst_kernel_fn
      packed; /* up to PST_KERNEL_PACKED bytes that become contiguous, two or more in 16 bytes, or NULL */
  pst_kernel_fn rows;      /* more than PST_KERNEL_SMALL bytes */
  pst_kernel_fn long_rows; /* so long that a call a row does not matter */
  pst_kernel_fn stream;    /* rows of at least 64 bytes, past the caches */
  pst_kernel_fn transpose; /* see vis/kernel_transpose.h */
};

extern const struct pst_kernel_set pst_kernel_portable;
#if defined(__x86_64__)
extern const struct pst_kernel_set pst_kernel_avx2, pst_kernel_avx512;
#endif

/* The levels above `from`, like an odometer: 0 when all positions were visited. position[from..] begin at 0.
 */
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

#endif

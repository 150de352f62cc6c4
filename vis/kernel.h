/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Copies of shapes; both sides are mapped here and do not overlap. */
#ifndef VIS_KERNEL_H
#define VIS_KERNEL_H
#include "vis/shape.h"

typedef void (*pst_kernel_fn)(const struct pst_shape *s, char *dst, const char *src);

/* The fastest for a shape on this processor. */
pst_kernel_fn pst_kernel_choose(const struct pst_shape *s);
void pst_kernel_copy(const struct pst_shape *s, char *dst, const char *src);

#endif

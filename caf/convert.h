/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Assignment of elements in this process's memory, with Fortran's conversions. */
#ifndef CAF_CONVERT_H
#define CAF_CONVERT_H

#include "caf/side.h"

/* Are an element's bytes those of the other one? */
int pst_caf_is_alike(const struct pst_caf_side *dst, const struct pst_caf_side *src);
/* Ends the job where there is no conversion between the types. */
void pst_caf_convert_check(const char *call, const struct pst_caf_side *dst, const struct pst_caf_side *src);
/* dst = src, element by element, or all of dst's the scalar src. They do not overlap. */
void pst_caf_assign(const char *call, const struct pst_caf_side *dst, const struct pst_caf_side *src);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Any processor: the compiler makes of 16-byte registers what there is. */
#define VEC_BYTES 16
#define TARGET
#define TILES
#include "vis/kernel_body.h"

const struct pst_kernel_set pst_kernel_portable = {.small = {SMALL}, COMMON_KERNELS};

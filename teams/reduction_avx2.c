/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "teams/reduction_set.h"

#if defined(__x86_64__)
#define TARGET PST_REDUCTION_TARGET("avx2")
#define SET    pst_reduction_avx2
#include "teams/reduction_body.h"
#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Any processor: what the compiler makes of the loops. */
#include "teams/reduction_set.h"

#define TARGET PST_REDUCTION_TARGET("sse2")
#define SET    pst_reduction_portable
#include "teams/reduction_body.h"

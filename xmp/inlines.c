/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The inline functions of xmp_translated.h once more, for programs that are compiled without optimisation. */
#define PST_XMP_INLINE
#include "xmp/internal.h"

_Static_assert(PST_XMP_UNMAPPED == PST_UNMAPPED, "one mark");

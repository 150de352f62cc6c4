/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The inline functions of shmem.h once more, for code that calls them or takes their addresses. */
#define PST_SHMEM_INLINE
#include "shmem/internal.h"

_Static_assert(
    PST_SHMEM_ADD == GASNETX_ADD && PST_SHMEM_SWAP == GASNETX_SWAP && PST_SHMEM_CSWAP == GASNETX_CSWAP,
    "one list");
_Static_assert(PST_SHMEM_UNMAPPED == PST_UNMAPPED, "one mark");

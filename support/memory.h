/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* How much memory this host, or the container that this process runs in, has. */
#ifndef SUPPORT_MEMORY_H
#define SUPPORT_MEMORY_H
#include <stdint.h>

/* Bytes; never more than a control group allows. */
uint64_t pst_memory_physical(void);
/* Bytes that can be had now without swapping, as far as the kernel tells. */
uint64_t pst_memory_available(void);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* At the target of transfers in several messages: how much of each has arrived. */
#ifndef VIS_ARRIVED_H
#define VIS_ARRIVED_H
#include <stdint.h>

#include "gasnet.h"

/* Counts nbytes of transfer `id` of node src that have been stored in their places. 1: now all `total` bytes
 * have been, and are visible here, in whatever order and threads the messages came. Fatal where the messages
 * of a transfer contradict each other. */
int pst_arrived(gasnet_node_t src, uint32_t id, uint64_t total, uint64_t nbytes);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* At the target of transfers in several messages: how much of each has arrived. */
#ifndef VIS_ARRIVED_H
#define VIS_ARRIVED_H
#include <stdint.h>

#include "gasnet.h"

/* nbytes more of transfer `id` of node src have their place. 1: now all `total` have, whatever the order and
 * whichever the threads in which the messages came, and all are visible. Fatal where the messages of a
 * transfer do not agree. */
int pst_arrived(gasnet_node_t src, uint32_t id, uint64_t total, uint64_t nbytes);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Memory that the layers above the core share among the processes of a host: for what they tell each other
 * without messages. */
#ifndef CORE_SCRATCH_H
#define CORE_SCRATCH_H
#include "gasnet.h"

enum { PST_SCRATCH = 16384 }; /* bytes a node: whole pages, zeroed at the start */

/* Where a node's is mapped here: NULL where it shares no memory with this node as far as clients may know
 * (another supernode, or under GASNET_AM_ONLY any other). */
void *pst_scratch(gasnet_node_t node);

#endif

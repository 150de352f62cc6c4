/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What the processes of a host share above bootstrap: the queues of the smp conduit, and scratch memory by
 * which the layers above the core communicate without messages. */
#ifndef CORE_SCRATCH_H
#define CORE_SCRATCH_H
#include "gasnet.h"

enum { PST_SCRATCH = 16384 }; /* bytes a node: whole pages, zeroed at the start */

/* Tells bootstrap the size; called before this process makes the host's memory or joins a job. */
void pst_scratch_reserve(void);
void *pst_scratch_conduit(void); /* the queues' part, once this process is in the job */

/* Where a node's scratch memory is mapped here. NULL for a node of another supernode, and under
 * GASNET_AM_ONLY for any other node: clients are told that such nodes share no memory. */
void *pst_scratch(gasnet_node_t node);

#endif

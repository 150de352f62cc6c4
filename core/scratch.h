/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What the processes of a host share above bootstrap: the queues of the smp conduit, and scratch memory by
 * which the layers above the core communicate without messages. */
#ifndef CORE_SCRATCH_H
#define CORE_SCRATCH_H
#include "gasnet.h"

/* Bytes a node: whole pages, zeroed at the start. Where processes outnumber cores a sender fills its
 * receivers' lanes between two turns, so long lanes save switches: a broadcast of 8 bytes among 4 processes
 * on two cores takes 0.25 us with 60 KiB, and 0.65 with 16. */
enum { PST_SCRATCH = 61440 };

/* Tells bootstrap the size; called before this process makes the host's memory or joins a job. */
void pst_scratch_reserve(void);
void *pst_scratch_conduit(void); /* the queues' part, once this process is in the job */

/* Where a node's scratch memory is mapped here. NULL for a node of another supernode, and under
 * GASNET_AM_ONLY for any other node: clients are told that such nodes share no memory. */
void *pst_scratch(gasnet_node_t node);

#endif

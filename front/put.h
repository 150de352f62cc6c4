/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Implicit puts of a language with coarrays, to nodes whose memory is not mapped here. A program's statements
 * on one place of an image follow each other, and a network may carry them in any order: so the ranges to
 * which puts go are kept until an image control statement completes them. One thread at a time calls these,
 * and in a parallel region of OpenMP several may. */
#ifndef FRONT_PUT_H
#define FRONT_PUT_H

#include <gasnetx.h>

#include "support/tsan.h"

/* ThreadSanitizer knows no fences. */
#if defined(PST_TSAN)
#define PST_FRONT_FENCE(order) __atomic_signal_fence(order)
#else
#define PST_FRONT_FENCE(order) __atomic_thread_fence(order)
#endif

/* Who reads or writes the range of another node's memory first says so, which waits where an earlier put may
 * still write to it. `put`: it is an implicit put itself. */
void pst_front_put_order(gasnet_node_t node, const void *there, size_t nbytes, int put);
/* An implicit put of bytes, which may go on when this returns; the source may be changed then. */
void pst_front_put_start(gasnet_node_t node, void *there, const void *from, size_t nbytes);
/* Whether one may be under way. */
int pst_front_put_pending(void);
/* All puts of this node are visible at their targets, those in shared memory among them. */
void pst_front_put_complete(void);

#endif

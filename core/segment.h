/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The segments of all nodes and how they are reached. */
#ifndef CORE_SEGMENT_H
#define CORE_SEGMENT_H
#include <stddef.h>
#include <stdint.h>

#include "gasnet.h"

struct pst_segments {
  gasnet_seginfo_t *info; /* [nodes] as each node sees its own */
  ptrdiff_t *delta;       /* [nodes] what to add to them for access here */
  uintptr_t max_local, max_global;
};
extern struct pst_segments pst_segments;

/* Collective: how much each node may attach. */
void pst_segment_open(void);
/* Collective: makes and maps the segments. Fatal when the machine refuses. */
void pst_segment_attach(uintptr_t size);
/* Fills pst_map, which the public inlines look at. */
void pst_segment_publish(void);
/* Empties it again, in a process that was forked from a node. */
void pst_segment_hide(void);

/* Debug builds: checks that [addr, addr+nbytes) lies in the node's segment. `what` names the argument. */
void pst_segment_check(
    const char *call, const char *what, gasnet_node_t node, const void *addr, size_t nbytes);

#endif

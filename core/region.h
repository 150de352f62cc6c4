/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Regions: memory of each node that other nodes reach. Number 0 is the segment; further ones are memory that
 * the client has already, such as a program's static data (gasnetx_region_add).
 *
 * An address is the one that its node sees. The node's entry in pst_segments.delta, added to it, gives where
 * the memory is mapped here. The entry is the same for the segment and all regions, so no code has to find
 * the region first. */
#ifndef CORE_REGION_H
#define CORE_REGION_H
#include "gasnet.h"

enum { PST_REGIONS = 32 };

struct pst_regions {
  unsigned count;                      /* the same on all nodes */
  gasnet_seginfo_t own[PST_REGIONS];   /* this node's */
  gasnet_seginfo_t *info[PST_REGIONS]; /* [nodes] each, once attached */
};
extern struct pst_regions pst_regions;

/* The region of the node that has these bytes; -1: none. */
int pst_region_find(gasnet_node_t node, const void *addr, size_t nbytes);

/* Called before there are threads: makes the regions that were added shared memory. */
void pst_region_share(void);
/* Collective: regions and addresses of all nodes, with the segment's, into pst_regions. */
void pst_region_exchange(const gasnet_seginfo_t *segment);
/* Opens the file of region r, r > 0, of a node of this host. The file begins with the region's first byte.
 * Ends the job where it cannot be opened. */
int pst_region_open(gasnet_node_t node, unsigned r);
/* Called when all nodes of this host have mapped them: they cannot be opened again. */
void pst_region_close(void);

#endif

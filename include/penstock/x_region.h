/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Memory beside the segment that other nodes reach, such as a program's static data. */
#ifndef PENSTOCK_X_REGION_H
#define PENSTOCK_X_REGION_H
#ifdef __cplusplus
extern "C" {
#endif

/* Makes [addr, addr+nbytes), whole pages of this process that are readable and writable, a region: from
 * gasnet_attach on all calls take addresses in it like addresses in the segment. Contents and addresses stay.
 * Call it before gasnet_attach, best before gasnet_init, while no other thread writes to the memory. All
 * nodes call it equally often; nbytes may differ and may be 0. The memory must stay mapped. A forked child
 * gets its own copy. Returns the region's number, from 1; or -1 with errno: EINVAL not whole pages, ENOMEM
 * not all mapped, ENOSPC too many, EBUSY attached already. */
int gasnetx_region_add(void *addr, size_t nbytes);

/* How many regions there are with the segment, which is number 0. */
unsigned gasnetx_region_count(void);

/* As gasnet_getSegmentInfo: each node's own address and size in bytes. GASNET_OK, GASNET_ERR_NOT_INIT before
 * gasnet_attach, GASNET_ERR_BAD_ARG. */
int gasnetx_getRegionInfo(unsigned region, gasnet_seginfo_t *table, int numentries);

/* Asks that the segments of a host's nodes have the same addresses in all processes of the host, so that a
 * pointer into a segment means the same memory to all of them, and gasnet_getNodeInfo shows no distances.
 * Call it before gasnet_attach, on all nodes, in a job without regions; anything else ends the job. */
void gasnetx_segments_at_same_addresses(void);

#ifdef __cplusplus
}
#endif
#endif

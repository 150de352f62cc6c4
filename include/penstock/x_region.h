/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Memory beside the segment that other nodes reach, such as a program's static data. */
#ifndef PENSTOCK_X_REGION_H
#define PENSTOCK_X_REGION_H
#ifdef __cplusplus
extern "C" {
#endif

/* Makes [addr, addr+nbytes), whole pages of this process that are readable and writable, a region: from
 * gasnet_attach on all calls take addresses there like addresses in the segment. Its contents and its place
 * stay. Called before gasnet_attach, best before gasnet_init, while no other thread writes there; by all
 * nodes as often (nbytes may be 0, and differ). The memory must stay mapped. A child that is forked gets a
 * copy of its own. The region's number, from 1; -1 with errno: EINVAL no whole pages, ENOMEM not all of it is
 * mapped, ENOSPC too many, EBUSY attached already. */
int gasnetx_region_add(void *addr, size_t nbytes);

/* How many there are with the segment, which is number 0. */
unsigned gasnetx_region_count(void);

/* As gasnet_getSegmentInfo: where each node sees its own, in bytes. GASNET_OK, GASNET_ERR_NOT_INIT before
 * gasnet_attach, GASNET_ERR_BAD_ARG. */
int gasnetx_getRegionInfo(unsigned region, gasnet_seginfo_t *table, int numentries);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Synchronisation of images. */
#ifndef XMP_SYNC_H
#define XMP_SYNC_H

/* Before the job's first barrier, and before any block of the heap that only some nodes take. */
void pst_xmp_sync_open(void);
/* At the end of the program: waits until all nodes are here. Meanwhile others may find out, in a
 * synchronisation with this node, that it has stopped. */
void pst_xmp_sync_leave(void);

#endif

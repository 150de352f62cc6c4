/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Events of XcalableMP, GASP_MODEL_XMP. GASP 1.5 knows neither the model nor its events: these are
 * Penstock's. A node is a thread of GASP's and has the thread's number, which counts from 0 among all nodes.
 * The place of an event is that of the directive, or of the statement that accesses a coarray. */
#ifndef _GASP_XMP_H
#define _GASP_XMP_H

/* Counts the changes of this file. */
#define GASP_XMP_VERSION 1

/* Start and end.
 * INIT                Atomic: int nodes. The first event.
 * COLLECTIVE_EXIT     Start, End: int status. The end of the program.
 * NONCOLLECTIVE_EXIT  Atomic: int status. xmp_exit with a status other than 0. */
#define GASP_XMP_INIT               0x0501u
#define GASP_XMP_COLLECTIVE_EXIT    0x0502u
#define GASP_XMP_NONCOLLECTIVE_EXIT 0x0503u

/* All others have Start and End, with the same arguments:
 *   size_t bytes      of a node's variables, of a coarray's elements; 0 where it is not told
 *   int node          the other one; -1: there is not just one
 *   const char *name  of the array, the coarray, the first variable; or NULL */

/* Blocks: other events come between Start and End. A task has events on the nodes that run it. */
#define GASP_XMP_TASK  0x0511u
#define GASP_XMP_TASKS 0x0512u
#define GASP_XMP_LOOP  0x0513u
#define GASP_XMP_ARRAY 0x0514u

/* Directives. Of an operation with an async clause End comes when it is under way. */
#define GASP_XMP_REFLECT       0x0521u
#define GASP_XMP_REDUCE_SHADOW 0x0522u
#define GASP_XMP_GMOVE         0x0523u
#define GASP_XMP_BARRIER       0x0524u
#define GASP_XMP_REDUCTION     0x0525u
#define GASP_XMP_BCAST         0x0526u
#define GASP_XMP_WAIT_ASYNC    0x0527u

/* Coarrays. */
#define GASP_XMP_PUT           0x0531u
#define GASP_XMP_GET           0x0532u
#define GASP_XMP_ATOMIC_DEFINE 0x0533u
#define GASP_XMP_ATOMIC_REF    0x0534u

/* Synchronisation. */
#define GASP_XMP_SYNC_MEMORY     0x0541u
#define GASP_XMP_SYNC_ALL        0x0542u
#define GASP_XMP_SYNC_IMAGE      0x0543u
#define GASP_XMP_SYNC_IMAGES_ALL 0x0544u
#define GASP_XMP_SYNC_IMAGES     0x0545u
#define GASP_XMP_POST            0x0546u
#define GASP_XMP_WAIT            0x0547u
#define GASP_XMP_LOCK            0x0551u
#define GASP_XMP_UNLOCK          0x0552u

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Events of Fortran's coarrays, GASP_MODEL_CAF. GASP 1.5 names the model and leaves its events to
 * implementations. Image k is thread k - 1 of GASP's. The place of an event is that of the statement, where
 * the program has debug information. */
#ifndef _GASP_CAF_H
#define _GASP_CAF_H

/* Counts the changes of this file. */
#define GASP_CAF_VERSION 1

/* Start and end.
 * INIT                Atomic: int images. The first event.
 * COLLECTIVE_EXIT     Start, End: int status. stop; or the end of the program, which has no place.
 * NONCOLLECTIVE_EXIT  Atomic: int status. error stop. */
#define GASP_CAF_INIT               0x0601u
#define GASP_CAF_COLLECTIVE_EXIT    0x0602u
#define GASP_CAF_NONCOLLECTIVE_EXIT 0x0603u

/* All others have Start and End, with the same arguments:
 *   size_t bytes  of what is transferred, combined or allocated here; 0 for other statements, and where it is
 *                 not known. End may know more than Start
 *   int thread    that of the other image, or this one's; -1: there is not just one */

/* Assignments to another image and from it, and from one image to another; the question whether a component
 * of another image is allocated. */
#define GASP_CAF_PUT       0x0611u
#define GASP_CAF_GET       0x0612u
#define GASP_CAF_COPY      0x0613u
#define GASP_CAF_ALLOCATED 0x0614u

/* Atomic subroutines. */
#define GASP_CAF_ATOMIC_DEFINE    0x0621u
#define GASP_CAF_ATOMIC_REF       0x0622u
#define GASP_CAF_ATOMIC_ADD       0x0623u
#define GASP_CAF_ATOMIC_AND       0x0624u
#define GASP_CAF_ATOMIC_OR        0x0625u
#define GASP_CAF_ATOMIC_XOR       0x0626u
#define GASP_CAF_ATOMIC_FETCH_ADD 0x0627u
#define GASP_CAF_ATOMIC_FETCH_AND 0x0628u
#define GASP_CAF_ATOMIC_FETCH_OR  0x0629u
#define GASP_CAF_ATOMIC_FETCH_XOR 0x062au
#define GASP_CAF_ATOMIC_CAS       0x062bu

/* Image control. */
#define GASP_CAF_SYNC_ALL     0x0631u
#define GASP_CAF_SYNC_IMAGES  0x0632u
#define GASP_CAF_SYNC_MEMORY  0x0633u
#define GASP_CAF_SYNC_TEAM    0x0634u
#define GASP_CAF_EVENT_POST   0x0635u
#define GASP_CAF_EVENT_WAIT   0x0636u
#define GASP_CAF_EVENT_QUERY  0x0637u
#define GASP_CAF_LOCK         0x0638u
#define GASP_CAF_UNLOCK       0x0639u
#define GASP_CAF_CRITICAL     0x063au
#define GASP_CAF_END_CRITICAL 0x063bu

/* Collective subroutines. */
#define GASP_CAF_CO_BROADCAST 0x0641u
#define GASP_CAF_CO_SUM       0x0642u
#define GASP_CAF_CO_MIN       0x0643u
#define GASP_CAF_CO_MAX       0x0644u
#define GASP_CAF_CO_REDUCE    0x0645u

/* Coarrays and their components, with the synchronisation that belongs to the statement. An allocate with
 * stat= has an event for each coarray. */
#define GASP_CAF_ALLOCATE   0x0651u
#define GASP_CAF_DEALLOCATE 0x0652u

/* Teams. */
#define GASP_CAF_FORM_TEAM   0x0661u
#define GASP_CAF_CHANGE_TEAM 0x0662u
#define GASP_CAF_END_TEAM    0x0663u

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Split-phase barriers. GASNet specification 1.8, "Barriers". */
#ifndef PENSTOCK_BARRIER_H
#define PENSTOCK_BARRIER_H
#ifdef __cplusplus
extern "C" {
#endif

/* Begins a barrier. flags: 0 gives it the id; GASNET_BARRIERFLAG_ANONYMOUS matches any id;
 * GASNET_BARRIERFLAG_MISMATCH forces a mismatch. A second notify before a successful wait or try ends the
 * job. */
void gasnet_barrier_notify(int id, int flags);
/* Ends it. GASNET_OK, or GASNET_ERR_BARRIER_MISMATCH: a mismatch was forced, ids of notifies differ, or this
 * call's id differs from theirs. Serves messages while it waits; before it returns it serves all that have
 * arrived. Without a notify it ends the job. */
int gasnet_barrier_wait(int id, int flags);
/* The same without a wait: GASNET_ERR_NOT_READY if not all have notified. */
int gasnet_barrier_try(int id, int flags);
/* Both phases. */
int gasnet_barrier(int id, int flags);
/* For the last complete barrier: non-zero when all notifies were anonymous; else 0, with their id in *id. */
int gasnet_barrier_result(int *id);

#ifdef __cplusplus
}
#endif
#endif

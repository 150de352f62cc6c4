/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Split-phase barriers. GASNet specification 1.8, "Barriers". */
#ifndef PENSTOCK_BARRIER_H
#define PENSTOCK_BARRIER_H
#ifdef __cplusplus
extern "C" {
#endif

/* flags: 0 named by id; GASNET_BARRIERFLAG_ANONYMOUS matches any id; GASNET_BARRIERFLAG_MISMATCH forces a
 * mismatch. A second one without a successful wait or try between ends the job. */
void gasnet_barrier_notify(int id, int flags);
/* GASNET_OK, or GASNET_ERR_BARRIER_MISMATCH: a mismatch was forced, ids of notifies differed, or both this
 * call and the notifies have an id and these differ. Serves messages while it waits, and what has arrived
 * before it returns. Without a notify it ends the job. */
int gasnet_barrier_wait(int id, int flags);
/* The same, or GASNET_ERR_NOT_READY at once. */
int gasnet_barrier_try(int id, int flags);
/* Both phases. */
int gasnet_barrier(int id, int flags);
/* Of the last barrier completed: non-zero when all notifies were anonymous; else 0 and their id in *id. */
int gasnet_barrier_result(int *id);

#ifdef __cplusplus
}
#endif
#endif

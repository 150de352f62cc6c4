/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A job that a foreign launcher has started: no process of ours is above the nodes, so the nodes themselves
 * begin and end the job. */
#ifndef BOOTSTRAP_FOREIGN_JOB_H
#define BOOTSTRAP_FOREIGN_JOB_H
#include "bootstrap/exchange.h"
#include "bootstrap/start.h"

/* 0: no such launcher has started this process. Else its place in the job; `how` says by whom, for people.
 * Fatal when that fails. */
int pst_foreign_join(struct pst_start *s, char how[64]);
int pst_foreign_is_job(void);
/* A collective of the job, in place of a supervisor: called by process `index` of each host once the host's
 * blobs of `size` bytes are in g; the first of each host brings the job's, and answers with `turn`. */
void pst_foreign_exchange(struct pst_jobexchange *g, unsigned index, uint32_t turn);

/* Called before this process ends with `code`, when its output is flushed. It waits for the others of the
 * job, at first for GASNET_EXITTIMEOUT, then after a signal to those of this host; the launcher ends those
 * that do not come. Returns the code to end with. `limit` shall end the process with `code` if that takes
 * longer than `seconds`, which may be HUGE_VAL. `finalize`, unless NULL, is what all processes of the job
 * must call together, as MPI_Finalize; it is called when all have come. Does nothing in any other job. */
int pst_foreign_leave(int code, void (*limit)(int code, double seconds), void (*finalize)(void));
/* The code of the first process of this host that has left with another code than 0; 0: none has. */
int pst_foreign_code(void);

#endif

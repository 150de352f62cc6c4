/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* How the control memory of a host is divided: jobstate, exchange area, job-wide exchange area, the conduit's
 * queues, the layers' scratch. */
#ifndef BOOTSTRAP_CONTROL_H
#define BOOTSTRAP_CONTROL_H
#include <stddef.h>
#include "bootstrap/jobstate.h"

struct pst_exchange;
struct pst_gather;

size_t pst_control_size(const struct pst_part *part); /* bytes, a multiple of the page size */
struct pst_exchange *pst_control_exchange(struct pst_jobstate *state);
struct pst_gather *pst_control_gather(struct pst_jobstate *state); /* only where the job has several hosts */
void *pst_control_conduit(struct pst_jobstate *state);
void *pst_control_scratch(struct pst_jobstate *state); /* PST_SCRATCH bytes a process of the host */

#endif

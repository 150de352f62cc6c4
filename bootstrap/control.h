/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* How the control memory of a host is divided: jobstate, exchange area, list of lost nodes, job-wide exchange
 * area, and what the layers above bootstrap share. */
#ifndef BOOTSTRAP_CONTROL_H
#define BOOTSTRAP_CONTROL_H
#include <stddef.h>
#include "bootstrap/jobstate.h"

struct pst_exchange;
struct pst_jobexchange;

/* The layers above say how many bytes they share on a host with `local` processes. Every process that makes
 * the memory or adopts it says so first: they must find the same size. */
void pst_control_reserve(size_t (*bytes)(unsigned local));
size_t pst_control_size(const struct pst_part *part); /* bytes, a multiple of the page size */
struct pst_exchange *pst_control_exchange(struct pst_jobstate *state);
uint32_t *pst_control_losses(struct pst_jobstate *state); /* [nodes]: losses.h */
struct pst_jobexchange *pst_control_jobexchange(
    struct pst_jobstate *state);                        /* only where the job has several hosts */
void *pst_control_reserved(struct pst_jobstate *state); /* those bytes */

#endif

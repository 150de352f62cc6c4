/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Which nodes of the job are lost, as the supervisor of a host tells its processes.
 *
 * The list lies in the control memory and only grows. Its first `losses` entries are different nodes of the
 * job and do not change any more. The supervisor alone writes: it stores an entry, then the count with
 * release. A process loads the count with acquire, and then reads the entries. The supervisor has waited for
 * a process of its host before it adds it, so whoever has seen the loss also sees everything that the lost
 * process stored in shared memory. The order of the list is the host's own. */
#ifndef BOOTSTRAP_LOSSES_H
#define BOOTSTRAP_LOSSES_H
#include "bootstrap/control.h"

static inline uint32_t pst_losses_count(struct pst_jobstate *state)
{
  return atomic_load_explicit(&state->losses, memory_order_acquire);
}
/* Entry i, less than the count. */
static inline uint32_t pst_losses_node(struct pst_jobstate *state, uint32_t i)
{
  return pst_control_losses(state)[i];
}
/* For the supervisor. A node that is in the list already is not added again. */
void pst_losses_add(struct pst_jobstate *state, uint32_t node);

#endif

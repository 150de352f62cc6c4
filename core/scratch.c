/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "core/scratch.h"

#include "bootstrap/control.h"
#include "core/job.h"
#include "core/neighbourhood.h"

static size_t conduit_bytes(unsigned local)
{
  const size_t n = pst_conduit_find("smp")->host->shared_size(local);
  return (n + PST_PAGESIZE - 1) & ~(size_t)(PST_PAGESIZE - 1);
}

static size_t all_bytes(unsigned local) { return conduit_bytes(local) + (size_t)local * PST_SCRATCH; }

void pst_scratch_reserve(void) { pst_control_reserve(all_bytes); }

void *pst_scratch_conduit(void) { return pst_control_reserved(pst_job.place.hm.state); }

void *pst_scratch(gasnet_node_t node)
{
  if (!pst_neighbour_shared(node)) return NULL;
  return (char *)pst_scratch_conduit() + conduit_bytes(pst_job.place.local) +
      (size_t)(node - pst_job.place.first) * PST_SCRATCH;
}

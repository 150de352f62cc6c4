/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The uppermost layer of the library begins all of them: the core below is handed a table and names none. */
#include "core/job.h"
#include "extended/atomic.h"
#include "teams/barrier.h"
#include "teams/call.h"
#include "teams/channel.h"
#include "teams/cost.h"
#include "vis/coalesce.h"
#include "vis/remote.h"

static void layers_open(void)
{
  pst_reference_open();
  pst_atomic_open();
  pst_channels_open();
  pst_collcost_open();
  pst_team_open();
  pst_engine_open();
  pst_barrier_open();
  pst_notify_open();
  pst_remote_open();
  pst_coalesce_open();
  pst_team_complete("gasnet_attach", pst_team_all); /* uses all of the above, as does the next */
  pst_nodes_open();
}

static void layers_forked(void)
{
  pst_engine_forked();
  pst_barrier_open();
}

static const struct pst_layers layers = {layers_open, layers_forked};

/* Segments lie apart from the heap, so that no distance between the two is kept. */
int gasnet_attach(gasnet_handlerentry_t *table, int numentries, uintptr_t segsize, uintptr_t minheapoffset)
{
  (void)minheapoffset;
  return pst_job_attach(table, numentries, segsize, &layers);
}

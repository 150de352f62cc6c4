/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* GASNet's own collectives, on the team of all nodes. */
#include "core/amcheck.h"
#include "core/job.h"
#include "extended/team.h"

static struct pst_team all_nodes; /* its address names the team to clients */
gasnet_team_handle_t pst_team_all = &all_nodes;

static int initialised;

void gasnet_coll_init(const gasnet_image_t images[], gasnet_image_t my_image, gasnet_coll_fn_entry_t fn_tbl[],
    size_t fn_count, int init_flags)
{
  (void)my_image;
  (void)fn_tbl;
  (void)init_flags;
  if (pst_job.phase != PST_PHASE_ATTACHED) pst_job_not_attached("gasnet_coll_init");
  if (fn_count) pst_fatal("gasnet_coll_init: reduction functions are not served; pass no function table");
  for (unsigned i = 0; images && i < pst_nodes; i++)
    if (images[i] != 1)
      pst_fatal("gasnet_coll_init: %u images on node %u; one image a node is served", images[i], i);
  initialised = 1;
}

void gasnet_coll_broadcast(
    gasnet_team_handle_t team, void *dst, gasnet_image_t root, void *src, size_t nbytes, int flags)
{
  const gasnetx_nodes_t all = {0, 1, pst_nodes};
  struct pst_team *t;
  pst_amcheck_client("gasnet_coll_broadcast");
  if (!initialised) pst_fatal("gasnet_coll_broadcast was called before gasnet_coll_init");
  if (team != pst_team_all) pst_fatal("gasnet_coll_broadcast: only GASNET_TEAM_ALL is served");
  if (root >= pst_nodes)
    pst_fatal("gasnet_coll_broadcast: root %u does not exist; the job has %u nodes", root, pst_nodes);
  t = pst_team_enter(PST_TEAM_COLL_BROADCAST, &all, nbytes, root);
  if (flags & GASNET_COLL_IN_ALLSYNC) pst_team_sync(t);
  pst_team_broadcast(t, root, dst, src, nbytes, 1);
  if (flags & GASNET_COLL_OUT_ALLSYNC) pst_team_sync(t);
  pst_team_leave();
}

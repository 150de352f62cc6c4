/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "core/neighbourhood.h"

#include <stdlib.h>

#include "bootstrap/boot.h"
#include "core/job.h"
#include "core/segment.h"
#include "core/trace.h"

static uint32_t *host_of; /* [nodes] first node of its host; NULL in a job on one */

void pst_neighbour_open_table(void)
{
  const uint32_t mine = pst_job.place.first;
  if (pst_job.place.hosts == 1) return;
  host_of = pst_job_alloc(pst_nodes, sizeof *host_of);
  pst_boot_all(&mine, sizeof mine, host_of);
}

gasnet_node_t pst_neighbour_host(gasnet_node_t node) { return host_of ? host_of[node] : 0; }

gasnet_node_t pst_neighbour_supernode(gasnet_node_t node)
{
  const gasnet_node_t first = pst_neighbour_host(node);
  return pst_job.supernode ? node - (node - first) % pst_job.supernode : first;
}

/* A supernode is consecutive nodes of a host: on one host, the last node is in the last supernode. */
int pst_neighbour_any_far(void) { return host_of || pst_neighbour_supernode(pst_nodes - 1) != 0; }

unsigned pst_neighbour_near(void)
{
  unsigned n = 0;
  for (gasnet_node_t i = pst_job.place.first; i < pst_job.place.first + pst_job.place.local; i++)
    n += pst_neighbour_supernode(i) == pst_neighbour_supernode(pst_mynode);
  return n;
}

int pst_neighbour_all_alone(void)
{
  for (gasnet_node_t i = 0; i < pst_nodes; i++)
    if (pst_neighbour_supernode(i) != i) return 0;
  return 1;
}

uint8_t *pst_neighbour_far(void)
{
  uint8_t *far = pst_job_alloc(pst_nodes, sizeof *far);
  for (gasnet_node_t i = 0; i < pst_nodes; i++)
    far[i] = pst_neighbour_supernode(i) != pst_neighbour_supernode(pst_mynode);
  return far;
}

int pst_neighbour_shared(gasnet_node_t node)
{
  if (pst_job.am_only) return node == pst_mynode;
  return pst_neighbour_supernode(node) == pst_neighbour_supernode(pst_mynode);
}

int pst_neighbour_open(gasnet_node_t node)
{
  return pst_neighbour_shared(node) && !pst_job.am_only && !PST_DEBUG &&
      !__atomic_load_n(&pst_trace_on, __ATOMIC_RELAXED);
}

/* A host's and a supernode's number is that of its first node. */
static gasnet_nodeinfo_t node_describe(gasnet_node_t node)
{
  gasnet_nodeinfo_t info = {
      pst_neighbour_host(node), pst_job.am_only ? node : pst_neighbour_supernode(node), 0};
  if (pst_segments.delta && pst_neighbour_shared(node)) info.offset = (uintptr_t)pst_segments.delta[node];
  return info;
}

int gasnet_getNodeInfo(gasnet_nodeinfo_t *table, int numentries)
{
  if (pst_job.phase == PST_PHASE_NONE) return GASNET_ERR_NOT_INIT;
  if (!table || numentries < 0) return GASNET_ERR_BAD_ARG;
  for (unsigned i = 0; i < (unsigned)numentries && i < pst_nodes; i++) table[i] = node_describe(i);
  return GASNET_OK;
}

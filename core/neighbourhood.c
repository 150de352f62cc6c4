#include "core/neighbourhood.h"

#include "core/job.h"
#include "core/segment.h"
#include "core/trace.h"

/* All nodes of a job that runs on shared memory alone are on one host. */
gasnet_node_t pst_neighbour_host(gasnet_node_t node)
{
  (void)node;
  return 0;
}

gasnet_node_t pst_neighbour_supernode(gasnet_node_t node)
{
  return pst_job.supernode ? node - node % pst_job.supernode : 0;
}

int pst_neighbour_shared(gasnet_node_t node)
{
  if (pst_job.am_only) return node == pst_mynode;
  return pst_neighbour_supernode(node) == pst_neighbour_supernode(pst_mynode);
}

int pst_neighbour_open(gasnet_node_t node)
{
  return pst_neighbour_shared(node) && !pst_job.am_only && !PST_DEBUG && !pst_trace_on;
}

/* Supernodes are numbered as nodes are: by their first. */
static gasnet_nodeinfo_t describe(gasnet_node_t node)
{
  gasnet_nodeinfo_t info = { pst_neighbour_host(node), pst_job.am_only ? node : pst_neighbour_supernode(node), 0 };
  if (pst_segments.delta && pst_neighbour_shared(node)) info.offset = (uintptr_t)pst_segments.delta[node];
  return info;
}

int gasnet_getNodeInfo(gasnet_nodeinfo_t *table, int numentries)
{
  if (pst_job.phase == PST_PHASE_NONE) return GASNET_ERR_NOT_INIT;
  if (!table || numentries < 0) return GASNET_ERR_BAD_ARG;
  for (unsigned i = 0; i < (unsigned)numentries && i < pst_nodes; i++) table[i] = describe(i);
  return GASNET_OK;
}

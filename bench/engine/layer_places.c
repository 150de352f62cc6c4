/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "places.h"

#include <gasnet.h>
#include <gasnetx.h>
#include <stdlib.h>

static ptrdiff_t *distance; /* [nodes] from a node's own addresses to those here */
static char *is_mapped;     /* [nodes] */

static void *needed(size_t count, size_t size)
{
  void *const p = calloc(count, size);
  if (!p) bench_die("no memory for tables of %u nodes", bench_node.nodes);
  return p;
}

static void find_nodes(void)
{
  const unsigned n = bench_node.nodes, me = bench_node.me;
  gasnet_nodeinfo_t *const info = needed(n, sizeof *info);
  distance = needed(n, sizeof *distance);
  is_mapped = needed(n, 1);
  if (gasnet_getNodeInfo(info, (int)n) != GASNET_OK) bench_die("nothing is known of the nodes");
  for (unsigned i = 0; i < n; i++) {
    is_mapped[i] = i == me || info[i].supernode == info[me].supernode;
    if (is_mapped[i] && i != me) distance[i] = (ptrdiff_t)info[i].offset;
    if (i < me && info[i].host == info[me].host) bench_node.here++;
  }
  free(info);
}

int bench_is_mapped(void)
{
  for (unsigned i = 0; i < bench_node.nodes; i++)
    if (!is_mapped[i]) return 0;
  return 1;
}

void bench_places_find(struct bench_places *p, const void *mine)
{
  if (!p->remote) p->remote = needed(bench_node.nodes, sizeof *p->remote);
  if (!p->mapped) p->mapped = needed(bench_node.nodes, sizeof *p->mapped);
  gasnetx_coll_allgather(GASNET_TEAM_ALL, p->remote, &mine, sizeof mine);
  for (unsigned i = 0; i < bench_node.nodes; i++)
    p->mapped[i] = is_mapped[i] ? p->remote[i] + distance[i] : NULL;
}

void bench_places_attach(void *mine, size_t size)
{
  struct bench_places places = {0};
  find_nodes();
  bench_places_find(&places, mine);
  bench_node.remote = (void **)places.remote;
  bench_node.mapped = places.mapped;
  bench_node.segment = mine;
  bench_node.size = size;
}

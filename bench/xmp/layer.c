/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The engine's view of XcalableMP, whose nodes are those of gasnet.h. The job has begun before main. */
#include "node.h"

#include <gasnet.h>
#include <gasnetx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xmp.h>

#pragma xmp nodes p[*]
#pragma xmp template bytes[ : ]
#pragma xmp distribute bytes[block] onto p
static char *memory; /* its parts are the engine's segments */
#pragma xmp align memory[i] with bytes[i]

static ptrdiff_t *distance; /* [nodes] from a node's own addresses to those here */
static char *is_mapped;     /* [nodes] */

static void *needed(size_t count, size_t size)
{
  void *const p = calloc(count, size);
  if (!p) bench_die("no memory for tables of %u nodes", bench_node.nodes);
  return p;
}

static void open_library(int *argc, char ***argv)
{
  (void)argc, (void)argv;
  bench_node.me = (unsigned)xmpc_all_node_num();
  bench_node.nodes = (unsigned)xmp_all_num_nodes();
}

/* ---- memory ---- */

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

static void attach_memory(size_t size)
{
  const size_t all = size * bench_node.nodes;
  struct bench_places places = {0};
  void *mine;
#pragma xmp template_fix bytes[all]
  memory = (char *)xmp_malloc(xmp_desc_of(memory), all);
  if (xmp_array_laddr(xmp_desc_of(memory), &mine) != XMP_SUCCESS) bench_die("no memory of %zu bytes", size);
  find_nodes();
  bench_places_find(&places, mine);
  bench_node.remote = (void **)places.remote;
  bench_node.mapped = places.mapped;
  bench_node.segment = mine;
  bench_node.size = size;
}

static void close_job(int code)
{
  fflush(stdout);
  xmp_exit(code);
}

const struct bench_layer bench_layer = {
    .open = open_library, .attach = attach_memory, .sync = xmp_barrier, .close = close_job, .mode = "xmp"};

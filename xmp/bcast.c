/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The bcast construct. Several short variables are one message. */
#include <string.h>

#include "xmp/async.h"
#include "xmp/context.h"
#include "xmp/tool.h"

enum { PACKED = 2048 }; /* bytes of variables that are worth a copy */

static size_t variable_bytes(const struct pst_xmp_variable *v) { return v->count * v->size; }

static size_t variables_bytes(int n, const struct pst_xmp_variable v[])
{
  size_t bytes = 0;
  for (int i = 0; i < n; i++) bytes += variable_bytes(&v[i]);
  return bytes;
}

static gasnet_node_t root_of(const char *where, const struct pst_xmp_group *g, const struct pst_xmp_on *from)
{
  if (!from || !from->desc) return 0;
  const int node = pst_xmp_on_one(where, from), rank = pst_xmp_set_rank(&g->set, node);
  if (rank < 0)
    pst_xmp_fatal(
        where, "bcast from node %d, which is not among the %d nodes that execute it", node, g->size);
  return (gasnet_node_t)rank;
}

/* ---- at once ---- */

static void variables_copy(char *packed, int n, const struct pst_xmp_variable v[], int pack)
{
  for (int i = 0; i < n; i++) {
    const size_t bytes = variable_bytes(&v[i]);
    memcpy(pack ? packed : v[i].address, pack ? v[i].address : packed, bytes);
    packed += bytes;
  }
}

static void bcast_packed(
    gasnetx_team_t team, gasnet_node_t root, int n, const struct pst_xmp_variable v[], size_t bytes)
{
  char packed[PACKED];
  const int at_root = gasnetx_team_rank(team) == root;
  if (at_root) variables_copy(packed, n, v, 1);
  gasnetx_coll_broadcast(team, packed, root, packed, bytes);
  if (!at_root) variables_copy(packed, n, v, 0);
}

static void bcast_now(gasnetx_team_t team, gasnet_node_t root, int n, const struct pst_xmp_variable v[])
{
  const size_t bytes = n > 1 ? variables_bytes(n, v) : 0;
  if (bytes && bytes <= PACKED) {
    bcast_packed(team, root, n, v, bytes);
    return;
  }
  for (int i = 0; i < n; i++)
    gasnetx_coll_broadcast(team, v[i].address, root, v[i].address, variable_bytes(&v[i]));
}

/* ---- with an id: each variable by itself, without a copy whose life would have to be kept ---- */

static void bcast_begin(const char *where, struct pst_xmp_group *g, gasnet_node_t root, int n,
    const struct pst_xmp_variable v[], int id)
{
  gasnet_handle_t handle[n];
  const gasnetx_team_t team = pst_xmp_group_team(g);
  for (int i = 0; i < n; i++)
    handle[i] = gasnetx_coll_broadcast_nb(team, v[i].address, root, v[i].address, variable_bytes(&v[i]));
  pst_xmp_async_add_handles(where, id, g, n, handle);
}

static void bcast_in(const char *where, struct pst_xmp_group *g, int n, const struct pst_xmp_variable v[],
    const struct pst_xmp_on *from, const int *async)
{
  const gasnet_node_t root = root_of(where, g, from);
  if (g->size == 1 || n <= 0) return;
  if (async) bcast_begin(where, g, root, n, v, *async);
  else bcast_now(pst_xmp_group_team(g), root, n, v);
}

static void bcast_run(const char *where, int n, const struct pst_xmp_variable v[],
    const struct pst_xmp_on *from, const struct pst_xmp_on *on, const int *async)
{
  pst_xmp_need_open(where);
  pst_xmp_async_advance();
  if (!on || !on->desc) {
    bcast_in(where, pst_xmp_executing(), n, v, from, async);
    return;
  }
  struct pst_xmp_group *const g = pst_xmp_on_open(where, on);
  if (!g) return;
  bcast_in(where, g, n, v, from, async);
  pst_xmp_group_close(g);
}

void pst_xmp_bcast(const char *where, int n, const struct pst_xmp_variable v[], const struct pst_xmp_on *from,
    const struct pst_xmp_on *on, const int *async)
{
  PST_XMP_ALONE(where);
  PST_XMP_TOLD(
      where, pst_xmp_told_bcast(&told, n, v, from, on, async), bcast_run(where, n, v, from, on, async));
}

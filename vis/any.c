/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* gasnetx_puts/gets_any: any order of dimensions, any direction on either side. */
#include "core/job.h"
#include "vis/check.h"

/* Both sides of a call as their nodes see them. */
struct grid {
  char *dst;
  const ptrdiff_t *dststrides;
  char *src;
  const ptrdiff_t *srcstrides;
  size_t elemsz;
  const size_t *count;
  size_t dims;
};

static gasnet_handle_t transfer(const char *call, unsigned op, gasnet_node_t node, const struct grid *g)
{
  const struct pst_transfer t = {.op = op, .node = node, .call = call};
  struct pst_shape s;
  ptrdiff_t dstshift, srcshift;
  pst_shape_any(&s, call, g->elemsz, g->dststrides, g->srcstrides, g->count, g->dims, &dstshift, &srcshift);
  if (PST_DEBUG) pst_check_shape(&t, &s, g->dst + dstshift, g->src + srcshift);
  if (s.row == 0) return GASNET_INVALID_HANDLE;
  return pst_transfer_shape(&t, &s, g->dst + dstshift, g->src + srcshift);
}

#define GRID                                                      \
  {                                                               \
    dstaddr, dststrides, srcaddr, srcstrides, elemsz, count, dims \
  }

void gasnetx_puts_any_bulk(gasnet_node_t dstnode, void *dstaddr, const ptrdiff_t dststrides[], void *srcaddr,
    const ptrdiff_t srcstrides[], size_t elemsz, const size_t count[], size_t dims)
{
  const struct grid g = GRID;
  transfer(__func__, 0, dstnode, &g);
}

gasnet_handle_t gasnetx_puts_any_nb_bulk(gasnet_node_t dstnode, void *dstaddr, const ptrdiff_t dststrides[],
    void *srcaddr, const ptrdiff_t srcstrides[], size_t elemsz, const size_t count[], size_t dims)
{
  const struct grid g = GRID;
  return transfer(__func__, PST_OP_NB, dstnode, &g);
}

void gasnetx_puts_any_nbi_bulk(gasnet_node_t dstnode, void *dstaddr, const ptrdiff_t dststrides[],
    void *srcaddr, const ptrdiff_t srcstrides[], size_t elemsz, const size_t count[], size_t dims)
{
  const struct grid g = GRID;
  transfer(__func__, PST_OP_NBI, dstnode, &g);
}

void gasnetx_gets_any_bulk(void *dstaddr, const ptrdiff_t dststrides[], gasnet_node_t srcnode, void *srcaddr,
    const ptrdiff_t srcstrides[], size_t elemsz, const size_t count[], size_t dims)
{
  const struct grid g = GRID;
  transfer(__func__, PST_OP_GET, srcnode, &g);
}

gasnet_handle_t gasnetx_gets_any_nb_bulk(void *dstaddr, const ptrdiff_t dststrides[], gasnet_node_t srcnode,
    void *srcaddr, const ptrdiff_t srcstrides[], size_t elemsz, const size_t count[], size_t dims)
{
  const struct grid g = GRID;
  return transfer(__func__, PST_OP_GET | PST_OP_NB, srcnode, &g);
}

void gasnetx_gets_any_nbi_bulk(void *dstaddr, const ptrdiff_t dststrides[], gasnet_node_t srcnode,
    void *srcaddr, const ptrdiff_t srcstrides[], size_t elemsz, const size_t count[], size_t dims)
{
  const struct grid g = GRID;
  transfer(__func__, PST_OP_GET | PST_OP_NBI, srcnode, &g);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* gasnet_puts/gets: section 6.2.1 of the extension proposal; gasnetx_puts/gets_any: any order, either way. */
#include "core/job.h"
#include "vis/check.h"

static inline gasnet_handle_t transfer_block(
    const char *call, unsigned op, gasnet_node_t node, const struct pst_block *b)
{
  const struct pst_transfer t = {.op = op, .node = node, .call = call};
  struct pst_shape s;
  pst_shape_strided(&s, call, b->dststrides, b->srcstrides, b->count, b->levels);
  if (PST_DEBUG) pst_check_block(&t, b, &s);
  return s.row ? pst_transfer_shape(&t, &s, b->dst, b->src) : GASNET_INVALID_HANDLE;
}

static gasnet_handle_t transfer_grid(
    const char *call, unsigned op, gasnet_node_t node, const struct pst_grid *g)
{
  const struct pst_transfer t = {.op = op, .node = node, .call = call};
  struct pst_shape s;
  ptrdiff_t dstshift, srcshift;
  pst_shape_any(&s, call, g->elemsz, g->dststrides, g->srcstrides, g->count, g->dims, &dstshift, &srcshift);
  if (PST_DEBUG) pst_check_shape(&t, &s, g->dst + dstshift, g->src + srcshift);
  return s.row ? pst_transfer_shape(&t, &s, g->dst + dstshift, g->src + srcshift) : GASNET_INVALID_HANDLE;
}

PST_VIS_FORMS(gasnet_puts,
    (gasnet_node_t dstnode, void *dstaddr, const size_t dststrides[], void *srcaddr,
        const size_t srcstrides[], const size_t count[], size_t stridelevels),
    0, transfer_block(__func__, op, dstnode, &PST_BLOCK))

PST_VIS_FORMS(gasnet_gets,
    (void *dstaddr, const size_t dststrides[], gasnet_node_t srcnode, void *srcaddr,
        const size_t srcstrides[], const size_t count[], size_t stridelevels),
    PST_OP_GET, transfer_block(__func__, op, srcnode, &PST_BLOCK))

PST_VIS_FORMS(gasnetx_puts_any,
    (gasnet_node_t dstnode, void *dstaddr, const ptrdiff_t dststrides[], void *srcaddr,
        const ptrdiff_t srcstrides[], size_t elemsz, const size_t count[], size_t dims),
    0, transfer_grid(__func__, op, dstnode, &PST_GRID))

PST_VIS_FORMS(gasnetx_gets_any,
    (void *dstaddr, const ptrdiff_t dststrides[], gasnet_node_t srcnode, void *srcaddr,
        const ptrdiff_t srcstrides[], size_t elemsz, const size_t count[], size_t dims),
    PST_OP_GET, transfer_grid(__func__, op, srcnode, &PST_GRID))

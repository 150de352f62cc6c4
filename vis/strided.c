/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* gasnet_puts/gets: section 6.2.1 of the extension proposal. */
#include "core/job.h"
#include "vis/check.h"

static inline gasnet_handle_t transfer(
    const char *call, unsigned op, gasnet_node_t node, const struct pst_block *b)
{
  const struct pst_transfer t = {.op = op, .node = node, .call = call};
  struct pst_shape s;
  pst_shape_strided(&s, t.call, b->dststrides, b->srcstrides, b->count, b->levels);
  if (PST_DEBUG) pst_check_block(&t, b, &s);
  if (s.row == 0) return GASNET_INVALID_HANDLE;
  return pst_transfer_shape(&t, &s, b->dst, b->src);
}

#define BLOCK                                                     \
  {                                                               \
    dstaddr, srcaddr, dststrides, srcstrides, count, stridelevels \
  }

void gasnet_puts_bulk(gasnet_node_t dstnode, void *dstaddr, const size_t dststrides[], void *srcaddr,
    const size_t srcstrides[], const size_t count[], size_t stridelevels)
{
  const struct pst_block b = BLOCK;
  transfer(__func__, 0, dstnode, &b);
}

gasnet_handle_t gasnet_puts_nb_bulk(gasnet_node_t dstnode, void *dstaddr, const size_t dststrides[],
    void *srcaddr, const size_t srcstrides[], const size_t count[], size_t stridelevels)
{
  const struct pst_block b = BLOCK;
  return transfer(__func__, PST_OP_NB, dstnode, &b);
}

void gasnet_puts_nbi_bulk(gasnet_node_t dstnode, void *dstaddr, const size_t dststrides[], void *srcaddr,
    const size_t srcstrides[], const size_t count[], size_t stridelevels)
{
  const struct pst_block b = BLOCK;
  transfer(__func__, PST_OP_NBI, dstnode, &b);
}

void gasnet_gets_bulk(void *dstaddr, const size_t dststrides[], gasnet_node_t srcnode, void *srcaddr,
    const size_t srcstrides[], const size_t count[], size_t stridelevels)
{
  const struct pst_block b = BLOCK;
  transfer(__func__, PST_OP_GET, srcnode, &b);
}

gasnet_handle_t gasnet_gets_nb_bulk(void *dstaddr, const size_t dststrides[], gasnet_node_t srcnode,
    void *srcaddr, const size_t srcstrides[], const size_t count[], size_t stridelevels)
{
  const struct pst_block b = BLOCK;
  return transfer(__func__, PST_OP_GET | PST_OP_NB, srcnode, &b);
}

void gasnet_gets_nbi_bulk(void *dstaddr, const size_t dststrides[], gasnet_node_t srcnode, void *srcaddr,
    const size_t srcstrides[], const size_t count[], size_t stridelevels)
{
  const struct pst_block b = BLOCK;
  transfer(__func__, PST_OP_GET | PST_OP_NBI, srcnode, &b);
}

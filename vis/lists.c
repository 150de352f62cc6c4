/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* gasnet_putv/getv and gasnet_puti/geti: sections 5.2.1 and 5.3.1 of the extension proposal. */
#include "core/job.h"
#include "vis/check.h"

static gasnet_handle_t transfer(
    char form, unsigned op, gasnet_node_t node, const struct pst_side *dst, const struct pst_side *src)
{
  const struct pst_transfer t = {.op = op, .node = node, .call = pst_transfer_name(form, op)};
  const int get = op & PST_OP_GET;
  if (PST_DEBUG) pst_check_lists(&t, dst, src);
  if (src->bytes == 0 || dst->bytes == 0) return GASNET_INVALID_HANDLE;
  return pst_transfer_sides(&t, get ? src : dst, get ? dst : src);
}

static gasnet_handle_t vector(unsigned op, gasnet_node_t node, size_t dstcount,
    gasnet_memvec_t const dstlist[], size_t srccount, gasnet_memvec_t const srclist[])
{
  struct pst_side dst, src;
  pst_side_vector(&dst, dstcount, dstlist);
  if (PST_DEBUG || op & PST_OP_GET) pst_side_vector(&src, srccount, srclist);
  else pst_side_vector_like(&src, srccount, srclist, &dst);
  return transfer('v', op, node, &dst, &src);
}

static gasnet_handle_t indexed(unsigned op, gasnet_node_t node, size_t dstcount, void *const dstlist[],
    size_t dstlen, size_t srccount, void *const srclist[], size_t srclen)
{
  struct pst_side dst, src;
  pst_side_indexed(&dst, dstcount, dstlist, dstlen);
  pst_side_indexed(&src, srccount, srclist, srclen);
  return transfer('i', op, node, &dst, &src);
}

void gasnet_putv_bulk(gasnet_node_t dstnode, size_t dstcount, gasnet_memvec_t const dstlist[],
    size_t srccount, gasnet_memvec_t const srclist[])
{
  vector(0, dstnode, dstcount, dstlist, srccount, srclist);
}

gasnet_handle_t gasnet_putv_nb_bulk(gasnet_node_t dstnode, size_t dstcount, gasnet_memvec_t const dstlist[],
    size_t srccount, gasnet_memvec_t const srclist[])
{
  return vector(PST_OP_NB, dstnode, dstcount, dstlist, srccount, srclist);
}

void gasnet_putv_nbi_bulk(gasnet_node_t dstnode, size_t dstcount, gasnet_memvec_t const dstlist[],
    size_t srccount, gasnet_memvec_t const srclist[])
{
  vector(PST_OP_NBI, dstnode, dstcount, dstlist, srccount, srclist);
}

void gasnet_getv_bulk(size_t dstcount, gasnet_memvec_t const dstlist[], gasnet_node_t srcnode,
    size_t srccount, gasnet_memvec_t const srclist[])
{
  vector(PST_OP_GET, srcnode, dstcount, dstlist, srccount, srclist);
}

gasnet_handle_t gasnet_getv_nb_bulk(size_t dstcount, gasnet_memvec_t const dstlist[], gasnet_node_t srcnode,
    size_t srccount, gasnet_memvec_t const srclist[])
{
  return vector(PST_OP_GET | PST_OP_NB, srcnode, dstcount, dstlist, srccount, srclist);
}

void gasnet_getv_nbi_bulk(size_t dstcount, gasnet_memvec_t const dstlist[], gasnet_node_t srcnode,
    size_t srccount, gasnet_memvec_t const srclist[])
{
  vector(PST_OP_GET | PST_OP_NBI, srcnode, dstcount, dstlist, srccount, srclist);
}

void gasnet_puti_bulk(gasnet_node_t dstnode, size_t dstcount, void *const dstlist[], size_t dstlen,
    size_t srccount, void *const srclist[], size_t srclen)
{
  indexed(0, dstnode, dstcount, dstlist, dstlen, srccount, srclist, srclen);
}

gasnet_handle_t gasnet_puti_nb_bulk(gasnet_node_t dstnode, size_t dstcount, void *const dstlist[],
    size_t dstlen, size_t srccount, void *const srclist[], size_t srclen)
{
  return indexed(PST_OP_NB, dstnode, dstcount, dstlist, dstlen, srccount, srclist, srclen);
}

void gasnet_puti_nbi_bulk(gasnet_node_t dstnode, size_t dstcount, void *const dstlist[], size_t dstlen,
    size_t srccount, void *const srclist[], size_t srclen)
{
  indexed(PST_OP_NBI, dstnode, dstcount, dstlist, dstlen, srccount, srclist, srclen);
}

void gasnet_geti_bulk(size_t dstcount, void *const dstlist[], size_t dstlen, gasnet_node_t srcnode,
    size_t srccount, void *const srclist[], size_t srclen)
{
  indexed(PST_OP_GET, srcnode, dstcount, dstlist, dstlen, srccount, srclist, srclen);
}

gasnet_handle_t gasnet_geti_nb_bulk(size_t dstcount, void *const dstlist[], size_t dstlen,
    gasnet_node_t srcnode, size_t srccount, void *const srclist[], size_t srclen)
{
  return indexed(PST_OP_GET | PST_OP_NB, srcnode, dstcount, dstlist, dstlen, srccount, srclist, srclen);
}

void gasnet_geti_nbi_bulk(size_t dstcount, void *const dstlist[], size_t dstlen, gasnet_node_t srcnode,
    size_t srccount, void *const srclist[], size_t srclen)
{
  indexed(PST_OP_GET | PST_OP_NBI, srcnode, dstcount, dstlist, dstlen, srccount, srclist, srclen);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* gasnet_putv/getv and gasnet_puti/geti: sections 5.2.1 and 5.3.1 of the extension proposal. */
#include "core/job.h"
#include "vis/check.h"

static gasnet_handle_t transfer_lists(
    const char *call, unsigned op, gasnet_node_t node, const struct pst_side *dst, const struct pst_side *src)
{
  const struct pst_transfer t = {.op = op, .node = node, .call = call};
  const int get = op & PST_OP_GET;
  if (PST_DEBUG) pst_check_lists(&t, dst, src);
  if (src->bytes == 0 || dst->bytes == 0) return GASNET_INVALID_HANDLE;
  return pst_transfer_sides(&t, get ? src : dst, get ? dst : src);
}

static gasnet_handle_t transfer_vectors(const char *call, unsigned op, gasnet_node_t node, size_t dstcount,
    gasnet_memvec_t const dstlist[], size_t srccount, gasnet_memvec_t const srclist[])
{
  struct pst_side dst, src;
  pst_side_vector(&dst, dstcount, dstlist);
  if (PST_DEBUG || op & PST_OP_GET) pst_side_vector(&src, srccount, srclist);
  else pst_side_vector_like(&src, srccount, srclist, &dst);
  return transfer_lists(call, op, node, &dst, &src);
}

static gasnet_handle_t transfer_indexed(const char *call, unsigned op, gasnet_node_t node, size_t dstcount,
    void *const dstlist[], size_t dstlen, size_t srccount, void *const srclist[], size_t srclen)
{
  struct pst_side dst, src;
  pst_side_indexed(&dst, dstcount, dstlist, dstlen);
  pst_side_indexed(&src, srccount, srclist, srclen);
  return transfer_lists(call, op, node, &dst, &src);
}

PST_VIS_FORMS(gasnet_putv,
    (gasnet_node_t dstnode, size_t dstcount, gasnet_memvec_t const dstlist[], size_t srccount,
        gasnet_memvec_t const srclist[]),
    0, transfer_vectors(__func__, op, dstnode, dstcount, dstlist, srccount, srclist))

PST_VIS_FORMS(gasnet_getv,
    (size_t dstcount, gasnet_memvec_t const dstlist[], gasnet_node_t srcnode, size_t srccount,
        gasnet_memvec_t const srclist[]),
    PST_OP_GET, transfer_vectors(__func__, op, srcnode, dstcount, dstlist, srccount, srclist))

PST_VIS_FORMS(gasnet_puti,
    (gasnet_node_t dstnode, size_t dstcount, void *const dstlist[], size_t dstlen, size_t srccount,
        void *const srclist[], size_t srclen),
    0, transfer_indexed(__func__, op, dstnode, dstcount, dstlist, dstlen, srccount, srclist, srclen))

PST_VIS_FORMS(gasnet_geti,
    (size_t dstcount, void *const dstlist[], size_t dstlen, gasnet_node_t srcnode, size_t srccount,
        void *const srclist[], size_t srclen),
    PST_OP_GET, transfer_indexed(__func__, op, srcnode, dstcount, dstlist, dstlen, srccount, srclist, srclen))

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* gasnetx_put*_notify: puts that tell their target. */
#include "core/job.h"
#include "core/segment.h"
#include "support/copy.h"
#include "vis/check.h"
#include "vis/notify.h"

/* There is nothing to move, but the target is notified. */
static gasnet_handle_t notify_only(const struct pst_transfer *t)
{
  struct pst_side nothing;
  pst_side_vector(&nothing, 0, NULL);
  return pst_transfer_sides(t, &nothing, &nothing);
}

static gasnet_handle_t put_range(const char *call, unsigned op, gasnet_node_t node, char *dst, char *src,
    size_t nbytes, const gasnetx_notify_t *notify)
{
  const struct pst_transfer t = {.op = op, .node = node, .call = call, .notify = notify};
  struct pst_side to, from;
  gasnet_memvec_t there, here;
  ptrdiff_t delta;
  if (pst_transfer_mapped(node, &delta)) {
    if (nbytes) pst_copy(dst + delta, src, nbytes);
    pst_notify_mapped(node, delta, notify);
    return GASNET_INVALID_HANDLE;
  }
  if (PST_DEBUG) {
    pst_check_call(t.call, node);
    pst_check_notify(&t);
    pst_segment_check(t.call, "dst", node, dst, nbytes);
  }
  if (nbytes == 0) return notify_only(&t);
  pst_side_flat(&to, &there, dst, nbytes);
  pst_side_flat(&from, &here, src, nbytes);
  return pst_transfer_sides(&t, &to, &from);
}

static gasnet_handle_t put_block(const char *call, unsigned op, gasnet_node_t node, const struct pst_block *b,
    const gasnetx_notify_t *notify)
{
  const struct pst_transfer t = {.op = op, .node = node, .call = call, .notify = notify};
  struct pst_shape s;
  pst_shape_strided(&s, t.call, b->dststrides, b->srcstrides, b->count, b->levels);
  if (PST_DEBUG) {
    pst_check_block(&t, b, &s);
    pst_check_notify(&t);
  }
  return s.row ? pst_transfer_shape(&t, &s, b->dst, b->src) : notify_only(&t);
}

static gasnet_handle_t put_lists(
    const struct pst_transfer *t, const struct pst_side *dst, const struct pst_side *src)
{
  if (PST_DEBUG) {
    pst_check_lists(t, dst, src);
    pst_check_notify(t);
  }
  return src->bytes && dst->bytes ? pst_transfer_sides(t, dst, src) : notify_only(t);
}

static gasnet_handle_t put_vectors(const char *call, unsigned op, gasnet_node_t node, size_t dstcount,
    gasnet_memvec_t const dstlist[], size_t srccount, gasnet_memvec_t const srclist[],
    const gasnetx_notify_t *notify)
{
  const struct pst_transfer t = {.op = op, .node = node, .call = call, .notify = notify};
  struct pst_side dst, src;
  pst_side_vector(&dst, dstcount, dstlist);
  pst_side_vector(&src, srccount, srclist);
  return put_lists(&t, &dst, &src);
}

static gasnet_handle_t put_indexed(const char *call, unsigned op, gasnet_node_t node, size_t dstcount,
    void *const dstlist[], size_t dstlen, size_t srccount, void *const srclist[], size_t srclen,
    const gasnetx_notify_t *notify)
{
  const struct pst_transfer t = {.op = op, .node = node, .call = call, .notify = notify};
  struct pst_side dst, src;
  pst_side_indexed(&dst, dstcount, dstlist, dstlen);
  pst_side_indexed(&src, srccount, srclist, srclen);
  return put_lists(&t, &dst, &src);
}

PST_VIS_FORMS(gasnetx_put_notify,
    (gasnet_node_t node, void *dst, void *src, size_t nbytes, const gasnetx_notify_t *notify), 0,
    put_range(__func__, op, node, dst, src, nbytes, notify))

PST_VIS_FORMS(gasnetx_puts_notify,
    (gasnet_node_t dstnode, void *dstaddr, const size_t dststrides[], void *srcaddr,
        const size_t srcstrides[], const size_t count[], size_t stridelevels, const gasnetx_notify_t *notify),
    0, put_block(__func__, op, dstnode, &PST_BLOCK, notify))

PST_VIS_FORMS(gasnetx_putv_notify,
    (gasnet_node_t dstnode, size_t dstcount, gasnet_memvec_t const dstlist[], size_t srccount,
        gasnet_memvec_t const srclist[], const gasnetx_notify_t *notify),
    0, put_vectors(__func__, op, dstnode, dstcount, dstlist, srccount, srclist, notify))

PST_VIS_FORMS(gasnetx_puti_notify,
    (gasnet_node_t dstnode, size_t dstcount, void *const dstlist[], size_t dstlen, size_t srccount,
        void *const srclist[], size_t srclen, const gasnetx_notify_t *notify),
    0, put_indexed(__func__, op, dstnode, dstcount, dstlist, dstlen, srccount, srclist, srclen, notify))

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* gasnetx_put*_notify: puts that tell their target. */
#include "core/job.h"
#include "core/segment.h"
#include "support/copy.h"
#include "vis/check.h"
#include "vis/notify.h"

/* Nothing to move, but the target is told. */
static gasnet_handle_t empty(const struct pst_transfer *t)
{
  struct pst_side nothing;
  pst_side_vector(&nothing, 0, NULL);
  return pst_transfer_sides(t, &nothing, &nothing);
}

static gasnet_handle_t contiguous(const char *call, unsigned op, gasnet_node_t node, char *dst, char *src,
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
    pst_transfer_check_call(t.call, node);
    pst_check_notify(&t);
    pst_segment_check(t.call, "dst", node, dst, nbytes);
  }
  if (nbytes == 0) return empty(&t);
  pst_side_flat(&to, &there, dst, nbytes);
  pst_side_flat(&from, &here, src, nbytes);
  return pst_transfer_sides(&t, &to, &from);
}

static gasnet_handle_t strided(const char *call, unsigned op, gasnet_node_t node, const struct pst_block *b,
    const gasnetx_notify_t *notify)
{
  const struct pst_transfer t = {.op = op, .node = node, .call = call, .notify = notify};
  struct pst_shape s;
  pst_shape_strided(&s, t.call, b->dststrides, b->srcstrides, b->count, b->levels);
  if (PST_DEBUG) {
    pst_check_block(&t, b, &s);
    pst_check_notify(&t);
  }
  return s.row ? pst_transfer_shape(&t, &s, b->dst, b->src) : empty(&t);
}

static gasnet_handle_t lists(
    const struct pst_transfer *t, const struct pst_side *dst, const struct pst_side *src)
{
  if (PST_DEBUG) {
    pst_check_lists(t, dst, src);
    pst_check_notify(t);
  }
  return src->bytes && dst->bytes ? pst_transfer_sides(t, dst, src) : empty(t);
}

static gasnet_handle_t vector(const char *call, unsigned op, gasnet_node_t node, size_t dstcount,
    gasnet_memvec_t const dstlist[], size_t srccount, gasnet_memvec_t const srclist[],
    const gasnetx_notify_t *notify)
{
  const struct pst_transfer t = {.op = op, .node = node, .call = call, .notify = notify};
  struct pst_side dst, src;
  pst_side_vector(&dst, dstcount, dstlist);
  pst_side_vector(&src, srccount, srclist);
  return lists(&t, &dst, &src);
}

static gasnet_handle_t indexed(const char *call, unsigned op, gasnet_node_t node, size_t dstcount,
    void *const dstlist[], size_t dstlen, size_t srccount, void *const srclist[], size_t srclen,
    const gasnetx_notify_t *notify)
{
  const struct pst_transfer t = {.op = op, .node = node, .call = call, .notify = notify};
  struct pst_side dst, src;
  pst_side_indexed(&dst, dstcount, dstlist, dstlen);
  pst_side_indexed(&src, srccount, srclist, srclen);
  return lists(&t, &dst, &src);
}

void gasnetx_put_notify_bulk(
    gasnet_node_t node, void *dst, void *src, size_t nbytes, const gasnetx_notify_t *notify)
{
  contiguous(__func__, 0, node, dst, src, nbytes, notify);
}

gasnet_handle_t gasnetx_put_notify_nb_bulk(
    gasnet_node_t node, void *dst, void *src, size_t nbytes, const gasnetx_notify_t *notify)
{
  return contiguous(__func__, PST_OP_NB, node, dst, src, nbytes, notify);
}

void gasnetx_put_notify_nbi_bulk(
    gasnet_node_t node, void *dst, void *src, size_t nbytes, const gasnetx_notify_t *notify)
{
  contiguous(__func__, PST_OP_NBI, node, dst, src, nbytes, notify);
}

#define BLOCK                                                     \
  {                                                               \
    dstaddr, srcaddr, dststrides, srcstrides, count, stridelevels \
  }

void gasnetx_puts_notify_bulk(gasnet_node_t dstnode, void *dstaddr, const size_t dststrides[], void *srcaddr,
    const size_t srcstrides[], const size_t count[], size_t stridelevels, const gasnetx_notify_t *notify)
{
  const struct pst_block b = BLOCK;
  strided(__func__, 0, dstnode, &b, notify);
}

gasnet_handle_t gasnetx_puts_notify_nb_bulk(gasnet_node_t dstnode, void *dstaddr, const size_t dststrides[],
    void *srcaddr, const size_t srcstrides[], const size_t count[], size_t stridelevels,
    const gasnetx_notify_t *notify)
{
  const struct pst_block b = BLOCK;
  return strided(__func__, PST_OP_NB, dstnode, &b, notify);
}

void gasnetx_puts_notify_nbi_bulk(gasnet_node_t dstnode, void *dstaddr, const size_t dststrides[],
    void *srcaddr, const size_t srcstrides[], const size_t count[], size_t stridelevels,
    const gasnetx_notify_t *notify)
{
  const struct pst_block b = BLOCK;
  strided(__func__, PST_OP_NBI, dstnode, &b, notify);
}

void gasnetx_putv_notify_bulk(gasnet_node_t dstnode, size_t dstcount, gasnet_memvec_t const dstlist[],
    size_t srccount, gasnet_memvec_t const srclist[], const gasnetx_notify_t *notify)
{
  vector(__func__, 0, dstnode, dstcount, dstlist, srccount, srclist, notify);
}

gasnet_handle_t gasnetx_putv_notify_nb_bulk(gasnet_node_t dstnode, size_t dstcount,
    gasnet_memvec_t const dstlist[], size_t srccount, gasnet_memvec_t const srclist[],
    const gasnetx_notify_t *notify)
{
  return vector(__func__, PST_OP_NB, dstnode, dstcount, dstlist, srccount, srclist, notify);
}

void gasnetx_putv_notify_nbi_bulk(gasnet_node_t dstnode, size_t dstcount, gasnet_memvec_t const dstlist[],
    size_t srccount, gasnet_memvec_t const srclist[], const gasnetx_notify_t *notify)
{
  vector(__func__, PST_OP_NBI, dstnode, dstcount, dstlist, srccount, srclist, notify);
}

void gasnetx_puti_notify_bulk(gasnet_node_t dstnode, size_t dstcount, void *const dstlist[], size_t dstlen,
    size_t srccount, void *const srclist[], size_t srclen, const gasnetx_notify_t *notify)
{
  indexed(__func__, 0, dstnode, dstcount, dstlist, dstlen, srccount, srclist, srclen, notify);
}

gasnet_handle_t gasnetx_puti_notify_nb_bulk(gasnet_node_t dstnode, size_t dstcount, void *const dstlist[],
    size_t dstlen, size_t srccount, void *const srclist[], size_t srclen, const gasnetx_notify_t *notify)
{
  return indexed(__func__, PST_OP_NB, dstnode, dstcount, dstlist, dstlen, srccount, srclist, srclen, notify);
}

void gasnetx_puti_notify_nbi_bulk(gasnet_node_t dstnode, size_t dstcount, void *const dstlist[],
    size_t dstlen, size_t srccount, void *const srclist[], size_t srclen, const gasnetx_notify_t *notify)
{
  indexed(__func__, PST_OP_NBI, dstnode, dstcount, dstlist, dstlen, srccount, srclist, srclen, notify);
}

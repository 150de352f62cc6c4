/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* gasnetx_putv/getv_multi and gasnetx_puti/geti_multi: one side on several nodes. */
#include "core/job.h"
#include "core/segment.h"
#include "vis/batch.h"
#include "vis/check.h"
#include "vis/cursor.h"

/* The side on several nodes: a vector, or the arrays of an index list. */
struct far {
  size_t n, len; /* len: of an index list */
  const gasnetx_memvec_t *vector;
  const gasnet_node_t *nodes;
  void *const *indexed;
};

static inline gasnetx_memvec_t far_entry(const struct far *f, size_t i)
{
  return f->vector ? f->vector[i] : (gasnetx_memvec_t){f->nodes[i], f->indexed[i], f->len};
}

static size_t far_bytes(const struct far *f)
{
  size_t bytes = 0;
  if (!f->vector) return f->n * f->len;
  for (size_t i = 0; i < f->n; i++) bytes += f->vector[i].len;
  return bytes;
}

/* ---- debug builds ---- */

static void far_check_entry(const char *call, int get, const struct far *f, size_t i)
{
  const gasnetx_memvec_t e = far_entry(f, i);
  char name[64];
  if (e.len == 0) return;
  if (e.node >= pst_nodes)
    pst_fatal("%s: %s%s[%zu]%s is %u; the job has %u nodes", call, get ? "src" : "dst",
        f->vector ? "list" : "nodes", i, f->vector ? ".node" : "", e.node, pst_nodes);
  snprintf(name, sizeof name, "%s[%zu]", get ? "srclist" : "dstlist", i);
  pst_segment_check(call, name, e.node, e.addr, e.len);
}

static void far_check(const char *call, int get, const struct far *f, const struct pst_side *local)
{
  const size_t far = far_bytes(f), dst = get ? local->bytes : far, src = get ? far : local->bytes;
  pst_check_call(call, pst_mynode);
  if (dst != src) pst_fatal("%s: dstlist has %zu bytes, srclist %zu; they must be equal", call, dst, src);
  for (size_t i = 0; i < f->n; i++) far_check_entry(call, get, f, i);
}

/* ---- */

/* Adds an entry of a node that is not mapped to the batch, in the pieces that the local side has for it. */
static void entry_collect(
    struct pst_batch *b, struct pst_op **o, const gasnetx_memvec_t *e, struct pst_cursor *local)
{
  char *here, *there = e->addr;
  for (size_t left = e->len, n; left; left -= n, there += n) {
    n = pst_cursor_piece(local, &here);
    if (n > left) n = left;
    pst_batch_add(b, e->node, there, here, n);
    if (pst_batch_full(b)) pst_batch_start(b, o);
    pst_cursor_skip(local, n);
  }
}

static void far_move(
    struct pst_batch *b, struct pst_op **o, const struct far *f, const struct pst_side *local)
{
  struct pst_cursor c;
  ptrdiff_t delta;
  pst_cursor_begin(&c, local, 0);
  for (size_t i = 0; i < f->n; i++) {
    const gasnetx_memvec_t e = far_entry(f, i);
    if (e.len == 0) continue;
    if (!pst_transfer_mapped(e.node, &delta)) entry_collect(b, o, &e, &c);
    else if (b->op & PST_OP_GET) pst_cursor_unpack(&c, (char *)e.addr + delta, e.len);
    else pst_cursor_pack(&c, (char *)e.addr + delta, e.len);
  }
}

static gasnet_handle_t far_transfer(
    const char *call, unsigned op, const struct far *f, const struct pst_side *local)
{
  struct pst_batch b = {.op = op, .call = call};
  struct pst_op *o = NULL;
  if (PST_DEBUG) far_check(call, op & PST_OP_GET, f, local);
  if (local->bytes == 0) return GASNET_INVALID_HANDLE;
  far_move(&b, &o, f, local);
  pst_batch_start(&b, &o);
  pst_batch_free(&b);
  PST_SYNC_FENCE();
  return pst_transfer_end(op, o);
}

static gasnet_handle_t multi_vectors(const char *call, unsigned op, size_t n, const gasnetx_memvec_t list[],
    size_t localn, const gasnet_memvec_t locallist[])
{
  const struct far f = {.n = n, .vector = list};
  struct pst_side local;
  pst_side_vector(&local, localn, locallist);
  return far_transfer(call, op, &f, &local);
}

struct indexed {
  size_t n;
  void *const *list;
  size_t len;
};

static gasnet_handle_t multi_indexed(
    const char *call, unsigned op, const gasnet_node_t nodes[], struct indexed far, struct indexed near)
{
  const struct far f = {.n = far.len ? far.n : 0, .len = far.len, .nodes = nodes, .indexed = far.list};
  struct pst_side local;
  pst_side_indexed(&local, near.n, near.list, near.len);
  return far_transfer(call, op, &f, &local);
}

#define DST ((struct indexed){dstcount, dstlist, dstlen})
#define SRC ((struct indexed){srccount, srclist, srclen})

PST_VIS_FORMS(gasnetx_putv_multi,
    (size_t dstcount, gasnetx_memvec_t const dstlist[], size_t srccount, gasnet_memvec_t const srclist[]), 0,
    multi_vectors(__func__, op, dstcount, dstlist, srccount, srclist))

PST_VIS_FORMS(gasnetx_getv_multi,
    (size_t dstcount, gasnet_memvec_t const dstlist[], size_t srccount, gasnetx_memvec_t const srclist[]),
    PST_OP_GET, multi_vectors(__func__, op, srccount, srclist, dstcount, dstlist))

PST_VIS_FORMS(gasnetx_puti_multi,
    (size_t dstcount, gasnet_node_t const dstnodes[], void *const dstlist[], size_t dstlen, size_t srccount,
        void *const srclist[], size_t srclen),
    0, multi_indexed(__func__, op, dstnodes, DST, SRC))

PST_VIS_FORMS(gasnetx_geti_multi,
    (size_t dstcount, void *const dstlist[], size_t dstlen, size_t srccount, gasnet_node_t const srcnodes[],
        void *const srclist[], size_t srclen),
    PST_OP_GET, multi_indexed(__func__, op, srcnodes, SRC, DST))

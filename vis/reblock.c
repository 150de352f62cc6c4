/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* gasnetx_reblock: the two distributions are cut into pieces that are contiguous on both sides, and each
 * piece goes the shortest way: a copy where both ends are mapped here, a put or a get where one is, a get and
 * a put where none is. */
#include <stdlib.h>

#include "core/job.h"
#include "core/segment.h"
#include "support/integers.h"
#include "vis/batch.h"
#include "vis/check.h"
#include "vis/kernel_move.h"

enum { BUFFER = 1 << 20 };

/* A position in a distributed array. */
struct place {
  const gasnetx_distribution_t *dist;
  size_t index;  /* among the nodes */
  size_t row;    /* complete blocks before this one on its node */
  size_t within; /* elements of the block passed */
};

static struct place place_at(const gasnetx_distribution_t *d, size_t element)
{
  const size_t block = element / d->block;
  return (struct place){d, block % d->nodes, block / d->nodes, element % d->block};
}

/* n: at most what is left of the block. */
static inline void place_advance(struct place *p, size_t n)
{
  p->within += n;
  if (p->within < p->dist->block) return;
  p->within = 0;
  if (++p->index < p->dist->nodes) return;
  p->index = 0;
  p->row++;
}

static inline gasnet_node_t node_of(const gasnetx_distribution_t *d, size_t index)
{
  return d->node ? d->node[index] : (gasnet_node_t)index;
}

/* One end of a piece. */
struct end {
  gasnet_node_t node;
  char *addr;      /* as the node sees it */
  ptrdiff_t delta; /* to add for access here */
  int here;        /* can this node access it? */
};

static inline struct end end_at(const struct place *p, size_t elemsz)
{
  struct end e = {.node = node_of(p->dist, p->index)};
  e.addr = (char *)p->dist->base[p->index] + (p->row * p->dist->block + p->within) * elemsz;
  e.here = e.node == pst_mynode || pst_transfer_mapped(e.node, &e.delta);
  return e;
}

/* ---- debug builds ---- */

static void distribution_check(const char *call, const char *name, const gasnetx_distribution_t *d)
{
  if (d->block == 0) pst_fatal("%s: %s->block is 0", call, name);
  if (d->nodes == 0) pst_fatal("%s: %s->nodes is 0", call, name);
  for (size_t i = 0; i < d->nodes; i++)
    if (node_of(d, i) >= pst_nodes)
      pst_fatal("%s: %s->node[%zu] is %u; the job has %u nodes", call, name, i, node_of(d, i), pst_nodes);
}

/* Checks the elements of one node from its first in the range to its last. */
static void distribution_check_node(const char *call, const char *name, const gasnetx_distribution_t *d,
    size_t index, size_t first, size_t last, size_t elemsz)
{
  const size_t nodes = d->nodes, from = first / d->block, to = last / d->block;
  const size_t low = from + (index + nodes - from % nodes) % nodes,
               skip = (to % nodes + nodes - index) % nodes;
  const size_t high = to - skip;
  size_t begin, end;
  char what[64];
  if (node_of(d, index) == pst_mynode || low > to || skip > to) return;
  begin = low / nodes * d->block + (low == from ? first % d->block : 0);
  end = high / nodes * d->block + (high == to ? last % d->block + 1 : d->block);
  snprintf(what, sizeof what, "%s->base[%zu]: elements at", name, index);
  pst_segment_check(
      call, what, node_of(d, index), (char *)d->base[index] + begin * elemsz, (end - begin) * elemsz);
}

static void range_check(const char *call, const char *name, const gasnetx_distribution_t *d, size_t first,
    size_t n, size_t elemsz)
{
  distribution_check(call, name, d);
  for (size_t i = 0; i < d->nodes; i++)
    distribution_check_node(call, name, d, i, first, first + n - 1, elemsz);
}

/* ---- pieces with both ends elsewhere ---- */

/* Gets into a buffer, and puts out of it. They count on operations of their own: the call waits for both. */
struct bounce {
  char *buffer;
  size_t used;
  struct pst_batch gets, puts;
};

static void batch_run(struct pst_batch *b)
{
  struct pst_op *o = NULL;
  pst_batch_start(b, &o);
  pst_transfer_end(b->op, o);
}

static void bounce_turn(struct bounce *b)
{
  batch_run(&b->gets);
  batch_run(&b->puts);
  b->used = 0;
}

static void bounce_add(struct bounce *b, const struct end *dst, const struct end *src, size_t nbytes)
{
  if (!b->buffer && !(b->buffer = malloc(BUFFER)))
    pst_fatal("%s: out of memory for a buffer of %d bytes", b->gets.call, BUFFER);
  for (size_t done = 0, n; done < nbytes; done += n) {
    if (b->used == BUFFER || pst_batch_full(&b->gets)) bounce_turn(b);
    n = nbytes - done < BUFFER - b->used ? nbytes - done : BUFFER - b->used;
    pst_batch_add(&b->gets, src->node, src->addr + done, b->buffer + b->used, n);
    pst_batch_add(&b->puts, dst->node, dst->addr + done, b->buffer + b->used, n);
    b->used += n;
  }
}

static void bounce_free(struct bounce *b)
{
  pst_batch_free(&b->gets);
  pst_batch_free(&b->puts);
  free(b->buffer);
}

/* ---- */

struct mover {
  struct pst_batch gets, puts;
  struct bounce bounce;
  struct pst_op *op;
};

static void mover_add(
    struct pst_batch *b, struct pst_op **o, const struct end *remote, const struct end *local, size_t nbytes)
{
  pst_batch_add(b, remote->node, remote->addr, local->addr + local->delta, nbytes);
  if (pst_batch_full(b)) pst_batch_start(b, o);
}

static inline void mover_move(struct mover *m, const struct end *dst, const struct end *src, size_t nbytes)
{
  if (dst->here && src->here) pst_move_words(dst->addr + dst->delta, src->addr + src->delta, nbytes);
  else if (src->here) mover_add(&m->puts, &m->op, dst, src, nbytes);
  else if (dst->here) mover_add(&m->gets, &m->op, src, dst, nbytes);
  else bounce_add(&m->bounce, dst, src, nbytes);
}

static void mover_move_range(
    struct mover *m, struct place dst, struct place src, size_t nelems, size_t elemsz)
{
  for (size_t n; nelems; nelems -= n) {
    const struct end to = end_at(&dst, elemsz), from = end_at(&src, elemsz);
    n = pst_least(nelems, pst_least(dst.dist->block - dst.within, src.dist->block - src.within));
    mover_move(m, &to, &from, n * elemsz);
    place_advance(&dst, n);
    place_advance(&src, n);
  }
}

/* Transfers that need no further call are started first; the detour through the buffer is made meanwhile. */
static gasnet_handle_t mover_finish(struct mover *m, unsigned op)
{
  pst_batch_start(&m->gets, &m->op);
  pst_batch_start(&m->puts, &m->op);
  bounce_turn(&m->bounce);
  pst_batch_free(&m->gets);
  pst_batch_free(&m->puts);
  bounce_free(&m->bounce);
  PST_SYNC_FENCE();
  return pst_transfer_end(op, m->op);
}

static gasnet_handle_t reblock(const char *call, unsigned op, const gasnetx_distribution_t *dst,
    size_t dstfirst, const gasnetx_distribution_t *src, size_t srcfirst, size_t nelems, size_t elemsz)
{
  struct mover m = {.gets = {.op = op | PST_OP_GET, .call = call},
      .puts = {.op = op, .call = call},
      .bounce = {.gets = {.op = PST_OP_GET, .call = call}, .puts = {.call = call}}};
  if (PST_DEBUG) pst_check_call(call, pst_mynode);
  if (nelems == 0 || elemsz == 0) return GASNET_INVALID_HANDLE;
  if (PST_DEBUG) {
    range_check(call, "dst", dst, dstfirst, nelems, elemsz);
    range_check(call, "src", src, srcfirst, nelems, elemsz);
  }
  mover_move_range(&m, place_at(dst, dstfirst), place_at(src, srcfirst), nelems, elemsz);
  return mover_finish(&m, op);
}

PST_VIS_FORMS(gasnetx_reblock,
    (const gasnetx_distribution_t *dst, size_t dstfirst, const gasnetx_distribution_t *src, size_t srcfirst,
        size_t nelems, size_t elemsz),
    0, reblock(__func__, op, dst, dstfirst, src, srcfirst, nelems, elemsz))

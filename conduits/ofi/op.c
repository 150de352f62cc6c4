/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Operations in the provider's hands. They come from pools that are filled once: where a pool is empty
 * nobody waits. */
#include <stdlib.h>
#include <string.h>

#include "conduits/ofi/call.h"
#include "core/trace.h"

static void pool_give(struct pst_ofi_pool *pool, struct pst_ofi_op *op)
{
  pst_net_lock(&pool->lock);
  op->next = pool->free;
  pool->free = op;
  pst_net_unlock(&pool->lock);
}

static struct pst_ofi_op *pool_take(struct pst_ofi_pool *pool)
{
  struct pst_ofi_op *op;
  pst_net_lock(&pool->lock);
  op = pool->free;
  if (op) pool->free = op->next;
  pst_net_unlock(&pool->lock);
  return op;
}

/* `count` operations with room for `room` bytes each. */
static int pool_fill(struct pst_ofi_pool *pool, unsigned count, size_t room)
{
  const size_t size = (sizeof(struct pst_ofi_op) + room + 63) & ~(size_t)63;
  char *slab = aligned_alloc(64, count * size);
  int rc;
  if (!slab) return PST_ERR_NOMEM;
  do
    rc = pst_ofi_register_local(
        slab, count * size, FI_SEND | FI_READ | FI_WRITE, pst_ofi_register_key(), &pool->mr);
  while (rc == PST_ERR_AGAIN);
  if (rc != PST_OK) return rc;
  pthread_mutex_init(&pool->lock, NULL);
  for (unsigned i = 0; i < count; i++) {
    struct pst_ofi_op *op = (struct pst_ofi_op *)(slab + i * size);
    op->pool = pool;
    op->desc = pool->mr ? fi_mr_desc(pool->mr) : NULL;
    op->key = pst_ofi_register_key();
    pool_give(pool, op);
    PST_TRACE('C', "OFI_OPERATION", -1, size);
  }
  pst_ofi.operations += count;
  return PST_OK;
}

static struct pst_ofi_pool small[PST_NET_STREAMS], large[PST_NET_STREAMS], transfers, bounces;

/* Of `all` operations, `most` of which there may be. */
static unsigned pool_share(unsigned count, unsigned all, unsigned most)
{
  const unsigned n = most < all ? (unsigned)((uint64_t)count * most / all) : count;
  return n ? n : 1;
}

/* Replies have pools of their own: a handler's reply never waits for a request to leave. Each operation
 * completes once. */
int pst_ofi_op_open(unsigned most)
{
  enum {
    SMALL = 256,
    LARGE = 32,
    LARGE_BYTES = 1 << 20,
    TRANSFERS = 512,
    BOUNCES = 32,
    ALL = PST_NET_STREAMS * (SMALL + LARGE) + TRANSFERS + BOUNCES
  };
  const unsigned fit = LARGE_BYTES / pst_ofi.message, most_large = fit < LARGE ? fit : LARGE;
  int rc = PST_OK;
  for (int i = 0; i < PST_NET_STREAMS && rc == PST_OK; i++) {
    rc = pool_fill(&small[i], pool_share(SMALL, ALL, most), PST_OFI_SMALL);
    if (rc == PST_OK) rc = pool_fill(&large[i], pool_share(most_large, ALL, most), pst_ofi.message);
  }
  if (rc == PST_OK) rc = pool_fill(&transfers, pool_share(TRANSFERS, ALL, most), PST_OFI_SMALL);
  if (rc != PST_OK || !pst_ofi_has_mode(FI_MR_LOCAL)) return rc;
  return pool_fill(&bounces, pool_share(BOUNCES, ALL, most), PST_OFI_BOUNCE);
}

void pst_ofi_op_close(void)
{
  for (int i = 0; i < PST_NET_STREAMS; i++) {
    pst_ofi_unregister(&small[i].mr);
    pst_ofi_unregister(&large[i].mr);
  }
  pst_ofi_unregister(&transfers.mr);
  pst_ofi_unregister(&bounces.mr);
}

static struct pst_ofi_op *op_prepare(struct pst_ofi_op *op, enum pst_ofi_kind kind, gasnet_node_t peer)
{
  if (!op) return NULL;
  op->kind = kind;
  op->peer = peer;
  op->completion = NULL;
  op->events = 0;
  op->placed = NULL;
  op->mr = NULL;
  op->bounce = NULL;
  op->to = NULL;
  atomic_fetch_add_explicit(&pst_ofi.in_flight, 1, memory_order_relaxed);
  return op;
}

struct pst_ofi_op *pst_ofi_op_message(unsigned stream, size_t nbytes, gasnet_node_t peer)
{
  return op_prepare(
      pool_take(nbytes <= PST_OFI_SMALL ? &small[stream] : &large[stream]), PST_OFI_OP_SEND, peer);
}

struct pst_ofi_op *pst_ofi_op_transfer(enum pst_ofi_kind kind, gasnet_node_t peer)
{
  return op_prepare(pool_take(&transfers), kind, peer);
}

struct pst_ofi_op *pst_ofi_op_bounce(enum pst_ofi_kind kind, size_t nbytes, gasnet_node_t peer)
{
  return nbytes <= PST_OFI_SMALL ? pst_ofi_op_transfer(kind, peer)
                                 : op_prepare(pool_take(&bounces), kind, peer);
}

/* Once calls have been stopped the provider may be gone. */
static void op_unregister(struct pst_ofi_op *op)
{
  if (!op->mr || !pst_net_call_begin()) return;
  pst_ofi_unregister(&op->mr);
  pst_net_call_end();
}

void pst_ofi_op_free(struct pst_ofi_op *op)
{
  op_unregister(op);
  free(op->bounce);
  atomic_fetch_sub_explicit(&pst_ofi.in_flight, 1, memory_order_relaxed);
  pool_give(op->pool, op);
}

/* The owner may go on as soon as it sees the count, so the count changes last. */
void pst_ofi_op_done(struct pst_ofi_op *op)
{
  struct pst_completion *completion = op->completion;
  const unsigned events = op->events;
  _Atomic int *placed = op->placed;
  if (op->to) memcpy(op->to, op->room, op->nbytes);
  pst_ofi_op_free(op);
  if (completion) pst_completion_done(completion, events);
  if (placed) atomic_store_explicit(placed, PST_OFI_IS_PLACED, memory_order_release);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Operations. They come from pools that are filled once: where a pool is empty nobody waits. */
#include <stdlib.h>

#include "conduits/ucx/call.h"
#include "core/trace.h"

/* `count` operations with room for `room` bytes each. */
static int pool_fill(struct pst_ucx_pool *pool, unsigned count, size_t room)
{
  pool->stride = (sizeof(struct pst_ucx_op) + room + 63) & ~(size_t)63;
  pool->slab = aligned_alloc(64, count * pool->stride);
  if (!pool->slab) return PST_ERR_NOMEM;
  pool->count = count;
  pthread_mutex_init(&pool->lock, NULL);
  for (unsigned i = 0; i < count; i++) {
    struct pst_ucx_op *op = (struct pst_ucx_op *)(pool->slab + i * pool->stride);
    op->pool = pool;
    op->index = i;
    op->bulk.kind = 0;
    op->param = pst_ucx_send_param(UCP_AM_SEND_FLAG_EAGER, pst_ucx_sent, op);
    pst_ucx_op_give(op);
    PST_TRACE('C', "UCX_OPERATION", -1, pool->stride);
  }
  return PST_OK;
}

struct pst_ucx_pool pst_ucx_small[PST_NET_STREAMS], pst_ucx_large[PST_NET_STREAMS];
struct pst_ucx_pool pst_ucx_transfers, pst_ucx_answers;

/* Replies have pools of their own: a handler's reply never waits for a request to leave. So have answers to
 * peers' transfers. */
int pst_ucx_op_open(void)
{
  enum { SMALL = 512, LARGE_BYTES = 1 << 20, TRANSFERS = 256, ANSWERS = 64 };
  int rc = PST_OK;
  for (int i = 0; i < PST_NET_STREAMS && rc == PST_OK; i++) {
    rc = pool_fill(&pst_ucx_small[i], SMALL, PST_UCX_SMALL);
    if (rc == PST_OK) rc = pool_fill(&pst_ucx_large[i], LARGE_BYTES / pst_ucx.message, pst_ucx.message);
  }
  if (rc == PST_OK) rc = pool_fill(&pst_ucx_transfers, TRANSFERS, PST_UCX_SMALL);
  return rc == PST_OK ? pool_fill(&pst_ucx_answers, ANSWERS, PST_UCX_SMALL) : rc;
}

struct pst_ucx_op *pst_ucx_op_at(struct pst_ucx_pool *pool, uint64_t index)
{
  return index < pool->count ? (struct pst_ucx_op *)(pool->slab + index * pool->stride) : NULL;
}

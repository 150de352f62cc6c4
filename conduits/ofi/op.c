/* Operations in the provider's hands. They come from pools that are filled once: what cannot be had is not waited for. */
#include <stdlib.h>

#include "conduits/ofi/ofi.h"

static void give(struct pst_ofi_pool *pool, struct pst_ofi_op *op)
{
  if (pst_ofi.par) pthread_mutex_lock(&pool->lock);
  op->next = pool->free;
  pool->free = op;
  if (pst_ofi.par) pthread_mutex_unlock(&pool->lock);
}

static struct pst_ofi_op *take(struct pst_ofi_pool *pool)
{
  struct pst_ofi_op *op;
  if (pst_ofi.par) pthread_mutex_lock(&pool->lock);
  op = pool->free;
  if (op) pool->free = op->next;
  if (pst_ofi.par) pthread_mutex_unlock(&pool->lock);
  return op;
}

/* Local memory needs registering only where the provider says so. */
int pst_ofi_register(const void *p, size_t nbytes, uint64_t access, struct fid_mr **mr)
{
  static _Atomic uint64_t key = 1; /* 0 is the segment's */
  int rc;
  *mr = NULL;
  if (!(pst_ofi.info->domain_attr->mr_mode & FI_MR_LOCAL) || nbytes == 0) return PST_OK;
  rc = fi_mr_reg(pst_ofi.domain, p, nbytes, access, 0, atomic_fetch_add_explicit(&key, 1, memory_order_relaxed), 0, mr, NULL);
  return rc == 0 ? PST_OK : rc == -FI_EAGAIN ? PST_ERR_AGAIN : PST_ERR_SYSTEM;
}

/* `count` operations with room for `room` bytes each. */
static int fill(struct pst_ofi_pool *pool, unsigned count, size_t room)
{
  const size_t size = (sizeof(struct pst_ofi_op) + room + 63) & ~(size_t)63;
  char *slab = aligned_alloc(64, count * size);
  struct fid_mr *mr;
  if (!slab || pst_ofi_register(slab, count * size, FI_SEND | FI_READ | FI_WRITE, &mr) != PST_OK) return PST_ERR_NOMEM;
  pthread_mutex_init(&pool->lock, NULL);
  for (unsigned i = 0; i < count; i++) {
    struct pst_ofi_op *op = (struct pst_ofi_op *)(slab + i * size);
    op->pool = pool;
    op->desc = mr ? fi_mr_desc(mr) : NULL;
    give(pool, op);
  }
  return PST_OK;
}

static struct pst_ofi_pool small[PST_OFI_STREAMS], large[PST_OFI_STREAMS], transfers;

/* Replies have their own: a handler's reply never waits for a request to leave. */
int pst_ofi_op_open(void)
{
  enum { SMALL = 256, LARGE = 32, TRANSFERS = 512 };
  for (int i = 0; i < PST_OFI_STREAMS; i++)
    if (fill(&small[i], SMALL, PST_OFI_SMALL) != PST_OK || fill(&large[i], LARGE, PST_OFI_MAX_MESSAGE) != PST_OK)
      return PST_ERR_NOMEM;
  return fill(&transfers, TRANSFERS, PST_OFI_SMALL);
}

static struct pst_ofi_op *prepare(struct pst_ofi_op *op, enum pst_ofi_kind kind, gasnet_node_t peer)
{
  if (!op) return NULL;
  op->kind = kind;
  op->peer = peer;
  op->pending = NULL;
  op->placed = NULL;
  op->mr = NULL;
  op->bounce = NULL;
  atomic_fetch_add_explicit(&pst_ofi.in_flight, 1, memory_order_relaxed);
  return op;
}

struct pst_ofi_op *pst_ofi_op_message(unsigned stream, size_t nbytes, gasnet_node_t peer)
{
  return prepare(take(nbytes <= PST_OFI_SMALL ? &small[stream] : &large[stream]), PST_OFI_OP_SEND, peer);
}

struct pst_ofi_op *pst_ofi_op_transfer(enum pst_ofi_kind kind, gasnet_node_t peer)
{
  return prepare(take(&transfers), kind, peer);
}

void pst_ofi_op_free(struct pst_ofi_op *op)
{
  if (op->mr) fi_close(&op->mr->fid);
  free(op->bounce);
  atomic_fetch_sub_explicit(&pst_ofi.in_flight, 1, memory_order_relaxed);
  give(op->pool, op);
}

/* The owner may go on as soon as it sees the count, so that is last. */
void pst_ofi_op_done(struct pst_ofi_op *op)
{
  pst_pending_t *pending = op->pending;
  _Atomic int *placed = op->placed;
  pst_ofi_op_free(op);
  if (pending) atomic_fetch_sub_explicit(pending, 1, memory_order_release);
  if (placed) atomic_store_explicit(placed, PST_OFI_IS_PLACED, memory_order_release);
}

/* Puts and gets by the provider's own, complete when they are visible at the target. */
#include <rdma/fi_errno.h>
#include <stdlib.h>
#include <string.h>

#include "conduits/ofi/ofi.h"

static uint64_t remote_address(gasnet_node_t node, const void *p)
{
  const uintptr_t base = (uintptr_t)pst_ofi.segment[node].addr;
  return pst_ofi.info->domain_attr->mr_mode & FI_MR_VIRT_ADDR ? (uintptr_t)p : (uintptr_t)p - base;
}

static int in_segment(const void *p, size_t nbytes)
{
  const gasnet_seginfo_t *s = &pst_ofi.segment[pst_ofi.node];
  const uintptr_t begin = (uintptr_t)s->addr, a = (uintptr_t)p;
  return a >= begin && a - begin <= s->size && nbytes <= s->size - (a - begin);
}

/* The descriptor of the local side; memory outside the segment is registered for the one operation. */
static int describe(struct pst_ofi_op *op, const void *local, size_t nbytes, void **desc)
{
  int rc;
  *desc = NULL;
  if (!(pst_ofi.info->domain_attr->mr_mode & FI_MR_LOCAL)) return PST_OK;
  if (local == op->room) {
    *desc = op->desc;
    return PST_OK;
  }
  if (pst_ofi.segment_mr && in_segment(local, nbytes)) {
    *desc = fi_mr_desc(pst_ofi.segment_mr);
    return PST_OK;
  }
  rc = pst_ofi_register(local, nbytes, FI_READ | FI_WRITE, &op->mr);
  if (rc == PST_OK) *desc = fi_mr_desc(op->mr);
  return rc;
}

static int issue(struct pst_ofi_op *op, int get, gasnet_node_t node, const void *remote, void *local, size_t nbytes)
{
  struct iovec iov = { local, nbytes };
  struct fi_rma_iov target = { remote_address(node, remote), nbytes, pst_ofi.key[node] };
  void *desc;
  struct fi_msg_rma m = { .msg_iov = &iov, .desc = &desc, .iov_count = 1, .addr = pst_ofi.peer[node].addr,
                          .rma_iov = &target, .rma_iov_count = 1, .context = op };
  ssize_t rc = describe(op, local, nbytes, &desc);
  if (rc == PST_OK)
    rc = get ? fi_readmsg(pst_ofi.ep, &m, FI_COMPLETION) : fi_writemsg(pst_ofi.ep, &m, FI_COMPLETION | FI_DELIVERY_COMPLETE);
  else if (rc == PST_ERR_AGAIN) rc = -FI_EAGAIN;
  else pst_fatal("libfabric cannot register %zu bytes at %p for libfabric; see ulimit -l", nbytes, local);
  if (rc == 0) return PST_OK;
  if (rc != -FI_EAGAIN) pst_ofi_lost(node, (int)-rc);
  pst_ofi_op_free(op);
  return PST_ERR_AGAIN;
}

static int start(int get, gasnet_node_t node, const void *remote, void *local, size_t nbytes, int copy, pst_pending_t *pending)
{
  struct pst_ofi_op *op = pst_ofi_op_transfer(PST_OFI_OP_RMA, node);
  int rc;
  if (!op) return PST_ERR_AGAIN;
  if (copy) {
    void *to = nbytes <= PST_OFI_SMALL ? op->room : (op->bounce = malloc(nbytes));
    if (!to) pst_fatal("out of memory for a put of %zu bytes", nbytes);
    memcpy(to, local, nbytes);
    local = to;
  }
  op->pending = pending;
  atomic_fetch_add_explicit(pending, 1, memory_order_relaxed);
  rc = issue(op, get, node, remote, local, nbytes);
  if (rc != PST_OK) atomic_fetch_sub_explicit(pending, 1, memory_order_relaxed);
  return rc;
}

/* In pieces of what the provider takes at once. After the first one the rest must follow: completions make the room, and no
 * request runs meanwhile. */
static int transfer(int get, gasnet_node_t node, const char *remote, char *local, size_t nbytes, int copy, pst_pending_t *pending)
{
  const size_t most = pst_ofi.info->ep_attr->max_msg_size;
  for (size_t at = 0, n; at < nbytes; at += n) {
    n = nbytes - at < most ? nbytes - at : most;
    while (start(get, node, remote + at, local + at, n, copy, pending) == PST_ERR_AGAIN) {
      if (at == 0) return PST_ERR_AGAIN;
      pst_ofi_poll_replies();
    }
  }
  return 1;
}

int pst_ofi_put(unsigned op, gasnet_node_t node, void *dst, const void *src, size_t nbytes, pst_pending_t *pending)
{
  return transfer(0, node, dst, (char *)(uintptr_t)src, nbytes, !(op & PST_OP_BULK), pending);
}

int pst_ofi_get(unsigned op, gasnet_node_t node, void *dst, const void *src, size_t nbytes, pst_pending_t *pending)
{
  (void)op;
  return transfer(1, node, src, dst, nbytes, 0, pending);
}

void pst_ofi_place(struct pst_message *m)
{
  struct pst_ofi_op *op = pst_ofi_op_transfer(PST_OFI_OP_PLACE, m->dest);
  if (!op) return;
  op->placed = &m->placed;
  atomic_store_explicit(&m->placed, PST_OFI_PLACING, memory_order_relaxed);
  if (issue(op, 0, m->dest, m->dest_addr, (void *)(uintptr_t)m->payload, m->nbytes) != PST_OK)
    atomic_store_explicit(&m->placed, PST_OFI_NOT_PLACED, memory_order_relaxed);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Puts and gets by those of the provider, complete when they are visible at the target.
 *
 * Where the provider cannot say that a write is visible, a small read of what was written follows it, which
 * may not overtake it (FI_ORDER_RAW, asked for in info.c; pieces are no larger than that order holds for):
 * the bytes that it brings come from the target's memory, behind all of the write. A message to the target
 * and back would need an order behind writes, which fewer providers have, and a handler's time at the target.
 * The read alone counts as the put's completion: bytes that have arrived are no longer read from their
 * source.
 *
 * Where local memory must be registered, small transfers are copied through memory that is registered. The
 * regions are registered, too. Large memory elsewhere is registered for the one operation and no longer: the
 * client may unmap it without telling. */
#include <rdma/fi_errno.h>
#include <stdlib.h>
#include <string.h>

#include "conduits/ofi/call.h"

struct fi_rma_iov pst_ofi_remote(gasnet_node_t node, const void *p, size_t nbytes)
{
  const unsigned r = pst_net_region(node, p);
  if (!pst_net_is_in(&pst_net.region[r][node], (uintptr_t)p, nbytes)) pst_net_outside(node, p, nbytes);
  const uintptr_t base = pst_ofi_has_mode(FI_MR_VIRT_ADDR) ? 0 : (uintptr_t)pst_net.region[r][node].addr;
  return (struct fi_rma_iov){(uintptr_t)p - base, nbytes, pst_ofi.key[(size_t)r * pst_net.nodes + node]};
}

/* The registration that covers these bytes of this node; NULL: there is none. */
static struct fid_mr *registered_as(const void *p, size_t nbytes)
{
  const unsigned r = pst_net_region(pst_net.node, p);
  return pst_net_is_in(&pst_net.own[r], (uintptr_t)p, nbytes) ? pst_ofi.region_mr[r] : NULL;
}

/* One part of a transfer, not larger than pst_ofi.transfer. */
struct part {
  int get, copy; /* a put's source may be reused on return */
  gasnet_node_t node;
  const void *remote;
  void *local;
  size_t nbytes;
};

static int is_registered(const struct part *p) { return registered_as(p->local, p->nbytes) != NULL; }

/* The descriptor of the local side. */
static int describe_local(struct pst_ofi_op *op, const struct part *p, const void *local, void **desc)
{
  int rc;
  *desc = NULL;
  if (!pst_ofi_has_mode(FI_MR_LOCAL)) return PST_OK;
  if (local == op->room) {
    *desc = op->desc;
    return PST_OK;
  }
  if (local == p->local && is_registered(p)) {
    *desc = fi_mr_desc(registered_as(p->local, p->nbytes));
    return PST_OK;
  }
  rc = pst_ofi_register_local(local, p->nbytes, p->get ? FI_READ : FI_WRITE, op->key, &op->mr);
  if (rc == PST_OK) *desc = fi_mr_desc(op->mr);
  else if (rc != PST_ERR_AGAIN)
    pst_fatal("libfabric cannot register %zu bytes at %p; see ulimit -l", p->nbytes, local);
  return rc;
}

/* The operation is freed where the provider does not take it. */
static int issue_part(struct pst_ofi_op *op, const struct part *p, void *local)
{
  struct iovec iov = {local, p->nbytes};
  struct fi_rma_iov target = pst_ofi_remote(p->node, p->remote, p->nbytes);
  void *desc;
  struct fi_msg_rma m = {.msg_iov = &iov,
      .desc = &desc,
      .iov_count = 1,
      .addr = pst_ofi.peer[p->node].addr,
      .rma_iov = &target,
      .rma_iov_count = 1,
      .context = op};
  const uint64_t level = pst_ofi.delivery_complete ? FI_DELIVERY_COMPLETE : 0;
  ssize_t rc = -FI_EAGAIN;
  if (describe_local(op, p, local, &desc) == PST_OK)
    rc = p->get ? pst_ofi_call_read(&m, FI_COMPLETION) : pst_ofi_call_write(&m, FI_COMPLETION | level);
  if (rc == 0) return PST_OK;
  if (rc != -FI_EAGAIN) pst_ofi_lost(p->node, (int)-rc);
  pst_ofi_op_free(op);
  return PST_ERR_AGAIN;
}

/* Whether the local side is the room of an operation. */
static int through_room(const struct part *p)
{
  if (p->copy && p->nbytes <= PST_OFI_SMALL) return 1;
  return pst_ofi_has_mode(FI_MR_LOCAL) && p->nbytes <= PST_OFI_BOUNCE && !is_registered(p);
}

/* An operation for the part, and the memory that it moves; NULL when there is none now. */
static struct pst_ofi_op *prepare_part(enum pst_ofi_kind kind, const struct part *p, void **local)
{
  const int room = through_room(p);
  struct pst_ofi_op *op = room ? pst_ofi_op_bounce(kind, p->nbytes, p->node)
                               : pst_ofi_op_transfer(kind, p->node);
  if (!op) return NULL;
  *local = p->local;
  if (room) *local = op->room;
  else if (p->copy && !(*local = op->bounce = malloc(p->nbytes)))
    pst_fatal("out of memory for a put of %zu bytes", p->nbytes);
  op->nbytes = p->nbytes;
  if (room && p->get) op->to = p->local;
  if (*local != p->local && !p->get) memcpy(*local, p->local, p->nbytes);
  return op;
}

/* The read behind a put, which must follow: completions make the room, and no request runs meanwhile. */
static void prove_put(const struct part *p, struct pst_completion *completion)
{
  struct part proof = {
      .get = 1, .node = p->node, .remote = p->remote, .nbytes = p->nbytes < 8 ? p->nbytes : 8};
  for (;; pst_ofi_poll_replies()) {
    struct pst_ofi_op *op = pst_ofi_op_transfer(PST_OFI_OP_RMA, p->node);
    if (!op) continue;
    op->completion = completion;
    op->events = PST_PUTS;
    if (issue_part(op, &proof, op->room) == PST_OK) return;
  }
}

/* What the part's completion says, of what is outstanding until then. A put from a copy is complete here when
 * the call returns; without a delivery's completion, a write's says that its source has been read. */
struct events {
  unsigned all, told;
};

static struct events events_of(const struct part *p, const void *local)
{
  const unsigned here = local == p->local ? PST_LOCAL : 0;
  if (p->get) return (struct events){PST_GETS, PST_GETS};
  return (struct events){PST_PUTS | here, pst_ofi.delivery_complete ? PST_PUTS | here : here};
}

static int start_part(const struct part *p, struct pst_completion *completion)
{
  void *local;
  struct pst_ofi_op *op = pst_ofi_met(p->node) ? prepare_part(PST_OFI_OP_RMA, p, &local) : NULL;
  struct events e;
  if (!op) return PST_ERR_AGAIN;
  e = events_of(p, local);
  op->completion = completion;
  op->events = e.told;
  pst_completion_add(completion, e.all);
  if (issue_part(op, p, local) == PST_OK) {
    if (e.all & PST_PUTS && !(e.told & PST_PUTS)) prove_put(p, completion);
    return PST_OK;
  }
  pst_completion_done(completion, e.all);
  return PST_ERR_AGAIN;
}

/* In parts of what the provider takes at once. After the first one the rest must follow, as above. */
static int transfer_parts(struct part p, size_t nbytes, struct pst_completion *completion)
{
  for (size_t at = 0; at < nbytes; at += p.nbytes) {
    p.nbytes = nbytes - at < pst_ofi.transfer ? nbytes - at : pst_ofi.transfer;
    while (start_part(&p, completion) == PST_ERR_AGAIN) {
      if (at == 0) return PST_ERR_AGAIN;
      pst_ofi_poll_replies();
    }
    p.remote = (const char *)p.remote + p.nbytes;
    p.local = (char *)p.local + p.nbytes;
  }
  return 1;
}

int pst_ofi_put(unsigned op, gasnet_node_t node, void *dst, const void *src, size_t nbytes,
    struct pst_completion *completion)
{
  const struct part p = {
      .copy = !(op & PST_OP_BULK), .node = node, .remote = dst, .local = (void *)(uintptr_t)src};
  return transfer_parts(p, nbytes, completion);
}

int pst_ofi_get(unsigned op, gasnet_node_t node, void *dst, const void *src, size_t nbytes,
    struct pst_completion *completion)
{
  const struct part p = {.get = 1, .node = node, .remote = src, .local = dst};
  (void)op;
  return transfer_parts(p, nbytes, completion);
}

/* Parts and proofs can be counted nowhere else, so the rare payload that needs them is waited for. */
static void place_slowly(struct part p, size_t nbytes, _Atomic int *placed)
{
  struct pst_completion completion = {0};
  if (transfer_parts(p, nbytes, &completion) != 1) return;
  while (!pst_completion_is_done(&completion, PST_EVENTS)) pst_ofi_poll_replies();
  atomic_store_explicit(placed, PST_OFI_IS_PLACED, memory_order_relaxed);
}

void pst_ofi_place(struct pst_message *m)
{
  const struct part p = {
      .node = m->dest, .remote = m->dest_addr, .local = (void *)(uintptr_t)m->payload, .nbytes = m->nbytes};
  struct pst_ofi_op *op;
  void *local;
  if (m->nbytes > pst_ofi.transfer || !pst_ofi.delivery_complete) {
    place_slowly(p, m->nbytes, &m->placed);
    return;
  }
  if (!pst_ofi_met(m->dest) || !(op = prepare_part(PST_OFI_OP_PLACE, &p, &local))) return;
  op->placed = &m->placed;
  atomic_store_explicit(&m->placed, PST_OFI_PLACING, memory_order_relaxed);
  if (issue_part(op, &p, local) != PST_OK)
    atomic_store_explicit(&m->placed, PST_OFI_NOT_PLACED, memory_order_relaxed);
}

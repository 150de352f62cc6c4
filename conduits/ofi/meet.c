/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* First contact.
 *
 * Two nodes that connect to each other at the same moment end up with one connection, and providers lose what
 * was meant for the other. So at first a node sends a peer nothing but a HELLO, again and again until
 * a WELCOME comes. A node that gets a HELLO and has not sent one itself needs no WELCOME: there is no second
 * connection. HELLO and WELCOME may be lost and may come twice, and may fail for some time.
 *
 * `met` goes from 0 to 1 once (relaxed: it orders nothing, the provider has the connection). `hello` is the
 * time of the next one; the thread that moves it on sends it. */
#include <rdma/fi_errno.h>

#include "conduits/ofi/call.h"

enum { AGAIN_NS = 200000000, REFUSALS = 25 };

void pst_ofi_meet_failed(gasnet_node_t peer, int err)
{
  struct pst_ofi_peer *p = &pst_ofi.peer[peer];
  if (atomic_load_explicit(&p->met, memory_order_relaxed) ||
      atomic_load_explicit(&pst_net.closing, memory_order_relaxed))
    return;
  if (atomic_fetch_add_explicit(&p->refused, 1, memory_order_relaxed) >= REFUSALS) pst_ofi_lost(peer, err);
}

/* 1: the provider has it. */
static int send_greeting(gasnet_node_t peer, enum pst_net_form form)
{
  struct pst_ofi_op *op = pst_ofi_op_message(PST_NET_REPLIES, sizeof(struct pst_net_head), peer);
  ssize_t rc;
  if (!op) return 0;
  op->kind = PST_OFI_OP_GREETING;
  *(struct pst_net_head *)op->room = (struct pst_net_head){
      .src = pst_net.node, .form = (uint8_t)form, .stream = PST_NET_REPLIES};
  rc = pst_ofi_call_send(op->room, sizeof(struct pst_net_head), op->desc, peer, op);
  if (rc == 0) return 1;
  pst_ofi_op_free(op);
  if (rc != -FI_EAGAIN) pst_ofi_meet_failed(peer, (int)-rc);
  return 0;
}

void pst_ofi_meet(gasnet_node_t peer)
{
  struct pst_ofi_peer *p = &pst_ofi.peer[peer];
  const uint64_t now = (uint64_t)(pst_net_now() * 1e9);
  uint64_t next = atomic_load_explicit(&p->hello, memory_order_relaxed);
  if (now < next ||
      !atomic_compare_exchange_strong_explicit(
          &p->hello, &next, now + AGAIN_NS, memory_order_relaxed, memory_order_relaxed))
    return;
  if (!send_greeting(peer, PST_NET_HELLO)) atomic_store_explicit(&p->hello, now, memory_order_relaxed);
}

void pst_ofi_greeted(gasnet_node_t src, enum pst_net_form form)
{
  struct pst_ofi_peer *p = &pst_ofi.peer[src];
  if (pst_net_is_lost(src)) return;
  if (form == PST_NET_WELCOME || atomic_load_explicit(&p->hello, memory_order_relaxed) == 0)
    atomic_store_explicit(&p->met, 1, memory_order_relaxed);
  if (form == PST_NET_HELLO) send_greeting(src, PST_NET_WELCOME); /* it asks again where this fails */
}

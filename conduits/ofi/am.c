/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Sending messages. */
#include <rdma/fi_errno.h>
#include <string.h>

#include "conduits/ofi/call.h"

/* Returns the period in which the message counts. */
static unsigned write_head(const struct pst_message *m, enum pst_net_form form, struct pst_net_head *h)
{
  const unsigned period = pst_ofi_counts_period(&pst_ofi.peer[m->dest].counts);
  pst_credit_write_head(m, form, h);
  h->period = period;
  return period;
}

/* After a call that sends. Where the provider took the message it may be complete already, and its operation
 * in use by another one; where it did not, the head is still ours. */
static int message_sent(
    gasnet_node_t dest, enum pst_net_form form, unsigned period, const struct pst_net_head *h, ssize_t rc)
{
  if (rc == 0) {
    if (form <= PST_NET_CREDIT) pst_net_add(&pst_ofi.peer[dest].counts.sent[period], 1);
    return PST_OK;
  }
  pst_credit_take_back(dest, h);
  if (rc != -FI_EAGAIN) pst_ofi_lost(dest, (int)-rc);
  return PST_ERR_AGAIN;
}

/* A payload that was filled in cannot be produced again. So the operation, and its part of the window, stay
 * with the message until the provider takes it, which needs nothing but progress. */
static struct pst_ofi_op *message_begin(struct pst_message *m, enum pst_net_form form, size_t nbytes)
{
  struct pst_ofi_op *op = m->started ? m->started : pst_ofi_op_message(m->reply, nbytes, m->dest);
  if (!op) return NULL;
  if (!m->started) pst_net_write_rest(m, form, (struct pst_net_head *)op->room);
  if (m->fill) m->started = op;
  return op;
}

static int send_by_operation(struct pst_message *m, enum pst_net_form form, size_t nbytes)
{
  struct pst_ofi_op *op = message_begin(m, form, nbytes);
  struct pst_net_head *h;
  unsigned period;
  int rc = PST_OK;
  if (!op) return PST_ERR_AGAIN;
  h = (struct pst_net_head *)op->room;
  period = write_head(m, form, h);
  if (!pst_credit_is_empty(h) &&
      (rc = message_sent(m->dest, form, period, h, pst_ofi_call_send(h, nbytes, op->desc, m->dest, op))) ==
          PST_OK)
    return PST_OK;
  if (!m->fill) pst_ofi_op_free(op);
  return rc;
}

/* The provider copies a small message at once, and reports no completion. */
static int send_injected(const struct pst_message *m, enum pst_net_form form, size_t nbytes)
{
  alignas(8) char room[PST_OFI_INJECT_MOST];
  struct pst_net_head *h = (struct pst_net_head *)room;
  const unsigned period = write_head(m, form, h);
  pst_net_write_rest(m, form, h);
  if (pst_credit_is_empty(h)) return PST_OK;
  atomic_store_explicit(&pst_ofi.peer[m->dest].injected, 1, memory_order_relaxed);
  return message_sent(m->dest, form, period, h, pst_ofi_call_inject(h, nbytes, m->dest));
}

/* Where losses are reported each message has an operation, which says whom it was for if it fails. */
static inline int is_injected(const struct pst_message *m, size_t nbytes)
{
  return nbytes <= pst_ofi.inject && !m->fill && !pst_net_reports();
}

int pst_ofi_am_send(struct pst_message *m, enum pst_net_form form, size_t nbytes)
{
  if (!pst_ofi_met(m->dest)) return PST_ERR_AGAIN;
  return is_injected(m, nbytes) ? send_injected(m, form, nbytes) : send_by_operation(m, form, nbytes);
}

/* PST_OK when the payload is in its place. */
static int payload_place(struct pst_message *m, enum pst_net_form form)
{
  if (form != PST_NET_LONG_PLACED) return PST_OK;
  if (atomic_load_explicit(&m->placed, memory_order_acquire) == PST_OFI_IS_PLACED) return PST_OK;
  if (atomic_load_explicit(&m->placed, memory_order_relaxed) == PST_OFI_NOT_PLACED) pst_ofi_place(m);
  return PST_ERR_AGAIN;
}

int pst_ofi_am(struct pst_message *m)
{
  const enum pst_net_form form = pst_net_form_of(m);
  const size_t nbytes = pst_net_message_bytes(m, form);
  int rc;
  pst_net_check_medium(m, pst_ofi.message);
  if ((rc = payload_place(m, form)) != PST_OK) return rc;
  if (!m->started && !pst_credit_reserve(m->dest, m->reply, nbytes)) return PST_ERR_AGAIN;
  rc = pst_ofi_am_send(m, form, nbytes);
  if (rc != PST_OK && !m->started) pst_credit_give_back(m->dest, m->reply, nbytes);
  return rc;
}

int pst_ofi_am_reporting(struct pst_message *m)
{
  if (!pst_net_is_lost(m->dest)) {
    pst_net_check_long(m);
    return pst_ofi_am(m);
  }
  if (m->started) pst_ofi_op_free(m->started);
  m->started = NULL;
  return PST_OK;
}

/* ---- how many messages were sent ---- */

/* COUNT or COUNTED. It goes with the replies, whose operations always come back. */
static struct pst_message count_message(gasnet_node_t peer, unsigned period, uint32_t count)
{
  return (struct pst_message){
      .dest = peer, .reply = PST_NET_REPLIES, .handler = (gasnet_handler_t)period, .nbytes = count};
}

int pst_ofi_tell(gasnet_node_t peer, enum pst_net_form form, unsigned period, uint32_t count)
{
  struct pst_message m = count_message(peer, period, count);
  return pst_ofi_am_send(&m, form, sizeof(struct pst_net_head));
}

/* Sends a message behind the injected ones, which wants no answer. The provider takes them in order, and
 * reports this one. */
void pst_ofi_chase(void)
{
  for (gasnet_node_t i = 0; i < pst_net.nodes; i++) {
    struct pst_ofi_peer *p = &pst_ofi.peer[i];
    struct pst_message m = count_message(i, 0, atomic_load_explicit(&p->counts.got[0], memory_order_relaxed));
    if (!atomic_load_explicit(&p->injected, memory_order_relaxed)) continue;
    if (send_by_operation(&m, PST_NET_COUNTED, sizeof(struct pst_net_head)) == PST_OK)
      atomic_store_explicit(&p->injected, 0, memory_order_relaxed);
  }
}

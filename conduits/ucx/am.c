/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Sending messages. A message is all data, without a header of UCP's, so that it is short for UCP, too, and
 * may be kept where UCP received it. Only the payload of a larger long is data by itself, by rendezvous: the
 * target takes it to its place. */
#include "conduits/ucx/call.h"

void pst_ucx_sent(void *request, ucs_status_t status, void *context)
{
  struct pst_ucx_op *op = context;
  UCX(request_free)(request);
  if (status != UCS_OK) pst_ucx_lost(op->peer, status);
  pst_ucx_op_free(op);
}

/* PST_OK: the operation is UCP's, or freed. Else it stays the caller's, and so do the credits in its head. */
static int message_hand_over(struct pst_ucx_op *op, size_t nbytes)
{
  int rc = -1;
  if (!pst_net_call_enter()) return PST_ERR_AGAIN;
  if (pst_ucx_connect(op->peer) == PST_OK)
    rc = pst_ucx_send_by(&op->param, op->peer, PST_UCX_AM_MESSAGE, NULL, 0, op->room, nbytes);
  pst_net_call_leave();
  if (rc == 0) pst_ucx_op_free(op);
  return rc < 0 ? PST_ERR_AGAIN : PST_OK;
}

/* A payload that was filled in cannot be produced again. So the operation, and its part of the window, stay
 * with the message until UCP takes it, which needs nothing but progress. */
int pst_ucx_am_send(struct pst_message *m, enum pst_net_form form, size_t nbytes)
{
  struct pst_ucx_op *op = m->started ? m->started : pst_ucx_op_message(m->reply, nbytes, m->dest);
  struct pst_net_head *h;
  int rc;
  if (!op) return PST_ERR_AGAIN;
  h = (struct pst_net_head *)op->room;
  if (!m->started) pst_net_write_rest(m, form, h);
  if (m->fill) m->started = op;
  pst_credit_write_head(m, form, h);
  if (pst_credit_is_empty(h)) {
    pst_ucx_op_free(op);
    return PST_OK;
  }
  if ((rc = message_hand_over(op, nbytes)) == PST_OK) return PST_OK;
  pst_credit_take_back(m->dest, h);
  if (!m->fill) pst_ucx_op_free(op);
  return rc;
}

/* ---- longs with their payload beside them ---- */

/* The sender may go on as soon as it sees IS_PLACED, so that is stored last. */
static void long_sent(void *request, ucs_status_t status, void *context)
{
  struct pst_ucx_op *op = context;
  _Atomic int *placed = op->placed;
  pst_ucx_sent(request, status, op);
  if (placed && status == UCS_OK) atomic_store_explicit(placed, PST_UCX_IS_PLACED, memory_order_release);
}

static int start_long(struct pst_message *m, struct pst_ucx_op *op, size_t nbytes)
{
  int rc = -1;
  if (!pst_net_call_enter()) return -1;
  if (pst_ucx_connect(m->dest) == PST_OK) {
    op->placed = m->async ? NULL : &m->placed;
    atomic_store_explicit(&m->placed, PST_UCX_PLACING, memory_order_relaxed);
    rc = pst_ucx_send(m->dest, PST_UCX_AM_LONG, op->room, nbytes, m->payload, m->nbytes,
        UCP_AM_SEND_FLAG_RNDV, long_sent, op);
    if (rc < 0) atomic_store_explicit(&m->placed, PST_UCX_NOT_PLACED, memory_order_relaxed);
  }
  pst_net_call_leave();
  return rc;
}

/* The source must stay until the target has read it; until then the message counts as not sent. */
static int send_long(struct pst_message *m, size_t nbytes)
{
  const int state = atomic_load_explicit(&m->placed, memory_order_acquire);
  struct pst_ucx_op *op;
  int rc;
  if (state != PST_UCX_NOT_PLACED) return state == PST_UCX_IS_PLACED ? PST_OK : PST_ERR_AGAIN;
  op = pst_ucx_op_message(m->reply, nbytes, m->dest);
  if (!op) return PST_ERR_AGAIN;
  pst_net_write_rest(m, PST_NET_LONG_PLACED, (struct pst_net_head *)op->room);
  pst_credit_write_head(m, PST_NET_LONG_PLACED, (struct pst_net_head *)op->room);
  rc = start_long(m, op, nbytes);
  if (rc < 0) pst_credit_take_back(m->dest, (struct pst_net_head *)op->room);
  if (rc <= 0) pst_ucx_op_free(op);
  return rc == 0 || (rc == 1 && m->async) ? PST_OK : PST_ERR_AGAIN;
}

/* Whether the message has its part of the window already. */
static int has_begun(struct pst_message *m)
{
  return m->started || atomic_load_explicit(&m->placed, memory_order_relaxed) != PST_UCX_NOT_PLACED;
}

int pst_ucx_am(struct pst_message *m)
{
  const enum pst_net_form form = pst_net_form_of(m);
  const size_t nbytes = pst_net_message_bytes(m, form);
  int rc;
  pst_net_check_medium(m, pst_ucx.message);
  if (!has_begun(m) && !pst_credit_reserve(m->dest, m->reply, nbytes)) return PST_ERR_AGAIN;
  rc = form == PST_NET_LONG_PLACED ? send_long(m, nbytes) : pst_ucx_am_send(m, form, nbytes);
  if (rc != PST_OK && !has_begun(m)) pst_credit_give_back(m->dest, m->reply, nbytes);
  return rc;
}

int pst_ucx_am_reporting(struct pst_message *m)
{
  if (!pst_net_is_lost(m->dest)) {
    pst_net_check_long(m);
    return pst_ucx_am(m);
  }
  if (m->started) pst_ucx_op_free(m->started);
  m->started = NULL;
  return PST_OK;
}

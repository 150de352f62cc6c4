/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Sending messages: room in the peer's window, room in this node's buffer, and the message written there
 * once. */
#include "conduits/template/template.h"

/* A message that only carries credit need not be sent where another message has taken the credit along, or
 * where the peer is gone. */
static int write_message(const struct pst_message *m, enum pst_net_form form, size_t nbytes)
{
  struct pst_net_head *h;
  if (form == PST_NET_CREDIT && pst_template.out[m->dest].state == PST_TEMPLATE_GONE) return PST_OK;
  if (!(h = pst_template_room(m->dest, nbytes))) return PST_ERR_AGAIN;
  pst_credit_write_head(m, form, h);
  pst_net_write_rest(m, form, h);
  if (!pst_credit_is_empty(h)) pst_template_send(m->dest, PST_TEMPLATE_AM, nbytes);
  return PST_OK;
}

int pst_template_am_send(struct pst_message *m, enum pst_net_form form, size_t nbytes)
{
  int rc;
  if (!pst_net_call_enter()) return PST_ERR_AGAIN;
  rc = write_message(m, form, nbytes);
  pst_net_call_leave();
  return rc;
}

/* Requests and replies share a connection. Neither keeps the other from leaving: a peer reads all that has
 * come wherever it waits, and the windows bound how much that is. */
int pst_template_am(struct pst_message *m)
{
  const enum pst_net_form form = pst_net_form_of(m);
  const size_t nbytes = pst_net_message_bytes(m, form);
  if (form == PST_NET_LONG_PLACED || nbytes > PST_TEMPLATE_MESSAGE)
    pst_fatal(
        "a message with %zu bytes; the most are %d", m->nbytes, PST_TEMPLATE_MESSAGE - PST_NET_OVERHEAD);
  if (!pst_credit_reserve(m->dest, m->reply, nbytes)) return PST_ERR_AGAIN;
  if (pst_template_am_send(m, form, nbytes) == PST_OK) return PST_OK;
  pst_credit_give_back(m->dest, m->reply, nbytes);
  return PST_ERR_AGAIN;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "conduits/net/credit.h"

#include <stdlib.h>

struct pst_credit pst_credit;

int pst_credit_open(pst_credit_send_fn *send)
{
  pst_credit.send = send;
  pst_credit.shift = (unsigned)__builtin_ctz(pst_credit.unit);
  pst_credit.peer = calloc(pst_net.nodes, sizeof *pst_credit.peer);
  if (!pst_credit.peer) return PST_ERR_NOMEM;
  for (unsigned i = 0; i < pst_net.nodes; i++)
    for (int k = 0; k < PST_NET_STREAMS; k++) pst_credit.peer[i].window[k] = (uint32_t)pst_credit.window;
  return PST_OK;
}

/* Takes all that is owed, but no more than a head can say. */
static inline uint16_t owed_take(_Atomic uint32_t *owed)
{
  uint32_t all = atomic_load_explicit(owed, memory_order_relaxed);
  if (all == 0) return 0;
  if (pst_net.par) all = atomic_exchange_explicit(owed, 0, memory_order_relaxed);
  else atomic_store_explicit(owed, 0, memory_order_relaxed);
  if (all <= UINT16_MAX) return (uint16_t)all;
  pst_net_add(owed, all - UINT16_MAX);
  return UINT16_MAX;
}

void pst_credit_write_head(const struct pst_message *m, enum pst_net_form form, struct pst_net_head *h)
{
  struct pst_credit_peer *peer = &pst_credit.peer[m->dest];
  const int counts = form == PST_NET_COUNT || form == PST_NET_COUNTED;
  *h = (struct pst_net_head){.src = pst_net.node,
      .form = (uint8_t)form,
      .stream = m->reply,
      .handler = m->handler,
      .nargs = (uint8_t)m->nargs};
  if (form == PST_NET_MEDIUM || form == PST_NET_LONG_INLINE || counts) h->nbytes = (uint32_t)m->nbytes;
  if (counts) return; /* without credit: where a count is lost, nobody would notice that its credit is */
  for (int i = 0; i < PST_NET_STREAMS; i++) h->credit[i] = owed_take(&peer->owed[i]);
}

/* Some peer may be owed half a window and could not be told. Invariant: a thread that adds to `owed` and does
 * not tell the peer sets it afterwards (release); a thread that clears it afterwards looks at all that is
 * owed (acquire). Setting is a read-modify-write: after a plain store, the thread that clears it might not
 * see what the thread that set it before has added. */
_Atomic int pst_credit_unpaid;

static void note_unpaid(void) { atomic_fetch_or_explicit(&pst_credit_unpaid, 1, memory_order_release); }

void pst_credit_take_back(gasnet_node_t peer, const struct pst_net_head *h)
{
  for (int i = 0; i < PST_NET_STREAMS; i++) pst_net_add(&pst_credit.peer[peer].owed[i], h->credit[i]);
  note_unpaid();
}

static int owes_much(gasnet_node_t peer)
{
  for (int i = 0; i < PST_NET_STREAMS; i++)
    if (atomic_load_explicit(&pst_credit.peer[peer].owed[i], memory_order_relaxed) >=
        (uint32_t)pst_credit.window / 2)
      return 1;
  return 0;
}

/* A message with what is owed, or with nothing. It uses no window, since it is what opens one. It goes with
 * the replies, whose operations always come back. */
static int pay(gasnet_node_t peer)
{
  struct pst_message m = {.dest = peer, .reply = PST_NET_REPLIES};
  if (pst_net_is_lost(peer)) return PST_OK;
  return pst_credit.send(&m, PST_NET_CREDIT, sizeof(struct pst_net_head));
}

void pst_credit_pay_now(gasnet_node_t peer)
{
  if (pay(peer) != PST_OK) note_unpaid();
}

void pst_credit_pay_late(void)
{
  if (!atomic_exchange_explicit(&pst_credit_unpaid, 0, memory_order_acquire)) return;
  for (gasnet_node_t i = 0; i < pst_net.nodes; i++)
    if (owes_much(i) && pay(i) != PST_OK) note_unpaid();
}

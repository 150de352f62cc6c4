/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Windows that bound how much a receiver must hold.
 *
 * A sender may have window[stream] units of messages at a peer that have not been consumed. The peer returns
 * what it has consumed as credit, in the head of its next message, or, when it owes half a window, in a
 * message of its own. Half a window is at least one message of the largest size, so the credit that a sender
 * waits for is always sent. Requests and replies have separate windows: a node consumes replies wherever it
 * waits, so the credit of a reply always comes.
 *
 * The counts order no memory (relaxed): a unit stands for room in the peer's buffers, not for memory of this
 * process. Invariants: the window is never more than at first, less what messages under way use, less what an
 * attempt without success takes for a moment. One message takes all that is owed and says so; where that
 * message is not sent, the amount is put back. */
#ifndef CONDUITS_NET_CREDIT_H
#define CONDUITS_NET_CREDIT_H
#include "conduits/net/net.h"

struct pst_credit_peer {
  _Atomic uint32_t window[PST_NET_STREAMS]; /* units that may be sent to it; below 0 for a moment */
  _Atomic uint32_t
      owed[PST_NET_STREAMS]; /* units of its messages that were consumed, and not yet returned to it */
};

/* Sends a message whose part of the window is taken, or that needs none. PST_OK or PST_ERR_AGAIN. */
typedef int pst_credit_send_fn(struct pst_message *m, enum pst_net_form form, size_t nbytes);

struct pst_credit {
  uint32_t unit;                /* bytes, a power of two: no message counts for less */
  unsigned shift;               /* its logarithm */
  int32_t window;               /* units, of each stream from each peer */
  struct pst_credit_peer *peer; /* [nodes] */
  pst_credit_send_fn *send;     /* the conduit's */
};
extern struct pst_credit pst_credit;

/* With unit and window set. PST_OK or PST_ERR_NOMEM. */
int pst_credit_open(pst_credit_send_fn *send);

static inline int32_t pst_credit_units(size_t nbytes)
{
  return (int32_t)((nbytes + pst_credit.unit - 1) >> pst_credit.shift);
}

/* Room at the peer for a message of so many bytes: 1, or 0 when there is none. */
static inline int pst_credit_reserve(gasnet_node_t peer, unsigned stream, size_t nbytes)
{
  _Atomic uint32_t *window = &pst_credit.peer[peer].window[stream];
  const int32_t n = pst_credit_units(nbytes);
  if ((int32_t)pst_net_add(window, -(uint32_t)n) >= n) return 1;
  pst_net_add(window, (uint32_t)n);
  return 0;
}
static inline void pst_credit_give_back(gasnet_node_t peer, unsigned stream, size_t nbytes)
{
  pst_net_add(&pst_credit.peer[peer].window[stream], (uint32_t)pst_credit_units(nbytes));
}

/* The head of a message, with what is owed to the peer; pst_credit_take_back, where the head was not sent. */
void pst_credit_write_head(const struct pst_message *m, enum pst_net_form form, struct pst_net_head *h);
void pst_credit_take_back(gasnet_node_t peer, const struct pst_net_head *h);

/* A credit message without credit, which another thread has sent meanwhile: it need not be sent. */
static inline int pst_credit_is_empty(const struct pst_net_head *h)
{
  return h->form == PST_NET_CREDIT && h->credit[PST_NET_REQUESTS] == 0 && h->credit[PST_NET_REPLIES] == 0;
}

/* A message of so many bytes has been consumed: its units are owed, and are paid when half a window is. */
void pst_credit_pay_now(gasnet_node_t peer);
static inline void pst_credit_consumed(gasnet_node_t peer, unsigned stream, size_t nbytes)
{
  const uint32_t n = (uint32_t)pst_credit_units(nbytes);
  if (pst_net_add(&pst_credit.peer[peer].owed[stream], n) + n >= (uint32_t)pst_credit.window / 2)
    pst_credit_pay_now(peer);
}
/* Pays what could not be paid at once. */
extern _Atomic int pst_credit_unpaid;
void pst_credit_pay_late(void);
static inline void pst_credit_pay(void)
{
  if (__builtin_expect(atomic_load_explicit(&pst_credit_unpaid, memory_order_relaxed), 0))
    pst_credit_pay_late();
}

/* Takes the credit that a peer's message brings. 0: it is more than the peer can owe. */
static inline int pst_credit_read(const struct pst_net_head *h)
{
  if (h->credit[PST_NET_REQUESTS] == 0 && h->credit[PST_NET_REPLIES] == 0) return 1;
  for (int i = 0; i < PST_NET_STREAMS; i++) {
    _Atomic uint32_t *window = &pst_credit.peer[h->src].window[i];
    if (h->credit[i] && (int32_t)(pst_net_add(window, h->credit[i]) + h->credit[i]) > pst_credit.window)
      return 0;
  }
  return 1;
}

#endif

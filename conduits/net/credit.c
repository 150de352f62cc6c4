#include "conduits/net/credit.h"

#include <stdlib.h>

struct pst_credit pst_credit;

int pst_credit_open(int (*pay)(gasnet_node_t peer))
{
  pst_credit.pay = pay;
  pst_credit.peer = calloc(pst_net.nodes, sizeof *pst_credit.peer);
  if (!pst_credit.peer) return PST_ERR_NOMEM;
  for (unsigned i = 0; i < pst_net.nodes; i++)
    for (int k = 0; k < PST_NET_STREAMS; k++) pst_credit.peer[i].window[k] = (uint32_t)pst_credit.window;
  return PST_OK;
}

static uint16_t take_owed(_Atomic uint32_t *owed)
{
  const uint32_t all = atomic_load_explicit(owed, memory_order_relaxed) == 0 ? 0 : atomic_exchange_explicit(owed, 0, memory_order_relaxed);
  if (all <= UINT16_MAX) return (uint16_t)all;
  pst_net_add(owed, all - UINT16_MAX);
  return UINT16_MAX;
}

void pst_credit_write(gasnet_node_t peer, struct pst_net_head *h)
{
  for (int i = 0; i < PST_NET_STREAMS; i++) h->credit[i] = take_owed(&pst_credit.peer[peer].owed[i]);
}

/* Some peer may be owed half a window and could not be told. Invariant: whoever adds to `owed` without saying so to the peer sets it
 * afterwards (release), and who clears it looks at all that is owed afterwards (acquire). Setting is a read-modify-write: a
 * plain store would hide from the reader what the one who set it before has added. */
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
    if (atomic_load_explicit(&pst_credit.peer[peer].owed[i], memory_order_relaxed) >= (uint32_t)pst_credit.window / 2) return 1;
  return 0;
}

void pst_credit_consumed(gasnet_node_t peer, unsigned stream, size_t nbytes)
{
  pst_net_add(&pst_credit.peer[peer].owed[stream], (uint32_t)pst_credit_units(nbytes));
  if (owes_much(peer) && pst_credit.pay(peer) != PST_OK) note_unpaid();
}

void pst_credit_pay_late(void)
{
  if (!atomic_exchange_explicit(&pst_credit_unpaid, 0, memory_order_acquire)) return;
  for (gasnet_node_t i = 0; i < pst_net.nodes; i++)
    if (owes_much(i) && pst_credit.pay(i) != PST_OK) note_unpaid();
}

int pst_credit_read(const struct pst_net_head *h)
{
  for (int i = 0; i < PST_NET_STREAMS; i++) {
    _Atomic uint32_t *window = &pst_credit.peer[h->src].window[i];
    if (h->credit[i] && (int32_t)(pst_net_add(window, h->credit[i]) + h->credit[i]) > pst_credit.window) return 0;
  }
  return 1;
}

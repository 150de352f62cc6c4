/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Messages that never came.
 *
 * A provider may lose what it has taken: where a connection breaks it makes a new one, and messages whose
 * sends were complete are gone. So the nodes of each pair count its messages (counts.h). Every PERIOD seconds
 * a node tells each peer how many it has sent, and every TICK seconds it looks at what the peers have said,
 * after it has read the queue. It ends the job when messages are missing at too many looks.
 *
 * `something` is set (release) after a peer's statement is stored, and taken (acquire) before the statements
 * are looked at. So a look never takes the only word that there is a statement without seeing it. */
#include "conduits/ofi/ofi.h"

enum { EVERY = 64 };
static const double TICK = 0.25, PERIOD = 1.5;

void pst_ofi_lost(gasnet_node_t peer, int err) { pst_net_lost(peer, pst_ofi_library.strerror(err)); }

static _Atomic int something; /* a peer has stated something, or messages of it are missing */

void pst_ofi_counted(const struct pst_net_head *h)
{
  pst_ofi_counts_hear(&pst_ofi.peer[h->src].counts, (enum pst_net_form)h->form, h->handler, h->nbytes);
  atomic_store_explicit(&something, 1, memory_order_release);
}

/* 1 where the peer needs another look. */
static int statement_look(gasnet_node_t peer)
{
  struct pst_ofi_counts *c = &pst_ofi.peer[peer].counts;
  const int32_t lost = pst_ofi_counts_look(c, peer, pst_ofi_tell);
  if (lost > 0)
    pst_fatal("%s has lost %d of %u messages from node %u on %s", pst_net.library, (int)lost, c->awaited,
        peer, pst_net_host(peer));
  return lost != PST_OFI_SETTLED;
}

static void look_at_statements(void)
{
  int more = 0;
  if (!atomic_exchange_explicit(&something, 0, memory_order_acquire)) return;
  for (gasnet_node_t i = 0; i < pst_net.nodes; i++) more |= !pst_net_is_lost(i) && statement_look(i);
  if (more) atomic_store_explicit(&something, 1, memory_order_release);
}

static void tell_all(void)
{
  for (gasnet_node_t i = 0; i < pst_net.nodes; i++)
    if (!pst_net_is_lost(i)) pst_ofi_counts_tell(&pst_ofi.peer[i].counts, i, pst_ofi_tell);
}

static struct {
  _Atomic int busy; /* whoever sets it has the rest: acquire, release */
  double looked, told;
} watch;

/* At each look at the queue, of which few look at the clock. */
void pst_ofi_watch(void)
{
  static _Thread_local unsigned looks;
  double now;
  if (__builtin_expect(++looks % EVERY != 0, 1)) return;
  if (atomic_load_explicit(&pst_net.closing, memory_order_relaxed)) return;
  if (atomic_exchange_explicit(&watch.busy, 1, memory_order_acquire)) return;
  now = pst_net_now();
  pst_net_watch(now);
  if (now - watch.looked >= TICK) {
    watch.looked = now;
    look_at_statements();
  }
  if (now - watch.told >= PERIOD) {
    watch.told = now;
    tell_all();
  }
  atomic_store_explicit(&watch.busy, 0, memory_order_release);
}

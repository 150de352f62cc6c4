/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Messages that never came.
 *
 * A provider may lose what it has taken: where a connection breaks it makes a new one, and messages whose
 * sends were complete are gone. So both ends of a pair count its messages, and a node that has sent some
 * tells its peer every few seconds how many there were. Messages may overtake each other: a peer that has had
 * fewer looks again, and ends the job when they are missing after LOOKS looks, TICK seconds apart, at all of
 * which it read the queue.
 *
 * `sent` grows when the provider has a message, `got` when it is taken from the queue; both go round. They
 * order nothing (relaxed): a value that is a little old only makes one more look. `suspects` is set (release)
 * after the `expected` and `late` of the peer that is meant, and taken (acquire) before they are looked at: a
 * look that missed them would have taken the only word that there is one. */
#include "conduits/ofi/ofi.h"

enum { EVERY = 64, LOOKS = 14 };
static const double TICK = 0.25, PERIOD = 1.5;

void pst_ofi_lost(gasnet_node_t peer, int err) { pst_net_lost(peer, pst_ofi_library.strerror(err)); }

/* ---- messages ---- */

static _Atomic int suspects; /* the `late` of some peer is not 0 */

/* How many messages have not come, by the count that the peer sent last. */
static int32_t messages_missing(const struct pst_ofi_peer *p)
{
  const uint32_t expected = atomic_load_explicit(&p->expected, memory_order_relaxed),
                 got = atomic_load_explicit(&p->got, memory_order_relaxed);
  return (int32_t)(expected - got);
}

void pst_ofi_told(gasnet_node_t src, uint32_t count)
{
  struct pst_ofi_peer *p = &pst_ofi.peer[src];
  if (atomic_load_explicit(&p->late, memory_order_relaxed))
    return; /* the last count is still being looked at */
  atomic_store_explicit(&p->expected, count, memory_order_relaxed);
  if (messages_missing(p) <= 0) return;
  atomic_store_explicit(&p->late, 1, memory_order_relaxed);
  atomic_store_explicit(&suspects, 1, memory_order_release);
}

static void look_again_at(gasnet_node_t src)
{
  struct pst_ofi_peer *p = &pst_ofi.peer[src];
  const unsigned late = atomic_load_explicit(&p->late, memory_order_relaxed);
  const int32_t n = messages_missing(p);
  if (!late) return;
  if (n > 0 && late > LOOKS)
    pst_fatal("%s has lost %d of %u messages from node %u on %s", pst_net.library, (int)n,
        atomic_load_explicit(&p->expected, memory_order_relaxed), src, pst_net_host(src));
  atomic_store_explicit(&p->late, n > 0 ? late + 1 : 0, memory_order_relaxed);
  if (n > 0) atomic_store_explicit(&suspects, 1, memory_order_release);
}

static void look_for_missing(void)
{
  if (!atomic_exchange_explicit(&suspects, 0, memory_order_acquire)) return;
  for (gasnet_node_t i = 0; i < pst_net.nodes; i++) look_again_at(i);
}

static void tell_all(void)
{
  for (gasnet_node_t i = 0; i < pst_net.nodes; i++) {
    struct pst_ofi_peer *p = &pst_ofi.peer[i];
    const uint32_t sent = atomic_load_explicit(&p->sent, memory_order_relaxed);
    if (sent != p->told && pst_ofi_tell(i, sent) == PST_OK) p->told = sent;
  }
}

/* ---- the watch ---- */

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
    look_for_missing();
  }
  if (now - watch.told >= PERIOD) {
    watch.told = now;
    tell_all();
  }
  atomic_store_explicit(&watch.busy, 0, memory_order_release);
}

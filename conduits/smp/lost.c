/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Messages where nodes may be lost.
 *
 * A sender that dies between claim and commit would stop the receiver at its slot for good. So here a sender
 * owns the queue for that time: `owner` is 1 + its number on this host, and 0 where nobody sends. A sender
 * that finds another owner says that there is no room, as the slots of a conduit may.
 *
 * Invariant: all slots before `tail` are committed, but for the last one while the queue has an owner.
 * `owner` is taken with acquire and given with release. When a process is known to be dead, the receiver of a
 * queue that it owned looks at the last slot, commits it with a message that does nothing unless it is
 * committed, and frees the queue. It has learnt of the death from who had waited for the process
 * (bootstrap/losses.h), so it sees all that the process stored. No other process changes `owner` from the
 * dead one's. */
#include "conduits/smp/smp.h"

static int queue_own(struct pst_smp_queue *q)
{
  uint32_t nobody = 0;
  return atomic_compare_exchange_strong_explicit(
      &q->owner, &nobody, pst_smp.node + 1, memory_order_acquire, memory_order_relaxed);
}

static void queue_disown(struct pst_smp_queue *q)
{
  atomic_store_explicit(&q->owner, 0, memory_order_release);
}

int pst_smp_am_owning(struct pst_message *m)
{
  struct pst_smp_queue *q = &pst_smp.shared->node[m->dest - pst_smp.first].queue[m->reply];
  int rc;
  pst_smp_place_long(m);
  if (!queue_own(q)) return PST_ERR_AGAIN;
  rc = pst_smp_am(m);
  queue_disown(q);
  return rc;
}

static void queue_repair(unsigned queue, gasnet_handler_t nothing)
{
  struct pst_smp_queue *q = &pst_smp.self->queue[queue];
  struct pst_smp_ring *ring = pst_smp_ring_of(pst_smp.node, queue);
  const uint64_t tail = atomic_load_explicit(&q->tail, memory_order_relaxed), last = tail - 1;
  const struct pst_smp_claim c = {
      &ring->slot[last % PST_SMP_SLOTS], pst_smp_turn(last), (uint32_t)(tail >> PST_SMP_SLOT_BITS)};
  if (atomic_load_explicit(&c.slot->turn, memory_order_relaxed) != c.turn) pst_smp_send_nothing(&c, nothing);
  queue_disown(q);
}

void pst_smp_lost(gasnet_node_t node, gasnet_handler_t nothing)
{
  const unsigned local = node - pst_smp.first;
  if (local >= pst_smp.nodes) return;
  for (unsigned i = 0; i < PST_SMP_QUEUES; i++)
    if (atomic_load_explicit(&pst_smp.self->queue[i].owner, memory_order_acquire) == local + 1)
      queue_repair(i, nothing);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What a set of operations waits for. Conduits and messages count on it; who waits is known above
 * (extended/op.h).
 *
 * An operation that is not complete when it has been started adds 1 to `puts`, or to `gets`. A put whose
 * source is still in use then adds 1 to `local` as well. Whoever learns of an event subtracts, with release,
 * and does not touch the object afterwards; the waiter reads 0 with acquire. The owner may end the object
 * when all four counts are 0. All counts are atomic, also those of one thread: the thread that learns of a
 * completion is any that polls, or a network's progress thread. A locked instruction takes 5 ns, an operation
 * that counts some microseconds.
 *
 * An event that does not come because a node is lost (core/loss.h) is subtracted all the same, after `lost`
 * was set: the waiter, which has read 0 with acquire, then sees that too. So is that of a collective that
 * ends because a node has left its team.
 *
 * A bundle (vis/coalesce.c) subtracts from `kept` last, with release: when the counts of events are 0, a
 * bundle may still be about to touch `kept`, and so nothing is done before that is 0, too. */
#ifndef CORE_COMPLETION_H
#define CORE_COMPLETION_H
#include <stdatomic.h>
#include <stdint.h>

/* A set of events. PST_PUTS: visible at the target. PST_GETS: the data are here. PST_LOCAL: a put's source
 * may be changed. */
enum { PST_PUTS = 1, PST_GETS = 2, PST_LOCAL = 4, PST_EVENTS = PST_PUTS | PST_GETS | PST_LOCAL };

struct pst_completion {
  _Atomic uint32_t puts, gets, local;
  _Atomic uint32_t kept; /* of puts and gets: bundles that are begun, and not sent (vis/coalesce.c) */
  _Atomic uint32_t lost; /* some have ended early: why, as pst_loss_note says; or 0 */
};

/* Before the operation is started, or while nothing can complete it. */
static inline void pst_completion_add(struct pst_completion *c, unsigned events)
{
  if (events & PST_LOCAL) atomic_fetch_add_explicit(&c->local, 1, memory_order_relaxed);
  if (events & PST_GETS) atomic_fetch_add_explicit(&c->gets, 1, memory_order_relaxed);
  if (events & PST_PUTS) atomic_fetch_add_explicit(&c->puts, 1, memory_order_relaxed);
}

/* `n` operations. `local` comes first: who sees that a put is complete may take it for complete here, too. */
static inline void pst_completion_subtract(struct pst_completion *c, unsigned events, uint32_t n)
{
  if (events & PST_LOCAL) atomic_fetch_sub_explicit(&c->local, n, memory_order_release);
  if (events & PST_GETS) atomic_fetch_sub_explicit(&c->gets, n, memory_order_release);
  if (events & PST_PUTS) atomic_fetch_sub_explicit(&c->puts, n, memory_order_release);
}
static inline void pst_completion_done(struct pst_completion *c, unsigned events)
{
  pst_completion_subtract(c, events, 1);
}

/* Before an event is subtracted that does not come. */
static inline void pst_completion_lose(struct pst_completion *c, unsigned why)
{
  atomic_store_explicit(&c->lost, why, memory_order_relaxed);
}

static inline int pst_completion_none(const _Atomic uint32_t *count)
{
  return atomic_load_explicit(count, memory_order_acquire) == 0;
}

/* Is none of these events outstanding? A put that is complete is complete here; its two events may be learnt
 * of in either order. */
static inline int pst_completion_is_done(const struct pst_completion *c, unsigned events)
{
  return (!(events & PST_GETS) || pst_completion_none(&c->gets)) &&
      (!(events & PST_PUTS) || pst_completion_none(&c->puts)) &&
      (!(events & (PST_PUTS | PST_LOCAL)) || pst_completion_none(&c->local)) && pst_completion_none(&c->kept);
}

#endif

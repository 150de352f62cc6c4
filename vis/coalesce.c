/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A small put or get with an implicit handle joins others in a bundle where another one of its thread is
 * under way already. The first one goes at once, so that a single operation loses nothing. A thread has slots
 * for bundles to a few nodes. It sends a bundle when that is full or old, when the slot is wanted for another
 * node, and when the thread waits, polls or synchronises (pst_wait_offer): a thread that waits for an effect
 * of its put elsewhere does one of these. A thread that computes makes no call. For it the network's own
 * thread, if the job has one, sends puts that have become old (send_old). The completion of what was under
 * way when the bundle was begun wakes that thread.
 *
 * Invariant: a bundle with pieces in it counts 1 on their operation, so that nobody takes that for complete.
 * A thread that reads or writes a struct pst_unsent holds its lock: `held`, taken with acquire and given back
 * with release. It may have to wait for room while it holds the lock, and so come through pst_wait_offer
 * again: `sending`, its own, makes that call return, so that nobody who holds a lock takes another. All but
 * the owner take the lock only where it is free: the network's thread, which never waits while it holds the
 * lock, and threads that wait for a group's operations, which come again. `kept` of a completion grows before
 * its count does, and shrinks after it: who finds more on the count than kept has company, or some of it was
 * sent meanwhile. */
#include "vis/coalesce.h"

#include <stdlib.h>

#include "core/wait.h"
#include "extended/rma.h"
#include "gasnet_tools.h"
#include "support/env.h"
#include "support/yield.h"
#include "vis/bundle.h"
#include "vis/variables.h"

enum { SLOTS = 8, MOST_BYTES = 512, OLD_NS = 20000 };

struct slot {
  struct pst_packed t;
  gasnett_tick_t since; /* its first piece came */
  int open;             /* there are pieces in it */
  struct pst_bundle bundle;
};

/* The bundles of a thread. */
struct pst_unsent {
  _Atomic int held;
  unsigned open;               /* slots with pieces, of any completion */
  struct slot *slot[2][SLOTS]; /* puts and gets, by node */
  struct pst_unsent *next;     /* of all threads: made once, never freed */
};

static _Atomic(struct pst_unsent *) all_unsent;
static gasnett_tick_t old_ticks;
static _Thread_local int sending;

static struct pst_unsent *unsent_make(void)
{
  struct pst_unsent *u = calloc(1, sizeof *u);
  if (!u) return NULL;
  u->next = atomic_load_explicit(&all_unsent, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(
      &all_unsent, &u->next, u, memory_order_release, memory_order_relaxed)) {}
  return u;
}

static struct pst_unsent *unsent_of(struct pst_thread *t)
{
  if (!t->unsent) t->unsent = unsent_make();
  return t->unsent;
}

static int unsent_try_lock(struct pst_unsent *u)
{
  return atomic_exchange_explicit(&u->held, 1, memory_order_acquire) == 0;
}
static void unsent_lock(struct pst_unsent *u)
{
  for (unsigned n = 1; !unsent_try_lock(u); n++) n % 64 ? pst_spin_pause() : (void)pst_yield();
}
static void unsent_unlock(struct pst_unsent *u) { atomic_store_explicit(&u->held, 0, memory_order_release); }

static struct slot *slot_of(struct pst_unsent *u, int get, gasnet_node_t node)
{
  struct slot **b = &u->slot[get][node % SLOTS];
  if (!*b && (*b = aligned_alloc(64, (sizeof **b + 63) & ~(size_t)63)) != NULL) (*b)->open = 0;
  return *b;
}

static void slot_close(struct pst_unsent *u, struct slot *b)
{
  b->open = 0;
  u->open--;
  pst_completion_done(b->t.completion, b->t.get ? PST_GETS : PST_PUTS);
  atomic_fetch_sub_explicit(&b->t.completion->kept, 1, memory_order_release);
}

static void slot_send(struct pst_unsent *u, struct slot *b)
{
  sending = 1;
  if (b->bundle.pieces) pst_bundle_send(&b->bundle);
  sending = 0;
  slot_close(u, b);
}

static void slot_open(
    struct pst_unsent *u, struct slot *b, int get, gasnet_node_t node, struct pst_completion *completion)
{
  pst_packed_begin(&b->t, get, node, 0, NULL, completion);
  b->bundle.stale = 1;
  pst_bundle_begin(&b->bundle, &b->t);
  b->since = gasnett_ticks_now();
  b->open = 1;
  u->open++;
  atomic_fetch_add_explicit(&completion->kept, 1, memory_order_relaxed);
  pst_completion_add(completion, get ? PST_GETS : PST_PUTS);
}

static void slot_add(struct slot *b, struct pst_piece p)
{
  size_t n;
  while ((n = pst_bundle_add(&b->bundle, &p)) < p.n) {
    p = (struct pst_piece){p.far + n, p.near + n, p.n - n};
    sending = 1;
    pst_bundle_send(&b->bundle);
    sending = 0;
  }
}

/* Is something else under way than bundles that are not sent? Without that, a bundle saves nothing: its first
 * piece would have to wait, too. */
static int has_company(const struct pst_completion *c, int get)
{
  const uint32_t count = atomic_load_explicit(get ? &c->gets : &c->puts, memory_order_acquire);
  return count > atomic_load_explicit(&c->kept, memory_order_relaxed);
}

/* Will the network's thread be woken? It is when what is under way completes, and looks for bundles then. But
 * that may have completed while this bundle was begun. Here the bundle is stored before the count is loaded;
 * there the count is changed before bundles are looked for. With a fence between on both sides, one of the
 * two sees the other's store. */
static int network_will_wake(const struct pst_completion *c, int get)
{
  atomic_thread_fence(memory_order_seq_cst);
  return has_company(c, get);
}

/* The caller holds the lock. 0: the operation is to go by itself. */
static int unsent_add(
    struct pst_unsent *u, int get, gasnet_node_t node, struct pst_piece p, struct pst_completion *completion)
{
  struct slot *b = has_company(completion, get) ? slot_of(u, get, node) : NULL;
  if (!b) return 0;
  if (b->open && (b->t.node != node || b->t.completion != completion)) slot_send(u, b);
  const int first = !b->open;
  if (first) slot_open(u, b, get, node, completion);
  slot_add(b, p);
  if (gasnett_ticks_now() - b->since > old_ticks || (first && !network_will_wake(completion, get)))
    slot_send(u, b);
  return 1;
}

static int coalesce(
    unsigned op, gasnet_node_t node, void *remote, void *local, size_t nbytes, struct pst_op *o)
{
  struct pst_completion *completion = &o->completion;
  const int get = !!(op & PST_OP_GET);
  struct pst_unsent *u;
  if (nbytes == 0 || nbytes > MOST_BYTES || !has_company(completion, get)) return 0;
  u = unsent_of(pst_thread_get());
  if (!u || sending) return 0;
  unsent_lock(u);
  const int taken = unsent_add(u, get, node, (struct pst_piece){remote, local, nbytes}, completion);
  pst_wait_unsent = u->open;
  unsent_unlock(u);
  return taken;
}

/* The caller holds the lock. c: NULL for all. */
static void send_kept_by(struct pst_unsent *u, const struct pst_completion *c)
{
  for (int get = 0; get < 2; get++)
    for (unsigned i = 0; i < SLOTS; i++) {
      struct slot *b = u->slot[get][i];
      if (b && b->open && (!c || b->t.completion == c)) slot_send(u, b);
    }
}

static void send_all(void)
{
  struct pst_unsent *u = pst_thread_get()->unsent;
  if (sending) return;
  unsent_lock(u);
  send_kept_by(u, NULL);
  pst_wait_unsent = 0;
  unsent_unlock(u);
}

static void send_kept(struct pst_completion *c)
{
  if (sending) return;
  for (struct pst_unsent *u = atomic_load_explicit(&all_unsent, memory_order_acquire); u; u = u->next) {
    if (!unsent_try_lock(u)) continue;
    send_kept_by(u, c);
    unsent_unlock(u);
  }
}

/* In the network's thread. Gets stay: a thread that waits for their data makes a call. How many puts are
 * left. */
static unsigned send_old_puts(struct pst_unsent *u)
{
  unsigned left = 0;
  for (unsigned i = 0; i < SLOTS; i++) {
    struct slot *b = u->slot[0][i];
    if (!b || !b->open) continue;
    if (gasnett_ticks_now() - b->since <= old_ticks ||
        (b->bundle.pieces && pst_bundle_try_put(&b->bundle) != PST_OK))
      left++;
    else slot_close(u, b);
  }
  return left;
}

static int send_old(void)
{
  unsigned left = 0;
  atomic_thread_fence(memory_order_seq_cst); /* see network_will_wake */
  for (struct pst_unsent *u = atomic_load_explicit(&all_unsent, memory_order_acquire); u; u = u->next) {
    if (!unsent_try_lock(u)) continue; /* the owner is in a call, and will look itself */
    left += send_old_puts(u);
    unsent_unlock(u);
  }
  return left != 0;
}

void pst_coalesce_open(void)
{
  if (!pst_env_bool(&pst_vis_env.coalesce)) return;
  while (gasnett_ticks_to_ns(old_ticks + 1) < OLD_NS) old_ticks = 2 * old_ticks + 1;
  pst_wait_send = send_all;
  atomic_store_explicit(&pst_wait_send_old, send_old, memory_order_release);
  pst_rma_send_kept = send_kept;
  pst_rma_coalesce = coalesce;
}

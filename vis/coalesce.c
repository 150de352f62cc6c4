/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A small put or get with an implicit handle waits for company where another one of its thread is under way
 * already; the first one goes at once, so that a lone one loses nothing. A thread keeps a message under
 * construction for each of a few nodes, and sends it when it is full, has become old, its room is wanted for
 * another node, or the thread waits, polls or synchronises (pst_wait_offer): whoever waits for an effect of
 * his put elsewhere does one of these. A thread that computes makes no call: there the network's own thread,
 * if the job has one, sends puts that have become old (send_old). What is under way when the message is begun
 * wakes that thread when it completes.
 *
 * Invariant: a message with pieces in it counts 1 on their operation, so that nobody takes that for complete.
 * Who reads or writes what belongs to a thread holds its `held` (taken with acquire, given back with
 * release). The owner may wait for room with it in hand, and so come through pst_wait_offer again: `busy`,
 * the owner's own, keeps that away. The network's thread takes it only where it is free, and never waits with
 * it in hand. */
#include "vis/coalesce.h"

#include <stdlib.h>

#include "core/wait.h"
#include "extended/rma.h"
#include "gasnet_tools.h"
#include "support/env.h"
#include "support/pause.h"
#include "vis/bundle.h"
#include "vis/variables.h"

enum { BOXES = 8, MOST_BYTES = 512, OLD_NS = 20000 };

struct box {
  struct pst_packed t;
  gasnett_tick_t since; /* its first piece came */
  int open;             /* there are pieces in it */
  struct pst_bundle bundle;
};

struct pst_unsent {
  _Atomic int held;
  int busy;
  unsigned open;             /* boxes */
  struct box *box[2][BOXES]; /* puts and gets, by node */
  struct pst_unsent *next;   /* of all threads: made once, never freed */
};

static _Atomic(struct pst_unsent *) all;
static gasnett_tick_t old;

static struct pst_unsent *make_unsent(void)
{
  struct pst_unsent *u = calloc(1, sizeof *u);
  if (!u) return NULL;
  u->next = atomic_load_explicit(&all, memory_order_relaxed);
  while (
      !atomic_compare_exchange_weak_explicit(&all, &u->next, u, memory_order_release, memory_order_relaxed)) {
  }
  return u;
}

static struct pst_unsent *unsent_of(struct pst_thread *t)
{
  if (!t->unsent) t->unsent = make_unsent();
  return t->unsent;
}

static int try_hold(struct pst_unsent *u)
{
  return atomic_exchange_explicit(&u->held, 1, memory_order_acquire) == 0;
}
static void hold(struct pst_unsent *u)
{
  while (!try_hold(u)) pst_spin_pause();
}
static void let_go(struct pst_unsent *u) { atomic_store_explicit(&u->held, 0, memory_order_release); }

static struct box *box_of(struct pst_unsent *u, int get, gasnet_node_t node)
{
  struct box **b = &u->box[get][node % BOXES];
  if (!*b && (*b = aligned_alloc(64, (sizeof **b + 63) & ~(size_t)63)) != NULL) (*b)->open = 0;
  return *b;
}

static void close_box(struct pst_unsent *u, struct box *b)
{
  b->open = 0;
  u->open--;
  pst_pending_done(b->t.pending);
}

static void send(struct pst_unsent *u, struct box *b)
{
  u->busy = 1;
  if (b->bundle.pieces) pst_bundle_send(&b->bundle);
  u->busy = 0;
  close_box(u, b);
}

static void start(struct pst_unsent *u, struct box *b, int get, gasnet_node_t node, pst_pending_t *pending)
{
  pst_packed_begin(&b->t, get, node, 0, NULL, pending);
  b->bundle.stale = 1;
  pst_bundle_begin(&b->bundle, &b->t);
  b->since = gasnett_ticks_now();
  b->open = 1;
  u->open++;
  pst_pending_add(pending);
}

static void add(struct pst_unsent *u, struct box *b, struct pst_piece p)
{
  size_t n;
  while ((n = pst_bundle_add(&b->bundle, &p)) < p.n) {
    p = (struct pst_piece){p.far + n, p.near + n, p.n - n};
    u->busy = 1;
    pst_bundle_send(&b->bundle);
    u->busy = 0;
  }
}

/* Whether something else is under way than messages under construction, which saves nothing where the first
 * would have to wait, too. */
static int has_company(const struct pst_unsent *u, const pst_pending_t *pending)
{
  return atomic_load_explicit(pending, memory_order_relaxed) > u->open;
}

/* What is under way wakes the network's thread when it completes, and that thread looks for messages then. It
 * may have completed while this one was begun. Here the message is stored before the count is loaded, there
 * the count is changed before the message is looked for, with a fence between on both sides: one of the two
 * sees the other. */
static int wakes_thread(const struct pst_unsent *u, const pst_pending_t *pending)
{
  atomic_thread_fence(memory_order_seq_cst);
  return has_company(u, pending);
}

/* Held. 0: the operation is to go by itself. */
static int take_in(
    struct pst_unsent *u, int get, gasnet_node_t node, struct pst_piece p, pst_pending_t *pending)
{
  struct box *b = has_company(u, pending) ? box_of(u, get, node) : NULL;
  if (!b) return 0;
  if (b->open && (b->t.node != node || b->t.pending != pending)) send(u, b);
  const int first = !b->open;
  if (first) start(u, b, get, node, pending);
  add(u, b, p);
  if (gasnett_ticks_now() - b->since > old || (first && !wakes_thread(u, pending))) send(u, b);
  return 1;
}

static int coalesce(
    unsigned op, gasnet_node_t node, void *remote, void *local, size_t nbytes, struct pst_op *o)
{
  pst_pending_t *pending = pst_rma_counter(op, o);
  struct pst_unsent *u;
  if (nbytes == 0 || nbytes > MOST_BYTES || atomic_load_explicit(pending, memory_order_relaxed) == 0)
    return 0;
  u = unsent_of(pst_thread_get());
  if (!u || u->busy) return 0;
  hold(u);
  const int taken = take_in(u, !!(op & PST_OP_GET), node, (struct pst_piece){remote, local, nbytes}, pending);
  pst_wait_unsent = u->open;
  let_go(u);
  return taken;
}

static void send_all(void)
{
  struct pst_unsent *u = pst_thread_get()->unsent;
  if (u->busy) return;
  hold(u);
  for (int get = 0; get < 2; get++)
    for (unsigned i = 0; i < BOXES; i++)
      if (u->box[get][i] && u->box[get][i]->open) send(u, u->box[get][i]);
  pst_wait_unsent = 0;
  let_go(u);
}

/* In the network's thread. Gets stay: who waits for what they bring makes a call. */
static unsigned send_old_puts(struct pst_unsent *u)
{
  unsigned left = 0;
  for (unsigned i = 0; i < BOXES; i++) {
    struct box *b = u->box[0][i];
    if (!b || !b->open) continue;
    if (gasnett_ticks_now() - b->since <= old ||
        (b->bundle.pieces && pst_bundle_try_put(&b->bundle) != PST_OK))
      left++;
    else close_box(u, b);
  }
  return left;
}

static int send_old(void)
{
  unsigned left = 0;
  atomic_thread_fence(memory_order_seq_cst); /* see wakes_thread */
  for (struct pst_unsent *u = atomic_load_explicit(&all, memory_order_acquire); u; u = u->next) {
    if (!try_hold(u)) continue; /* its owner is here, and looks itself */
    left += send_old_puts(u);
    let_go(u);
  }
  return left != 0;
}

void pst_coalesce_open(void)
{
  if (!pst_env_bool(&pst_vis_env.coalesce)) return;
  while (gasnett_ticks_to_ns(old + 1) < OLD_NS) old = 2 * old + 1;
  pst_wait_send = send_all;
  atomic_store_explicit(&pst_wait_send_old, send_old, memory_order_release);
  pst_rma_coalesce = coalesce;
}

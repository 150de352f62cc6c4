/* A small put or get with an implicit handle waits for company where another one of its thread is under way already; the first one
 * goes at once, so that a lone one loses nothing. A thread keeps a message under construction for each of a few nodes, and sends
 * it when it is full, has become old, its room is wanted for another node, or the thread waits, polls or synchronises
 * (pst_wait_offer): whoever waits for an effect of his put elsewhere does one of these.
 *
 * Invariant: a message with pieces in it counts 1 on their operation, so that nobody takes that for complete. All of this
 * belongs to one thread. Sending may wait for room and so come through pst_wait_offer again: `busy` keeps that away. */
#include "vis/coalesce.h"

#include <stdlib.h>

#include "core/wait.h"
#include "extended/rma.h"
#include "gasnet_tools.h"
#include "support/env.h"
#include "vis/gather_message.h"

enum { BOXES = 8, MOST_BYTES = 512, OLD_NS = 20000 };

struct box {
  struct pst_packed t;
  gasnett_tick_t since; /* its first piece came */
  int open;             /* there are pieces in it */
  struct pst_gather g;
};

struct pst_unsent {
  unsigned open; /* boxes */
  int busy;
  struct box *box[2][BOXES]; /* puts and gets, by node */
};

static gasnett_tick_t old;

static struct pst_unsent *unsent_of(struct pst_thread *t)
{
  if (!t->unsent) t->unsent = calloc(1, sizeof *t->unsent);
  return t->unsent;
}

static struct box *box_of(struct pst_unsent *u, int get, gasnet_node_t node)
{
  struct box **b = &u->box[get][node % BOXES];
  if (!*b && (*b = aligned_alloc(64, (sizeof **b + 63) & ~(size_t)63)) != NULL) (*b)->open = 0;
  return *b;
}

static void send(struct pst_unsent *u, struct box *b)
{
  u->busy = 1;
  if (b->g.pieces) pst_gather_send(&b->g);
  u->busy = 0;
  b->open = 0;
  pst_wait_unsent = --u->open;
  pst_pending_done(b->t.pending);
}

static void start(struct pst_unsent *u, struct box *b, int get, gasnet_node_t node, pst_pending_t *pending)
{
  pst_packed_begin(&b->t, get, node, 0, NULL, pending);
  b->g.stale = 1;
  pst_gather_begin(&b->g, &b->t);
  b->since = gasnett_ticks_now();
  b->open = 1;
  pst_wait_unsent = ++u->open;
  pst_pending_add(pending);
}

static void add(struct pst_unsent *u, struct box *b, struct pst_piece p)
{
  size_t n;
  while ((n = pst_gather_add(&b->g, &p)) < p.n) {
    p = (struct pst_piece){ p.far + n, p.near + n, p.n - n };
    u->busy = 1;
    pst_gather_send(&b->g);
    u->busy = 0;
  }
}

/* Nothing is saved where the first would have to wait, too. */
static int has_company(const pst_pending_t *pending) { return atomic_load_explicit(pending, memory_order_relaxed) != 0; }

static int coalesce(unsigned op, gasnet_node_t node, void *remote, void *local, size_t nbytes, struct pst_op *o)
{
  const int get = !!(op & PST_OP_GET);
  pst_pending_t *pending = pst_rma_counter(op, o);
  struct pst_unsent *u;
  struct box *b;
  if (nbytes == 0 || nbytes > MOST_BYTES || !has_company(pending)) return 0;
  u = unsent_of(pst_thread_get());
  b = u && !u->busy ? box_of(u, get, node) : NULL;
  if (!b) return 0;
  if (b->open && (b->t.node != node || b->t.pending != pending)) send(u, b);
  if (!b->open) start(u, b, get, node, pending);
  add(u, b, (struct pst_piece){ remote, local, nbytes });
  if (gasnett_ticks_now() - b->since > old) send(u, b);
  return 1;
}

static void send_all(void)
{
  struct pst_unsent *u = pst_thread_get()->unsent;
  if (u->busy) return;
  for (int get = 0; get < 2; get++)
    for (unsigned i = 0; i < BOXES; i++)
      if (u->box[get][i] && u->box[get][i]->open) send(u, u->box[get][i]);
}

void pst_coalesce_open(void)
{
  if (!pst_env_bool(PST_ENV_COALESCE)) return;
  while (gasnett_ticks_to_ns(old + 1) < OLD_NS) old = 2 * old + 1;
  pst_wait_send = send_all;
  pst_rma_coalesce = coalesce;
}

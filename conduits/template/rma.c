/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Puts and gets. No handler takes part in them: they go on while the target computes, if its progress thread
 * looks.
 *
 *   PUT, data ... PUT, data (last) ->        the target takes each to its place
 *                          <- DONE           the put is visible
 *   GET ->
 *                          <- DATA ... DATA  until as many bytes have come
 *
 * A connection keeps its order, so one answer is enough, and a piece need not say where in a get it belongs.
 * The number of transfers that a node has under way is bounded, and so is the number of answers that others
 * have yet to send it: an answer that finds no room waits. All of this is under the lock. */
#include <stdlib.h>
#include <string.h>

#include "conduits/template/template.h"
#include "support/copy.h"

/* Transfers that this node waits for. A cookie is the index of one: a peer whose answer has another's cookie,
 * or one that is not in use, is no node of this job. */
enum { OPS = 64 };
static struct op {
  struct pst_completion *completion; /* NULL: not in use */
  gasnet_node_t peer;
  unsigned answer; /* kind of it */
  char *to;
  size_t left; /* bytes of a get that have not come */
} ops[OPS];

/* What is still to be sent of a transfer, or of an answer. */
struct transfer {
  struct transfer *next;
  gasnet_node_t peer;
  unsigned kind;
  uint32_t cookie;
  uint64_t addr;    /* at the peer */
  const char *from; /* NULL: no data goes with it */
  size_t nbytes, at;
  int over;
  void *copy;                    /* freed at the end */
  struct pst_completion *source; /* of a bulk put that was kept: PST_LOCAL is done at the end; or NULL */
};
static struct transfer *unsent;

/* ---- sending ---- */

/* Sends the transfer's next frame: 1, or 0 where there is no room. It leaves room for a message: messages
 * would else never find any. */
static int send_piece(struct transfer *t)
{
  enum { MOST = PST_TEMPLATE_MESSAGE - sizeof(struct pst_template_piece) };
  const size_t left = t->nbytes - t->at, n = !t->from ? 0 : left < MOST ? left : MOST;
  const size_t body = sizeof(struct pst_template_piece) + pst_net_round_up(n);
  struct pst_template_piece *p = pst_template_room(
      t->peer, body + sizeof(struct pst_template_frame) + PST_TEMPLATE_MESSAGE);
  if (!p) return 0;
  t->over = n == left || !t->from;
  *p = (struct pst_template_piece){.addr = t->addr + t->at,
      .nbytes = t->from ? n : t->nbytes,
      .cookie = t->cookie,
      .last = (uint32_t)t->over};
  if (n) pst_copy(p + 1, t->from + t->at, n);
  t->at += n;
  pst_template_send(t->peer, t->kind, body);
  return 1;
}

static int send_all(struct transfer *t)
{
  while (!t->over && send_piece(t)) {}
  return t->over;
}

/* Keeps a transfer that could not be sent at once, with a copy of its data where the caller may change
 * them. */
static void transfer_keep(const struct transfer *t, int copy)
{
  struct transfer **end = &unsent, *kept = malloc(sizeof *kept);
  if (!kept) pst_fatal("out of memory for a transfer");
  *kept = *t;
  if (copy) {
    kept->copy = malloc(t->nbytes - t->at);
    if (!kept->copy) pst_fatal("out of memory for a put of %zu bytes", t->nbytes);
    memcpy(kept->copy, t->from + t->at, t->nbytes - t->at);
    kept->from = (char *)kept->copy - t->at;
  }
  while (*end) end = &(*end)->next;
  *end = kept;
}

void pst_template_continue(void)
{
  for (struct transfer **at = &unsent, *t; (t = *at) != NULL;) {
    if (!send_all(t) && pst_template.out[t->peer].state != PST_TEMPLATE_GONE) {
      at = &t->next;
      continue;
    }
    *at = t->next;
    if (t->source && t->over) pst_completion_done(t->source, PST_LOCAL);
    free(t->copy);
    free(t);
  }
}

int pst_template_is_continuing(void) { return unsent != NULL; }

/* ---- the slots ---- */

static struct op *op_unused(void)
{
  for (int i = 0; i < OPS; i++)
    if (!ops[i].completion) return &ops[i];
  return NULL;
}

static unsigned op_event(const struct op *o) { return o->answer == PST_TEMPLATE_DONE ? PST_PUTS : PST_GETS; }

static int op_begin(const struct op *o, struct transfer t, int copy)
{
  struct op *op = op_unused();
  if (!op) return PST_ERR_AGAIN;
  *op = *o;
  t.peer = o->peer;
  t.cookie = (uint32_t)(op - ops);
  pst_completion_add(o->completion, op_event(o));
  if (send_all(&t)) return 1;
  if (t.from && !copy) pst_completion_add(t.source = o->completion, PST_LOCAL);
  transfer_keep(&t, copy);
  return 1;
}

int pst_template_put(unsigned op, gasnet_node_t node, void *dst, const void *src, size_t nbytes,
    struct pst_completion *completion)
{
  const struct op o = {.completion = completion, .peer = node, .answer = PST_TEMPLATE_DONE};
  const struct transfer t = {.kind = PST_TEMPLATE_PUT, .addr = (uintptr_t)dst, .from = src, .nbytes = nbytes};
  int rc;
  if (!pst_net_call_enter()) return PST_ERR_AGAIN;
  rc = op_begin(&o, t, !(op & PST_OP_BULK));
  pst_net_call_leave();
  return rc;
}

int pst_template_get(unsigned op, gasnet_node_t node, void *dst, const void *src, size_t nbytes,
    struct pst_completion *completion)
{
  const struct op o = {
      .completion = completion, .peer = node, .answer = PST_TEMPLATE_DATA, .to = dst, .left = nbytes};
  const struct transfer t = {.kind = PST_TEMPLATE_GET, .addr = (uintptr_t)src, .nbytes = nbytes};
  int rc;
  (void)op;
  if (!pst_net_call_enter()) return PST_ERR_AGAIN;
  rc = op_begin(&o, t, 0);
  pst_net_call_leave();
  return rc;
}

/* ---- what comes ---- */

static void transfer_answer(gasnet_node_t peer, const struct pst_template_piece *p, unsigned kind)
{
  struct transfer t = {.peer = peer, .kind = kind, .cookie = p->cookie};
  if (kind == PST_TEMPLATE_DATA) {
    t.from = (const char *)(uintptr_t)p->addr;
    t.nbytes = p->nbytes;
  }
  if (!send_all(&t)) transfer_keep(&t, 0);
}

/* The subtraction comes last: the owner may go on as soon as it sees the count. */
static void op_answered(
    gasnet_node_t peer, unsigned kind, const struct pst_template_piece *p, const char *data)
{
  struct op *o = p->cookie < OPS ? &ops[p->cookie] : NULL;
  struct pst_completion *completion;
  if (!o || !o->completion || o->peer != peer || o->answer != kind || p->nbytes > o->left)
    pst_fatal("an answer from node %u to what it was not asked", peer);
  if (p->nbytes) pst_copy(o->to, data, p->nbytes);
  o->to += p->nbytes;
  o->left -= p->nbytes;
  if (o->left) return;
  completion = o->completion;
  o->completion = NULL;
  pst_completion_done(completion, op_event(o));
}

void pst_template_arrived(gasnet_node_t peer, unsigned kind, const char *body, size_t nbytes)
{
  const struct pst_net_receiver here = pst_net_here();
  const char *data = body + sizeof(struct pst_template_piece);
  struct pst_template_piece p;
  if (pst_template_read_piece(&here, kind, body, nbytes, &p) != PST_OK)
    pst_fatal("malformed transfer of %zu bytes, kind %u, from node %u", nbytes, kind, peer);
  switch (kind) {
  case PST_TEMPLATE_PUT:
    if (p.nbytes) pst_copy_release((void *)(uintptr_t)p.addr, data, p.nbytes);
    if (p.last) transfer_answer(peer, &p, PST_TEMPLATE_DONE);
    break;
  case PST_TEMPLATE_GET: transfer_answer(peer, &p, PST_TEMPLATE_DATA); break;
  default: op_answered(peer, kind, &p, data);
  }
}

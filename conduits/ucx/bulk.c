/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Larger transfers by messages, where all transports that UCX has for a peer would cut them into small ones:
 * one message with the data by rendezvous, as fast as the transport can, and one back.
 *
 *   PUT, data ->        the target takes the data to its place
 *             <- DONE   the put is visible
 *   GET ->
 *             <- DATA, data
 *
 * An operation ends when UCP has done with its head and its data, and when the answer is here: `uses` counts
 * both. The cookie is the operation's index: an answer to one that is not open, or from another peer, does
 * not come from a node of this job. All is under the lock. */
#include "conduits/ucx/bulk.h"

#include <stdlib.h>

#include "conduits/ucx/call.h"

static void bulk_release(struct pst_ucx_op *op)
{
  struct pst_ucx_bulk_state *s = &op->bulk;
  struct pst_completion *completion = s->completion;
  const unsigned events = s->events;
  if (--s->uses) return;
  free(s->bounce);
  pst_ucx_op_free(op);
  if (completion) pst_completion_done(completion, events);
}

/* UCP has done with the head and the data. */
static void bulk_handed_over(struct pst_ucx_op *op)
{
  if (op->bulk.sent) pst_completion_done(op->bulk.completion, op->bulk.sent);
  bulk_release(op);
}

static void bulk_sent(void *request, ucs_status_t status, void *context)
{
  struct pst_ucx_op *op = context;
  UCX(request_free)(request);
  if (status == UCS_OK) bulk_handed_over(op);
  else pst_ucx_lost(op->peer, status);
}

/* PST_OK, or PST_ERR_AGAIN with the operation freed. */
static int bulk_hand_over(
    struct pst_ucx_op *op, const struct pst_ucx_bulk *head, const void *data, size_t nbytes)
{
  int rc;
  *(struct pst_ucx_bulk *)op->room = *head;
  rc = pst_ucx_send(op->peer, PST_UCX_AM_BULK, op->room, sizeof *head, data, nbytes,
      nbytes ? UCP_AM_SEND_FLAG_RNDV : 0, bulk_sent, op);
  if (rc == 0) bulk_handed_over(op);
  if (rc < 0) pst_ucx_op_free(op);
  return rc < 0 ? PST_ERR_AGAIN : PST_OK;
}

/* ---- what this node asks for ---- */

static int bulk_ask(struct pst_ucx_bulk_state state, gasnet_node_t node, const struct pst_ucx_bulk *what,
    const void *data, struct pst_completion *completion)
{
  struct pst_ucx_op *op = pst_ucx_op_take(&pst_ucx_transfers, node);
  struct pst_ucx_bulk head = *what;
  if (!op) return PST_ERR_AGAIN;
  head.src = pst_net.node;
  head.cookie = op->index;
  state.uses = 2;
  state.completion = completion;
  op->bulk = state;
  pst_completion_add(completion, state.events | state.sent);
  if (bulk_hand_over(op, &head, data, data ? head.nbytes : 0) == PST_OK) return 1;
  op->bulk.kind = 0;
  pst_completion_done(completion, state.events | state.sent);
  return PST_ERR_AGAIN;
}

int pst_ucx_bulk_put(gasnet_node_t node, void *dst, const void *src, size_t nbytes, void *bounce,
    struct pst_completion *completion)
{
  const struct pst_ucx_bulk head = {.kind = PST_UCX_BULK_PUT, .addr = (uintptr_t)dst, .nbytes = nbytes};
  const struct pst_ucx_bulk_state state = {
      .kind = PST_UCX_BULK_DONE, .bounce = bounce, .events = PST_PUTS, .sent = bounce ? 0 : PST_LOCAL};
  return bulk_ask(state, node, &head, src, completion);
}

int pst_ucx_bulk_get(
    gasnet_node_t node, void *dst, const void *src, size_t nbytes, struct pst_completion *completion)
{
  const struct pst_ucx_bulk head = {.kind = PST_UCX_BULK_GET, .addr = (uintptr_t)src, .nbytes = nbytes};
  const struct pst_ucx_bulk_state state = {
      .kind = PST_UCX_BULK_DATA, .to = dst, .nbytes = nbytes, .events = PST_GETS};
  return bulk_ask(state, node, &head, NULL, completion);
}

/* ---- what others ask for ---- */

/* Answers that found no operation wait, at most as many as the peers may have transfers under way. */
struct pst_ucx_answer {
  struct pst_ucx_answer *next;
  gasnet_node_t peer;
  struct pst_ucx_bulk head;
  const void *data;
};
struct pst_ucx_answer *pst_ucx_late_answers;
static struct pst_ucx_answer **end = &pst_ucx_late_answers;

static int send_answer(const struct pst_ucx_answer *a)
{
  struct pst_ucx_op *op = pst_ucx_connect(a->peer) == PST_OK ? pst_ucx_op_take(&pst_ucx_answers, a->peer)
                                                             : NULL;
  if (!op) return PST_ERR_AGAIN;
  op->bulk = (struct pst_ucx_bulk_state){.uses = 1};
  return bulk_hand_over(op, &a->head, a->data, a->data ? a->head.nbytes : 0);
}

static void answer_now_or_later(struct pst_ucx_answer a)
{
  struct pst_ucx_answer *later;
  if (!pst_ucx_late_answers && send_answer(&a) == PST_OK) return;
  later = malloc(sizeof *later);
  if (!later) pst_fatal("out of memory for an answer");
  *later = a;
  later->next = NULL;
  *end = later;
  end = &later->next;
}

void pst_ucx_bulk_answer(void)
{
  while (pst_ucx_late_answers && send_answer(pst_ucx_late_answers) == PST_OK) {
    struct pst_ucx_answer *done = pst_ucx_late_answers;
    pst_ucx_late_answers = done->next;
    if (!pst_ucx_late_answers) end = &pst_ucx_late_answers;
    free(done);
  }
}

static void answer_get(const struct pst_ucx_bulk *b)
{
  const struct pst_ucx_bulk head = {
      .src = pst_net.node, .kind = PST_UCX_BULK_DATA, .nbytes = b->nbytes, .cookie = b->cookie};
  answer_now_or_later(
      (struct pst_ucx_answer){.peer = b->src, .head = head, .data = (const void *)(uintptr_t)b->addr});
}

static struct pst_ucx_bulk *head_copy(const struct pst_ucx_bulk *b)
{
  struct pst_ucx_bulk *copy = malloc(sizeof *copy);
  if (!copy) pst_fatal("out of memory for a put");
  *copy = *b;
  return copy;
}

static void put_is_here(void *context)
{
  struct pst_ucx_bulk *b = context;
  const struct pst_ucx_bulk head = {.src = pst_net.node, .kind = PST_UCX_BULK_DONE, .cookie = b->cookie};
  answer_now_or_later((struct pst_ucx_answer){.peer = b->src, .head = head});
  free(b);
}

/* ---- answers ---- */

/* The operation that the peer answers to; each is answered once. */
static struct pst_ucx_op *op_asked(const struct pst_ucx_bulk *b)
{
  struct pst_ucx_op *op = pst_ucx_op_at(&pst_ucx_transfers, b->cookie);
  if (!op || op->peer != b->src || op->bulk.kind != (int)b->kind || op->bulk.nbytes != b->nbytes)
    pst_fatal("an answer from node %u to what it was not asked", b->src);
  op->bulk.kind = 0;
  return op;
}

static void data_is_here(void *op) { bulk_release(op); }

ucs_status_t pst_ucx_bulk_arrived(
    const void *header, size_t header_bytes, void *data, size_t nbytes, const ucp_am_recv_param_t *param)
{
  const struct pst_net_receiver here = pst_net_here();
  struct pst_ucx_bulk b;
  struct pst_ucx_op *op;
  if (pst_ucx_bulk_decode(&here, header, header_bytes, nbytes, &b) != PST_OK)
    pst_fatal("malformed transfer of %zu bytes", nbytes);
  switch (b.kind) {
  case PST_UCX_BULK_PUT:
    return pst_ucx_receive_into(
        b.src, (void *)(uintptr_t)b.addr, data, nbytes, param, put_is_here, head_copy(&b));
  case PST_UCX_BULK_DATA:
    op = op_asked(&b);
    return pst_ucx_receive_into(b.src, op->bulk.to, data, nbytes, param, data_is_here, op);
  case PST_UCX_BULK_GET: answer_get(&b); break;
  default: bulk_release(op_asked(&b)); break;
  }
  return UCS_OK;
}

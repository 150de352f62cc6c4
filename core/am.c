/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Sending active messages and running their handlers. */
#include "core/am_call.h"
#include "core/am_fill.h"
#include "core/amcheck.h"
#include "core/job.h"
#include "core/loss.h"
#include "core/token.h"
#include "core/trace.h"
#include "core/wait.h"
#include "support/tsan.h"

size_t gasnet_AMMaxArgs(void) { return 16; }
size_t gasnet_AMMaxMedium(void) { return pst_job.limits.max_medium; }
size_t gasnet_AMMaxLongRequest(void) { return pst_job.limits.max_long_request; }
size_t gasnet_AMMaxLongReply(void) { return pst_job.limits.max_long_reply; }

int gasnet_AMGetMsgSource(gasnet_token_t token, gasnet_node_t *srcindex)
{
  if (!token || !srcindex) return GASNET_ERR_BAD_ARG;
  *srcindex = ((struct pst_token *)token)->src;
  return GASNET_OK;
}

/* The table is complete before any node sends: the fence between the processes at the end of gasnet_attach
 * orders it. ThreadSanitizer does not see that fence. */
static inline pst_handler_fn handler_of(gasnet_node_t src, gasnet_handler_t handler)
{
  pst_handler_fn fn;
  pst_tsan_acquire(pst_handler);
  fn = pst_handler[handler];
  if (__builtin_expect(!fn, 0))
    pst_fatal("an active message from node %u names handler %u, which was not registered in gasnet_attach",
        src, handler);
  return fn;
}

PST_HOT void pst_am_deliver(const struct pst_arrival *a)
{
  struct pst_token token = {a->src, a->reply, 0, a->kind, a->handler};
  const pst_handler_fn fn = handler_of(a->src, a->handler);
  pst_amcheck_enter(&token);
  PST_TRACE('A', a->reply ? "AM_REPLY_HANDLER" : "AM_REQUEST_HANDLER", (int)a->src, a->kind ? a->nbytes : 0);
  if (a->kind == PST_AM_SHORT) pst_am_call_short(fn, &token, a->nargs, a->args);
  else pst_am_call_payload(fn, &token, a);
  pst_amcheck_leave(&token);
}

PST_HOT void pst_am_deliver_short(gasnet_node_t src, unsigned reply, gasnet_handler_t handler, unsigned nargs,
    const gasnet_handlerarg_t *args)
{
  struct pst_token token = {src, (uint8_t)reply, 0, PST_AM_SHORT, handler};
  const pst_handler_fn fn = handler_of(src, handler);
  pst_amcheck_enter(&token);
  PST_TRACE('A', reply ? "AM_REPLY_HANDLER" : "AM_REQUEST_HANDLER", (int)src, 0);
  pst_am_call_short(fn, &token, nargs, args);
  pst_amcheck_leave(&token);
}

/* A node that only sends serves, too; after the message, which is on its way meanwhile. A look at the network
 * costs system calls: not after each message to a neighbour. */
static inline void serve_after_request(const struct pst_conduit *c)
{
  static _Thread_local unsigned sent;
  if (__builtin_expect(pst_job.network == NULL, 1)) {
    c->poll();
    return;
  }
  if ((++sent & (c->serve_every - 1)) == 0) pst_job.network->poll();
  pst_job.conduit->poll();
}

void pst_am_serve(const struct pst_conduit *c) { serve_after_request(c); }

/* A client that finds no room serves requests and replies; a handler serves replies only. The handlers of
 * replies send nothing and always end, and every node that waits for room empties its queue of replies. So
 * requests and replies cannot starve each other. A message for which a lost node has no room is dropped. */
static inline void message_send(struct pst_message *m, void (*wait)(struct pst_wait *w))
{
  const struct pst_conduit *c = pst_conduit_to(m->dest);
  struct pst_wait w = {0, 0};
  while (c->am(m) == PST_ERR_AGAIN) {
    if (pst_loss_of(m->dest)) {
      if (c->net) c->am(m); /* drops it, and what it has kept of it */
      return;
    }
    wait(&w);
  }
}

static void send_request(struct pst_message *m) { message_send(m, pst_wait_room); }
static void send_reply(struct pst_message *m) { message_send(m, pst_wait_replies); }

/* The checks need a struct, which the fast path does without. */
static void check_request_short(gasnet_node_t dest, gasnet_handler_t h)
{
  const struct pst_message m = {.dest = dest, .kind = PST_AM_SHORT, .handler = h};
  pst_amcheck_request("gasnet_AMRequestShort", &m);
}

static void check_reply_short(struct pst_token *t, gasnet_handler_t h)
{
  const struct pst_message m = {.kind = PST_AM_SHORT, .reply = 1, .handler = h};
  pst_amcheck_reply("gasnet_AMReplyShort", t, &m);
}

/* For a conduit without a slot for short messages. */
static __attribute__((noinline)) int send_short_message(const struct pst_conduit *c, gasnet_node_t dest,
    unsigned reply, gasnet_handler_t h, unsigned nargs, const gasnet_handlerarg_t *args)
{
  struct pst_message m = pst_message_short(dest, reply, h, nargs, args);
  return c->am(&m);
}

static inline int send_short(const struct pst_conduit *c, gasnet_node_t dest, unsigned reply,
    gasnet_handler_t h, unsigned nargs, const gasnet_handlerarg_t *args)
{
  if (__builtin_expect(c->am_short != NULL, 1)) return c->am_short(dest, reply, h, nargs, args);
  return send_short_message(c, dest, reply, h, nargs, args);
}

PST_HOT int pst_am_request_short(
    gasnet_node_t dest, gasnet_handler_t h, unsigned nargs, const gasnet_handlerarg_t *args)
{
  const struct pst_conduit *c = pst_conduit_to(dest);
  struct pst_wait w = {0, 0};
  if (PST_DEBUG) check_request_short(dest, h);
  PST_TRACE('A', "AM_REQUEST_SHORT", (int)dest, 0);
  while (send_short(c, dest, 0, h, nargs, args) == PST_ERR_AGAIN && !pst_loss_of(dest)) pst_wait_room(&w);
  serve_after_request(c);
  return GASNET_OK;
}

/* A medium or a long. Some senders add to it: the address of a long, the function that writes a medium. */
static struct pst_message payload_message(enum pst_am_kind kind, gasnet_node_t dest, unsigned reply,
    gasnet_handler_t h, const void *src, size_t nbytes, unsigned nargs, const gasnet_handlerarg_t *args)
{
  return (struct pst_message){.dest = dest,
      .kind = (uint8_t)kind,
      .reply = (uint8_t)reply,
      .handler = h,
      .nargs = nargs,
      .args = args,
      .payload = src,
      .nbytes = nbytes};
}

static void send_medium_request(struct pst_message *m)
{
  pst_amcheck_request("gasnet_AMRequestMedium", m);
  PST_TRACE('A', "AM_REQUEST_MEDIUM", (int)m->dest, m->nbytes);
  send_request(m);
}

int pst_am_request_medium(gasnet_node_t dest, gasnet_handler_t h, const void *src, size_t nbytes,
    unsigned nargs, const gasnet_handlerarg_t *args)
{
  struct pst_message m = payload_message(PST_AM_MEDIUM, dest, 0, h, src, nbytes, nargs, args);
  send_medium_request(&m);
  serve_after_request(pst_conduit_to(dest));
  return GASNET_OK;
}

void pst_am_request_filled(gasnet_node_t dest, gasnet_handler_t h, pst_am_fill_fn fill, void *context,
    size_t nbytes, unsigned nargs, const gasnet_handlerarg_t *args)
{
  struct pst_message m = payload_message(PST_AM_MEDIUM, dest, 0, h, NULL, nbytes, nargs, args);
  m.fill = fill;
  m.context = context;
  send_medium_request(&m);
}

int pst_am_request_try(gasnet_node_t dest, gasnet_handler_t h, const void *src, size_t nbytes, unsigned nargs,
    const gasnet_handlerarg_t *args)
{
  struct pst_message m = payload_message(PST_AM_MEDIUM, dest, 0, h, src, nbytes, nargs, args);
  const int rc = pst_conduit_to(dest)->am(&m);
  if (rc == PST_OK) PST_TRACE('A', "AM_REQUEST_MEDIUM", (int)dest, nbytes);
  return rc;
}

static int request_long(const char *call, int async, gasnet_node_t dest, gasnet_handler_t h, const void *src,
    size_t nbytes, void *dest_addr, unsigned nargs, const gasnet_handlerarg_t *args)
{
  struct pst_message m = payload_message(PST_AM_LONG, dest, 0, h, src, nbytes, nargs, args);
  m.dest_addr = dest_addr;
  m.async = (uint8_t)async;
  pst_amcheck_request(call, &m);
  PST_TRACE('A', async ? "AM_REQUEST_LONGASYNC" : "AM_REQUEST_LONG", (int)dest, nbytes);
  send_request(&m);
  serve_after_request(pst_conduit_to(dest));
  return GASNET_OK;
}

int pst_am_request_long(gasnet_node_t dest, gasnet_handler_t h, const void *src, size_t nbytes,
    void *dest_addr, unsigned nargs, const gasnet_handlerarg_t *args)
{
  return request_long("gasnet_AMRequestLong", 0, dest, h, src, nbytes, dest_addr, nargs, args);
}

int pst_am_request_longasync(gasnet_node_t dest, gasnet_handler_t h, const void *src, size_t nbytes,
    void *dest_addr, unsigned nargs, const gasnet_handlerarg_t *args)
{
  return request_long("gasnet_AMRequestLongAsync", 1, dest, h, src, nbytes, dest_addr, nargs, args);
}

PST_HOT int pst_am_reply_short(
    gasnet_token_t token, gasnet_handler_t h, unsigned nargs, const gasnet_handlerarg_t *args)
{
  struct pst_token *t = token;
  const struct pst_conduit *c;
  struct pst_wait w = {0, 0};
  if (PST_DEBUG) check_reply_short(t, h);
  PST_TRACE('A', "AM_REPLY_SHORT", (int)t->src, 0);
  c = pst_conduit_to(t->src);
  while (send_short(c, t->src, 1, h, nargs, args) == PST_ERR_AGAIN && !pst_loss_of(t->src))
    pst_wait_replies(&w);
  return GASNET_OK;
}

static void send_medium_reply(struct pst_token *t, struct pst_message *m)
{
  pst_amcheck_reply("gasnet_AMReplyMedium", t, m);
  m->dest = t->src; /* after the check: the token may be stale */
  PST_TRACE('A', "AM_REPLY_MEDIUM", (int)m->dest, m->nbytes);
  send_reply(m);
}

int pst_am_reply_medium(gasnet_token_t token, gasnet_handler_t h, const void *src, size_t nbytes,
    unsigned nargs, const gasnet_handlerarg_t *args)
{
  struct pst_message m = payload_message(PST_AM_MEDIUM, 0, 1, h, src, nbytes, nargs, args);
  send_medium_reply(token, &m);
  return GASNET_OK;
}

void pst_am_reply_filled(gasnet_token_t token, gasnet_handler_t h, pst_am_fill_fn fill, void *context,
    size_t nbytes, unsigned nargs, const gasnet_handlerarg_t *args)
{
  struct pst_message m = payload_message(PST_AM_MEDIUM, 0, 1, h, NULL, nbytes, nargs, args);
  m.fill = fill;
  m.context = context;
  send_medium_reply(token, &m);
}

int pst_am_reply_long(gasnet_token_t token, gasnet_handler_t h, const void *src, size_t nbytes,
    void *dest_addr, unsigned nargs, const gasnet_handlerarg_t *args)
{
  struct pst_token *t = token;
  struct pst_message m = payload_message(PST_AM_LONG, 0, 1, h, src, nbytes, nargs, args);
  m.dest_addr = dest_addr;
  pst_amcheck_reply("gasnet_AMReplyLong", t, &m);
  m.dest = t->src;
  PST_TRACE('A', "AM_REPLY_LONG", (int)m.dest, nbytes);
  send_reply(&m);
  return GASNET_OK;
}

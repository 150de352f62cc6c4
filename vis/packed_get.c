/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Gets by packed messages:
 *
 *   get     request medium: descriptions; a reply medium for each: the data
 *
 * One request asks for several slices, since each message costs system calls. The requester keeps a
 * description of the same kind of where the data goes. So it needs nothing of the caller's any more, and
 * replies in any order cost no search. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/am_fill.h"
#include "core/handler.h"
#include "core/job.h"
#include "core/token.h"
#include "extended/pending.h"
#include "vis/packed.h"

/* A slice that was asked for. */
struct request {
  struct request *next; /* in the list of free ones */
  struct pst_completion *completion;
  gasnet_node_t node;
  uint32_t nbytes; /* to come */
  uint32_t length; /* of the description */
  uint32_t room;
  unsigned char near[];
};

/* Requests with room for a short description are kept for the next get: as many as were ever in flight at
 * once. Under GASNET_PAR one thread may make a request and another handle the reply. A request whose reply
 * does not come, because its node is lost, stays out of use. */
enum { KEPT_ROOM = 224, BLOCK = 64 };
static struct {
  pthread_mutex_t lock;
  struct request *first;
} unused = {PTHREAD_MUTEX_INITIALIZER, NULL};

static void lock_unused(void)
{
  if (pst_job.par) pthread_mutex_lock(&unused.lock);
}
static void unlock_unused(void)
{
  if (pst_job.par) pthread_mutex_unlock(&unused.lock);
}

static struct request *requests_make(size_t n, size_t room)
{
  const size_t size = sizeof(struct request) + room;
  char *block = malloc(n * size);
  if (!block) pst_fatal("out of memory for gets in flight; synchronise some first");
  for (size_t i = 0; i < n; i++) {
    struct request *r = (struct request *)(void *)(block + i * size);
    r->room = (uint32_t)room;
    r->next = i + 1 < n ? (struct request *)(void *)(block + (i + 1) * size) : NULL;
  }
  return (struct request *)(void *)block;
}

static struct request *request_take(size_t length)
{
  struct request *r;
  if (length > KEPT_ROOM) return requests_make(1, length);
  lock_unused();
  r = unused.first ? unused.first : requests_make(BLOCK, KEPT_ROOM);
  unused.first = r->next;
  unlock_unused();
  return r;
}

static void request_give(struct request *r)
{
  if (r->room > KEPT_ROOM) {
    free(r);
    return;
  }
  lock_unused();
  r->completion = NULL; /* a second reply is refused */
  r->next = unused.first;
  unused.first = r;
  unlock_unused();
}

/* The head of a request in a message. The description follows, and zeros up to a multiple of 8 bytes. */
struct ask {
  uint64_t request; /* the requester's */
  uint32_t nbytes;  /* that are described */
  uint32_t length;  /* of the description */
};

_Static_assert(
    sizeof(struct ask) + 7 <= PST_PACKED_ASK_MORE, "the head, and the zeros behind the description");

static size_t ask_bytes(size_t length) { return sizeof(struct ask) + ((length + 7) & ~(size_t)7); }

/* ---- at the target ---- */

/* A request as it was read. */
struct wanted {
  const void *description;
  size_t length, nbytes;
  gasnet_node_t node; /* the requester */
  uint64_t request;
};

static void wanted_refuse(const struct wanted *w, const char *wrong)
{
  pst_fatal("a packed get of %zu bytes for node %u is malformed: %s", w->nbytes, w->node, wrong);
}

/* Reads the first of the requests in `nbytes`: how many bytes it has. */
static size_t ask_read(struct wanted *w, const char *asks, size_t nbytes)
{
  struct ask a;
  if (nbytes < sizeof a) wanted_refuse(w, "it is shorter than its head");
  memcpy(&a, asks, sizeof a);
  w->description = asks + sizeof a;
  w->length = a.length;
  w->nbytes = a.nbytes;
  w->request = a.request;
  if (ask_bytes(a.length) > nbytes) wanted_refuse(w, "it is shorter than its description");
  if (w->nbytes > pst_cost_to(w->node)->message) wanted_refuse(w, "it asks for more than a message holds");
  return ask_bytes(a.length);
}

static void answer_fill(void *context, char *to)
{
  const struct wanted *w = context;
  const struct pst_wire_window window = pst_packed_window();
  const char *wrong = pst_wire_pack(&window, w->description, w->length, to, w->nbytes);
  if (wrong) wanted_refuse(w, wrong);
}

static void handle_get(gasnet_token_t token, void *asks, size_t nbytes)
{
  struct wanted w[PST_PACKED_ASKS] = {{.node = ((struct pst_token *)token)->src}};
  unsigned n = 0;
  size_t at = 0;
  do {
    if (n == PST_PACKED_ASKS) wanted_refuse(&w[0], "it asks for too many");
    w[n].node = w[0].node;
    at += ask_read(&w[n++], (const char *)asks + at, nbytes - at);
  } while (at < nbytes);
  for (unsigned i = 0; i < n; i++) {
    const gasnet_handlerarg_t args[] = {PST_SPLIT(w[i].request)};
    pst_token_reply_again(token); /* this request has several replies */
    pst_am_reply_filled(
        token, PST_HANDLER_VIS_GET_DONE, answer_fill, &w[i], w[i].nbytes, PST_ARGS(args), args);
  }
}

/* ---- at the requester ---- */

static void handle_get_done(
    gasnet_token_t token, void *data, size_t nbytes, gasnet_handlerarg_t hi, gasnet_handlerarg_t lo)
{
  const struct pst_wire_window everything = {0, SIZE_MAX, NULL, 0};
  const gasnet_node_t src = ((struct pst_token *)token)->src;
  struct request *r = (struct request *)PST_JOIN(hi, lo);
  const char *wrong;
  if (!pst_pending_end(token, r, PST_GETS)) return;
  if (!r->completion || r->node != src || r->nbytes != nbytes)
    pst_fatal("node %u answers a packed get of %u bytes from node %u with %zu bytes", src, r->nbytes, r->node,
        nbytes);
  wrong = pst_wire_unpack(&everything, r->near, r->length, data, nbytes);
  if (wrong) pst_fatal("a packed get from node %u: its own description is malformed: %s", src, wrong);
  pst_completion_done(r->completion, PST_GETS);
  request_give(r);
}

/* A request as it is sent. */
struct asked {
  struct ask ask;
  const void *far;
};

static struct asked asked_make(const struct pst_packed *t, const struct pst_packed_places *p)
{
  struct request *r = request_take(p->near_length);
  r->completion = t->completion;
  r->node = t->node;
  r->nbytes = (uint32_t)p->n;
  r->length = (uint32_t)p->near_length;
  memcpy(r->near, p->near, p->near_length);
  pst_pending_begin(t->node, r, t->completion, PST_GETS);
  return (struct asked){{(uintptr_t)r, (uint32_t)p->n, (uint32_t)p->far_length}, p->far};
}

static void asked_write(void *context, char *to)
{
  const struct asked *a = context;
  memcpy(to, &a->ask, sizeof a->ask);
  memcpy(to + sizeof a->ask, a->far, a->ask.length);
  memset(to + sizeof a->ask + a->ask.length, 0, ask_bytes(a->ask.length) - sizeof a->ask - a->ask.length);
}

/* Writes the request into the message's own buffer. */
static void ask_alone(const struct pst_packed *t, const struct pst_packed_places *p)
{
  struct asked a = asked_make(t, p);
  pst_am_request_filled(t->node, PST_HANDLER_VIS_GET, asked_write, &a, ask_bytes(p->far_length), 0, NULL);
  pst_am_serve(pst_conduit_to(t->node));
}

void pst_packed_get_begin(struct pst_packed_asks *asks) { asks->count = asks->nbytes = 0; }

void pst_packed_get_next(
    const struct pst_packed *t, struct pst_packed_asks *asks, const struct pst_packed_places *p)
{
  struct asked a;
  if (ask_bytes(p->far_length) > PST_PACKED_ASK_MOST) {
    ask_alone(t, p);
    return;
  }
  a = asked_make(t, p);
  asked_write(&a, asks->bytes + asks->nbytes);
  asks->nbytes += ask_bytes(p->far_length);
  if (++asks->count == PST_PACKED_ASKS) pst_packed_get_end(t, asks);
}

void pst_packed_get_end(const struct pst_packed *t, struct pst_packed_asks *asks)
{
  if (asks->count == 0) return;
  pst_am_request_medium(t->node, PST_HANDLER_VIS_GET, asks->bytes, asks->nbytes, 0, NULL);
  pst_packed_get_begin(asks);
}

void pst_packed_get(const struct pst_packed *t, const struct pst_packed_places *p)
{
  struct pst_packed_asks one;
  pst_packed_get_begin(&one);
  pst_packed_get_next(t, &one, p);
  pst_packed_get_end(t, &one);
}

void pst_packed_get_open(void)
{
  pst_handler_set(PST_HANDLER_VIS_GET, (pst_handler_fn)handle_get);
  pst_handler_set(PST_HANDLER_VIS_GET_DONE, (pst_handler_fn)handle_get_done);
}

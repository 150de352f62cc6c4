/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Messages that were received: they run, or are kept until they may run. */
#include <stdlib.h>
#include <string.h>

#include "conduits/net/credit.h"
#include "support/copy.h"

/* A message that came when it must not run: a request inside a handler or while memory is being moved,
 * anything that a progress thread received, anything that a library hands over inside a call of it. The
 * windows bound how many there are: their credit is returned when they have run. */
struct pst_net_waiting {
  struct pst_net_waiting *next;
  size_t room, nbytes;  /* room: bytes of `message`; nbytes: those that count for the window */
  const void *borrowed; /* NULL, or where the message is in place of `message`, until pst_net_give_back */
  int plain;            /* `parts` has the head alone: the rest is read from `message` when it runs */
  struct pst_net_parts parts;
  alignas(8) char message[];
};

_Atomic int pst_net_any_waiting[PST_NET_STREAMS];
static struct queue {
  pthread_mutex_t lock;
  struct pst_net_waiting *first, **end;
} queues[PST_NET_STREAMS] = {{.lock = PTHREAD_MUTEX_INITIALIZER}, {.lock = PTHREAD_MUTEX_INITIALIZER}};

/* Small ones are used again. */
enum { SMALL = 640, SPARE_MOST = 512 };
static struct {
  pthread_mutex_t lock;
  struct pst_net_waiting *first;
  unsigned count;
} spare = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct pst_net_waiting *take_spare(void)
{
  struct pst_net_waiting *w;
  pst_net_lock(&spare.lock);
  w = spare.first;
  if (w) {
    spare.first = w->next;
    spare.count--;
  }
  pst_net_unlock(&spare.lock);
  return w;
}

static struct pst_net_waiting *new_waiting(size_t room)
{
  struct pst_net_waiting *w = room <= SMALL ? take_spare() : NULL;
  if (w) return w;
  if (room < SMALL) room = SMALL;
  w = malloc(sizeof *w + room);
  if (!w) pst_fatal("out of memory for a message of %zu bytes", room);
  w->room = room;
  return w;
}

static void free_waiting(struct pst_net_waiting *w)
{
  pst_net_lock(&spare.lock);
  if (w->room == SMALL && spare.count < SPARE_MOST) {
    w->next = spare.first;
    spare.first = w;
    spare.count++;
    w = NULL;
  }
  pst_net_unlock(&spare.lock);
  free(w);
}

void pst_net_deliver_later(struct pst_net_waiting *w)
{
  struct queue *q = &queues[w->parts.head.stream];
  w->next = NULL;
  pst_net_lock(&q->lock);
  if (!q->first) q->end = &q->first;
  *q->end = w;
  q->end = &w->next;
  atomic_store_explicit(&pst_net_any_waiting[w->parts.head.stream], 1, memory_order_release);
  pst_net_unlock(&q->lock);
}

static struct pst_net_waiting *first_waiting(unsigned stream)
{
  struct queue *q = &queues[stream];
  struct pst_net_waiting *w;
  pst_net_lock(&q->lock);
  w = q->first;
  if (w) q->first = w->next;
  if (!q->first) atomic_store_explicit(&pst_net_any_waiting[stream], 0, memory_order_relaxed);
  pst_net_unlock(&q->lock);
  return w;
}

/* ---- what a message says ---- */

void (*pst_net_heard)(const struct pst_net_head *h);

_Noreturn void pst_net_malformed(const void *message, size_t nbytes)
{
  struct pst_net_head h = {0};
  memcpy(&h, message, nbytes < sizeof h ? nbytes : sizeof h);
  pst_fatal("malformed message of %zu bytes: source %u, form %u, %u arguments, payload %u", nbytes, h.src,
      h.form, h.nargs, h.nbytes);
}

static void message_decode(const void *message, size_t nbytes, struct pst_net_parts *parts)
{
  const struct pst_net_receiver here = pst_net_here();
  if (pst_net_decode(&here, message, nbytes, parts) != PST_OK) pst_net_malformed(message, nbytes);
}

/* Takes a message's credit, at once: messages that wait to run may be waiting for that room. 1: the message
 * has a handler to run. */
static inline int head_hear(const struct pst_net_head *h, const void *message, size_t nbytes)
{
  if (!pst_credit_read(h)) pst_net_malformed(message, nbytes);
  if (pst_net_heard) pst_net_heard(h);
  else if (h->form > PST_NET_CREDIT) pst_net_malformed(message, nbytes);
  return h->form < PST_NET_CREDIT;
}

/* The handler of a message has run. */
static inline void message_consumed(gasnet_node_t src, unsigned stream, size_t nbytes)
{
  pst_credit_consumed(src, stream, nbytes);
  if (pst_net.par) atomic_fetch_add_explicit(&pst_net.served, 1, memory_order_release);
  else
    atomic_store_explicit(&pst_net.served, atomic_load_explicit(&pst_net.served, memory_order_relaxed) + 1,
        memory_order_relaxed);
}

static void message_deliver(const struct pst_net_parts *p, size_t nbytes)
{
  if (p->data) pst_copy_release(p->arrival.payload, p->data, p->arrival.nbytes);
  pst_am_deliver(&p->arrival);
  message_consumed(p->head.src, p->head.stream, nbytes);
}

_Thread_local unsigned pst_net_replies_only, pst_net_nothing_runs;

static inline int must_wait(unsigned stream)
{
  return pst_net_nothing_runs || (stream == PST_NET_REQUESTS && pst_net_replies_only);
}

/* ---- a short way for the commonest messages: shorts and mediums that may run ---- */

/* Checks all that the decoder would check. */
static inline int is_plain(const struct pst_net_head *h, size_t nbytes)
{
  size_t rest;
  if (h->form > PST_NET_MEDIUM || h->src >= pst_net.nodes || h->src == pst_net.node) return 0;
  if (h->unused || h->nargs > PST_NET_MAX_ARGS) return 0;
  rest = pst_net_arguments_bytes(h->nargs) + (h->form == PST_NET_MEDIUM ? h->nbytes : 0);
  return nbytes == sizeof *h + pst_net_round_up(rest);
}

static inline void run_medium(const struct pst_net_head *h, const gasnet_handlerarg_t *args)
{
  const struct pst_arrival a = {.src = h->src,
      .kind = PST_AM_MEDIUM,
      .reply = h->stream,
      .handler = h->handler,
      .nargs = h->nargs,
      .args = args,
      .payload = (char *)(uintptr_t)args + pst_net_arguments_bytes(h->nargs),
      .nbytes = h->nbytes};
  pst_am_deliver(&a);
}

/* 1: the message is plain. Its head is copied and read once: the sender may still be able to write to it. */
static inline int read_plain(const void *message, size_t nbytes, struct pst_net_head *h)
{
  if (nbytes < sizeof *h) return 0;
  memcpy(h, message, sizeof *h);
  return is_plain(h, nbytes);
}

static inline void deliver_plain(const struct pst_net_head *h, const void *message, size_t nbytes)
{
  const gasnet_handlerarg_t *args = (const gasnet_handlerarg_t *)((const char *)message + sizeof *h);
  if (h->form == PST_NET_MEDIUM) run_medium(h, args);
  else pst_am_deliver_short(h->src, h->stream, h->handler, h->nargs, args);
  message_consumed(h->src, h->stream, nbytes);
}

/* 1: the message is plain, and has run. */
static inline int run_plain(const void *message, size_t nbytes)
{
  struct pst_net_head h;
  if (!read_plain(message, nbytes, &h) || must_wait(h.stream)) return 0;
  head_hear(&h, message, nbytes);
  deliver_plain(&h, message, nbytes);
  return 1;
}

/* ---- all messages ---- */

static struct pst_net_waiting *waiting_copy(const void *message, size_t nbytes)
{
  struct pst_net_waiting *w = new_waiting(nbytes);
  memcpy(w->message, message, nbytes);
  w->nbytes = nbytes;
  w->borrowed = NULL;
  w->plain = read_plain(w->message, nbytes, &w->parts.head);
  if (!w->plain) message_decode(w->message, nbytes, &w->parts);
  return w;
}

static __attribute__((noinline)) void run_any(const void *message, size_t nbytes)
{
  struct pst_net_parts parts;
  message_decode(message, nbytes, &parts);
  if (!head_hear(&parts.head, message, nbytes)) return;
  if (must_wait(parts.head.stream)) pst_net_deliver_later(waiting_copy(message, nbytes));
  else message_deliver(&parts, nbytes);
}

void pst_net_message(const void *message, size_t nbytes)
{
  if (!run_plain(message, nbytes)) run_any(message, nbytes);
}

struct pst_net_waiting *pst_net_hold(const void *message, size_t nbytes, const struct pst_net_parts **parts)
{
  struct pst_net_waiting *w = waiting_copy(message, nbytes);
  *parts = &w->parts;
  if (head_hear(&w->parts.head, message, nbytes)) return w;
  free_waiting(w);
  return NULL;
}

void pst_net_keep(const void *message, size_t nbytes)
{
  const struct pst_net_parts *parts;
  struct pst_net_waiting *w = pst_net_hold(message, nbytes, &parts);
  if (w) pst_net_deliver_later(w);
}

void (*pst_net_give_back)(const void *message);

int pst_net_borrow(const void *message, size_t nbytes)
{
  struct pst_net_waiting *w = new_waiting(0);
  w->nbytes = nbytes;
  w->borrowed = message;
  w->plain = 0;
  message_decode(message, nbytes, &w->parts);
  if (head_hear(&w->parts.head, message, nbytes)) {
    pst_net_deliver_later(w);
    return 1;
  }
  free_waiting(w);
  return 0;
}

int pst_net_deliver_some(unsigned stream)
{
  enum { MOST = 16 };
  struct pst_net_waiting *w;
  int n = 0;
  while (n < MOST && (w = first_waiting(stream)) != NULL) {
    if (w->plain) deliver_plain(&w->parts.head, w->message, w->nbytes);
    else message_deliver(&w->parts, w->nbytes);
    if (w->borrowed) pst_net_give_back(w->borrowed);
    free_waiting(w);
    n++;
  }
  return n;
}

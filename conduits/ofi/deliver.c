/* What was received: run, or kept until it may run. */
#include <stdlib.h>
#include <string.h>

#include "conduits/ofi/ofi.h"
#include "support/copy.h"

/* Messages that came while they may not run: requests inside a handler, or while memory is being moved; all that the progress thread
 * took. The windows bound them: they are paid for when they have run. */
struct waiting {
  struct waiting *next;
  size_t nbytes;
  alignas(8) char message[];
};
/* Invariant: `any` is 0 or 1 as the queue is empty or not, changed under the lock. It is read without: who finds 0 while another thread
 * keeps a message finds it at his next look, and nobody sleeps for longer than that on a network. */
static struct queue {
  pthread_mutex_t lock;
  struct waiting *first, **end;
  _Atomic int any;
} queues[PST_OFI_STREAMS] = { { .lock = PTHREAD_MUTEX_INITIALIZER }, { .lock = PTHREAD_MUTEX_INITIALIZER } };

static void keep(struct queue *q, const void *message, size_t nbytes)
{
  struct waiting *w = malloc(sizeof *w + nbytes);
  if (!w) pst_fatal("out of memory for a message of %zu bytes", nbytes);
  w->next = NULL;
  w->nbytes = nbytes;
  memcpy(w->message, message, nbytes);
  pthread_mutex_lock(&q->lock);
  if (!q->first) q->end = &q->first;
  *q->end = w;
  q->end = &w->next;
  atomic_store_explicit(&q->any, 1, memory_order_release);
  pthread_mutex_unlock(&q->lock);
}

static struct waiting *first_waiting(struct queue *q)
{
  struct waiting *w;
  pthread_mutex_lock(&q->lock);
  w = q->first;
  if (w) q->first = w->next;
  atomic_store_explicit(&q->any, q->first != NULL, memory_order_relaxed);
  pthread_mutex_unlock(&q->lock);
  return w;
}

static _Noreturn void malformed(const void *message, size_t nbytes)
{
  struct pst_ofi_head h = { 0 };
  memcpy(&h, message, nbytes < sizeof h ? nbytes : sizeof h);
  pst_fatal("malformed message of %zu bytes: source %u, form %u, %u arguments, payload %u", nbytes, h.src, h.form, h.nargs, h.nbytes);
}

static void decode(const void *message, size_t nbytes, struct pst_ofi_parts *parts)
{
  struct pst_ofi_receiver here = { .node = pst_ofi.node, .nodes = pst_ofi.nodes };
  if (pst_ofi.segment) here.segment = pst_ofi.segment[pst_ofi.node];
  if (pst_ofi_decode(&here, message, nbytes, parts) != PST_OK) malformed(message, nbytes);
}

static void deliver(const struct pst_ofi_parts *p, size_t nbytes)
{
  if (p->data) pst_copy(p->arrival.payload, p->data, p->arrival.nbytes);
  pst_am_deliver(&p->arrival);
  pst_ofi_credit(p->head.src, p->head.stream, nbytes);
  atomic_fetch_add_explicit(&pst_ofi.served, 1, memory_order_release);
}

/* More room than there ever was at the peer is nothing that it gave. */
static void take_credit(const struct pst_ofi_head *h, const void *message, size_t nbytes)
{
  for (int i = 0; i < PST_OFI_STREAMS; i++) {
    _Atomic int32_t *window = &pst_ofi.peer[h->src].window[i];
    if (h->credit[i] && atomic_fetch_add_explicit(window, h->credit[i], memory_order_relaxed) + h->credit[i] > pst_ofi.window)
      malformed(message, nbytes);
  }
}

/* What has no handler. */
static void control(const struct pst_ofi_head *h)
{
  switch ((enum pst_ofi_form)h->form) {
  case PST_OFI_COUNT: pst_ofi_told(h->src, h->nbytes); break;
  case PST_OFI_HELLO: case PST_OFI_WELCOME: pst_ofi_greeted(h->src, (enum pst_ofi_form)h->form); break;
  default: break; /* CREDIT: its head has been read */
  }
}

_Thread_local unsigned pst_ofi_replies_only, pst_ofi_nothing_runs;

void pst_ofi_message(const void *message, size_t nbytes)
{
  struct pst_ofi_parts parts;
  decode(message, nbytes, &parts);
  take_credit(&parts.head, message, nbytes);
  if (parts.head.form <= PST_OFI_CREDIT) pst_ofi_count(&pst_ofi.peer[parts.head.src].got);
  if (parts.head.form >= PST_OFI_CREDIT) {
    control(&parts.head);
    return;
  }
  if (pst_ofi_nothing_runs || (parts.head.stream == PST_OFI_REQUESTS && pst_ofi_replies_only))
    keep(&queues[parts.head.stream], message, nbytes);
  else
    deliver(&parts, nbytes);
}

/* A number that is bounded: what these handlers wait for may bring more. */
int pst_ofi_deliver_waiting(unsigned stream)
{
  enum { MOST = 16 };
  struct queue *q = &queues[stream];
  struct pst_ofi_parts parts;
  struct waiting *w;
  int n = 0;
  if (!atomic_load_explicit(&q->any, memory_order_acquire)) return 0;
  while (n < MOST && (w = first_waiting(q)) != NULL) {
    decode(w->message, w->nbytes, &parts);
    deliver(&parts, w->nbytes);
    free(w);
    n++;
  }
  return n;
}

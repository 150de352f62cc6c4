/* What was received. Messages are checked as a stranger's bytes: lengths, counts, addresses. */
#include <stdlib.h>
#include <string.h>

#include "conduits/ofi/ofi.h"
#include "support/copy.h"

/* Requests that came while only replies may run: inside a handler, or while memory is being moved. The windows bound them. */
struct waiting {
  struct waiting *next;
  size_t nbytes;
  alignas(8) char message[];
};
static struct {
  pthread_mutex_t lock;
  struct waiting *first, **end;
  _Atomic int any;
} queue = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void keep(const void *message, size_t nbytes)
{
  struct waiting *w = malloc(sizeof *w + nbytes);
  if (!w) pst_fatal("out of memory for a message of %zu bytes", nbytes);
  w->next = NULL;
  w->nbytes = nbytes;
  memcpy(w->message, message, nbytes);
  pthread_mutex_lock(&queue.lock);
  if (!queue.first) queue.end = &queue.first;
  *queue.end = w;
  queue.end = &w->next;
  atomic_store_explicit(&queue.any, 1, memory_order_release);
  pthread_mutex_unlock(&queue.lock);
}

static struct waiting *first_waiting(void)
{
  struct waiting *w;
  pthread_mutex_lock(&queue.lock);
  w = queue.first;
  if (w) queue.first = w->next;
  atomic_store_explicit(&queue.any, queue.first != NULL, memory_order_relaxed);
  pthread_mutex_unlock(&queue.lock);
  return w;
}

static _Noreturn void malformed(const struct pst_ofi_head *h, size_t nbytes)
{
  pst_fatal("malformed message of %zu bytes: source %u, form %u, %u arguments, payload %u", nbytes, h->src, h->form,
            h->nargs, h->nbytes);
}

static size_t arguments_bytes(unsigned nargs) { return (nargs + 1) / 2 * 8; }

/* Bytes of the whole message; 0: its head makes no sense. */
static size_t length(const struct pst_ofi_head *h)
{
  const size_t fixed = sizeof *h + arguments_bytes(h->nargs);
  if (h->src >= pst_ofi.nodes || h->stream >= PST_OFI_STREAMS || h->nargs > PST_OFI_MAX_ARGS) return 0;
  switch (h->form) {
  case PST_OFI_SHORT: case PST_OFI_CREDIT: return fixed;
  case PST_OFI_MEDIUM: return fixed + h->nbytes;
  case PST_OFI_LONG_INLINE: return fixed + 8 + h->nbytes;
  case PST_OFI_LONG_PLACED: return fixed + 16;
  default: return 0;
  }
}

static void check_place(const struct pst_ofi_head *h, size_t nbytes, uintptr_t addr, size_t length)
{
  const gasnet_seginfo_t *s = &pst_ofi.segment[pst_ofi.node];
  const uintptr_t begin = (uintptr_t)s->addr;
  if (length && (addr < begin || addr - begin > s->size || length > s->size - (addr - begin))) malformed(h, nbytes);
}

static void read_long(const struct pst_ofi_head *h, size_t nbytes, const char *rest, struct pst_arrival *a)
{
  uint64_t addr, size = h->nbytes;
  memcpy(&addr, rest, 8);
  if (h->form == PST_OFI_LONG_PLACED) memcpy(&size, rest + 8, 8);
  check_place(h, nbytes, addr, size);
  if (h->form == PST_OFI_LONG_INLINE) pst_copy((void *)(uintptr_t)addr, rest + 8, size);
  a->payload = (void *)(uintptr_t)addr;
  a->nbytes = size;
}

static void deliver(const struct pst_ofi_head *h, size_t nbytes)
{
  char *rest = (char *)(uintptr_t)(h + 1) + arguments_bytes(h->nargs);
  struct pst_arrival a = { .src = h->src, .reply = h->stream, .handler = h->handler, .nargs = h->nargs,
                           .args = (const gasnet_handlerarg_t *)(h + 1) };
  const gasnet_node_t src = h->src;
  const unsigned stream = h->stream;
  a.kind = h->form == PST_OFI_SHORT ? PST_AM_SHORT : h->form == PST_OFI_MEDIUM ? PST_AM_MEDIUM : PST_AM_LONG;
  if (a.kind == PST_AM_MEDIUM) {
    a.payload = rest;
    a.nbytes = h->nbytes;
  } else if (a.kind == PST_AM_LONG) {
    read_long(h, nbytes, rest, &a);
  }
  pst_am_deliver(&a);
  pst_ofi_credit(src, stream, nbytes);
  atomic_fetch_add_explicit(&pst_ofi.served, 1, memory_order_release);
}

_Thread_local unsigned pst_ofi_replies_only;

void pst_ofi_message(const void *message, size_t nbytes)
{
  const struct pst_ofi_head *h = message;
  size_t expected;
  if (nbytes < sizeof *h) pst_fatal("malformed message of %zu bytes", nbytes);
  expected = length(h);
  if (expected == 0 || nbytes != ((expected + 7) & ~(size_t)7)) malformed(h, nbytes);
  for (int i = 0; i < PST_OFI_STREAMS; i++)
    if (h->credit[i])
      atomic_fetch_add_explicit(&pst_ofi.peer[h->src].window[i], h->credit[i], memory_order_relaxed);
  if (h->form == PST_OFI_CREDIT) return;
  if (h->stream == PST_OFI_REQUESTS && pst_ofi_replies_only) keep(message, nbytes);
  else deliver(h, nbytes);
}

int pst_ofi_deliver_waiting(void)
{
  int n = 0;
  struct waiting *w;
  if (!atomic_load_explicit(&queue.any, memory_order_acquire)) return 0;
  while ((w = first_waiting()) != NULL) {
    deliver((const struct pst_ofi_head *)w->message, w->nbytes);
    free(w);
    n++;
  }
  return n;
}

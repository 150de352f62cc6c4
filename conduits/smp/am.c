/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Messages in slots. The words of a slot, by kind, without and with data lines:
 *
 *              words without lines                    words with lines
 *   short      arguments (up to 14)                   line, lines                         | lines: arguments
 *   medium     nbytes, arguments, payload             line, lines, nbytes, arguments (11) | lines: payload
 *   long       nbytes (2), address (2), arguments(10) line, lines, nbytes (2), address(2) | lines: arguments
 *
 * Inline payloads begin at an even word, which is a multiple of 8 bytes. A medium with lines and more than
 * 11 arguments has all of them in its first line. */
#include <string.h>

#include "conduits/smp/fill.h"
#include "conduits/smp/smp.h"
#include "support/copy.h"
#include "support/tsan.h"

enum { KIND_BITS = 2, NARGS_BITS = 5, WITH_LINES = 0x80 };
enum { MEDIUM_HEAD = 1, LONG_HEAD = 4, LINES_HEAD = 2, MEDIUM_LINES_HEAD = 3 };
enum { MEDIUM_LINES_ARGS = PST_SMP_WORDS - MEDIUM_LINES_HEAD };
_Static_assert(1 << NARGS_BITS > 16 && KIND_BITS + NARGS_BITS < 8, "kind and arguments fit the form byte");

static unsigned payload_word(unsigned nargs) { return (MEDIUM_HEAD + nargs + 1) & ~1u; }

static unsigned lines_of(size_t nbytes) { return (unsigned)((nbytes + PST_SMP_LINE - 1) / PST_SMP_LINE); }

/* Data lines that a message needs beside its slot. */
static inline unsigned lines_needed(const struct pst_message *m)
{
  switch (m->kind) {
  case PST_AM_SHORT: return m->nargs > PST_SMP_WORDS;
  case PST_AM_LONG: return m->nargs > PST_SMP_WORDS - LONG_HEAD;
  default:
    if (payload_word(m->nargs) * 4 + m->nbytes <= PST_SMP_WORDS * 4) return 0;
    return lines_of(m->nbytes) + (m->nargs > MEDIUM_LINES_ARGS);
  }
}

static inline void copy_words(uint32_t *to, unsigned nargs, const gasnet_handlerarg_t *args)
{
  for (unsigned i = 0; i < nargs; i++) to[i] = (uint32_t)args[i];
}

static void copy_args(void *to, const struct pst_message *m) { copy_words(to, m->nargs, m->args); }

static void write_payload(const struct pst_message *m, void *to)
{
  if (m->fill) pst_smp_fill(m, to);
  else if (m->nbytes) memcpy(to, m->payload, m->nbytes);
}

static void write_in_slot(const struct pst_message *m, uint32_t *w)
{
  const uint64_t nbytes = m->nbytes, addr = (uintptr_t)m->dest_addr;
  switch (m->kind) {
  case PST_AM_SHORT: copy_args(w, m); break;
  case PST_AM_MEDIUM:
    w[0] = (uint32_t)nbytes;
    copy_args(w + MEDIUM_HEAD, m);
    write_payload(m, w + payload_word(m->nargs));
    break;
  default:
    memcpy(w, &nbytes, 8);
    memcpy(w + 2, &addr, 8);
    copy_args(w + LONG_HEAD, m);
  }
}

static void write_medium_lines(const struct pst_message *m, uint32_t *w, char *data)
{
  w[LINES_HEAD] = (uint32_t)m->nbytes;
  if (m->nargs <= MEDIUM_LINES_ARGS) {
    copy_args(w + MEDIUM_LINES_HEAD, m);
  } else {
    copy_args(data, m);
    data += PST_SMP_LINE;
  }
  write_payload(m, data);
}

static void write_with_lines(const struct pst_message *m, const struct pst_smp_claim *c, unsigned lines)
{
  uint32_t *w = c->slot->word;
  char *const data = pst_smp_line(pst_smp_data_of(m->dest - pst_smp.first, m->reply), c->line);
  w[0] = c->line;
  w[1] = lines;
  if (m->kind == PST_AM_MEDIUM) {
    write_medium_lines(m, w, data);
    return;
  }
  if (m->kind == PST_AM_LONG) {
    const uint64_t nbytes = m->nbytes, addr = (uintptr_t)m->dest_addr;
    memcpy(w + LINES_HEAD, &nbytes, 8);
    memcpy(w + LINES_HEAD + 2, &addr, 8);
  }
  copy_args(data, m);
}

/* A long's payload goes straight to its place before anything is claimed, so that the queue never waits for
 * it; the commit's release orders it before the message. */
void pst_smp_place_long(struct pst_message *m)
{
  if (m->kind != PST_AM_LONG || m->placed || m->nbytes == 0) return;
  pst_copy((void *)((uintptr_t)m->dest_addr + (uintptr_t)pst_smp.delta[m->dest]), m->payload, m->nbytes);
  m->placed = 1;
}

/* Tells ThreadSanitizer, which sees one process alone, of an order that comes about through another process:
 * what a thread of this process did before it sent a message happens before what another thread of it does
 * after it received the answer, or after it claimed the same slot anew. */
static char through_others;

static inline int slot_claim(unsigned to, unsigned reply, unsigned lines, struct pst_smp_claim *c)
{
  struct pst_smp_queue *q = &pst_smp.shared->node[to].queue[reply];
  const int rc = pst_smp_claim(q, pst_smp_ring_of(to, reply), &pst_smp.seen_head[to][reply], lines, c);
  pst_tsan_acquire(&through_others);
  return rc;
}

static inline void slot_commit(struct pst_smp_node *node, const struct pst_smp_claim *c)
{
  pst_tsan_release(&through_others);
  pst_smp_commit(c);
  pst_smp_notify(node);
}

/* The slot's second word: handler, form and source in one store. */
static inline void write_head(struct pst_smp_slot *s, unsigned handler, unsigned form)
{
  s->head = handler | form << 8 | pst_smp.node << 16;
}

/* A short message without arguments, which frees the data lines of the message that was to be here. */
void pst_smp_send_nothing(const struct pst_smp_claim *c, gasnet_handler_t nothing)
{
  write_head(c->slot, nothing, PST_AM_SHORT | WITH_LINES);
  c->slot->word[0] = c->line;
  c->slot->word[1] = 0;
  slot_commit(pst_smp.self, c);
}

int pst_smp_am(struct pst_message *m)
{
  const unsigned to = m->dest - pst_smp.first;
  struct pst_smp_claim c;
  unsigned lines;
  int rc;
  if (m->kind == PST_AM_MEDIUM && m->nbytes > PST_SMP_MAX_MEDIUM)
    pst_fatal("a medium message of %zu bytes; the most are %d", m->nbytes, PST_SMP_MAX_MEDIUM);
  lines = lines_needed(m);
  pst_smp_place_long(m);
  rc = slot_claim(to, m->reply, lines, &c);
  if (rc != PST_OK) return rc;
  write_head(c.slot, m->handler, m->kind | m->nargs << KIND_BITS | (lines ? WITH_LINES : 0));
  if (lines) write_with_lines(m, &c, lines);
  else write_in_slot(m, c.slot->word);
  slot_commit(&pst_smp.shared->node[to], &c);
  return PST_OK;
}

/* For what the fast path cannot send: arguments that need a data line, and messages for a ring that seems
 * full. */
static __attribute__((noinline)) int send_any_short(gasnet_node_t dest, unsigned reply,
    gasnet_handler_t handler, unsigned nargs, const gasnet_handlerarg_t *args)
{
  struct pst_message m = pst_message_short(dest, reply, handler, nargs, args);
  return pst_smp_am(&m);
}

PST_HOT int pst_smp_am_short(gasnet_node_t dest, unsigned reply, gasnet_handler_t handler, unsigned nargs,
    const gasnet_handlerarg_t *args)
{
  const unsigned to = dest - pst_smp.first;
  struct pst_smp_node *const node = &pst_smp.shared->node[to];
  struct pst_smp_ring *const ring = pst_smp_ring_of(to, reply);
  const uint64_t head = atomic_load_explicit(&pst_smp.seen_head[to][reply], memory_order_acquire);
  struct pst_smp_claim c;
  if (nargs > PST_SMP_WORDS || !pst_smp_claim_behind(&node->queue[reply], ring, head, 0, &c))
    return send_any_short(dest, reply, handler, nargs, args);
  pst_tsan_acquire(&through_others);
  write_head(c.slot, handler, PST_AM_SHORT | nargs << KIND_BITS);
  copy_words(c.slot->word, nargs, args);
  slot_commit(node, &c);
  return PST_OK;
}

static void read_in_slot(struct pst_smp_slot *s, struct pst_arrival *a)
{
  uint32_t *w = s->word;
  uint64_t nbytes, addr;
  if (a->kind == PST_AM_MEDIUM) {
    a->nbytes = w[0];
    a->args = (gasnet_handlerarg_t *)(w + MEDIUM_HEAD);
    a->payload = w + payload_word(a->nargs);
    return;
  }
  memcpy(&nbytes, w, 8);
  memcpy(&addr, w + 2, 8);
  a->nbytes = nbytes;
  a->payload = (void *)(uintptr_t)addr;
  a->args = (gasnet_handlerarg_t *)(w + LONG_HEAD);
}

static void read_with_lines(struct pst_smp_slot *s, char *data, struct pst_arrival *a)
{
  uint32_t *w = s->word;
  a->args = (gasnet_handlerarg_t *)data;
  if (a->kind == PST_AM_LONG) {
    uint64_t nbytes, addr;
    memcpy(&nbytes, w + LINES_HEAD, 8);
    memcpy(&addr, w + LINES_HEAD + 2, 8);
    a->nbytes = nbytes;
    a->payload = (void *)(uintptr_t)addr;
  } else if (a->kind == PST_AM_MEDIUM) {
    const int args_in_slot = a->nargs <= MEDIUM_LINES_ARGS;
    a->nbytes = w[LINES_HEAD];
    if (args_in_slot) a->args = (gasnet_handlerarg_t *)(w + MEDIUM_LINES_HEAD);
    a->payload = args_in_slot ? data : data + PST_SMP_LINE;
  }
}

/* Runs one message's handler. Data lines are scarce and are freed at once; slots are freed at the end of the
 * batch, for a store to `head` costs every sender that looks at it. */
static inline void slot_deliver(
    struct pst_smp_inbox *in, struct pst_smp_slot *s, uint64_t taken, unsigned reply)
{
  struct pst_arrival a;
  const uint32_t head = s->head;
  const unsigned form = head >> 8 & 0xff;
  pst_tsan_acquire(&through_others);
  a.src = pst_smp.first + (head >> 16);
  a.kind = form & ((1 << KIND_BITS) - 1);
  a.reply = (uint8_t)reply;
  a.handler = (gasnet_handler_t)head;
  a.nargs = form >> KIND_BITS & ((1 << NARGS_BITS) - 1);
  a.args = (gasnet_handlerarg_t *)s->word;
  if (form & WITH_LINES) {
    const uint32_t end = s->word[0] + s->word[1];
    read_with_lines(s, pst_smp_line(pst_smp_data_of(pst_smp.node, reply), s->word[0]), &a);
    pst_am_deliver(&a);
    in->line = end;
    pst_smp_free(in->queue, taken + 1, end);
    return;
  }
  if (a.kind != PST_AM_SHORT) read_in_slot(s, &a);
  pst_am_deliver(&a);
}

static inline int inbox_enter(unsigned queue)
{
  _Atomic uint32_t *busy = &pst_smp.busy[queue].word;
  if (atomic_load_explicit(busy, memory_order_relaxed))
    return 0; /* an exchange would take the cache line from the thread that delivers */
  if (pst_smp.par) return atomic_exchange_explicit(busy, 1, memory_order_acquire) == 0;
  atomic_store_explicit(busy, 1, memory_order_relaxed);
  return 1;
}

static inline void inbox_leave(unsigned queue)
{
  atomic_store_explicit(&pst_smp.busy[queue].word, 0, memory_order_release);
}

/* Under GASNET_PAR another thread of this process may sleep until something that a handler has just done. */
static void wake_own_threads(void) { pst_smp_notify(pst_smp.self); }

static inline int inbox_has_message(unsigned queue)
{
  const struct pst_smp_inbox *in = &pst_smp.inbox[queue];
  return pst_smp_front(in->ring, atomic_load_explicit(&in->taken, memory_order_relaxed)) != NULL;
}

PST_HOT static int inbox_drain(unsigned queue)
{
  enum { BATCH = 64 };
  struct pst_smp_inbox *in = &pst_smp.inbox[queue];
  struct pst_smp_slot *s;
  uint64_t taken, first;
  if (!inbox_enter(queue)) return 0;
  first = taken = atomic_load_explicit(&in->taken, memory_order_relaxed);
  while (taken - first < BATCH && (s = pst_smp_front(in->ring, taken)) != NULL) {
    slot_deliver(in, s, taken, queue == PST_SMP_REPLIES);
    atomic_store_explicit(&in->taken, ++taken, memory_order_release);
  }
  if (taken != first) pst_smp_free(in->queue, taken, in->line);
  inbox_leave(queue);
  if (pst_smp.par && taken != first) wake_own_threads();
  return (int)(taken - first);
}

PST_HOT int pst_smp_poll_replies(void)
{
  return inbox_has_message(PST_SMP_REPLIES) ? inbox_drain(PST_SMP_REPLIES) : 0;
}

PST_HOT int pst_smp_poll(void)
{
  const int replies = pst_smp_poll_replies();
  return inbox_has_message(PST_SMP_REQUESTS) ? replies + inbox_drain(PST_SMP_REQUESTS) : replies;
}

PST_HOT int pst_smp_arrived(void)
{
  return inbox_has_message(PST_SMP_REPLIES) || inbox_has_message(PST_SMP_REQUESTS);
}

/* A look takes the cache line from its writer: a pause between two looks pays even where every look
 * counts. */
PST_HOT int pst_smp_linger(unsigned times, int barrier)
{
  while (times--) {
    if (inbox_has_message(PST_SMP_REPLIES)) return inbox_drain(PST_SMP_REPLIES);
    if (inbox_has_message(PST_SMP_REQUESTS)) return inbox_drain(PST_SMP_REQUESTS);
    if (barrier && pst_smp_barrier_peek()) return 0;
    pst_spin_pause();
  }
  return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A message queue: many processes send, one receives. It lies in shared memory, in three parts: counters,
 * slots, and data lines. The counters of all nodes lie together, and so do their slots and their lines: a
 * process that sends to each of a thousand nodes then touches few pages, and has few page tables of its own.
 *
 * Two rings are claimed together by one compare-and-swap of `tail`, which holds the next slot (low 40 bits)
 * and the next data line (high 24 bits), both counting up and wrapping. A slot is one cache line and carries
 * a whole short message; what does not fit (payload, many arguments) takes consecutive data lines. Because
 * both are claimed in one step, data lines are in the order of slots, and one `head` word frees both.
 *
 * Invariants and orders:
 *  - head <= tail <= head + capacity in each half. A sender claims only what fits between tail and a head it
 * has read with acquire, which pairs with the receiver's release of head: the receiver's reads of the old
 * content come before the sender's writes of the new.
 *  - A slot's `turn` is odd and names the lap of the ring. The sender stores it last (release); the receiver
 * reads the rest only after it saw the turn of its own lap (acquire). Turns repeat only after 2^40 slots, and
 * a slot's first word is never anything but a turn, so nothing needs clearing.
 *  - `seen_head` is a sender process's copy of head, possibly old: then there seems to be less room than
 * there is. To be taken for a new one it would have to be 2^40 slots old, give or take a ring: nine hours of
 * a full queue. It is stored with release after the acquire of head and loaded with acquire, so that one
 * thread's reading serves the others. At first it is PST_SMP_UNSEEN, behind which there is no room, so that a
 * process's first message reads head.
 *  - A sender that stops between claim and commit stops the receiver at its slot: nothing but a copy of at
 * most a medium's payload happens there. */
#ifndef CONDUITS_SMP_QUEUE_H
#define CONDUITS_SMP_QUEUE_H
#include <stdalign.h>
#include <stddef.h>
#include <stdatomic.h>
#include <stdint.h>

#include "support/error.h"

enum {
  PST_SMP_SLOTS = 512,
  PST_SMP_LINE = 64,
  PST_SMP_LINES = 4096, /* 256 KiB of data a queue */
  PST_SMP_MAX_MEDIUM = 65536,
  PST_SMP_MAX_LINES = PST_SMP_MAX_MEDIUM / PST_SMP_LINE +
      1,             /* and a line of arguments; twice that must fit, for it may not wrap */
  PST_SMP_AHEAD = 6, /* slots fetched for writing before their turn */
  PST_SMP_WORDS = 14
};

struct pst_smp_slot {
  alignas(PST_SMP_LINE) _Atomic uint32_t turn;
  uint32_t head; /* handler, form and source: am.c */
  uint32_t word[PST_SMP_WORDS];
};
_Static_assert(sizeof(struct pst_smp_slot) == PST_SMP_LINE, "a slot is a cache line");
_Static_assert(2 * PST_SMP_MAX_LINES <= PST_SMP_LINES, "the largest message fits wherever the ring stands");

/* Two lines apart: processors fetch lines in pairs. */
struct pst_smp_queue {
  alignas(128) _Atomic uint64_t tail; /* written by senders */
  _Atomic uint32_t owner;             /* lost.c */
  alignas(128) _Atomic uint64_t head; /* written by the receiver */
};
struct pst_smp_ring {
  struct pst_smp_slot slot[PST_SMP_SLOTS];
};
struct pst_smp_data {
  char line[PST_SMP_LINES][PST_SMP_LINE];
};

struct pst_smp_claim {
  struct pst_smp_slot *slot;
  uint32_t turn;
  uint32_t line; /* first data line, as a count */
};

enum { PST_SMP_SLOT_BITS = 40 };
#define PST_SMP_SLOT_MASK ((UINT64_C(1) << PST_SMP_SLOT_BITS) - 1)
#define PST_SMP_UNSEEN    ((uint64_t)-PST_SMP_SLOTS & PST_SMP_SLOT_MASK) /* no head has been seen yet */
#define PST_SMP_LINE_MASK (UINT32_MAX >> (PST_SMP_SLOT_BITS - 32))

static inline uint32_t pst_smp_turn(uint64_t slot)
{
  return (uint32_t)((slot & PST_SMP_SLOT_MASK) / PST_SMP_SLOTS * 2 + 1);
}
static inline uint64_t pst_smp_pack(uint64_t slot, uint32_t line)
{
  return (uint64_t)line << PST_SMP_SLOT_BITS | (slot & PST_SMP_SLOT_MASK);
}

static inline void pst_smp_fetch_for_write(const void *p)
{
#if defined(__x86_64__)
  __asm__ volatile("prefetchw %0" : : "m"(*(const char *)p));
#else
  __builtin_prefetch(p, 1);
#endif
}

/* Is there room behind `head` for one slot and, where lines are wanted, for those up to `end`? */
static inline int pst_smp_fits(uint64_t head, uint64_t tail, unsigned lines, uint32_t end)
{
  return ((tail - head) & PST_SMP_SLOT_MASK) < PST_SMP_SLOTS &&
      (lines == 0 || ((end - (uint32_t)(head >> PST_SMP_SLOT_BITS)) & PST_SMP_LINE_MASK) <= PST_SMP_LINES);
}

/* Where `lines` consecutive lines begin: not across the ring's end. */
static inline uint32_t pst_smp_place(uint32_t line, unsigned lines)
{
  const uint32_t at = line % PST_SMP_LINES;
  return at + lines > PST_SMP_LINES ? line + (PST_SMP_LINES - at) : line;
}

/* Reads a slot before this process first writes to its ring. The first access to memory decides what the
 * kernel maps: for a read also the pages around it, which hold other nodes' slots, for a write one page
 * alone. */
static inline void pst_smp_meet(const struct pst_smp_slot *s)
{
  (void)atomic_load_explicit(&s->turn, memory_order_relaxed);
}

/* Where data line `line` is, which counts up and is not an index. */
static inline char *pst_smp_line(struct pst_smp_data *data, uint32_t line)
{
  return data->line[line % PST_SMP_LINES];
}

/* Claims a slot of the queue's ring and `lines` data lines if they fit behind `head`, which may be an old
 * one. 1: they are claimed. The slot's place comes from the value that the compare-and-swap was given, not
 * from the equal one that it has read: then the address of the writes need not wait for that. */
static inline int pst_smp_claim_behind(struct pst_smp_queue *q, struct pst_smp_ring *ring, uint64_t head,
    unsigned lines, struct pst_smp_claim *c)
{
  uint64_t now = atomic_load_explicit(&q->tail, memory_order_relaxed), tail;
  uint32_t line;
  do {
    tail = now;
    line = (uint32_t)(tail >> PST_SMP_SLOT_BITS);
    if (lines) line = pst_smp_place(line, lines);
    if (!pst_smp_fits(head, tail, lines, line + lines)) return 0;
  } while (!atomic_compare_exchange_weak_explicit(
      &q->tail, &now, pst_smp_pack(tail + 1, line + lines), memory_order_relaxed, memory_order_relaxed));
  c->slot = &ring->slot[tail % PST_SMP_SLOTS];
  c->turn = pst_smp_turn(tail);
  c->line = line;
  pst_smp_fetch_for_write(&ring->slot[(tail + PST_SMP_AHEAD) % PST_SMP_SLOTS]);
  return 1;
}

/* The same behind the head that this process saw last, and if there is no room, behind the queue's head.
 * PST_OK, or PST_ERR_AGAIN when the receiver must first make room. */
static inline int pst_smp_claim(struct pst_smp_queue *q, struct pst_smp_ring *ring,
    _Atomic uint64_t *seen_head, unsigned lines, struct pst_smp_claim *c)
{
  uint64_t head = atomic_load_explicit(seen_head, memory_order_acquire);
  if (pst_smp_claim_behind(q, ring, head, lines, c)) return PST_OK;
  head = atomic_load_explicit(&q->head, memory_order_acquire);
  if (!pst_smp_claim_behind(q, ring, head, lines, c)) return PST_ERR_AGAIN;
  atomic_store_explicit(seen_head, head, memory_order_release);
  pst_smp_meet(c->slot);
  return PST_OK;
}

static inline void pst_smp_commit(const struct pst_smp_claim *c)
{
  atomic_store_explicit(&c->slot->turn, c->turn, memory_order_release);
}

/* The slot after `taken` received ones, or NULL while it has not arrived. */
static inline struct pst_smp_slot *pst_smp_front(struct pst_smp_ring *ring, uint64_t taken)
{
  struct pst_smp_slot *s = &ring->slot[taken % PST_SMP_SLOTS];
  return atomic_load_explicit(&s->turn, memory_order_acquire) == pst_smp_turn(taken) ? s : NULL;
}

/* Everything before slot `taken` and data line `line` may be written again. */
static inline void pst_smp_free(struct pst_smp_queue *q, uint64_t taken, uint32_t line)
{
  atomic_store_explicit(&q->head, pst_smp_pack(taken, line), memory_order_release);
}

#endif

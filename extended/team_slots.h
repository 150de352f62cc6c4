/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Slots: how two processes that share memory send each other little data quickly.
 *
 * Each node's scratch holds a lane from every other node of its block: a word for the receiver and a few
 * slots that the sender fills in turn. Message number k of a lane, from 1, goes into slot k modulo their
 * number.
 *
 *   lane    | taken | pad to a line | slot 0 | slot 1 | ...
 *   slot    | number (8) | tag (4) | cpu (4) | data ...          whole lines
 *
 * A lane has one sender and one receiver, each one thread at a time.
 * - The sender writes data and tag, then `number` = k with release. It does so only when the receiver has
 * taken message k - SLOTS.
 * - The receiver waits until `number` of the slot is k, with acquire: then data and tag are those of message
 * k, and remain so until it has said that it has taken k. What a slot held before has a smaller number, and
 * data never lies where a number does.
 * - When it has read them the receiver counts k as taken. It stores the count in `taken`, with release, every
 * SLOTS / 2 messages: the sender, which loads it with acquire when it knows of no free slot, then has at
 * least half of the slots, and neither writes to a line that the other reads more often than that. Its reads
 * of the data come before the sender's next writes to them. The one that waits may sleep: the other rings
 * after each store. */
#ifndef EXTENDED_TEAM_SLOTS_H
#define EXTENDED_TEAM_SLOTS_H
#include <stdalign.h>
#include <stdatomic.h>
#include <string.h>

#include "core/job.h"
#include "extended/team.h"
#include "support/cpu.h"

enum { PST_SLOT_LINE = 64 };

struct pst_slot {
  alignas(PST_SLOT_LINE) _Atomic uint64_t number;
  uint32_t tag;
  uint32_t cpu; /* where the sender ran: a hint */
  char data[];
};
enum { PST_SLOT_HEAD = 16 };
_Static_assert(offsetof(struct pst_slot, data) == PST_SLOT_HEAD, "data is aligned to 16");

/* This process's end of the two lanes between it and another. */
struct pst_lane {
  char *out, *in;              /* first slots */
  _Atomic uint64_t *out_taken; /* of the messages sent; the other one's word */
  _Atomic uint64_t *in_taken;  /* of those received; this one's */
  uint64_t sent, freed;        /* freed: how many are known to be taken */
  uint64_t received, told;
  uint32_t cpu; /* of the last message received */
};

/* How this block's lanes are divided, the same for all. */
struct pst_slots {
  struct pst_lane *lane; /* [pst_team_in_block] the own one is not used */
  uint64_t mask;         /* slots of a lane, less 1 */
  size_t size;           /* bytes of a slot */
  size_t room;           /* of them for data */
  unsigned shift;        /* told every 1 << shift */
};
extern struct pst_slots pst_slots;

void pst_slots_open(void);
/* The first node of a node's block: blocks are consecutive nodes of a supernode. */
gasnet_node_t pst_slots_block(gasnet_node_t node);

static inline int pst_slots_reach(gasnet_node_t node) { return node - pst_team_block < pst_team_in_block; }
static inline struct pst_lane *pst_slots_lane(gasnet_node_t node)
{
  return &pst_slots.lane[node - pst_team_block];
}

static inline struct pst_slot *pst_slot_at(char *slots, uint64_t number)
{
  return (struct pst_slot *)(void *)(slots + (number & pst_slots.mask) * pst_slots.size);
}

/* 1 where there is a free slot. */
static inline int pst_lane_has_room(struct pst_lane *l)
{
  if (l->sent - l->freed <= pst_slots.mask) return 1;
  l->freed = atomic_load_explicit(l->out_taken, memory_order_acquire);
  return l->sent - l->freed <= pst_slots.mask;
}

/* Needs a free slot. */
static inline void pst_lane_send(
    struct pst_lane *l, gasnet_node_t node, uint32_t tag, const void *data, size_t n)
{
  struct pst_slot *s = pst_slot_at(l->out, ++l->sent);
  if (n) memcpy(s->data, data, n);
  s->tag = tag;
  s->cpu = pst_cpu();
  atomic_store_explicit(&s->number, l->sent, memory_order_release);
  pst_job.host->ring(node);
}

/* The slot of the next message, whether it has come or not. */
static inline struct pst_slot *pst_lane_next(const struct pst_lane *l)
{
  return pst_slot_at(l->in, l->received + 1);
}
static inline int pst_lane_has_come(const struct pst_lane *l, const struct pst_slot *s)
{
  return atomic_load_explicit(&s->number, memory_order_acquire) == l->received + 1;
}

void pst_lane_tell(struct pst_lane *l, gasnet_node_t node);

/* The next message, in slot s, has been read. */
static inline void pst_lane_taken(struct pst_lane *l, gasnet_node_t node, const struct pst_slot *s)
{
  l->cpu = s->cpu;
  if ((++l->received - l->told) >> pst_slots.shift) pst_lane_tell(l, node);
}

#endif

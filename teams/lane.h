/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Lanes: how two processes that share memory send each other small messages quickly.
 *
 * A block is up to 64 consecutive nodes that share memory. Each node's scratch holds a lane from every other
 * node of its block: a line that the receiver writes, and a few slots that the sender fills in turn. Message
 * number k of a lane, from 1, goes into slot k modulo their number.
 *
 *   lane    | taken (8) | consumed (8) | pad to a line | slot 0 | slot 1 | ...
 *   slot    | k << 16 | bytes of data (8) | head (24) | data ...          whole lines
 *
 * A lane has one sender and one receiver, each one thread at a time (teams/engine.c).
 * - The sender writes head and data, then the slot's word with release. It does so only when the receiver has
 * taken message k - SLOTS.
 * - The receiver waits until the word of the slot has number k, with acquire: then head and data are those of
 * message k, and remain so until it has said that it has taken k. What a slot held before has a smaller
 * number, and data never lies where a word does.
 * - When it has read them, or has moved them out of the slot, the receiver counts k as taken. It stores the
 * count in `taken`, with release, every SLOTS / 2 messages: the sender, which loads it with acquire when it
 * knows of no free slot, then has at least half of the slots, and neither writes to a line that the other
 * reads more often than that. The receiver's reads of the data come before the sender's next writes to them.
 * The sender may sleep: the receiver rings after each store.
 * - `consumed` counts the messages that have reached their calls. It is told with `taken`, is a hint for how
 * much the receiver holds for later (teams/channel.h), and orders nothing. */
#ifndef TEAMS_LANE_H
#define TEAMS_LANE_H
#include <stdalign.h>
#include <stdatomic.h>
#include <string.h>

#include "core/job.h"
#include "teams/head.h"

enum { PST_LANE_LINE = 64, PST_BLOCK_MOST = 64 };

struct pst_slot {
  alignas(PST_LANE_LINE) _Atomic uint64_t word;
  struct pst_head head;
  char data[];
};
enum { PST_SLOT_HEAD = 32 };
_Static_assert(offsetof(struct pst_slot, data) == PST_SLOT_HEAD, "data is aligned to 32");

/* What the receiver writes. */
struct pst_lane_counts {
  alignas(PST_LANE_LINE) _Atomic uint64_t taken;
  _Atomic uint64_t consumed;
};

/* This process's end of the two lanes between it and another. */
struct pst_lane {
  char *out, *in;                       /* first slots */
  struct pst_lane_counts *out_counts;   /* of the messages sent; the other one's */
  struct pst_lane_counts *in_counts;    /* of those received; this one's */
  uint64_t sent, freed, known_consumed; /* freed: how many are known to be taken */
  uint64_t received, told;
  uint32_t kept;        /* of those received: not consumed */
  uint8_t cpu;          /* of the last message received */
  struct pst_mail mail; /* those kept */
};

/* How this block's lanes are divided, the same for all. */
struct pst_lanes {
  struct pst_lane *lane; /* [in_block] the own one is not used */
  gasnet_node_t first;   /* node of the block */
  unsigned in_block;
  uint64_t mask;  /* slots of a lane, less 1 */
  size_t size;    /* bytes of a slot */
  size_t room;    /* of them for data */
  unsigned shift; /* told every 1 << shift */
};
extern struct pst_lanes pst_lanes;

void pst_lanes_open(void);
/* The first node of a node's block: blocks are consecutive nodes of a supernode. */
gasnet_node_t pst_lanes_block(gasnet_node_t node);

static inline int pst_lanes_reach(gasnet_node_t node) { return node - pst_lanes.first < pst_lanes.in_block; }
static inline struct pst_lane *pst_lane_of(gasnet_node_t node)
{
  return &pst_lanes.lane[node - pst_lanes.first];
}

static inline struct pst_slot *pst_slot_at(char *slots, uint64_t number)
{
  return (struct pst_slot *)(void *)(slots + (number & pst_lanes.mask) * pst_lanes.size);
}

/* 1 where there is a free slot. */
static inline int pst_lane_has_room(struct pst_lane *l)
{
  if (l->sent - l->freed <= pst_lanes.mask) return 1;
  l->freed = atomic_load_explicit(&l->out_counts->taken, memory_order_acquire);
  return l->sent - l->freed <= pst_lanes.mask;
}

/* Needs a free slot. marks: class << 8 | processor. */
static inline void pst_lane_send(struct pst_lane *l, gasnet_node_t node, const struct pst_head *call,
    unsigned marks, const void *data, size_t n)
{
  struct pst_slot *s = pst_slot_at(l->out, ++l->sent);
  if (n) memcpy(s->data, data, n);
  s->head.team = call->team;
  s->head.length = call->length | marks;
  s->head.call = call->call;
  atomic_store_explicit(&s->word, l->sent << 16 | n, memory_order_release);
  pst_job.host->ring(node);
}

/* The slot of the next message, whether it has come or not. */
static inline struct pst_slot *pst_lane_next(const struct pst_lane *l)
{
  return pst_slot_at(l->in, l->received + 1);
}
/* 1 when it has come, with its size. */
static inline int pst_lane_has_come(const struct pst_lane *l, const struct pst_slot *s, size_t *size)
{
  const uint64_t word = atomic_load_explicit(&s->word, memory_order_acquire);
  *size = word & 0xFFFF;
  return word >> 16 == l->received + 1;
}
/* The sender finds no free slot: it knows of those that it was told of. */
static inline int pst_lane_is_full(const struct pst_lane *l)
{
  const uint64_t last = l->told + pst_lanes.mask + 1;
  return atomic_load_explicit(&pst_slot_at(l->in, last)->word, memory_order_relaxed) >> 16 == last;
}

void pst_lane_tell(struct pst_lane *l, gasnet_node_t node);

/* The next message, in slot s, has been read. */
static inline void pst_lane_taken(struct pst_lane *l, gasnet_node_t node, const struct pst_slot *s)
{
  l->cpu = (uint8_t)s->head.length;
  if ((++l->received - l->told) >> pst_lanes.shift) pst_lane_tell(l, node);
}

#endif

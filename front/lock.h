/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Locks of all nodes, first come, first served: queues in words of memory. A node that waits looks at its own
 * word only, and the node that has the lock hands it to the next with one operation, however many wait.
 *
 * A lock has two kinds of words, of one width. The `tail` lies at the lock's home: the stamp of the lock, and
 * the name of the node's place that came last, or 0. Each node that wants the lock has a `place`: 0, or MINE
 * | GRANTED (the node before has handed the lock on) | the name of the next node's place (0: none is known).
 *
 * A node that wants the lock writes MINE into its place, then swaps the name of its place into the tail. If
 * it finds no name there, it has the lock. Else it ORs its name into the place that it found, and waits for
 * GRANTED in its own. A node that leaves swaps the tail from its own name to none. Where that fails another
 * node has come after it, and has written its name into the leaving node's place or soon will: the leaving
 * node ORs GRANTED into the place of that node. Only the next node and the one before write to a place that
 * waits, each its own bits, by atomic operations; the owner writes the whole place while it is in no queue.
 *
 * Order: the operations of gasnetx are sequentially consistent, and a place is read with acquire, so a node
 * sees what the node before it completed under the lock.
 *
 * The calls for a lock that nobody else wants are inlined; where `width` is a constant so is the choice of
 * the operations. Each language says where tails and places are, and what else a tail has, by its stamp. */
#ifndef FRONT_LOCK_H
#define FRONT_LOCK_H

#include <gasnetx.h>

struct pst_front_lock {
  unsigned width; /* of a word: 2, 4 or 8 bytes */
  gasnet_node_t me, home;
  void *tail;     /* as its home sees it */
  void *place;    /* this node's, in its segment or a region */
  uint64_t name;  /* of this node's place, from 1 on: 1 + (node << number_bits | number) */
  uint64_t names; /* the bits that names may have, the lowest ones; at most pst_front_lock_names(width) */
  uint64_t stamp; /* what a tail has besides, in higher bits */
  /* A node's place lies, as the node sees it, at origin + shift[node] + 64 * number. */
  char *origin;
  const ptrdiff_t *shift; /* [nodes] */
  unsigned number_bits;
  int implicit; /* a handover may go on as an implicit put when a call returns */
};

/* What the calls answer. */
enum pst_front_lock_code {
  PST_FRONT_LOCK_GONE = -3,  /* the tail has another stamp */
  PST_FRONT_LOCK_BUSY = -2,  /* try: a node has the lock, this one or another */
  PST_FRONT_LOCK_WRONG = -1, /* take: this node has it already; release: it has not */
  PST_FRONT_LOCK_DONE = 0,
  PST_FRONT_LOCK_PUT = 1 /* done, and an implicit put has begun */
};

/* ---- the words ---- */

static inline uint64_t pst_front_lock_mine(unsigned width) { return (uint64_t)1 << (8 * width - 1); }
static inline uint64_t pst_front_lock_granted(unsigned width) { return (uint64_t)1 << (8 * width - 2); }
static inline uint64_t pst_front_lock_names(unsigned width) { return pst_front_lock_granted(width) - 1; }

static inline uint64_t pst_front_lock_tail(
    const struct pst_front_lock *l, gasnetx_atomic_op_t op, uint64_t operand, uint64_t expected)
{
  switch (l->width) {
  case 2: return gasnetx_atomic16(op, l->home, (uint16_t *)l->tail, (uint16_t)operand, (uint16_t)expected);
  case 4: return gasnetx_atomic32(op, l->home, (uint32_t *)l->tail, (uint32_t)operand, (uint32_t)expected);
  default: return gasnetx_atomic64(op, l->home, (uint64_t *)l->tail, operand, expected);
  }
}

static inline uint64_t pst_front_lock_place(const struct pst_front_lock *l)
{
  switch (l->width) {
  case 2: return __atomic_load_n((uint16_t *)l->place, __ATOMIC_ACQUIRE);
  case 4: return __atomic_load_n((uint32_t *)l->place, __ATOMIC_ACQUIRE);
  default: return __atomic_load_n((uint64_t *)l->place, __ATOMIC_ACQUIRE);
  }
}

/* Where nodes use the network's operations for words of this width: those may write the memory around it. */
void pst_front_lock_place_set_far(const struct pst_front_lock *l, uint64_t to);

static inline void pst_front_lock_place_set(const struct pst_front_lock *l, uint64_t to)
{
  if (l->width > 2 && __builtin_expect(pst_atomic_map != pst_map, 0)) pst_front_lock_place_set_far(l, to);
  else if (l->width == 2) __atomic_store_n((uint16_t *)l->place, (uint16_t)to, __ATOMIC_RELEASE);
  else if (l->width == 4) __atomic_store_n((uint32_t *)l->place, (uint32_t)to, __ATOMIC_RELEASE);
  else __atomic_store_n((uint64_t *)l->place, to, __ATOMIC_RELEASE);
}

/* ---- the calls ---- */

/* The rest of take and of release: other nodes are in the queue. `found` is the tail as it was; 0 where
 * release has not asked. */
int pst_front_lock_queue(const struct pst_front_lock *l, uint64_t found);
int pst_front_lock_hand_on(const struct pst_front_lock *l, uint64_t found);

/* Waits for the lock. What other nodes completed under it is visible then. After GONE the tail is spoilt. */
static inline int pst_front_lock_take(const struct pst_front_lock *l)
{
  uint64_t found;
  if (pst_front_lock_place(l) & pst_front_lock_mine(l->width)) return PST_FRONT_LOCK_WRONG;
  pst_front_lock_place_set(l, pst_front_lock_mine(l->width));
  found = pst_front_lock_tail(l, GASNETX_SWAP, l->stamp | l->name, 0);
  return __builtin_expect(found == l->stamp, 1) ? PST_FRONT_LOCK_DONE : pst_front_lock_queue(l, found);
}

/* The same without waiting. */
static inline int pst_front_lock_try(const struct pst_front_lock *l)
{
  uint64_t found;
  if (pst_front_lock_place(l) & pst_front_lock_mine(l->width)) return PST_FRONT_LOCK_BUSY;
  pst_front_lock_place_set(l, pst_front_lock_mine(l->width));
  found = pst_front_lock_tail(l, GASNETX_CSWAP, l->stamp | l->name, l->stamp);
  if (__builtin_expect(found == l->stamp, 1)) return PST_FRONT_LOCK_DONE;
  pst_front_lock_place_set(l, 0);
  return (found & ~l->names) == l->stamp ? PST_FRONT_LOCK_BUSY : PST_FRONT_LOCK_GONE;
}

/* This node has completed its puts. GONE: it was the last in the queue, and the tail stays as it is. */
static inline int pst_front_lock_release(const struct pst_front_lock *l)
{
  const uint64_t place = pst_front_lock_place(l);
  uint64_t found = 0;
  if (!(place & pst_front_lock_mine(l->width))) return PST_FRONT_LOCK_WRONG;
  if (!(place & l->names)) {
    found = pst_front_lock_tail(l, GASNETX_CSWAP, l->stamp, l->stamp | l->name);
    if (__builtin_expect(found == (l->stamp | l->name), 1)) {
      pst_front_lock_place_set(l, 0);
      return PST_FRONT_LOCK_DONE;
    }
  }
  return pst_front_lock_hand_on(l, found);
}

#endif

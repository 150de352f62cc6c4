/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Locks: queues in the locks' own words. A node that waits looks at its own word only, and the node that has
 * the lock hands it to the next with one operation, however many wait.
 *
 * The lock is two halves. `tail`, the first in memory, counts on one node only, the lock's home: 0, or 1 +
 * the node that came last. `place`, the second, is each node's place in the queue: 0, or MINE | GRANTED (the
 * node before has handed the lock on) | 1 + the node that comes next (0: none known).
 *
 * A node that wants the lock writes MINE into its place, then swaps itself into tail. If it finds 0 there, it
 * has the lock. Else it ORs itself, as the next, into the place of the node that it found, and waits for
 * GRANTED in its own place. A node that leaves swaps tail from itself to 0. Where that fails another node has
 * come after it, and has written itself into the leaving node's place or soon will: the leaving node ORs
 * GRANTED into the place of that node. Only the next node and the one before write to a place that waits,
 * each its own bits, by atomic operations; the owner writes the whole place while it is in no queue.
 *
 * Order: the operations of gasnetx are sequentially consistent, and a place is read with acquire, so a node
 * sees what the node before it completed under the lock. */
#include "front/lock.h"

/* Bits of a place; the rest is 1 + a node. */
struct format {
  uint32_t mine, granted, next;
};

static const struct format format_8 = {1u << 31, 1u << 30, (1u << 30) - 1},
                           format_4 = {1u << 15, 1u << 14, (1u << 14) - 1};

static inline struct format format_of(unsigned half) { return half == 4 ? format_8 : format_4; }

uint32_t pst_front_lock_most(unsigned half) { return format_of(half).next; }

/* ---- the words ---- */

static uint32_t tail_operate(
    const struct pst_front_lock *l, gasnetx_atomic_op_t op, uint32_t operand, uint32_t expected)
{
  void *const there = l->own + l->shift[l->home];
  if (l->half == 4) return gasnetx_atomic32(op, l->home, there, operand, expected);
  return gasnetx_atomic16(op, l->home, there, (uint16_t)operand, (uint16_t)expected);
}

static uint32_t tail_swap(const struct pst_front_lock *l, uint32_t to)
{
  return tail_operate(l, GASNETX_SWAP, to, 0);
}
static int tail_change(const struct pst_front_lock *l, uint32_t from, uint32_t to)
{
  return tail_operate(l, GASNETX_CSWAP, to, from) == from;
}

/* Needs no answer. */
static void place_mark(const struct pst_front_lock *l, gasnet_node_t node, uint32_t bits)
{
  void *const there = l->own + l->half + l->shift[node];
  if (l->half == 4) gasnetx_atomic32_nbi(GASNETX_OR, node, there, bits);
  else gasnetx_atomic16_nbi(GASNETX_OR, node, there, (uint16_t)bits);
  gasnetx_wake(node);
}

static uint32_t own_place(const struct pst_front_lock *l)
{
  if (l->half == 4) return __atomic_load_n((uint32_t *)(void *)(l->own + 4), __ATOMIC_ACQUIRE);
  return __atomic_load_n((uint16_t *)(void *)(l->own + 2), __ATOMIC_ACQUIRE);
}

/* By the network's operation where nodes use those, since they may write the other half of the word, too. */
static void own_place_set(const struct pst_front_lock *l, uint32_t to)
{
  if (l->half == 4 && pst_atomic_map != pst_map)
    gasnetx_atomic32(GASNETX_SET, l->me, (uint32_t *)(void *)(l->own + 4), to, 0);
  else if (l->half == 4) __atomic_store_n((uint32_t *)(void *)(l->own + 4), to, __ATOMIC_RELEASE);
  else __atomic_store_n((uint16_t *)(void *)(l->own + 2), (uint16_t)to, __ATOMIC_RELEASE);
}

/* Waits for one of the bits. Where cores are short it sleeps: the node that sets them wakes it. */
static uint32_t own_place_wait(const struct pst_front_lock *l, uint32_t bits)
{
  const uint64_t *const around = (const uint64_t *)((uintptr_t)l->own & ~(uintptr_t)7);
  uint32_t place;
  for (;;) {
    const uint64_t seen = __atomic_load_n(around, __ATOMIC_RELAXED);
    if ((place = own_place(l)) & bits) return place & bits;
    gasnetx_wait_until(around, GASNETX_NE, seen);
  }
}

/* ---- the calls ---- */

int pst_front_lock_is_mine(const struct pst_front_lock *l)
{
  return (own_place(l) & format_of(l->half).mine) != 0;
}

int pst_front_lock_take(const struct pst_front_lock *l)
{
  const struct format bits = format_of(l->half);
  uint32_t before;
  if (own_place(l) & bits.mine) return PST_FRONT_LOCK_WRONG;
  own_place_set(l, bits.mine);
  before = tail_swap(l, l->me + 1);
  if (before == 0) return PST_FRONT_LOCK_DONE;
  place_mark(l, before - 1, l->me + 1);
  own_place_wait(l, bits.granted);
  return PST_FRONT_LOCK_PUT;
}

int pst_front_lock_try(const struct pst_front_lock *l)
{
  const uint32_t mine = format_of(l->half).mine;
  if (own_place(l) & mine) return 0;
  own_place_set(l, mine);
  if (tail_change(l, 0, l->me + 1)) return 1;
  own_place_set(l, 0);
  return 0;
}

int pst_front_lock_release(const struct pst_front_lock *l)
{
  const struct format bits = format_of(l->half);
  uint32_t next = own_place(l);
  if (!(next & bits.mine)) return PST_FRONT_LOCK_WRONG;
  if (!(next & bits.next) && tail_change(l, l->me + 1, 0)) {
    own_place_set(l, 0);
    return PST_FRONT_LOCK_DONE;
  }
  next = own_place_wait(l, bits.next);
  own_place_set(l, 0);
  place_mark(l, next - 1, bits.granted);
  return PST_FRONT_LOCK_PUT;
}

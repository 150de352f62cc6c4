/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Locks: queues in the locks' own words. A PE that waits looks at its own word only, and the PE that has the
 * lock hands it to the next with one operation, however many wait.
 *
 * The lock is two halves. `tail`, the first in memory, counts on one PE only, the lock's home: 0, or 1 + the
 * PE that came last. `node`, the second, is each PE's place in the queue: 0, or MINE | GRANTED (the PE before
 * has handed the lock on) | 1 + the PE that comes next (0: none known).
 *
 * A PE that wants the lock writes MINE into its node, then swaps itself into tail. If it finds 0 there, it
 * has the lock. Else it ORs itself, as the next, into the node of the PE that it found, and waits for GRANTED
 * in its own node. A PE that leaves swaps tail from itself to 0. Where that fails another PE has come after
 * it, and has written itself into the leaving PE's node or soon will: the leaving PE ORs GRANTED into the
 * node of that PE. Only the next PE and the one before write to a node that waits, each its own bits, by
 * atomic operations; the owner writes the whole node while it is in no queue.
 *
 * Order: the operations of gasnetx are sequentially consistent, and a node is read with acquire, so a PE sees
 * what the PE before it completed under the lock. */

#include "shmem/internal.h"

/* Bits of a node; the rest is 1 + a PE. */
struct format {
  uint32_t mine, granted, next;
};
static const struct format long_format = {1u << 31, 1u << 30, (1u << 30) - 1},
                           int_format = {1u << 15, 1u << 14, (1u << 14) - 1};

struct lock {
  const char *call;
  struct format bits;
  unsigned half; /* bytes */
  gasnet_node_t home, me;
  const struct pst_shmem_zone *zone;
  char *own; /* here */
};

/* Locks that lie side by side have different homes, so that no PE keeps them all. (A number below 2^32 times
 * the number of PEs, divided by 2^32, is a PE.) */
static gasnet_node_t lock_home(uintptr_t number)
{
  return (gasnet_node_t)((uint64_t)((uint32_t)number * 0x9e3779b1u) * (uint32_t)pst_shmem_job.pes >> 32);
}

static struct lock lock_open(const char *call, volatile void *address, unsigned width)
{
  struct lock l = {.call = call,
      .half = width / 2,
      .me = (gasnet_node_t)pst_shmem_job.me,
      .own = (char *)(uintptr_t)address};
  pst_shmem_need_open(call);
  l.zone = pst_shmem_need_own(call, "lock", address, width);
  if ((uintptr_t)address & (width - 1))
    pst_shmem_fatal(call, "lock %p is not aligned for its %u bytes", (void *)l.own, width);
  l.bits = width == 8 ? long_format : int_format;
  if ((uint32_t)pst_shmem_job.pes > l.bits.next)
    pst_shmem_fatal(call, "locks of %u bytes serve %u PEs", width, l.bits.next);
  l.home = lock_home(((uintptr_t)l.own - l.zone->base) / (width == 8 ? 8 : 4));
  return l;
}

/* ---- the words ---- */

static uint32_t lock_operate(const struct lock *l, gasnetx_atomic_op_t op, gasnet_node_t pe, unsigned offset,
    uint32_t operand, uint32_t expected)
{
  void *const there = l->own + offset + l->zone->shift[pe];
  if (l->half == 4) return gasnetx_atomic32(op, pe, there, operand, expected);
  return gasnetx_atomic16(op, pe, there, (uint16_t)operand, (uint16_t)expected);
}

static uint32_t tail_swap(const struct lock *l, uint32_t to)
{
  return lock_operate(l, GASNETX_SWAP, l->home, 0, to, 0);
}
static uint32_t tail_cswap(const struct lock *l, uint32_t from, uint32_t to)
{
  return lock_operate(l, GASNETX_CSWAP, l->home, 0, to, from);
}

/* Needs no answer. */
static void node_mark(const struct lock *l, gasnet_node_t pe, uint32_t bits)
{
  void *const there = l->own + l->half + l->zone->shift[pe];
  if (l->half == 4) gasnetx_atomic32_nbi(GASNETX_OR, pe, there, bits);
  else gasnetx_atomic16_nbi(GASNETX_OR, pe, there, (uint16_t)bits);
  pst_shmem_pend();
  gasnetx_wake(pe);
}

static uint32_t own_node(const struct lock *l)
{
  if (l->half == 4) return __atomic_load_n((uint32_t *)(l->own + 4), __ATOMIC_ACQUIRE);
  return __atomic_load_n((uint16_t *)(l->own + 2), __ATOMIC_ACQUIRE);
}

/* By the network's operation where PEs use those, since they may write the other half of the word, too. */
static void own_node_set(const struct lock *l, uint32_t to)
{
  if (l->half == 4 && pst_atomic_map != pst_map)
    gasnetx_atomic32(GASNETX_SET, l->me, (uint32_t *)(void *)(l->own + 4), to, 0);
  else if (l->half == 4) __atomic_store_n((uint32_t *)(l->own + 4), to, __ATOMIC_RELEASE);
  else __atomic_store_n((uint16_t *)(l->own + 2), (uint16_t)to, __ATOMIC_RELEASE);
}

/* Waits for one of the bits. Where cores are short it sleeps: the PE that sets them wakes it. */
static uint32_t own_node_wait(const struct lock *l, uint32_t bits)
{
  const uint64_t *const around = (const uint64_t *)((uintptr_t)l->own & ~(uintptr_t)7);
  uint32_t node;
  for (;;) {
    const uint64_t seen = __atomic_load_n(around, __ATOMIC_RELAXED);
    if ((node = own_node(l)) & bits) return node & bits;
    gasnetx_wait_until(around, GASNETX_NE, seen);
  }
}

/* ---- the calls ---- */

static void lock_need_free(const struct lock *l)
{
  if (own_node(l) & l->bits.mine) pst_shmem_fatal(l->call, "lock %p: this PE has it already", (void *)l->own);
}

static void lock_set(const char *call, volatile void *address, unsigned width)
{
  const struct lock l = lock_open(call, address, width);
  uint32_t before;
  lock_need_free(&l);
  own_node_set(&l, l.bits.mine);
  before = tail_swap(&l, l.me + 1);
  if (before == 0) return;
  node_mark(&l, before - 1, l.me + 1);
  own_node_wait(&l, l.bits.granted);
}

static int lock_test(const char *call, volatile void *address, unsigned width)
{
  const struct lock l = lock_open(call, address, width);
  if (own_node(&l) & l.bits.mine) return 1;
  own_node_set(&l, l.bits.mine);
  if (tail_cswap(&l, 0, l.me + 1) == 0) return 0;
  own_node_set(&l, 0);
  return 1;
}

static void lock_clear(const char *call, volatile void *address, unsigned width)
{
  const struct lock l = lock_open(call, address, width);
  uint32_t next;
  if (!(own_node(&l) & l.bits.mine))
    pst_shmem_fatal(call, "lock %p: this PE does not have it", (void *)l.own);
  if (pst_shmem.pending) pst_shmem_complete(call);
  if (!(own_node(&l) & l.bits.next) && tail_cswap(&l, l.me + 1, 0) == l.me + 1) {
    own_node_set(&l, 0);
    return;
  }
  next = own_node_wait(&l, l.bits.next);
  own_node_set(&l, 0);
  node_mark(&l, next - 1, l.bits.granted);
}

void pst_shmem_lock_set(const char *call, volatile void *lock, unsigned width)
{
  PST_SHMEM_TOLD(lock_set(call, lock, width), GASP_SHMEM_SET_LOCK, lock, call);
}

int pst_shmem_lock_test(const char *call, volatile void *lock, unsigned width)
{
  int result;
  PST_SHMEM_TOLD_RESULT(result = lock_test(call, lock, width), result, GASP_SHMEM_TEST_LOCK, lock, call);
  return result;
}

void pst_shmem_lock_clear(const char *call, volatile void *lock, unsigned width)
{
  PST_SHMEM_TOLD(lock_clear(call, lock, width), GASP_SHMEM_CLEAR_LOCK, lock, call);
}

void shmem_set_lock(volatile long *lock) { pst_shmem_lock_set("shmem_set_lock", lock, sizeof *lock); }
void shmem_clear_lock(volatile long *lock) { pst_shmem_lock_clear("shmem_clear_lock", lock, sizeof *lock); }
int shmem_test_lock(volatile long *lock)
{
  return pst_shmem_lock_test("shmem_test_lock", lock, sizeof *lock);
}

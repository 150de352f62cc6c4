/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The barrier of more processes than cores.
 *
 * Its cost is in switches: between two barriers a core must run each of its processes, at best once each.
 * Hence two things beyond a counter and a flag. Arrivals are counted per core, in a line that stays in that
 * core's cache. And the last process of a core to arrive spins for a while: giving the core away would be in
 * vain, for the processes that have not arrived run on other cores. Which process is last is guessed from the
 * barrier before; a wrong guess costs time and nothing else.
 *
 * Invariants and orders:
 *  - core[].arrivals only grow (release). A process adds one for generation g only after g-1 was released, so
 * their sum never exceeds nodes * g before g is released. A process that reads a sum of nodes * g (acquire)
 * therefore knows that all have arrived and sees the values that they gave. A sum that is read while others
 * add can only be too small.
 *  - `cores` has a bit for each core[] in use, set before the first arrival there; a bit not yet seen makes
 * the sum too small.
 *  - consensus[g & 1] is tagged with its generation, so nothing is reset. A value for g+2 replaces the one of
 * g only after g+1 was released, when no process can release g any more. A tag has 30 bits, and an anonymous
 * barrier leaves the word as it is; so both words are written anew every 2^29 barriers, and no tag lives for
 * 2^30.
 *  - `released` goes from g-1 to g by compare-and-swap (release): several may find the sum complete, one
 * succeeds.
 *  - A process that arrives adds up if it seems to be its core's last, or if some process sleeps; a process
 * that waits adds up at each look. So no guess about who is last has to be right. A sleeper has announced
 * itself before its last look: sleep.c. */

#include "conduits/smp/barrier.h"
#include "support/cpu.h"
#include "support/yield.h"

/* Where no process has given a value, the consensus is anonymous. */
static uint64_t consensus_now(void)
{
  const uint64_t word = atomic_load_explicit(
      &pst_smp.shared->consensus[pst_smp.generation & 1], memory_order_relaxed);
  return pst_smp_is_current(word) ? word : pst_smp_word_of(PST_BARRIER_ANONYMOUS);
}

static void join_consensus(uint64_t value)
{
  _Atomic uint64_t *c = &pst_smp.shared->consensus[pst_smp.generation & 1];
  uint64_t old = atomic_load_explicit(c, memory_order_relaxed), now;
  do {
    now = pst_smp_word_of(
        pst_smp_is_current(old) ? pst_barrier_combine(pst_smp_value_of(old), value) : value);
  } while (now != old &&
      !atomic_compare_exchange_weak_explicit(c, &old, now, memory_order_relaxed, memory_order_relaxed));
}

static uint64_t arrivals_sum(void)
{
  struct pst_smp_shared *s = pst_smp.shared;
  uint64_t sum = 0;
  for (uint64_t left = atomic_load_explicit(&s->cores, memory_order_relaxed); left; left &= left - 1)
    sum += atomic_load_explicit(&s->core[__builtin_ctzll(left)].arrivals, memory_order_acquire);
  return sum;
}

/* Releases the barrier if all have arrived. */
PST_HOT static int barrier_complete(void)
{
  _Atomic uint64_t *released = &pst_smp.shared->released;
  uint64_t old = atomic_load_explicit(released, memory_order_acquire);
  if (pst_smp_is_current(old)) return 1;
  if (arrivals_sum() != pst_smp.nodes * pst_smp.generation) return 0;
  if (atomic_compare_exchange_strong_explicit(
          released, &old, consensus_now(), memory_order_release, memory_order_relaxed))
    pst_smp_ring_all();
  return 1;
}

static struct pst_smp_core *this_core(void)
{
  const unsigned i = pst_cpu() % PST_SMP_CORES;
  _Atomic uint64_t *cores = &pst_smp.shared->cores;
  const uint64_t bit = UINT64_C(1) << i;
  if (__builtin_expect(!(atomic_load_explicit(cores, memory_order_relaxed) & bit), 0))
    atomic_fetch_or_explicit(cores, bit, memory_order_relaxed);
  return &pst_smp.shared->core[i];
}

/* Whether as many processes have arrived on this core as in the barrier before. Processes of one core do not
 * run at the same time, so plain loads and stores count them well enough. */
static int is_last_of(struct pst_smp_core *core)
{
  const uint32_t now = (uint32_t)pst_smp.generation,
                 then = atomic_load_explicit(&core->generation, memory_order_relaxed);
  uint32_t here = atomic_load_explicit(&core->here, memory_order_relaxed);
  if (then != now) {
    atomic_store_explicit(&core->before, then == now - 1 ? here : UINT32_MAX, memory_order_relaxed);
    atomic_store_explicit(&core->generation, now, memory_order_relaxed);
    here = 0;
  }
  atomic_store_explicit(&core->here, ++here, memory_order_relaxed);
  return here >= atomic_load_explicit(&core->before, memory_order_relaxed);
}

/* True for one barrier of each parity. */
static inline int is_time_to_tag(void) { return (pst_smp.generation & ((UINT64_C(1) << 29) - 1)) < 2; }

PST_HOT void pst_smp_central_notify(uint64_t value)
{
  struct pst_smp_core *core = this_core();
  if (!(value & PST_BARRIER_ANONYMOUS) || is_time_to_tag()) join_consensus(value);
  pst_smp.last_of_core = is_last_of(core);
  atomic_fetch_add_explicit(&core->arrivals, 1, memory_order_release);
  if (pst_smp.last_of_core || pst_smp_somebody_sleeps()) barrier_complete();
}

/* The generation in `word` is that of `current`. */
static inline int is_released(const _Atomic uint64_t *released, uint64_t current, uint64_t *result)
{
  const uint64_t word = atomic_load_explicit(released, memory_order_acquire);
  if ((word ^ current) >> PST_BARRIER_BITS) return 0;
  *result = pst_smp_value_of(word);
  return 1;
}

PST_HOT int pst_smp_central_try(uint64_t *result)
{
  const _Atomic uint64_t *released = &pst_smp.shared->released;
  const uint64_t current = pst_smp_word_of(0);
  return is_released(released, current, result) ||
      (barrier_complete() && is_released(released, current, result));
}

static inline int spin_until_released(const _Atomic uint64_t *released, uint64_t current, uint64_t *result)
{
  enum { LOOKS = 1000 }; /* some ten switches: the other cores are about as far */
  for (unsigned i = 0; i < LOOKS; i++) {
    if (is_released(released, current, result)) return 1;
    pst_spin_pause();
  }
  return 0;
}

/* All that the look after the yield needs is in registers, so that only one load waits for a cold cache. */
PST_HOT int pst_smp_central_wait(uint64_t *result)
{
  const _Atomic uint64_t *released = &pst_smp.shared->released;
  const uint64_t current = pst_smp_word_of(0);
  if (is_released(released, current, result)) return 1;
  if (pst_smp.last_of_core && spin_until_released(released, current, result)) return 1;
  pst_yield();
  return is_released(released, current, result);
}

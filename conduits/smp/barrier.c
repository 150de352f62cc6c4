/* Split-phase barriers among the processes of a host.
 *
 * A word holds a consensus value in its low PST_BARRIER_BITS bits and the generation above them; generations count from
 * 1. Flat, for a few processes that all run at once: each publishes its word (release) and reads all others'
 * (acquire). Words alternate by parity: a node writes generation g+2 into the word of g only after it passed g+1,
 * which all others notified after they had passed g, that is read its word of g.
 *
 * Central, for more processes than cores: values combine in `consensus`, arrivals count in `arrived`
 * (acq_rel, so that the last one sees every value); the last one resets both before it stores `released` (release). Nobody
 * touches them again before it saw that (acquire), and the next release waits for all. */
#include "conduits/smp/smp.h"

static uint64_t generation; /* of the barrier notified last */
static uint64_t given;      /* this node's value in it */

static uint64_t word_of(uint64_t value) { return generation << PST_BARRIER_BITS | value; }
static uint64_t value_of(uint64_t word) { return word & ((UINT64_C(1) << PST_BARRIER_BITS) - 1); }
static int is_current(uint64_t word) { return word >> PST_BARRIER_BITS == word_of(0) >> PST_BARRIER_BITS; }

PST_HOT static void flat_notify(uint64_t value)
{
  atomic_store_explicit(&pst_smp.self->barrier[generation & 1], word_of(value), memory_order_release);
  pst_smp_ring_all();
}

/* The own word needs no look: it is the value to begin with. */
PST_HOT static int flat_try(uint64_t *result)
{
  uint64_t value = given;
  for (unsigned i = 0; i < pst_smp.nodes; i++) {
    _Atomic uint64_t *w = &pst_smp.shared->node[i].barrier[generation & 1];
    uint64_t word;
    if (i == pst_smp.node) continue;
    word = atomic_load_explicit(w, memory_order_acquire);
    if (!is_current(word)) return 0;
    value = pst_barrier_combine(value, value_of(word));
  }
  *result = value;
  return 1;
}

/* 0 in `consensus` stands for anonymous so far; real values are stored with a mark above them. */
#define CONSENSUS_MARK (UINT64_C(1) << PST_BARRIER_BITS)

PST_HOT static void join_consensus(uint64_t value)
{
  _Atomic uint64_t *c = &pst_smp.shared->consensus;
  uint64_t old = atomic_load_explicit(c, memory_order_relaxed), now;
  if (value & PST_BARRIER_ANONYMOUS) return;
  do {
    now = (old ? pst_barrier_combine(value_of(old), value) : value) | CONSENSUS_MARK;
  } while (now != old &&
           !atomic_compare_exchange_weak_explicit(c, &old, now, memory_order_relaxed, memory_order_relaxed));
}

PST_HOT static void central_release(void)
{
  struct pst_smp_shared *s = pst_smp.shared;
  const uint64_t c = atomic_load_explicit(&s->consensus, memory_order_relaxed);
  atomic_store_explicit(&s->consensus, 0, memory_order_relaxed);
  atomic_store_explicit(&s->arrived, 0, memory_order_relaxed);
  atomic_store_explicit(&s->released, word_of(c ? value_of(c) : PST_BARRIER_ANONYMOUS), memory_order_release);
  pst_smp_ring_all();
}

PST_HOT static void central_notify(uint64_t value)
{
  join_consensus(value);
  if (atomic_fetch_add_explicit(&pst_smp.shared->arrived, 1, memory_order_acq_rel) + 1 == pst_smp.nodes)
    central_release();
}

PST_HOT static int central_try(uint64_t *result)
{
  const uint64_t word = atomic_load_explicit(&pst_smp.shared->released, memory_order_acquire);
  if (!is_current(word)) return 0;
  *result = value_of(word);
  return 1;
}

PST_HOT void pst_smp_barrier_notify(uint64_t value)
{
  generation++;
  given = value;
  if (pst_smp.flat) flat_notify(value);
  else central_notify(value);
}

PST_HOT int pst_smp_barrier_try(uint64_t *result)
{
  return pst_smp.flat ? flat_try(result) : central_try(result);
}

int pst_smp_barrier_peek(void)
{
  uint64_t ignored;
  return generation != 0 && pst_smp_barrier_try(&ignored);
}

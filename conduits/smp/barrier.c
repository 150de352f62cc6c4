/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Split-phase barriers among the processes of a host: flat where each has a core, else central.
 *
 * A word holds a consensus value in its low PST_BARRIER_BITS bits and the generation above them; generations
 * count from 1.
 *
 * Flat: each publishes its word (release) and reads all others' (acquire). Words alternate by parity: a
 * node writes generation g+2 into the word of g only after it passed g+1, which all others notified after
 * they had passed g, that is read its word of g. */
#include "conduits/smp/barrier.h"

PST_HOT static void flat_notify(uint64_t value)
{
  atomic_store_explicit(
      &pst_smp.self->barrier[pst_smp.generation & 1], pst_smp_word_of(value), memory_order_release);
  pst_smp_ring_all();
}

/* This node's own value is known, and its word need not be read. */
PST_HOT static int flat_try(uint64_t *result)
{
  uint64_t value = pst_smp.given;
  for (unsigned i = 0; i < pst_smp.nodes; i++) {
    _Atomic uint64_t *w = &pst_smp.shared->node[i].barrier[pst_smp.generation & 1];
    uint64_t word;
    if (i == pst_smp.node) continue;
    word = atomic_load_explicit(w, memory_order_acquire);
    if (!pst_smp_is_current(word)) return 0;
    value = pst_barrier_combine(value, pst_smp_value_of(word));
  }
  *result = value;
  return 1;
}

PST_HOT void pst_smp_barrier_notify(uint64_t value)
{
  pst_smp.generation++;
  pst_smp.given = value;
  if (pst_smp.flat) flat_notify(value);
  else pst_smp_central_notify(value);
}

PST_HOT int pst_smp_barrier_try(uint64_t *result)
{
  return pst_smp.flat ? flat_try(result) : pst_smp_central_try(result);
}

PST_HOT int pst_smp_barrier_wait(uint64_t *result) { return pst_smp.flat ? 0 : pst_smp_central_wait(result); }

int pst_smp_barrier_peek(void)
{
  uint64_t ignored;
  return pst_smp.generation != 0 && pst_smp_barrier_try(&ignored);
}

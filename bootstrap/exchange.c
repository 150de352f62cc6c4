/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "bootstrap/exchange.h"

#include <stdatomic.h>
#include <string.h>

#include "support/futex.h"
#include "support/yield.h"

/* A central barrier, and two buffers of blobs one behind the other, which exchanges use in turn. The last to
 * arrive at the barrier resets the count before it advances the generation (release), so whoever saw the new
 * generation (acquire) finds the barrier ready for its next use.
 *
 * An exchange has one fence, between writing and reading. Who writes the blob of exchange k+2, in the buffer
 * of k, has passed the fence of k+1, where all arrived that had read the blobs of k. Which buffer is next
 * each process counts for itself, for all take part in each exchange. */
struct pst_exchange {
  _Atomic uint32_t arrived;
  _Atomic uint32_t generation;
  char pad[56];
  char blobs[];
};

size_t pst_exchange_size(unsigned nodes)
{
  return sizeof(struct pst_exchange) + 2 * (size_t)nodes * PST_EXCHANGE_MAX;
}

static void await(struct pst_exchange *x, uint32_t generation)
{
  enum { YIELDS = 200 };
  for (int i = 0; atomic_load_explicit(&x->generation, memory_order_acquire) == generation; i++) {
    if (i < YIELDS) pst_yield();
    else pst_futex_wait_shared(&x->generation, generation, 10 * 1000 * 1000);
  }
}

void pst_exchange_fence(struct pst_exchange *x, unsigned nodes)
{
  const uint32_t generation = atomic_load_explicit(&x->generation, memory_order_acquire);
  if (atomic_fetch_add_explicit(&x->arrived, 1, memory_order_acq_rel) + 1 < nodes) {
    await(x, generation);
    return;
  }
  atomic_store_explicit(&x->arrived, 0, memory_order_relaxed);
  atomic_store_explicit(&x->generation, generation + 1, memory_order_release);
  if (nodes > 1) pst_futex_wake_shared(&x->generation);
}

void pst_exchange_all(
    struct pst_exchange *x, unsigned node, unsigned nodes, const void *mine, size_t size, void *all)
{
  static unsigned turn;
  char *const blobs = x->blobs + (turn++ % 2) * (size_t)nodes * PST_EXCHANGE_MAX;
  memcpy(blobs + node * size, mine, size);
  pst_exchange_fence(x, nodes);
  memcpy(all, blobs, nodes * size);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A barrier over active messages, in ceil(log2 n) rounds: in round r each node sends what it has combined so
 * far to the node 2^r further on and waits for the word of the node 2^r behind.
 *
 * A node can be one phase ahead of another, never two: it finishes phase g+1 only after a chain of messages
 * from every node that has begun g+1. So words that arrive are kept by parity of the phase. Handlers write
 * the boxes, and a thread in a call reads them: under GASNET_PAR these are different threads, so a box's word
 * is stored with release and loaded with acquire. */
#include <stdatomic.h>

#include "core/handler.h"
#include "core/job.h"
#include "extended/barrier.h"

enum { ROUNDS = 32 };
#define PRESENT (UINT64_C(1) << PST_BARRIER_BITS)

static struct {
  _Atomic uint64_t box[2][ROUNDS]; /* 0, or PRESENT and the value that came */
  unsigned parity, round;
  uint64_t value;
} barrier;
static unsigned rounds;

/* Where a word belongs, in one argument. */
static gasnet_handlerarg_t place_of(unsigned round, unsigned parity)
{
  return (gasnet_handlerarg_t)(round << 1 | parity);
}

static _Atomic uint64_t *box_at(gasnet_handlerarg_t place)
{
  return &barrier.box[place & 1][place >> 1 & (ROUNDS - 1)];
}

static void handle_barrier(
    gasnet_token_t token, gasnet_handlerarg_t place, gasnet_handlerarg_t hi, gasnet_handlerarg_t lo)
{
  const uint64_t value = (uint64_t)(uint32_t)hi << 32 | (uint32_t)lo;
  (void)token;
  atomic_store_explicit(box_at(place), PRESENT | value, memory_order_release);
}

static void round_send(void)
{
  const gasnet_node_t to = (gasnet_node_t)(((uint64_t)pst_mynode + (UINT64_C(1) << barrier.round)) %
      pst_nodes);
  const gasnet_handlerarg_t args[] = {place_of(barrier.round, barrier.parity),
      (gasnet_handlerarg_t)(barrier.value >> 32), (gasnet_handlerarg_t)barrier.value};
  pst_am_request_short(to, PST_HANDLER_BARRIER, 3, args);
}

void pst_dissemination_open(void)
{
  pst_handler_set(PST_HANDLER_BARRIER, (pst_handler_fn)handle_barrier);
  while ((UINT64_C(1) << rounds) < pst_nodes) rounds++;
}

void pst_dissemination_notify(uint64_t value)
{
  barrier.parity ^= 1;
  barrier.round = 0;
  barrier.value = value;
  if (rounds) round_send();
}

int pst_dissemination_try(uint64_t *result)
{
  while (barrier.round < rounds) {
    _Atomic uint64_t *b = box_at(place_of(barrier.round, barrier.parity));
    const uint64_t word = atomic_load_explicit(b, memory_order_acquire);
    if (!word) return 0;
    atomic_store_explicit(b, 0, memory_order_relaxed);
    barrier.value = pst_barrier_combine(barrier.value, word & (PRESENT - 1));
    if (++barrier.round < rounds) round_send();
  }
  *result = barrier.value;
  return 1;
}

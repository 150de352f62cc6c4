/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Atomic operations, where the inline functions do not do them by an instruction. */
#include "shmem/internal.h"

static void *atomic_target(const char *call, void *target, size_t width, int pe)
{
  const struct pst_shmem_reach to = pst_shmem_reach(call, "target", target, width, pe);
  if ((uintptr_t)target % width != 0)
    pst_shmem_fatal(call, "target %p is not aligned for its %zu bytes", target, width);
  return to.there;
}

static uint64_t atomic_fetch(const char *call, gasnetx_atomic_op_t op, void *target, uint64_t operand,
    uint64_t expected, size_t width, int pe)
{
  void *const there = atomic_target(call, target, width, pe);
  if (width == 8) return gasnetx_atomic64(op, (gasnet_node_t)pe, there, operand, expected);
  return gasnetx_atomic32(op, (gasnet_node_t)pe, there, (uint32_t)operand, (uint32_t)expected);
}

static void atomic_update(
    const char *call, gasnetx_atomic_op_t op, void *target, uint64_t operand, size_t width, int pe)
{
  void *const there = atomic_target(call, target, width, pe);
  if (width == 8) gasnetx_atomic64_nbi(op, (gasnet_node_t)pe, there, operand);
  else gasnetx_atomic32_nbi(op, (gasnet_node_t)pe, there, (uint32_t)operand);
  pst_shmem_pend();
}

/* The operation's number for tools. */
static int atomic_event_op(unsigned op)
{
  return op == PST_SHMEM_SWAP ? GASP_SHMEM_OP_SWAP
      : op == PST_SHMEM_CSWAP ? GASP_SHMEM_OP_CSWAP
                              : GASP_SHMEM_OP_ADD;
}

uint64_t pst_shmem_fetch(
    unsigned op, void *target, uint64_t operand, uint64_t expected, size_t width, int pe, const char *call)
{
  uint64_t before;
  PST_SHMEM_TOLD(before = atomic_fetch(call, (gasnetx_atomic_op_t)op, target, operand, expected, width, pe),
      GASP_SHMEM_ATOMIC_FETCH, atomic_event_op(op), target, width, pe, call);
  return before;
}

void pst_shmem_update(unsigned op, void *target, uint64_t operand, size_t width, int pe, const char *call)
{
  PST_SHMEM_TOLD(atomic_update(call, (gasnetx_atomic_op_t)op, target, operand, width, pe),
      GASP_SHMEM_ATOMIC_UPDATE, atomic_event_op(op), target, width, pe, call);
}

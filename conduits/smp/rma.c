/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Every segment of the host is mapped here: a transfer is a copy, complete at once. */
#include "conduits/smp/smp.h"
#include "core/atomic.h"
#include "support/copy.h"

static void *here(gasnet_node_t node, const void *remote)
{
  return (void *)((uintptr_t)remote + (uintptr_t)pst_smp.delta[node]);
}

int pst_smp_put(unsigned op, gasnet_node_t node, void *dst, const void *src, size_t nbytes,
    struct pst_completion *completion)
{
  (void)op;
  (void)completion;
  pst_copy_release(here(node, dst), src, nbytes);
  return PST_OK;
}

int pst_smp_get(unsigned op, gasnet_node_t node, void *dst, const void *src, size_t nbytes,
    struct pst_completion *completion)
{
  (void)op;
  (void)completion;
  pst_copy(dst, here(node, src), nbytes);
  return PST_OK;
}

int pst_smp_memset(gasnet_node_t node, void *dst, int byte, size_t nbytes, struct pst_completion *completion)
{
  (void)completion;
  pst_fill(here(node, dst), byte, nbytes);
  return PST_OK;
}

int pst_smp_atomic(unsigned op, unsigned nbytes, gasnet_node_t node, void *word, uint64_t operand,
    uint64_t expected, uint64_t *value, struct pst_completion *completion)
{
  const uint64_t before = pst_atomic_cpu(
      (gasnetx_atomic_op_t)op, nbytes, here(node, word), operand, expected);
  (void)completion;
  if (value) *value = before;
  return PST_OK;
}

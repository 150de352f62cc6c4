/* Atomic operations that are not a processor's instruction here. */
#include "shmem/internal.h"

uint64_t pst_shmem_fetch(unsigned op, void *target, uint64_t operand, uint64_t expected, size_t width, int pe, const char *call)
{
  const struct pst_shmem_reach to = pst_shmem_reach(call, "target", target, width, pe);
  if ((uintptr_t)target % width != 0) pst_shmem_fatal(call, "target %p is not aligned for its %zu bytes", target, width);
  if (width == 8) return gasnetx_atomic64((gasnetx_atomic_op_t)op, (gasnet_node_t)pe, to.there, operand, expected);
  return gasnetx_atomic32((gasnetx_atomic_op_t)op, (gasnet_node_t)pe, to.there, (uint32_t)operand, (uint32_t)expected);
}

void pst_shmem_update(unsigned op, void *target, uint64_t operand, size_t width, int pe, const char *call)
{
  const struct pst_shmem_reach to = pst_shmem_reach(call, "target", target, width, pe);
  if ((uintptr_t)target % width != 0) pst_shmem_fatal(call, "target %p is not aligned for its %zu bytes", target, width);
  if (width == 8) gasnetx_atomic64_nbi((gasnetx_atomic_op_t)op, (gasnet_node_t)pe, to.there, operand);
  else gasnetx_atomic32_nbi((gasnetx_atomic_op_t)op, (gasnet_node_t)pe, to.there, (uint32_t)operand);
  pst_shmem_pend();
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Atomic operations on words of other nodes, of 16, 32 and 64 bits. */
#ifndef PENSTOCK_X_ATOMIC_H
#define PENSTOCK_X_ATOMIC_H
#ifdef __cplusplus
extern "C" {
#endif

/* Operations, with what the word becomes. */
typedef enum {
  GASNETX_SET, /* operand */
  GASNETX_GET, /* as it was */
  GASNETX_ADD, /* the sum with operand, modulo 2 to the power of the width */
  GASNETX_AND,
  GASNETX_OR,
  GASNETX_XOR,
  GASNETX_SWAP, /* operand */
  GASNETX_CSWAP /* operand where `expected` was found, else as it was */
} gasnetx_atomic_op_t;

/* As pst_map, for words of 32 and 64 bits. All entries are PST_UNMAPPED where all nodes use the network's own
 * operations: the processor's may not be atomic with respect to those. */
extern const ptrdiff_t *pst_atomic_map;

uint64_t pst_atomic(gasnetx_atomic_op_t op, unsigned nbytes, gasnet_node_t node, void *addr, uint64_t operand,
    uint64_t expected);
void pst_atomic_nbi(
    gasnetx_atomic_op_t op, unsigned nbytes, gasnet_node_t node, void *addr, uint64_t operand);

/* Where the word lies in this process, or NULL. */
PST_INLINE void *pst_atomic_here(const ptrdiff_t *map, gasnet_node_t node, void *addr)
{
#if defined(GASNET_DEBUG)
  (void)map, (void)node, (void)addr; /* the library checks all arguments */
  return NULL;
#else
  return __builtin_expect(map[node] != PST_UNMAPPED, 1) ? (void *)((uintptr_t)addr + (uintptr_t)map[node])
                                                        : NULL;
#endif
}

/* The operations by this processor, alike for each width. */
#define PST_ATOMIC_CPU(name, type) \
  PST_INLINE type name(gasnetx_atomic_op_t op, type *word, type operand, type expected) \
  { \
    switch (op) { \
    case GASNETX_GET: break; \
    case GASNETX_ADD: return __atomic_fetch_add(word, operand, __ATOMIC_SEQ_CST); \
    case GASNETX_AND: return __atomic_fetch_and(word, operand, __ATOMIC_SEQ_CST); \
    case GASNETX_OR: return __atomic_fetch_or(word, operand, __ATOMIC_SEQ_CST); \
    case GASNETX_XOR: return __atomic_fetch_xor(word, operand, __ATOMIC_SEQ_CST); \
    case GASNETX_SET: \
    case GASNETX_SWAP: return __atomic_exchange_n(word, operand, __ATOMIC_SEQ_CST); \
    case GASNETX_CSWAP: \
      __atomic_compare_exchange_n(word, &expected, operand, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
      return expected; \
    } \
    return __atomic_load_n(word, __ATOMIC_SEQ_CST); \
  }
PST_ATOMIC_CPU(pst_atomic_cpu16, uint16_t)
PST_ATOMIC_CPU(pst_atomic_cpu32, uint32_t)
PST_ATOMIC_CPU(pst_atomic_cpu64, uint64_t)

/* addr: aligned to the width, in the segment or a region of the node, as that node sees it. Operations of any
 * nodes and threads with the word's width are atomic with respect to each other. Meanwhile the values of
 * ordinary stores, puts and the processor's own atomic instructions may be lost or seen half written.
 * Ordinary loads see whole values. Not in handlers.
 *
 * Return the old value when the operation is complete. GET ignores operand; all but CSWAP ignore expected. */
PST_INLINE uint16_t gasnetx_atomic16(
    gasnetx_atomic_op_t op, gasnet_node_t node, uint16_t *addr, uint16_t operand, uint16_t expected)
{
  uint16_t *here = (uint16_t *)pst_atomic_here(pst_map, node, addr);
  return here ? pst_atomic_cpu16(op, here, operand, expected)
              : (uint16_t)pst_atomic(op, 2, node, addr, operand, expected);
}
PST_INLINE uint32_t gasnetx_atomic32(
    gasnetx_atomic_op_t op, gasnet_node_t node, uint32_t *addr, uint32_t operand, uint32_t expected)
{
  uint32_t *here = (uint32_t *)pst_atomic_here(pst_atomic_map, node, addr);
  return here ? pst_atomic_cpu32(op, here, operand, expected)
              : (uint32_t)pst_atomic(op, 4, node, addr, operand, expected);
}
PST_INLINE uint64_t gasnetx_atomic64(
    gasnetx_atomic_op_t op, gasnet_node_t node, uint64_t *addr, uint64_t operand, uint64_t expected)
{
  uint64_t *here = (uint64_t *)pst_atomic_here(pst_atomic_map, node, addr);
  return here ? pst_atomic_cpu64(op, here, operand, expected)
              : pst_atomic(op, 8, node, addr, operand, expected);
}

/* The same without an old value, for SET, ADD, AND, OR and XOR: an implicit put, complete after the next
 * gasnet_wait_syncnbi_puts or the sync of its access region. Those in flight are done in any order. */
PST_INLINE void gasnetx_atomic16_nbi(
    gasnetx_atomic_op_t op, gasnet_node_t node, uint16_t *addr, uint16_t operand)
{
  uint16_t *here = (uint16_t *)pst_atomic_here(pst_map, node, addr);
  if (here) pst_atomic_cpu16(op, here, operand, 0);
  else pst_atomic_nbi(op, 2, node, addr, operand);
}
PST_INLINE void gasnetx_atomic32_nbi(
    gasnetx_atomic_op_t op, gasnet_node_t node, uint32_t *addr, uint32_t operand)
{
  uint32_t *here = (uint32_t *)pst_atomic_here(pst_atomic_map, node, addr);
  if (here) pst_atomic_cpu32(op, here, operand, 0);
  else pst_atomic_nbi(op, 4, node, addr, operand);
}
PST_INLINE void gasnetx_atomic64_nbi(
    gasnetx_atomic_op_t op, gasnet_node_t node, uint64_t *addr, uint64_t operand)
{
  uint64_t *here = (uint64_t *)pst_atomic_here(pst_atomic_map, node, addr);
  if (here) pst_atomic_cpu64(op, here, operand, 0);
  else pst_atomic_nbi(op, 8, node, addr, operand);
}

#ifdef __cplusplus
}
#endif
#endif

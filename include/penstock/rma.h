/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Put, get and memset. GASNet specification 1.8, "Extended API". Lengths are in bytes. Remote addresses lie
 * in the target's segment, as that node sees it; local ones lie anywhere. Non-bulk: addresses are aligned for
 * an object of that size, and the caller may change a put's source on return. Bulk: any alignment; the source
 * must not change before the sync. */
#ifndef PENSTOCK_RMA_H
#define PENSTOCK_RMA_H
#ifdef __cplusplus
extern "C" {
#endif

/* pst_map[node]: what to add to an address in that node's segment to load and store there directly, or
 * PST_UNMAPPED. Real entries are multiples of the page size. Constant from attach on. */
extern const ptrdiff_t *pst_map;
#define PST_UNMAPPED ((ptrdiff_t)1)

/* The kind of an operation, for the calls that the inlines leave to the library. */
#define PST_OP_GET    1u
#define PST_OP_BULK   2u
#define PST_OP_NB     4u
#define PST_OP_NBI    8u
#define PST_OP_VALUE  16u
#define PST_OP_MEMSET 32u

/* Return GASNET_INVALID_HANDLE when complete, and always for blocking and implicit operations. */
gasnet_handle_t pst_rma(unsigned op, gasnet_node_t node, void *remote, void *local, size_t nbytes);
gasnet_handle_t pst_rma_memset(unsigned op, gasnet_node_t node, void *remote, int byte, size_t nbytes);

void pst_fill(void *dst, int byte, size_t nbytes);

PST_INLINE int pst_mapped(gasnet_node_t node, const void *remote, void **here)
{
#if defined(GASNET_DEBUG)
  (void)node, (void)remote, (void)here; /* the library checks all arguments */
  return 0;
#else
  const ptrdiff_t delta = pst_map[node];
  *here = (void *)((uintptr_t)remote + (uintptr_t)delta);
  return __builtin_expect(delta != PST_UNMAPPED, 1);
#endif
}

PST_INLINE gasnet_handle_t pst_put(
    unsigned op, gasnet_node_t node, void *dest, const void *src, size_t nbytes)
{
  void *here;
  if (!pst_mapped(node, dest, &here)) return pst_rma(op, node, dest, (void *)(uintptr_t)src, nbytes);
  pst_copy_inline(here, src, nbytes);
  return GASNET_INVALID_HANDLE;
}

PST_INLINE gasnet_handle_t pst_get(
    unsigned op, void *dest, gasnet_node_t node, const void *src, size_t nbytes)
{
  void *here;
  if (!pst_mapped(node, src, &here))
    return pst_rma(op | PST_OP_GET, node, (void *)(uintptr_t)src, dest, nbytes);
  pst_copy_inline(dest, here, nbytes);
  return GASNET_INVALID_HANDLE;
}

PST_INLINE gasnet_handle_t pst_memset(unsigned op, gasnet_node_t node, void *dest, int val, size_t nbytes)
{
  void *here;
  if (!pst_mapped(node, dest, &here)) return pst_rma_memset(op | PST_OP_MEMSET, node, dest, val, nbytes);
  pst_fill(here, val, nbytes);
  return GASNET_INVALID_HANDLE;
}

/* Blocking: complete at the target (put, memset) or here (get) on return. The fence keeps a flag that is
 * written later behind the data; on x86-64 it restrains only the compiler. */
PST_INLINE void gasnet_put(gasnet_node_t node, void *dest, const void *src, size_t nbytes)
{
  pst_put(0, node, dest, src, nbytes);
  PST_RELEASE_FENCE();
}
PST_INLINE void gasnet_put_bulk(gasnet_node_t node, void *dest, const void *src, size_t nbytes)
{
  pst_put(PST_OP_BULK, node, dest, src, nbytes);
  PST_RELEASE_FENCE();
}
PST_INLINE void gasnet_get(void *dest, gasnet_node_t node, const void *src, size_t nbytes)
{
  pst_get(0, dest, node, src, nbytes);
  PST_ACQUIRE_FENCE();
}
PST_INLINE void gasnet_get_bulk(void *dest, gasnet_node_t node, const void *src, size_t nbytes)
{
  pst_get(PST_OP_BULK, dest, node, src, nbytes);
  PST_ACQUIRE_FENCE();
}
PST_INLINE void gasnet_memset(gasnet_node_t node, void *dest, int val, size_t nbytes)
{
  pst_memset(0, node, dest, val, nbytes);
  PST_RELEASE_FENCE();
}

/* Explicit handle: complete after a successful sync of the returned handle by the same thread. */
PST_INLINE gasnet_handle_t gasnet_put_nb(gasnet_node_t node, void *dest, const void *src, size_t nbytes)
{
  return pst_put(PST_OP_NB, node, dest, src, nbytes);
}
PST_INLINE gasnet_handle_t gasnet_put_nb_bulk(gasnet_node_t node, void *dest, const void *src, size_t nbytes)
{
  return pst_put(PST_OP_NB | PST_OP_BULK, node, dest, src, nbytes);
}
PST_INLINE gasnet_handle_t gasnet_get_nb(void *dest, gasnet_node_t node, const void *src, size_t nbytes)
{
  return pst_get(PST_OP_NB, dest, node, src, nbytes);
}
PST_INLINE gasnet_handle_t gasnet_get_nb_bulk(void *dest, gasnet_node_t node, const void *src, size_t nbytes)
{
  return pst_get(PST_OP_NB | PST_OP_BULK, dest, node, src, nbytes);
}
PST_INLINE gasnet_handle_t gasnet_memset_nb(gasnet_node_t node, void *dest, int val, size_t nbytes)
{
  return pst_memset(PST_OP_NB, node, dest, val, nbytes);
}

/* Implicit handle: complete after a sync of the thread's implicit operations, or of their access region. */
PST_INLINE void gasnet_put_nbi(gasnet_node_t node, void *dest, const void *src, size_t nbytes)
{
  pst_put(PST_OP_NBI, node, dest, src, nbytes);
}
PST_INLINE void gasnet_put_nbi_bulk(gasnet_node_t node, void *dest, const void *src, size_t nbytes)
{
  pst_put(PST_OP_NBI | PST_OP_BULK, node, dest, src, nbytes);
}
PST_INLINE void gasnet_get_nbi(void *dest, gasnet_node_t node, const void *src, size_t nbytes)
{
  pst_get(PST_OP_NBI, dest, node, src, nbytes);
}
PST_INLINE void gasnet_get_nbi_bulk(void *dest, gasnet_node_t node, const void *src, size_t nbytes)
{
  pst_get(PST_OP_NBI | PST_OP_BULK, dest, node, src, nbytes);
}
PST_INLINE void gasnet_memset_nbi(gasnet_node_t node, void *dest, int val, size_t nbytes)
{
  pst_memset(PST_OP_NBI, node, dest, val, nbytes);
}

#ifdef __cplusplus
}
#endif
#endif

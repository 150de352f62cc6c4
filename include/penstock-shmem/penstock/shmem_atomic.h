/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Atomic operations on objects of other PEs. Those that fetch are done on return, the others after
 * shmem_quiet or a barrier. Sections 7.30 to 7.37. */
#ifndef PENSTOCK_SHMEM_ATOMIC_H
#define PENSTOCK_SHMEM_ATOMIC_H
#include "penstock/shmem_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* X(type, name, the unsigned integer as wide) */
#define PST_SHMEM_ATOMIC_TYPES(X) \
  X(int, int, uint32_t) X(long, long, PST_SHMEM_ULONG) X(long long, longlong, uint64_t)
#define PST_SHMEM_SWAP_TYPES(X) \
  PST_SHMEM_ATOMIC_TYPES(X) \
  X(float, float, uint32_t) X(double, double, uint64_t)
#if defined(__LP64__)
#define PST_SHMEM_ULONG uint64_t
#else
#define PST_SHMEM_ULONG uint32_t
#endif

#define PST_SHMEM_DECLARE(T, N, U) T shmem_##N##_swap(T *target, T value, int pe);
PST_SHMEM_SWAP_TYPES(PST_SHMEM_DECLARE)
#undef PST_SHMEM_DECLARE
long shmem_swap(long *target, long value, int pe);

#define PST_SHMEM_DECLARE(T, N, U) \
  T shmem_##N##_cswap(T *target, T cond, T value, int pe); \
  T shmem_##N##_fadd(T *target, T value, int pe); \
  T shmem_##N##_finc(T *target, int pe); \
  void shmem_##N##_add(T *target, T value, int pe); \
  void shmem_##N##_inc(T *target, int pe);
PST_SHMEM_ATOMIC_TYPES(PST_SHMEM_DECLARE)
#undef PST_SHMEM_DECLARE

#ifndef PST_SHMEM_CALLS

#define PST_SHMEM_DEFINE_SWAP(T, N, U, name) \
  PST_SHMEM_INLINE T name(T *target, T value, int pe) \
  { \
    T *const here = (T *)pst_shmem_here_atomic(target, pe); \
    T before; \
    if (__builtin_expect(here != 0, 1)) { \
      __atomic_exchange(here, &value, &before, __ATOMIC_SEQ_CST); \
    } else { \
      U bits, answer; \
      __builtin_memcpy(&bits, &value, sizeof value); \
      answer = (U)pst_shmem_fetch(PST_SHMEM_SWAP, target, bits, 0, sizeof value, pe, #name); \
      __builtin_memcpy(&before, &answer, sizeof before); \
    } \
    return before; \
  }
#define PST_SHMEM_DEFINE(T, N, U) PST_SHMEM_DEFINE_SWAP(T, N, U, shmem_##N##_swap)
PST_SHMEM_SWAP_TYPES(PST_SHMEM_DEFINE)
PST_SHMEM_DEFINE_SWAP(long, long, PST_SHMEM_ULONG, shmem_swap)
#undef PST_SHMEM_DEFINE
#undef PST_SHMEM_DEFINE_SWAP

#define PST_SHMEM_DEFINE(T, N, U) \
  PST_SHMEM_INLINE T shmem_##N##_cswap(T *target, T cond, T value, int pe) \
  { \
    T *const here = (T *)pst_shmem_here_atomic(target, pe); \
    if (__builtin_expect(here == 0, 0)) \
      return (T)pst_shmem_fetch( \
          PST_SHMEM_CSWAP, target, (U)value, (U)cond, sizeof value, pe, "shmem_" #N "_cswap"); \
    __atomic_compare_exchange_n(here, &cond, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    return cond; \
  } \
  PST_SHMEM_INLINE T shmem_##N##_fadd(T *target, T value, int pe) \
  { \
    T *const here = (T *)pst_shmem_here_atomic(target, pe); \
    if (__builtin_expect(here == 0, 0)) \
      return (T)pst_shmem_fetch(PST_SHMEM_ADD, target, (U)value, 0, sizeof value, pe, "shmem_" #N "_fadd"); \
    return __atomic_fetch_add(here, value, __ATOMIC_SEQ_CST); \
  } \
  PST_SHMEM_INLINE T shmem_##N##_finc(T *target, int pe) \
  { \
    T *const here = (T *)pst_shmem_here_atomic(target, pe); \
    if (__builtin_expect(here == 0, 0)) \
      return (T)pst_shmem_fetch(PST_SHMEM_ADD, target, 1, 0, sizeof(T), pe, "shmem_" #N "_finc"); \
    return __atomic_fetch_add(here, 1, __ATOMIC_SEQ_CST); \
  } \
  PST_SHMEM_INLINE void shmem_##N##_add(T *target, T value, int pe) \
  { \
    T *const here = (T *)pst_shmem_here_atomic(target, pe); \
    if (__builtin_expect(here != 0, 1)) __atomic_fetch_add(here, value, __ATOMIC_SEQ_CST); \
    else pst_shmem_update(PST_SHMEM_ADD, target, (U)value, sizeof value, pe, "shmem_" #N "_add"); \
  } \
  PST_SHMEM_INLINE void shmem_##N##_inc(T *target, int pe) \
  { \
    T *const here = (T *)pst_shmem_here_atomic(target, pe); \
    if (__builtin_expect(here != 0, 1)) __atomic_fetch_add(here, 1, __ATOMIC_SEQ_CST); \
    else pst_shmem_update(PST_SHMEM_ADD, target, 1, sizeof(T), pe, "shmem_" #N "_inc"); \
  }
PST_SHMEM_ATOMIC_TYPES(PST_SHMEM_DEFINE)
#undef PST_SHMEM_DEFINE

#endif
#ifdef __cplusplus
}
#endif
#endif

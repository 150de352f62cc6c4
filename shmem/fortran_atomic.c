/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Atomic operations, sections 7.30 to 7.37. */
#include <string.h>

#include "shmem/fortran.h"

#define WIDTH(U) \
  static inline U fetch_##U(unsigned op, U *target, U value, U cond, int pe, const char *call) \
  { \
    U *const here = pst_shmem_here_atomic(target, pe); \
    if (__builtin_expect(!here, 0)) \
      return (U)pst_shmem_fetch(op, target, value, cond, sizeof value, pe, call); \
    if (op == PST_SHMEM_ADD) return __atomic_fetch_add(here, value, __ATOMIC_SEQ_CST); \
    if (op == PST_SHMEM_SWAP) return __atomic_exchange_n(here, value, __ATOMIC_SEQ_CST); \
    __atomic_compare_exchange_n(here, &cond, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    return cond; \
  } \
  static inline void add_##U(U *target, U value, int pe, const char *call) \
  { \
    U *const here = pst_shmem_here_atomic(target, pe); \
    if (__builtin_expect(here != NULL, 1)) __atomic_fetch_add(here, value, __ATOMIC_SEQ_CST); \
    else pst_shmem_update(PST_SHMEM_ADD, target, value, sizeof value, pe, call); \
  }
WIDTH(uint32_t)
WIDTH(uint64_t)

/* T: what the function returns; U: the integer as wide, in which its bits travel. */
#define SWAP(name, NAME, T, U) \
  T shmem_##name##swap_(U *target, const U *value, const f_integer *pe) \
  { \
    const U bits = fetch_##U(PST_SHMEM_SWAP, target, *value, 0, *pe, "SHMEM_" #NAME "SWAP"); \
    T before; \
    memcpy(&before, &bits, sizeof before); \
    return before; \
  } \
  PST_F_FUNCTION_NAMES(shmem_##name##swap, SHMEM_##NAME##SWAP)
SWAP(, , f_integer, uint32_t)
SWAP(int4_, INT4_, int32_t, uint32_t)
SWAP(int8_, INT8_, int64_t, uint64_t)
SWAP(real4_, REAL4_, float, uint32_t)
SWAP(real8_, REAL8_, double, uint64_t)
PST_F_NAMES(shmem_swap, SHMEM_SWAP) /* shmem_swap is C's */
PST_F_ALL_NAMES(shmem_int4_swap, SHMEM_INT4_SWAP)
PST_F_ALL_NAMES(shmem_int8_swap, SHMEM_INT8_SWAP)
PST_F_ALL_NAMES(shmem_real4_swap, SHMEM_REAL4_SWAP)
PST_F_ALL_NAMES(shmem_real8_swap, SHMEM_REAL8_SWAP)

#define FUNCTION_NAMES(name, NAME) \
  PST_F_ALL_NAMES(name, NAME) \
  PST_F_FUNCTION_NAMES(name, NAME)

#define INTEGERS(name, NAME, T, U) \
  T shmem_##name##_cswap_(U *target, const U *cond, const U *value, const f_integer *pe) \
  { \
    return (T)fetch_##U(PST_SHMEM_CSWAP, target, *value, *cond, *pe, "SHMEM_" #NAME "_CSWAP"); \
  } \
  T shmem_##name##_fadd_(U *target, const U *value, const f_integer *pe) \
  { \
    return (T)fetch_##U(PST_SHMEM_ADD, target, *value, 0, *pe, "SHMEM_" #NAME "_FADD"); \
  } \
  T shmem_##name##_finc_(U *target, const f_integer *pe) \
  { \
    return (T)fetch_##U(PST_SHMEM_ADD, target, 1, 0, *pe, "SHMEM_" #NAME "_FINC"); \
  } \
  void shmem_##name##_add_(U *target, const U *value, const f_integer *pe) \
  { \
    add_##U(target, *value, *pe, "SHMEM_" #NAME "_ADD"); \
  } \
  void shmem_##name##_inc_(U *target, const f_integer *pe) \
  { \
    add_##U(target, 1, *pe, "SHMEM_" #NAME "_INC"); \
  } \
  FUNCTION_NAMES(shmem_##name##_cswap, SHMEM_##NAME##_CSWAP) \
  FUNCTION_NAMES(shmem_##name##_fadd, SHMEM_##NAME##_FADD) \
  FUNCTION_NAMES(shmem_##name##_finc, SHMEM_##NAME##_FINC) \
  PST_F_ALL_NAMES(shmem_##name##_add, SHMEM_##NAME##_ADD) \
  PST_F_ALL_NAMES(shmem_##name##_inc, SHMEM_##NAME##_INC)
INTEGERS(int4, INT4, int32_t, uint32_t)
INTEGERS(int8, INT8, int64_t, uint64_t)

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Put and get. A put returns when its source may be used again; it is done after shmem_quiet or a barrier. A
 * get returns with the data. Counts and strides are in elements. Sections 7.18 to 7.29. */
#ifndef PENSTOCK_SHMEM_RMA_H
#define PENSTOCK_SHMEM_RMA_H
#include "penstock/shmem_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* X(type, name) for all that a register holds; and with long double; and with char. */
#define PST_SHMEM_WORD_TYPES(X) \
  X(short, short) X(int, int) X(long, long) X(long long, longlong) X(float, float) X(double, double)
#define PST_SHMEM_STRIDED_TYPES(X) \
  PST_SHMEM_WORD_TYPES(X) \
  X(long double, longdouble)
#define PST_SHMEM_TYPES(X) X(char, char) PST_SHMEM_STRIDED_TYPES(X)
/* X(width in bytes, suffix) for routines without a type */
#define PST_SHMEM_SIZES(X) X(4, 32) X(8, 64) X(16, 128)

#define PST_SHMEM_DECLARE(T, N) \
  void shmem_##N##_p(T *addr, T value, int pe); \
  T shmem_##N##_g(const T *addr, int pe); \
  void shmem_##N##_put(T *target, const T *source, size_t nelems, int pe); \
  void shmem_##N##_get(T *target, const T *source, size_t nelems, int pe);
PST_SHMEM_TYPES(PST_SHMEM_DECLARE)
#undef PST_SHMEM_DECLARE

#define PST_SHMEM_DECLARE(T, N) \
  void shmem_##N##_iput(T *target, const T *source, ptrdiff_t tst, ptrdiff_t sst, size_t nelems, int pe); \
  void shmem_##N##_iget(T *target, const T *source, ptrdiff_t tst, ptrdiff_t sst, size_t nelems, int pe);
PST_SHMEM_STRIDED_TYPES(PST_SHMEM_DECLARE)
#undef PST_SHMEM_DECLARE

#define PST_SHMEM_DECLARE(W, N) \
  void shmem_put##N(void *target, const void *source, size_t nelems, int pe); \
  void shmem_get##N(void *target, const void *source, size_t nelems, int pe); \
  void shmem_iput##N(void *target, const void *source, ptrdiff_t tst, ptrdiff_t sst, size_t nelems, int pe); \
  void shmem_iget##N(void *target, const void *source, ptrdiff_t tst, ptrdiff_t sst, size_t nelems, int pe);
PST_SHMEM_SIZES(PST_SHMEM_DECLARE)
#undef PST_SHMEM_DECLARE
void shmem_putmem(void *target, const void *source, size_t nelems, int pe); /* bytes */
void shmem_getmem(void *target, const void *source, size_t nelems, int pe);

#ifndef PST_SHMEM_CALLS

/* A put is relaxed: others may see it late and in any order until a fence. A get is an acquire: what is read
 * after it is not older. */
#define PST_SHMEM_DEFINE(T, N) \
  PST_SHMEM_INLINE void shmem_##N##_p(T *addr, T value, int pe) \
  { \
    T *const here = (T *)pst_shmem_here(addr, pe); \
    if (__builtin_expect(here != 0, 1)) { \
      __atomic_store(here, &value, __ATOMIC_RELAXED); \
    } else { \
      uint64_t bits = 0; \
      __builtin_memcpy(&bits, &value, sizeof value); \
      pst_shmem_put_value(addr, bits, sizeof value, pe, "shmem_" #N "_p"); \
    } \
  } \
  PST_SHMEM_INLINE T shmem_##N##_g(const T *addr, int pe) \
  { \
    T *const here = (T *)pst_shmem_here(addr, pe); \
    T value; \
    if (__builtin_expect(here != 0, 1)) { \
      __atomic_load(here, &value, __ATOMIC_ACQUIRE); \
    } else { \
      const uint64_t bits = pst_shmem_get_value(addr, sizeof value, pe, "shmem_" #N "_g"); \
      __builtin_memcpy(&value, &bits, sizeof value); \
    } \
    return value; \
  } \
  PST_SHMEM_INLINE void shmem_##N##_put(T *target, const T *source, size_t nelems, int pe) \
  { \
    T *const here = nelems == 1 ? (T *)pst_shmem_here(target, pe) : (T *)0; \
    if (here) { \
      T value = *source; \
      __atomic_store(here, &value, __ATOMIC_RELAXED); \
    } else { \
      pst_shmem_put(target, source, nelems, sizeof *source, pe, "shmem_" #N "_put"); \
    } \
  } \
  PST_SHMEM_INLINE void shmem_##N##_get(T *target, const T *source, size_t nelems, int pe) \
  { \
    T *const here = nelems == 1 ? (T *)pst_shmem_here(source, pe) : (T *)0; \
    if (here) __atomic_load(here, target, __ATOMIC_ACQUIRE); \
    else pst_shmem_get(target, source, nelems, sizeof *source, pe, "shmem_" #N "_get"); \
  }
PST_SHMEM_DEFINE(char, char)
PST_SHMEM_WORD_TYPES(PST_SHMEM_DEFINE)
#undef PST_SHMEM_DEFINE

/* No register holds a long double as memory does. */
PST_SHMEM_INLINE void shmem_longdouble_p(long double *addr, long double value, int pe)
{
  pst_shmem_put_object(addr, &value, sizeof value, pe, "shmem_longdouble_p");
}
PST_SHMEM_INLINE long double shmem_longdouble_g(const long double *addr, int pe)
{
  long double value;
  pst_shmem_get_object(&value, addr, sizeof value, pe, "shmem_longdouble_g");
  return value;
}
PST_SHMEM_INLINE void shmem_longdouble_put(
    long double *target, const long double *source, size_t nelems, int pe)
{
  pst_shmem_put(target, source, nelems, sizeof *source, pe, "shmem_longdouble_put");
}
PST_SHMEM_INLINE void shmem_longdouble_get(
    long double *target, const long double *source, size_t nelems, int pe)
{
  pst_shmem_get(target, source, nelems, sizeof *source, pe, "shmem_longdouble_get");
}

/* Of any alignment. One element, or as many bytes, is one load and one store. */
#define PST_SHMEM_DEFINE(W, N, F) \
  PST_SHMEM_INLINE void shmem_put##N(void *target, const void *source, size_t nelems, int pe) \
  { \
    void *const here = nelems == F ? pst_shmem_here(target, pe) : (void *)0; \
    if (here) __builtin_memmove(here, source, F *W); \
    else pst_shmem_put(target, source, nelems, W, pe, "shmem_put" #N); \
  } \
  PST_SHMEM_INLINE void shmem_get##N(void *target, const void *source, size_t nelems, int pe) \
  { \
    void *const here = nelems == F ? pst_shmem_here(source, pe) : (void *)0; \
    if (here) { \
      __builtin_memmove(target, here, F *W); \
      PST_SHMEM_FENCE(__ATOMIC_ACQUIRE); \
    } else { \
      pst_shmem_get(target, source, nelems, W, pe, "shmem_get" #N); \
    } \
  }
PST_SHMEM_DEFINE(4, 32, 1)
PST_SHMEM_DEFINE(8, 64, 1)
PST_SHMEM_DEFINE(16, 128, 1)
PST_SHMEM_DEFINE(1, mem, 8)
#undef PST_SHMEM_DEFINE

#define PST_SHMEM_DEFINE(T, N) \
  PST_SHMEM_INLINE void shmem_##N##_iput( \
      T *target, const T *source, ptrdiff_t tst, ptrdiff_t sst, size_t nelems, int pe) \
  { \
    pst_shmem_iput(target, source, tst, sst, nelems, sizeof *source, pe, "shmem_" #N "_iput"); \
  } \
  PST_SHMEM_INLINE void shmem_##N##_iget( \
      T *target, const T *source, ptrdiff_t tst, ptrdiff_t sst, size_t nelems, int pe) \
  { \
    pst_shmem_iget(target, source, tst, sst, nelems, sizeof *source, pe, "shmem_" #N "_iget"); \
  }
PST_SHMEM_STRIDED_TYPES(PST_SHMEM_DEFINE)
#undef PST_SHMEM_DEFINE
#define PST_SHMEM_DEFINE(W, N) \
  PST_SHMEM_INLINE void shmem_iput##N( \
      void *target, const void *source, ptrdiff_t tst, ptrdiff_t sst, size_t nelems, int pe) \
  { \
    pst_shmem_iput(target, source, tst, sst, nelems, W, pe, "shmem_iput" #N); \
  } \
  PST_SHMEM_INLINE void shmem_iget##N( \
      void *target, const void *source, ptrdiff_t tst, ptrdiff_t sst, size_t nelems, int pe) \
  { \
    pst_shmem_iget(target, source, tst, sst, nelems, W, pe, "shmem_iget" #N); \
  }
PST_SHMEM_SIZES(PST_SHMEM_DEFINE)
#undef PST_SHMEM_DEFINE

#endif
#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Collectives among the PEs PE_start, PE_start + 2^logPE_stride, ..., PE_size of them: an active set. All in
 * it call them at the same point. Sections 7.46 to 7.57. */
#ifndef PENSTOCK_SHMEM_COLLECTIVE_H
#define PENSTOCK_SHMEM_COLLECTIVE_H
#include "penstock/shmem_base.h"

#if defined(__cplusplus)
#include <complex>
#endif

/* Elements of pSync and pWrk, and what those of pSync are to begin with. Penstock keeps its state elsewhere:
 * both stay as they are. */
#define SHMEM_SYNC_VALUE               (-1L)
#define SHMEM_BCAST_SYNC_SIZE          8
#define SHMEM_COLLECT_SYNC_SIZE        8
#define SHMEM_REDUCE_SYNC_SIZE         8
#define SHMEM_BARRIER_SYNC_SIZE        8
#define SHMEM_REDUCE_MIN_WRKDATA_SIZE  8
#define _SHMEM_SYNC_VALUE              SHMEM_SYNC_VALUE
#define _SHMEM_BCAST_SYNC_SIZE         SHMEM_BCAST_SYNC_SIZE
#define _SHMEM_COLLECT_SYNC_SIZE       SHMEM_COLLECT_SYNC_SIZE
#define _SHMEM_REDUCE_SYNC_SIZE        SHMEM_REDUCE_SYNC_SIZE
#define _SHMEM_BARRIER_SYNC_SIZE       SHMEM_BARRIER_SYNC_SIZE
#define _SHMEM_REDUCE_MIN_WRKDATA_SIZE SHMEM_REDUCE_MIN_WRKDATA_SIZE

#ifdef __cplusplus
extern "C" {
#endif

/* source of PE_root, a PE of the set, to target of all others. */
void shmem_broadcast32(void *target, const void *source, size_t nelems, int PE_root, int PE_start,
    int logPE_stride, int PE_size, long *pSync);
void shmem_broadcast64(void *target, const void *source, size_t nelems, int PE_root, int PE_start,
    int logPE_stride, int PE_size, long *pSync);
/* All sources, one behind the other, to target of all; nelems is the same at all for fcollect. */
void shmem_collect32(void *target, const void *source, size_t nelems, int PE_start, int logPE_stride,
    int PE_size, long *pSync);
void shmem_collect64(void *target, const void *source, size_t nelems, int PE_start, int logPE_stride,
    int PE_size, long *pSync);
void shmem_fcollect32(void *target, const void *source, size_t nelems, int PE_start, int logPE_stride,
    int PE_size, long *pSync);
void shmem_fcollect64(void *target, const void *source, size_t nelems, int PE_start, int logPE_stride,
    int PE_size, long *pSync);

/* X(type, name, operation, type of pWrk): target[i] = source[i] of the first PE, op source[i] of the second,
 * and so on; the same bits at all. The document has pWrk of shorts also as ints, for sum and prod: both
 * compile. */
#define PST_SHMEM_INTEGER_REDUCTIONS(X, T, N) X(T, N, and, T) X(T, N, or, T) X(T, N, xor, T)
#define PST_SHMEM_ORDERED_REDUCTIONS(X, T, N) X(T, N, max, T) X(T, N, min, T)
#define PST_SHMEM_SUM_REDUCTIONS(X, T, N, W)  X(T, N, sum, W) X(T, N, prod, W)
#define PST_SHMEM_REAL_REDUCTIONS(X, T, N) \
  PST_SHMEM_ORDERED_REDUCTIONS(X, T, N) PST_SHMEM_SUM_REDUCTIONS(X, T, N, T)
#define PST_SHMEM_ALL_REDUCTIONS(X, T, N) \
  PST_SHMEM_INTEGER_REDUCTIONS(X, T, N) PST_SHMEM_REAL_REDUCTIONS(X, T, N)
#define PST_SHMEM_COMPLEX_REDUCTIONS(X) \
  PST_SHMEM_SUM_REDUCTIONS(X, float _Complex, complexf, float _Complex) \
  PST_SHMEM_SUM_REDUCTIONS(X, double _Complex, complexd, double _Complex)
#define PST_SHMEM_REDUCTIONS(X) \
  PST_SHMEM_INTEGER_REDUCTIONS(X, short, short) \
  PST_SHMEM_ORDERED_REDUCTIONS(X, short, short) \
  PST_SHMEM_SUM_REDUCTIONS(X, short, short, void) \
  PST_SHMEM_ALL_REDUCTIONS(X, int, int) \
  PST_SHMEM_ALL_REDUCTIONS(X, long, long) \
  PST_SHMEM_ALL_REDUCTIONS(X, long long, longlong) \
  PST_SHMEM_REAL_REDUCTIONS(X, float, float) \
  PST_SHMEM_REAL_REDUCTIONS(X, double, double) \
  PST_SHMEM_REAL_REDUCTIONS(X, long double, longdouble) \
  PST_SHMEM_COMPLEX_REDUCTIONS(X)

#define PST_SHMEM_DECLARE(T, N, OP, W) \
  __extension__ void shmem_##N##_##OP##_to_all( \
      T *target, T *source, int nreduce, int PE_start, int logPE_stride, int PE_size, W *pWrk, long *pSync);
PST_SHMEM_REDUCTIONS(PST_SHMEM_DECLARE)
#undef PST_SHMEM_DECLARE

#ifdef __cplusplus
}

/* Complex numbers as C++ has them, which lie in memory as C's. */
#define PST_SHMEM_DEFINE(T, N, OP) \
  static inline void shmem_##N##_##OP##_to_all(std::complex<T> *target, std::complex<T> *source, \
      int nreduce, int PE_start, int logPE_stride, int PE_size, std::complex<T> *pWrk, long *pSync) \
  { \
    __extension__ typedef T _Complex of_c; \
    shmem_##N##_##OP##_to_all( \
        (of_c *)target, (of_c *)source, nreduce, PE_start, logPE_stride, PE_size, (of_c *)pWrk, pSync); \
  }
PST_SHMEM_DEFINE(float, complexf, sum)
PST_SHMEM_DEFINE(float, complexf, prod)
PST_SHMEM_DEFINE(double, complexd, sum)
PST_SHMEM_DEFINE(double, complexd, prod)
#undef PST_SHMEM_DEFINE
#endif
#endif

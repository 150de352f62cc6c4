/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Waiting, ordering, barriers and locks. Sections 7.38 to 7.45, 7.58 to 7.61. */
#ifndef PENSTOCK_SHMEM_SYNC_H
#define PENSTOCK_SHMEM_SYNC_H
#include "penstock/shmem_base.h"

#define SHMEM_CMP_EQ  1
#define SHMEM_CMP_NE  2
#define SHMEM_CMP_GT  3
#define SHMEM_CMP_LE  4
#define SHMEM_CMP_LT  5
#define SHMEM_CMP_GE  6
#define _SHMEM_CMP_EQ SHMEM_CMP_EQ
#define _SHMEM_CMP_NE SHMEM_CMP_NE
#define _SHMEM_CMP_GT SHMEM_CMP_GT
#define _SHMEM_CMP_LE SHMEM_CMP_LE
#define _SHMEM_CMP_LT SHMEM_CMP_LT
#define _SHMEM_CMP_GE SHMEM_CMP_GE

#ifdef __cplusplus
extern "C" {
#endif

/* X(type, name) */
#define PST_SHMEM_WAIT_TYPES(X) X(short, short) X(int, int) X(long, long) X(long long, longlong)

/* Return when *var, which other PEs change, is not value; or when *var cmp value holds. */
#define PST_SHMEM_DECLARE(T, N) \
  void shmem_##N##_wait(volatile T *var, T value); \
  void shmem_##N##_wait_until(volatile T *var, int cmp, T value);
PST_SHMEM_WAIT_TYPES(PST_SHMEM_DECLARE)
#undef PST_SHMEM_DECLARE
void shmem_wait(volatile long *var, long value);
void shmem_wait_until(volatile long *var, int cmp, long value);

/* To each PE, puts before it are delivered before puts after it. */
void shmem_fence(void);
/* Completes the puts and atomic operations before it: all PEs see them. */
void shmem_quiet(void);
/* No PE leaves it before all have entered it and the puts of all are complete. */
void shmem_barrier_all(void);
/* The same among PE_start, PE_start + 2^logPE_stride, ..., PE_size of them. */
void shmem_barrier(int PE_start, int logPE_stride, int PE_size, long *pSync);

/* First come, first served. The lock is 0 on all PEs before its first use. test_lock: 0 when this PE has the
 * lock now, 1 when another has it. clear_lock first does what shmem_quiet does. */
void shmem_set_lock(volatile long *lock);
void shmem_clear_lock(volatile long *lock);
int shmem_test_lock(volatile long *lock);

#ifndef PST_SHMEM_CALLS

/* Orders stores before it and loads after it, for which x86 needs an instruction. A locked one is the
 * fastest, which not all compilers know. Its word lies below the stack's top, where no value that is in use
 * waits for it. */
PST_SHMEM_ALWAYS void pst_shmem_full_fence(void)
{
#if defined(__x86_64__)
  __asm__ __volatile__("lock; orl $0, -128(%%rsp)" : : : "memory", "cc");
#else
  PST_SHMEM_FENCE(__ATOMIC_SEQ_CST);
#endif
}

PST_SHMEM_INLINE void shmem_quiet(void)
{
  if (__builtin_expect(pst_shmem.pending, 0)) pst_shmem_quiet();
  pst_shmem_full_fence();
}
PST_SHMEM_INLINE void shmem_fence(void)
{
  if (__builtin_expect(pst_shmem.pending, 0)) pst_shmem_fence();
  PST_SHMEM_FENCE(__ATOMIC_RELEASE);
}

#endif
#ifdef __cplusplus
}
#endif
#endif

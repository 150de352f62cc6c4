/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Barriers and collectives of active sets, sections 7.43 and 7.46 to 7.57. pSync is of INTEGERs of default
 * kind. KIND=4 and KIND=8 are C's int and long, float and double; COMP4 and COMP8 have parts of that size. */
#include <float.h>

#include "shmem/fortran.h"

/* The active set of a routine's arguments, as PST_SHMEM_SET makes one of C's. */
#define SET(elements) \
  const struct pst_shmem_set set = {.start = *start, \
      .log_stride = *log_stride, \
      .size = *size, \
      .sync = psync, \
      .syncs = (elements), \
      .width = sizeof *psync}
#define SET_ARGS      const f_integer *start, const f_integer *log_stride, const f_integer *size
#define COUNT(nelems) ((size_t)(ptrdiff_t) * (nelems))

void shmem_barrier_(SET_ARGS, const f_integer *psync)
{
  SET(SHMEM_BARRIER_SYNC_SIZE);
  pst_shmem_barrier_set("SHMEM_BARRIER", &set);
}
PST_F_NAMES(shmem_barrier, SHMEM_BARRIER)

/* words: elements of the reduction that make an element here; then the reduction itself. */
#define REDUCE(kind, KIND, op, OP, words, ...) \
  void shmem_##kind##_##op##_to_all_(void *target, const void *source, const f_integer *nreduce, SET_ARGS, \
      void *pwrk, const f_integer *psync) \
  { \
    static const gasnetx_reduction_t reduction = __VA_ARGS__; \
    SET(SHMEM_REDUCE_SYNC_SIZE); \
    (void)pwrk; \
    pst_shmem_reduce( \
        "SHMEM_" #KIND "_" #OP "_TO_ALL", target, source, (words) * *nreduce, &reduction, &set); \
  } \
  PST_F_ALL_NAMES(shmem_##kind##_##op##_to_all, SHMEM_##KIND##_##OP##_TO_ALL)

#define AS_C(kind, KIND, op, OP, T, c) REDUCE(kind, KIND, op, OP, 1, PST_SHMEM_REDUCTION(T, c, op))
#define SUMS(kind, KIND, T, c) \
  AS_C(kind, KIND, sum, SUM, T, c) \
  AS_C(kind, KIND, prod, PROD, T, c)
#define ORDERED(kind, KIND, T, c) \
  SUMS(kind, KIND, T, c) \
  AS_C(kind, KIND, max, MAX, T, c) \
  AS_C(kind, KIND, min, MIN, T, c)
#define INTEGERS(kind, KIND, T, c) \
  ORDERED(kind, KIND, T, c) \
  AS_C(kind, KIND, and, AND, T, c) \
  AS_C(kind, KIND, or, OR, T, c) \
  AS_C(kind, KIND, xor, XOR, T, c)

INTEGERS(int4, INT4, int, int)
INTEGERS(int8, INT8, long, long)
ORDERED(real4, REAL4, float, float)
ORDERED(real8, REAL8, double, double)
SUMS(comp4, COMP4, float _Complex, complexf)
SUMS(comp8, COMP8, double _Complex, complexd)
/* The document has an exclusive or of complex numbers: of their bits, which are one word, and two. */
REDUCE(comp4, COMP4, xor, XOR, 1, PST_SHMEM_REDUCTION(long, long, xor))
REDUCE(comp8, COMP8, xor, XOR, 2, PST_SHMEM_REDUCTION(long, long, xor))

/* REAL(16) has the 128 bits of IEEE 754; C's long double has them on some machines only. */
#if defined __SIZEOF_FLOAT128__
typedef __float128 quad;
#elif LDBL_MANT_DIG == 113
typedef long double quad;
#else
#define NO_QUAD /* nor has Fortran any here */
#endif

#ifndef NO_QUAD
#define QUAD(op, OP, expression) \
  static void quad_##op(void *inout, const void *in, size_t count, void *context) \
  { \
    quad *const a = inout; \
    const quad *const b = in; \
    for (size_t i = 0; i < count; i++) a[i] = expression; \
    (void)context; \
  } \
  REDUCE(real16, REAL16, op, OP, 1, {.combine = quad_##op, .size = sizeof(quad), .commutes = 1})
QUAD(sum, SUM, a[i] + b[i])
QUAD(prod, PROD, a[i] * b[i])
QUAD(max, MAX, a[i] > b[i] ? a[i] : b[i])
QUAD(min, MIN, a[i] < b[i] ? a[i] : b[i])
#endif

#define COLLECT(name, NAME, W, fn) \
  void shmem_##name##_( \
      void *target, const void *source, const f_integer *nelems, SET_ARGS, const f_integer *psync) \
  { \
    SET(SHMEM_COLLECT_SYNC_SIZE); \
    fn("SHMEM_" #NAME, target, source, COUNT(nelems), W, &set); \
  }
COLLECT(collect4, COLLECT4, 4, pst_shmem_collect)
COLLECT(collect8, COLLECT8, 8, pst_shmem_collect)
COLLECT(collect32, COLLECT32, 4, pst_shmem_collect)
COLLECT(collect64, COLLECT64, 8, pst_shmem_collect)
COLLECT(fcollect4, FCOLLECT4, 4, pst_shmem_fcollect)
COLLECT(fcollect8, FCOLLECT8, 8, pst_shmem_fcollect)
COLLECT(fcollect32, FCOLLECT32, 4, pst_shmem_fcollect)
COLLECT(fcollect64, FCOLLECT64, 8, pst_shmem_fcollect)
PST_F_ALL_NAMES(shmem_collect4, SHMEM_COLLECT4)
PST_F_ALL_NAMES(shmem_collect8, SHMEM_COLLECT8)
PST_F_NAMES(shmem_collect32, SHMEM_COLLECT32)
PST_F_NAMES(shmem_collect64, SHMEM_COLLECT64)
PST_F_ALL_NAMES(shmem_fcollect4, SHMEM_FCOLLECT4)
PST_F_ALL_NAMES(shmem_fcollect8, SHMEM_FCOLLECT8)
PST_F_NAMES(shmem_fcollect32, SHMEM_FCOLLECT32)
PST_F_NAMES(shmem_fcollect64, SHMEM_FCOLLECT64)

#define BROADCAST(name, NAME, W) \
  void shmem_##name##_(void *target, const void *source, const f_integer *nelems, const f_integer *root, \
      SET_ARGS, const f_integer *psync) \
  { \
    SET(SHMEM_BCAST_SYNC_SIZE); \
    pst_shmem_broadcast("SHMEM_" #NAME, target, source, COUNT(nelems), W, *root, &set); \
  }
BROADCAST(broadcast4, BROADCAST4, 4)
BROADCAST(broadcast8, BROADCAST8, 8)
BROADCAST(broadcast32, BROADCAST32, 4)
BROADCAST(broadcast64, BROADCAST64, 8)
PST_F_ALL_NAMES(shmem_broadcast4, SHMEM_BROADCAST4)
PST_F_ALL_NAMES(shmem_broadcast8, SHMEM_BROADCAST8)
PST_F_NAMES(shmem_broadcast32, SHMEM_BROADCAST32)
PST_F_NAMES(shmem_broadcast64, SHMEM_BROADCAST64)

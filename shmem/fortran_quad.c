/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Reductions of REAL(16), which has the 128 bits of IEEE 754; C's long double has them on some machines only.
 */
#include <float.h>

#include "shmem/fortran.h"

#if defined __SIZEOF_FLOAT128__
typedef __float128 quad;
#elif LDBL_MANT_DIG == 113
typedef long double quad;
#else
#define NO_QUAD /* nor has Fortran any here */
#endif

#ifndef NO_QUAD
#define DEFINE(op, OP, expression)                                                                       \
  static void op(void *inout, const void *in, size_t count)                                              \
  {                                                                                                      \
    quad *const a = inout;                                                                               \
    const quad *const b = in;                                                                            \
    for (size_t i = 0; i < count; i++) a[i] = expression;                                                \
  }                                                                                                      \
  void shmem_real16_##op##_to_all_(quad *target, const quad *source, const f_integer *nreduce,           \
      const f_integer *start, const f_integer *log_stride, const f_integer *size, quad *pwrk,            \
      const f_integer *psync)                                                                            \
  {                                                                                                      \
    const struct pst_shmem_set set = {.start = *start,                                                   \
        .log_stride = *log_stride,                                                                       \
        .size = *size,                                                                                   \
        .sync = psync,                                                                                   \
        .syncs = SHMEM_REDUCE_SYNC_SIZE,                                                                 \
        .width = sizeof *psync};                                                                         \
    (void)pwrk;                                                                                          \
    pst_shmem_reduce("SHMEM_REAL16_" #OP "_TO_ALL", target, source, *nreduce, sizeof *source, op, &set); \
  }                                                                                                      \
  PST_F_ALL_NAMES(shmem_real16_##op##_to_all, SHMEM_REAL16_##OP##_TO_ALL)
DEFINE(sum, SUM, a[i] + b[i])
DEFINE(prod, PROD, a[i] * b[i])
DEFINE(max, MAX, a[i] > b[i] ? a[i] : b[i])
DEFINE(min, MIN, a[i] < b[i] ? a[i] : b[i])
#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The operations of reductions: loops that compilers vectorise. */
#include "shmem/collective.h"

/* Signed integers would overflow: sums and products of them are unsigned. */
typedef unsigned wrap_short, wrap_int;
typedef unsigned long wrap_long;
typedef unsigned long long wrap_longlong;
typedef float wrap_float;
typedef double wrap_double;
typedef long double wrap_longdouble;
typedef float _Complex wrap_complexf;
typedef double _Complex wrap_complexd;

/* An operation, of operands a and b of type T, whose short name is N. */
#define OP_and(T, N, a, b)  ((a) & (b))
#define OP_or(T, N, a, b)   ((a) | (b))
#define OP_xor(T, N, a, b)  ((a) ^ (b))
#define OP_max(T, N, a, b)  ((a) > (b) ? (a) : (b))
#define OP_min(T, N, a, b)  ((a) < (b) ? (a) : (b))
#define OP_sum(T, N, a, b)  ((wrap_##N)(a) + (wrap_##N)(b))
#define OP_prod(T, N, a, b) ((wrap_##N)(a) * (wrap_##N)(b))

#define LOOP(T, N, OP) \
  { \
    T *restrict a = inout; \
    const T *restrict b = in; \
    for (size_t i = 0; i < count; i++) a[i] = (T)OP_##OP(T, N, a[i], b[i]); \
  }

/* The processor's wide registers where it has them. Both ways yield the same bits. */
#if defined(__x86_64__)
#define WIDE(T, N, OP) \
  __attribute__((target("avx2"))) static void N##_##OP##_wide(void *inout, const void *in, size_t count) \
      LOOP(T, N, OP)
#define TRY_WIDE(N, OP) \
  if (__builtin_cpu_supports("avx2")) N##_##OP##_wide(inout, in, count); \
  else
#else
#define WIDE(T, N, OP)
#define TRY_WIDE(N, OP)
#endif

#define DEFINE(T, N, OP, W) \
  WIDE(T, N, OP) \
  static void N##_##OP(void *inout, const void *in, size_t count) LOOP(T, N, OP) \
  void pst_shmem_combine_##N##_##OP(void *inout, const void *in, size_t count) \
  { \
    TRY_WIDE(N, OP) N##_##OP(inout, in, count); \
  }
PST_SHMEM_REDUCTIONS(DEFINE)

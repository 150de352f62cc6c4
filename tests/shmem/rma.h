/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Every routine of put, get, p, g, iput and iget as one table: the same signatures for all types. */
#ifndef TESTS_SHMEM_RMA_H
#define TESTS_SHMEM_RMA_H

#include "common.h"

struct rma_type {
  const char *name;
  size_t size;
  size_t bits;    /* bytes of an element that hold its value */
  int contiguous; /* there are no iput and iget */
  void (*make)(void *element, uint64_t key);
  void (*put)(void *target, const void *source, size_t n, int pe);
  void (*get)(void *target, const void *source, size_t n, int pe);
  void (*iput)(void *target, const void *source, ptrdiff_t tst, ptrdiff_t sst, size_t n, int pe);
  void (*iget)(void *target, const void *source, ptrdiff_t tst, ptrdiff_t sst, size_t n, int pe);
  void (*p)(void *target, const void *value, int pe); /* NULL: there is none */
  void (*g)(void *value, void *source, int pe);
  /* The same with constant counts; 0 if n is not one of them. */
  int (*put_known)(void *target, const void *source, size_t n, int pe);
  int (*get_known)(void *target, const void *source, size_t n, int pe);
};

/* Calls with few elements, whose number is a constant as in programs. */
/* clang-format off */
#define RMA_WITH(n_, call) case n_: { enum { N = n_ }; call; return 1; }
#define RMA_KNOWN(call)                                                                     \
  switch (n) {                                                                              \
    RMA_WITH(1, call) RMA_WITH(2, call) RMA_WITH(3, call) RMA_WITH(4, call) RMA_WITH(8, call) \
    RMA_WITH(16, call) RMA_WITH(100, call)                                                  \
    default: return 0;                                                                      \
  }
/* clang-format on */

#define RMA_BLOCK(N_, T, put_, get_) \
  static void rma_put_##N_(void *t, const void *s, size_t n, int pe) { put_((T *)t, (const T *)s, n, pe); } \
  static void rma_get_##N_(void *t, const void *s, size_t n, int pe) { get_((T *)t, (const T *)s, n, pe); } \
  static int rma_put_known_##N_(void *t, const void *s, size_t n, int pe) \
  { \
    RMA_KNOWN(put_((T *)t, (const T *)s, N, pe)) \
  } \
  static int rma_get_known_##N_(void *t, const void *s, size_t n, int pe) \
  { \
    RMA_KNOWN(get_((T *)t, (const T *)s, N, pe)) \
  }
#define RMA_STRIDED(N_, T, iput_, iget_) \
  static void rma_iput_##N_(void *t, const void *s, ptrdiff_t tst, ptrdiff_t sst, size_t n, int pe) \
  { \
    iput_((T *)t, (const T *)s, tst, sst, n, pe); \
  } \
  static void rma_iget_##N_(void *t, const void *s, ptrdiff_t tst, ptrdiff_t sst, size_t n, int pe) \
  { \
    iget_((T *)t, (const T *)s, tst, sst, n, pe); \
  }
#define RMA_SINGLE(N_, T) \
  static void rma_p_##N_(void *t, const void *v, int pe) { shmem_##N_##_p((T *)t, *(const T *)v, pe); } \
  static void rma_g_##N_(void *v, void *s, int pe) { *(T *)v = shmem_##N_##_g((T *)s, pe); }

/* Values that survive a journey through registers: for floating types no random bits. */
#define RMA_MAKE_BYTES(N_, SIZE) \
  static void rma_make_##N_(void *element, uint64_t key) { pattern_fill(element, SIZE, key); }
#define RMA_MAKE_VALUE(N_, T) \
  static void rma_make_##N_(void *element, uint64_t key) \
  { \
    T v = (T)(int64_t)(test_mix(key) >> 20) / (T)64; \
    memset(element, 0, sizeof v); \
    memcpy(element, &v, sizeof v > 10 ? 10 : sizeof v); \
  }

#define RMA_TYPED(N_, T) \
  RMA_BLOCK(N_, T, shmem_##N_##_put, shmem_##N_##_get) \
  RMA_STRIDED(N_, T, shmem_##N_##_iput, shmem_##N_##_iget) \
  RMA_SINGLE(N_, T)
#define RMA_SIZED(B) \
  RMA_BLOCK(B, void, shmem_put##B, shmem_get##B) \
  RMA_STRIDED(B, void, shmem_iput##B, shmem_iget##B) \
  RMA_MAKE_BYTES(B, B / 8)

RMA_TYPED(short, short)
RMA_MAKE_BYTES(short, sizeof(short))
RMA_TYPED(int, int)
RMA_MAKE_BYTES(int, sizeof(int))
RMA_TYPED(long, long)
RMA_MAKE_BYTES(long, sizeof(long))
RMA_TYPED(longlong, long long)
RMA_MAKE_BYTES(longlong, sizeof(long long))
RMA_TYPED(float, float)
RMA_MAKE_VALUE(float, float)
RMA_TYPED(double, double)
RMA_MAKE_VALUE(double, double)
RMA_TYPED(longdouble, long double)
RMA_MAKE_VALUE(longdouble, long double)
RMA_BLOCK(char, char, shmem_char_put, shmem_char_get)
RMA_SINGLE(char, char)
RMA_MAKE_BYTES(char, 1)
RMA_BLOCK(mem, void, shmem_putmem, shmem_getmem)
RMA_MAKE_BYTES(mem, 1)
RMA_SIZED(32)
RMA_SIZED(64)
RMA_SIZED(128)

/* clang-format off */
#define RMA_COMMON(N_)                                                                              \
  .make = rma_make_##N_, .put = rma_put_##N_, .get = rma_get_##N_, .put_known = rma_put_known_##N_, \
  .get_known = rma_get_known_##N_
#define RMA_STEPS(N_) .iput = rma_iput_##N_, .iget = rma_iget_##N_
#define RMA_ONE(N_)   .p = rma_p_##N_, .g = rma_g_##N_
#define RMA_FULL(N_, T)                                                      \
  {.name = #N_, .size = sizeof(T), .bits = sizeof(T) > 10 ? 10 : sizeof(T), \
   RMA_COMMON(N_), RMA_STEPS(N_), RMA_ONE(N_)},
#define RMA_WIDTH(B) \
  {.name = #B " bits", .size = B / 8, .bits = B / 8, RMA_COMMON(B), RMA_STEPS(B)},

static const struct rma_type rma_types[] = {
  RMA_FULL(short, short)
  RMA_FULL(int, int)
  RMA_FULL(long, long)
  RMA_FULL(longlong, long long)
  RMA_FULL(float, float)
  RMA_FULL(double, double)
  RMA_FULL(longdouble, long double)
  RMA_WIDTH(32)
  RMA_WIDTH(64)
  RMA_WIDTH(128)
  {.name = "char", .size = 1, .bits = 1, .contiguous = 1, RMA_COMMON(char), RMA_ONE(char)},
  {.name = "mem", .size = 1, .bits = 1, .contiguous = 1, RMA_COMMON(mem)},
};
/* clang-format on */
enum { RMA_TYPES = sizeof rma_types / sizeof *rma_types };

#endif

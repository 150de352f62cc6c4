/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Copies of a few bytes without a call: all loads, which overlap in the middle, then all stores. */
#ifndef VIS_KERNEL_MOVE_H
#define VIS_KERNEL_MOVE_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "support/copy.h"

enum { PST_MOVE_SHORT = 64 };

/* Any alignment, any type of memory. */
typedef unsigned char pst_move_1;
typedef uint16_t pst_move_2 __attribute__((aligned(1), may_alias));
typedef uint32_t pst_move_4 __attribute__((aligned(1), may_alias));
typedef uint64_t pst_move_8 __attribute__((aligned(1), may_alias));
typedef char pst_move_16 __attribute__((vector_size(16), aligned(1), may_alias));

#define PST_MOVE_PAIR(type, d, s, n) \
  do { \
    const type a_ = *(const type *)(s), z_ = *(const type *)((s) + (n) - sizeof(type)); \
    *(type *)(d) = a_; \
    *(type *)((d) + (n) - sizeof(type)) = z_; \
  } while (0)

/* More than 16 bytes: four words overlap as the length demands, without a branch on it. */
static inline __attribute__((always_inline)) void pst_move_to_64(char *d, const char *s, size_t n)
{
  const size_t last = n - 16, second = last < 16 ? last : 16, third = last < 16 ? 0 : last - 16;
  const pst_move_16 a = *(const pst_move_16 *)s, b = *(const pst_move_16 *)(s + second);
  const pst_move_16 y = *(const pst_move_16 *)(s + third), z = *(const pst_move_16 *)(s + last);
  *(pst_move_16 *)d = a;
  *(pst_move_16 *)(d + second) = b;
  *(pst_move_16 *)(d + third) = y;
  *(pst_move_16 *)(d + last) = z;
}

/* 0 to PST_MOVE_SHORT bytes. */
static inline __attribute__((always_inline)) void pst_move_short(char *d, const char *s, size_t n)
{
  if (n > 16) pst_move_to_64(d, s, n);
  else if (n >= 8) PST_MOVE_PAIR(pst_move_8, d, s, n);
  else if (n >= 4) PST_MOVE_PAIR(pst_move_4, d, s, n);
  else if (n >= 2) PST_MOVE_PAIR(pst_move_2, d, s, n);
  else if (n) *d = *s;
}

/* Any length. */
static inline void pst_move(char *d, const char *s, size_t n)
{
  if (n <= PST_MOVE_SHORT) pst_move_short(d, s, n);
  else pst_copy(d, s, n);
}

/* Words, without a call for the two usual sizes; any other length by one. */
static inline void pst_move_words(char *restrict d, const char *restrict s, size_t n)
{
  if (n == 8) memcpy(d, s, 8);
  else if (n == 4) memcpy(d, s, 4);
  else pst_copy(d, s, n);
}

#endif

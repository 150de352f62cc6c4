/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Copies of a few bytes without a call: all loads, which overlap in the middle, then all stores. */
#ifndef VIS_KERNEL_MOVE_H
#define VIS_KERNEL_MOVE_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "gasnet_config.h"
#include "penstock/platform.h"
#include "penstock/copy.h"

/* More than 16 bytes: four words overlap as the length demands, without a branch on it. */
static inline __attribute__((always_inline)) void pst_move_to_64(char *d, const char *s, size_t n)
{
  const size_t last = n - 16, second = last < 16 ? last : 16, third = last < 16 ? 0 : last - 16;
  const pst_copy_16 a = *(const pst_copy_16 *)s, b = *(const pst_copy_16 *)(s + second);
  const pst_copy_16 y = *(const pst_copy_16 *)(s + third), z = *(const pst_copy_16 *)(s + last);
  *(pst_copy_16 *)d = a;
  *(pst_copy_16 *)(d + second) = b;
  *(pst_copy_16 *)(d + third) = y;
  *(pst_copy_16 *)(d + last) = z;
}

/* 0 to PST_COPY_SMALL bytes. */
static inline __attribute__((always_inline)) void pst_move_short(char *d, const char *s, size_t n)
{
  if (n > 16) pst_move_to_64(d, s, n);
  else if (n >= 8) PST_COPY_ENDS(pst_copy_8, d, s, n);
  else if (n >= 4) PST_COPY_ENDS(pst_copy_4, d, s, n);
  else if (n >= 2) PST_COPY_ENDS(pst_copy_2, d, s, n);
  else if (n) *d = *s;
}

/* Any length. */
static inline void pst_move(char *d, const char *s, size_t n)
{
  if (n <= PST_COPY_SMALL) pst_move_short(d, s, n);
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

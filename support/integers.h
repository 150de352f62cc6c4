/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#ifndef SUPPORT_INTEGERS_H
#define SUPPORT_INTEGERS_H
#include <stddef.h>

static inline size_t pst_least(size_t a, size_t b) { return a < b ? a : b; }

/* The greatest one. */
static inline size_t pst_common_divisor(size_t a, size_t b)
{
  while (b) {
    const size_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

#endif

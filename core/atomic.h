/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Atomic operations by this processor, of any width. */
#ifndef CORE_ATOMIC_H
#define CORE_ATOMIC_H
#include "gasnetx.h"

/* Returns what the word held before. nbytes: 2, 4 or 8. */
static inline uint64_t pst_atomic_cpu(
    gasnetx_atomic_op_t op, unsigned nbytes, void *word, uint64_t operand, uint64_t expected)
{
  switch (nbytes) {
  case 2: return pst_atomic_cpu16(op, (uint16_t *)word, (uint16_t)operand, (uint16_t)expected);
  case 4: return pst_atomic_cpu32(op, (uint32_t *)word, (uint32_t)operand, (uint32_t)expected);
  default: return pst_atomic_cpu64(op, (uint64_t *)word, operand, expected);
  }
}

#endif

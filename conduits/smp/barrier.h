/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What the two barriers share: words of a generation and a value. */
#ifndef CONDUITS_SMP_BARRIER_H
#define CONDUITS_SMP_BARRIER_H
#include "conduits/smp/smp.h"

static inline uint64_t pst_smp_word_of(uint64_t value)
{
  return pst_smp.generation << PST_BARRIER_BITS | value;
}
static inline uint64_t pst_smp_value_of(uint64_t word)
{
  return word & ((UINT64_C(1) << PST_BARRIER_BITS) - 1);
}
static inline int pst_smp_is_current(uint64_t word)
{
  return word >> PST_BARRIER_BITS == pst_smp_word_of(0) >> PST_BARRIER_BITS;
}

void pst_smp_central_notify(uint64_t value);
int pst_smp_central_try(uint64_t *result);
int pst_smp_central_wait(uint64_t *result);

#endif

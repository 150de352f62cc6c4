/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The kernels of one CPU level. All levels yield the same bits. */
#ifndef TEAMS_REDUCTION_SET_H
#define TEAMS_REDUCTION_SET_H
#include "penstock/x_reduction.h"

enum {
  PST_REDUCTION_TYPES = GASNETX_TYPE_LONG_DOUBLE_AT + 1,
  PST_REDUCTION_OPS = GASNETX_OP_LAST_MAX + 1,
};

/* NULL where a type does not have the operation. */
typedef gasnetx_reduce_fn pst_reduction_set[PST_REDUCTION_TYPES][PST_REDUCTION_OPS];

/* -ffp-contract=off is not enough. gcc 12 makes one instruction of a product and a sum where vectors
 * alternate between sums and differences, and one of a complex product, if the processor has such
 * instructions. */
#if defined(__x86_64__)
#define PST_REDUCTION_TARGET(level) __attribute__((target(level ",no-fma,no-fma4,no-avx512f")))
#elif defined(__aarch64__) && !defined(__clang__)
#define PST_REDUCTION_TARGET(level) __attribute__((target("arch=armv8-a")))
#else
#define PST_REDUCTION_TARGET(level)
#endif

extern const pst_reduction_set pst_reduction_portable;
#if defined(__x86_64__)
extern const pst_reduction_set pst_reduction_avx2;
#endif

#endif

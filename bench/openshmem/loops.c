/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A file of its own, compiled like the other bare loops over strided memory: as well as the compiler can. */
#include "pe.h"

void bench_loop_longs(
    long *restrict dst, const long *restrict src, ptrdiff_t dst_step, ptrdiff_t src_step, size_t n)
{
  for (size_t i = 0; i < n; i++) dst[(ptrdiff_t)i * dst_step] = src[(ptrdiff_t)i * src_step];
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What the OpenSHMEM tests share. A PE is a node; the symmetric heap is the segment. */
#ifndef BENCH_OPENSHMEM_PE_H
#define BENCH_OPENSHMEM_PE_H
#include "../engine/engine.h"

enum { BENCH_WINDOW = 64, BENCH_VECTOR = 8192 }; /* in longs */

/* Symmetric words: the first of the heap, or a static variable. */
extern long bench_static[BENCH_VECTOR];
static inline long *bench_heap(void) { return (long *)bench_node.segment; }

/* Is it a point of static data ("put_static")? Else it is one of the heap. */
int bench_point_static(const char *point);
/* Is `what` the part of the point's name before the last underscore? */
int bench_point_is(const char *point, const char *what);

/* The loop that a program would have, strides in words. */
void bench_loop_longs(
    long *restrict dst, const long *restrict src, ptrdiff_t dst_step, ptrdiff_t src_step, size_t n);
#endif

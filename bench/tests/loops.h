/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What a program would write itself instead of calling the library, compiled with -O3. */
#ifndef BENCH_TESTS_LOOPS_H
#define BENCH_TESTS_LOOPS_H
#include <stddef.h>

enum { BENCH_LEVELS = 8 };

/* As gasnet_puts_bulk takes it, and the size of the elements which a program would copy in its loop. */
struct bench_shape {
  size_t elem;
  size_t count[BENCH_LEVELS + 1];
  size_t dst[BENCH_LEVELS], src[BENCH_LEVELS];
  size_t levels;
};

/* The nested loop that a program would have, over its elements; of 1, 3, 4 and 8 bytes. */
void bench_loop_elements(const struct bench_shape *s, char *dst, const char *src);
/* The same over rows, with memcpy. */
void bench_loop_rows(const struct bench_shape *s, char *dst, const char *src);

void bench_loop_transpose_8(double *dst, const double *src, size_t n);
void bench_loop_transpose_4(float *dst, const float *src, size_t n);

/* A block of rows, pitches and width in elements. */
void bench_loop_block(
    double *dst, size_t dstpitch, const double *src, size_t srcpitch, size_t width, size_t height);

void bench_loop_list_8(void *const dst[], void *const src[], size_t n);
#endif

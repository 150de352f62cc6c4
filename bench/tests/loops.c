/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What a program would write itself, compiled with -O3. The compiler does not know counts and strides; it
 * knows that the two sides do not overlap. */
#include "loops.h"

#include <string.h>

typedef void (*loop_fn)(const struct bench_shape *, char *restrict, const char *restrict);

struct triple {
  char byte[3];
};

/* LEVELS nested loops around `body`, which sees a destination d and a source c. */
#define LOOP_1(s, D, C, body) \
  for (size_t i1 = 0; i1 < (s)->count[1]; i1++) { \
    char *restrict d = (D) + i1 * (s)->dst[0]; \
    const char *restrict c = (C) + i1 * (s)->src[0]; \
    body; \
  }
#define LOOP_2(s, D, C, body) \
  for (size_t i2 = 0; i2 < (s)->count[2]; i2++) { \
    char *d2 = (D) + i2 * (s)->dst[1]; \
    const char *c2 = (C) + i2 * (s)->src[1]; \
    LOOP_1(s, d2, c2, body) \
  }
#define LOOP_3(s, D, C, body) \
  for (size_t i3 = 0; i3 < (s)->count[3]; i3++) { \
    char *d3 = (D) + i3 * (s)->dst[2]; \
    const char *c3 = (C) + i3 * (s)->src[2]; \
    LOOP_2(s, d3, c3, body) \
  }

#define LOOPS(type, name) \
  static void name##_one(const struct bench_shape *s, char *restrict dst, const char *restrict src) \
  { \
    if (s->levels == 1) LOOP_1(s, dst, src, *(type *)d = *(const type *)c) \
    else if (s->levels == 2) LOOP_2(s, dst, src, *(type *)d = *(const type *)c) \
    else LOOP_3(s, dst, src, *(type *)d = *(const type *)c) \
  } \
  static void name##_many(const struct bench_shape *s, char *restrict dst, const char *restrict src) \
  { \
    const size_t n = s->count[0] / sizeof(type); \
    if (s->levels == 1) LOOP_1(s, dst, src, ROW(type, n)) \
    else if (s->levels == 2) LOOP_2(s, dst, src, ROW(type, n)) \
    else LOOP_3(s, dst, src, ROW(type, n)) \
  } \
  static void name(const struct bench_shape *s, char *restrict dst, const char *restrict src) \
  { \
    if (s->count[0] == sizeof(type)) name##_one(s, dst, src); \
    else name##_many(s, dst, src); \
  }
#define ROW(type, n) \
  for (size_t i = 0; i < (n); i++) ((type *)d)[i] = ((const type *)c)[i]

LOOPS(char, bytes)
LOOPS(struct triple, triples)
LOOPS(float, floats)
LOOPS(double, doubles)

/* More than three levels: the outer ones by recursion. */
static void outer(const struct bench_shape *s, char *dst, const char *src, size_t level, loop_fn inner)
{
  if (level == 3) {
    inner(s, dst, src);
    return;
  }
  for (size_t i = 0; i < s->count[level]; i++)
    outer(s, dst + i * s->dst[level - 1], src + i * s->src[level - 1], level - 1, inner);
}

static void nest(const struct bench_shape *s, char *dst, const char *src, loop_fn inner)
{
  if (s->levels <= 3) inner(s, dst, src);
  else outer(s, dst, src, s->levels, inner);
}

void bench_loop_elements(const struct bench_shape *s, char *dst, const char *src)
{
  nest(s, dst, src, s->elem == 1 ? bytes : s->elem == 3 ? triples : s->elem == 4 ? floats : doubles);
}

static void rows(const struct bench_shape *s, char *restrict dst, const char *restrict src)
{
  const size_t n = s->count[0];
  if (s->levels == 1) LOOP_1(s, dst, src, memcpy(d, c, n))
  else if (s->levels == 2) LOOP_2(s, dst, src, memcpy(d, c, n))
  else LOOP_3(s, dst, src, memcpy(d, c, n))
}

void bench_loop_rows(const struct bench_shape *s, char *dst, const char *src) { nest(s, dst, src, rows); }

void bench_loop_transpose_8(double *restrict dst, const double *restrict src, size_t n)
{
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) dst[i * n + j] = src[j * n + i];
}

void bench_loop_transpose_4(float *restrict dst, const float *restrict src, size_t n)
{
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) dst[i * n + j] = src[j * n + i];
}

void bench_loop_list_8(void *const dst[], void *const src[], size_t n)
{
  for (size_t i = 0; i < n; i++) *(double *)dst[i] = *(const double *)src[i];
}

void bench_loop_block(double *restrict dst, size_t dstpitch, const double *restrict src, size_t srcpitch,
    size_t width, size_t height)
{
  for (size_t j = 0; j < height; j++)
    for (size_t i = 0; i < width; i++) dst[j * dstpitch + i] = src[j * srcpitch + i];
}

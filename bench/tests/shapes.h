/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Strided shapes, and patterns by name. */
#ifndef BENCH_TESTS_SHAPES_H
#define BENCH_TESTS_SHAPES_H
#include "loops.h"
#include "moved.h"

struct bench_pattern {
  struct bench_shape shape; /* strides of both sides are the array's */
  size_t sent, received;    /* where the sent part begins in its array, and where its destination does */
};

/* -1: there is none of that name. */
int bench_pattern_named(const char *name, struct bench_pattern *p);

/* Bytes that are moved. */
size_t bench_shape_bytes(const struct bench_shape *s);
/* Bytes from the first to behind the last. */
size_t bench_shape_extent(const struct bench_shape *s, const size_t strides[]);
/* The destination's strides without gaps. */
void bench_shape_pack(struct bench_shape *s);
/* Visits the rows of the side that has these strides and begins at `at`. */
void bench_shape_visit(
    const struct bench_shape *s, const size_t strides[], size_t at, bench_visit_fn visit, void *arg);
#endif

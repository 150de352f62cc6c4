/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The strided transfer that is measured, between node 0's own memory and its partner's segment, by the
 * library and by bare loops. */
#ifndef BENCH_TESTS_BLOCK_H
#define BENCH_TESTS_BLOCK_H
#include "shapes.h"

/* Chooses the transfer. there, here: offsets at which the blocks begin in the partner's segment and in
 * local memory. Returns how much memory they need. */
size_t bench_block_set(const struct bench_shape *s, int get, size_t there, size_t here);
/* Called on all nodes after bench_block_set; returns 0. loops_anyway: where the partner's segment is not
 * mapped, bare loops use other memory. */
int bench_block_prepare(int loops_anyway);
const char *bench_block_check(void);

/* Series: the library's ... */
void bench_block_move(long n);
void bench_block_put_rows(long n); /* each row a put of its own, all in flight together */
void bench_block_plan(long n);     /* a plan that is started and synced */
/* ... and bare ones. */
void bench_block_loop_elements(long n);
void bench_block_loop_rows(long n);
void bench_block_loop_block(long n); /* of one level, inlined */
#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The procedures in Fortran. Images are numbered from 1. */
#ifndef BENCH_CAF_FORTRAN_H
#define BENCH_CAF_FORTRAN_H
#include <stdbool.h>
#include <stddef.h>

#include "../engine/places.h"

/* node.f90 */
void bench_caf_images(int *this_image, int *images);
void *bench_caf_memory(size_t nbytes); /* a coarray */
_Noreturn void bench_caf_leave(void);
_Noreturn void bench_caf_fail(int code);

/* For the layers: image k is node k - 1. */
static inline void bench_caf_open(int *argc, char ***argv)
{
  int image, images;
  (void)argc, (void)argv;
  bench_caf_images(&image, &images);
  bench_node.me = (unsigned)image - 1;
  bench_node.nodes = (unsigned)images;
}

/* transfers.f90 */
enum { BENCH_CAF_WORDS, BENCH_CAF_BLOCK, BENCH_CAF_GRID, BENCH_CAF_VARIABLES };
void bench_caf_variables(double *there[BENCH_CAF_VARIABLES], double *here[BENCH_CAF_VARIABLES]);
void bench_caf_complete(void);
void bench_caf_put_words(long n, int image, bool completed);
void bench_caf_get_words(long n, int image);
void bench_caf_put_block(long n, int image);
void bench_caf_get_block(long n, int image);
void bench_caf_put_column(long n, int image);
void bench_caf_get_column(long n, int image);
void bench_caf_put_row(long n, int image);
void bench_caf_get_row(long n, int image);
void bench_caf_put_square(long n, int image);
void bench_caf_get_square(long n, int image);

/* control.f90 */
void bench_caf_meet(void);
void bench_caf_meet_image(int image);
void bench_caf_post(int image);
void bench_caf_await(void);
void bench_caf_take_and_release(long n, int image);
int *bench_caf_counter(void);
void bench_caf_add(long n, int image);
void bench_caf_fetch_add(long n, int image);
void bench_caf_sums(double **scalar, double **array, double **share);
void bench_caf_sum_scalar(void);
void bench_caf_sum_block(void);
void bench_caf_allocation(void);

/* halo.f90 */
void bench_caf_squares(double **first, double **second, int *side);
void bench_caf_sweeps(int times, double *after, const double *before);
void bench_caf_steps(long n, int times, bool rows);

#endif

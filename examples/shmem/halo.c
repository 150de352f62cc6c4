/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A rod in pieces, one on each PE. Before each step the PEs put their outermost cells into the ghost cells of
 * their neighbours, and compute the cells that need no ghosts meanwhile. (../halo.c, line by line, by the
 * routines of OpenSHMEM.) */
#include <mpp/shmem.h>
#include <time.h>

#include "../options.h"

static long cells = 1000, steps = 100; /* cells on each PE */
static int me, pes;
static double *rod; /* symmetric: two rows, of which each is computed from the other in turn */

static void fail(const char *what)
{
  fprintf(stderr, "halo: PE %d: %s\n", me, what);
  shmem_global_exit(1); /* ends the job on all PEs */
}

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Cell i of a row; 0 and cells + 1 are ghosts. The address is that of this PE's own, and names those of the
 * others, too. */
static double *cell(int row, long i) { return rod + row * (cells + 2) + i; }

static void allocate(size_t bytes)
{
  rod = shmalloc(bytes);
  if (!rod) fail("no room; SMA_SYMMETRIC_SIZE sets the size of the heap");
}

/* Cell number x of the whole rod starts with temperature x, and its ends are held at 0 and at the last
 * number: the average of two neighbours is then what a cell has already, unless a ghost is wrong. */
static void fill(void)
{
  for (int r = 0; r < 2; r++) {
    double *u = cell(r, 0);
    for (long i = 0; i <= cells + 1; i++) u[i] = -1; /* also the ghosts that the neighbours will fill */
    for (long i = 1; i <= cells; i++) u[i] = (double)(me * cells + i);
    if (me == 0) u[0] = 0;
    if (me == pes - 1) u[cells + 1] = (double)(pes * cells + 1);
  }
}

static void step(int number)
{
  int from = number % 2, to = !from;
  double *u = cell(from, 0), *v = cell(to, 0);

  if (me > 0) shmem_double_p(cell(from, cells + 1), u[1], me - 1);
  if (me < pes - 1) shmem_double_p(cell(from, 0), u[cells], me + 1);
  for (long i = 2; i < cells; i++) v[i] = (u[i - 1] + u[i + 1]) / 2;

  shmem_barrier_all(); /* my puts have arrived, and everybody's */
  v[1] = (u[0] + u[2]) / 2;
  v[cells] = (u[cells - 1] + u[cells + 1]) / 2;
}

int main(int argc, char **argv)
{
  static const struct option options[] = {{"cells", &cells, 1, 10000000, "cells on each PE"},
      {"steps", &steps, 1, 1000000, "steps"}, {NULL, NULL, 0, 0, NULL}};
  start_pes(0);
  me = _my_pe(), pes = _num_pes();
  int code = options_read(
      argc, argv, "oshrun -np N", "Exchanges ghost cells, and checks all cells.", options, me == 0);
  if (code >= 0) {
    shmem_barrier_all(); /* PE 0 has said why */
    return code;
  }
  allocate(2 * (size_t)(cells + 2) * sizeof(double));
  fill();
  shmem_barrier_all(); /* no put may come before the fill */

  double start = now();
  for (int number = 0; number < steps; number++) step(number);
  double seconds = now() - start;

  const double *u = cell((int)(steps % 2), 0);
  for (long i = 1; i <= cells; i++)
    if (u[i] != (double)(me * cells + i)) fail("a cell is wrong");
  shmem_barrier_all(); /* no PE has failed */
  if (me == 0) printf("%ld cells on %d PEs, %ld steps: right\n", cells * pes, pes, steps);
  if (me == 0) printf("%.3f us a step\n", seconds / (double)steps * 1e6);
  shfree(rod);
  return 0;
}

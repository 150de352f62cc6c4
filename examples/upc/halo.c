/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A rod in pieces, one on each thread. Before each step the threads put their outermost cells into the ghost
 * cells of their neighbours, and compute the cells that need no ghosts meanwhile. (../halo.c, line by line,
 * by the calls of the UPC library.) */
#include <upc_memory.h>
#include <time.h>

#include "../options.h"

static long cells = 1000, steps = 100; /* cells on each thread */
static int me, threads;
static upc_pts_t rod; /* a block of each thread: two rows, of which each is computed from the other in turn */

static void fail(const char *what)
{
  fprintf(stderr, "halo: thread %d: %s\n", me, what);
  upc_global_exit(1); /* ends the job on all threads */
}

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Cell i of a row; 0 and cells + 1 are ghosts. The pointer-to-shared is the same on all threads. */
static upc_pts_t cell(int thread, int row, long i)
{
  return upc_pts_add(rod, (2 * thread + row) * (cells + 2) + i, 2 * (size_t)(cells + 2), sizeof(double));
}

static void allocate(size_t bytes)
{
  rod = upc_all_alloc((size_t)threads, bytes); /* where there is no room, it says so and ends the job */
}

/* Cell number x of the whole rod starts with temperature x, and its ends are held at 0 and at the last
 * number: the average of two neighbours is then what a cell has already, unless a ghost is wrong. */
static void fill(void)
{
  for (int r = 0; r < 2; r++) {
    double *u = upc_cast(cell(me, r, 0));
    for (long i = 0; i <= cells + 1; i++) u[i] = -1; /* also the ghosts that the neighbours will fill */
    for (long i = 1; i <= cells; i++) u[i] = (double)(me * cells + i);
    if (me == 0) u[0] = 0;
    if (me == threads - 1) u[cells + 1] = (double)(threads * cells + 1);
  }
}

static void step(int number)
{
  int from = number % 2, to = !from;
  double *u = upc_cast(cell(me, from, 0)), *v = upc_cast(cell(me, to, 0));
  upc_handle_t sent[2] = {UPC_COMPLETE_HANDLE, UPC_COMPLETE_HANDLE};

  if (me > 0) sent[0] = upc_memput_async(cell(me - 1, from, cells + 1), &u[1], sizeof *u);
  if (me < threads - 1) sent[1] = upc_memput_async(cell(me + 1, from, 0), &u[cells], sizeof *u);
  for (long i = 2; i < cells; i++) v[i] = (u[i - 1] + u[i + 1]) / 2;

  upc_waitsync_all(sent, 2); /* my puts have arrived */
  upc_barrier(number);       /* so have everybody's */
  v[1] = (u[0] + u[2]) / 2;
  v[cells] = (u[cells - 1] + u[cells + 1]) / 2;
}

int main(int argc, char **argv)
{
  static const struct option options[] = {{"cells", &cells, 1, 10000000, "cells on each thread"},
      {"steps", &steps, 1, 1000000, "steps"}, {NULL, NULL, 0, 0, NULL}};
  upc_init(&argc, &argv);
  me = MYTHREAD, threads = THREADS;
  int code = options_read(
      argc, argv, "gasnetrun -n N", "Exchanges ghost cells, and checks all cells.", options, me == 0);
  if (code >= 0) {
    upc_barrier(); /* thread 0 has said why */
    return code;
  }
  allocate(2 * (size_t)(cells + 2) * sizeof(double));
  fill();
  upc_barrier(); /* no put may come before the fill */

  double start = now();
  for (int number = 0; number < steps; number++) step(number);
  double seconds = now() - start;

  const double *u = upc_cast(cell(me, (int)(steps % 2), 0));
  for (long i = 1; i <= cells; i++)
    if (u[i] != (double)(me * cells + i)) fail("a cell is wrong");
  upc_barrier(); /* no thread has failed */
  if (me == 0) printf("%ld cells on %d threads, %ld steps: right\n", cells * threads, threads, steps);
  if (me == 0) printf("%.3f us a step\n", seconds / (double)steps * 1e6);
  upc_finalize();
  return 0;
}

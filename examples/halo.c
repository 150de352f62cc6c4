/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The second program: a rod in pieces, one on each node. Before each step the nodes put their outermost cells
 * into the ghost cells of their neighbours, and compute the cells that need no ghosts meanwhile. (upc/halo.c
 * and shmem/halo.c: line by line the same.) */
#define GASNET_SEQ 1
#include <gasnet.h>
#include <time.h>

#include "options.h"

static long cells = 1000, steps = 100; /* cells on each node */
static gasnet_node_t me, nodes;
/* Of each node: two rows, of which each is computed from the other in turn. */
static gasnet_seginfo_t *segment;

static void fail(const char *what)
{
  fprintf(stderr, "halo: node %d: %s\n", (int)me, what);
  gasnet_exit(1); /* ends the job on all nodes */
}

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Cell i of a row; 0 and cells + 1 are ghosts. The address is valid on that node, and in puts and gets to it.
 */
static double *cell(gasnet_node_t node, int row, long i)
{
  return (double *)segment[node].addr + row * (cells + 2) + i;
}

static void attach(uintptr_t bytes)
{
  uintptr_t size = (bytes + GASNET_PAGESIZE - 1) / GASNET_PAGESIZE * GASNET_PAGESIZE;
  if (gasnet_attach(NULL, 0, size, 0) != GASNET_OK) fail("cannot attach");
  segment = malloc(nodes * sizeof *segment);
  if (!segment) fail("no memory");
  gasnet_getSegmentInfo(segment, (int)nodes);
}

/* Cell number x of the whole rod starts with temperature x, and its ends are held at 0 and at the last
 * number: the average of two neighbours is then what a cell has already, unless a ghost is wrong. */
static void fill(void)
{
  for (int r = 0; r < 2; r++) {
    double *u = cell(me, r, 0);
    for (long i = 0; i <= cells + 1; i++) u[i] = -1; /* also the ghosts that the neighbours will fill */
    for (long i = 1; i <= cells; i++) u[i] = (double)(me * cells + i);
    if (me == 0) u[0] = 0;
    if (me == nodes - 1) u[cells + 1] = (double)(nodes * cells + 1);
  }
}

static void step(int number)
{
  int from = number % 2, to = !from;
  double *u = cell(me, from, 0), *v = cell(me, to, 0);
  gasnet_handle_t sent[2] = {GASNET_INVALID_HANDLE, GASNET_INVALID_HANDLE};

  if (me > 0) sent[0] = gasnet_put_nb_bulk(me - 1, cell(me - 1, from, cells + 1), &u[1], sizeof *u);
  if (me < nodes - 1) sent[1] = gasnet_put_nb_bulk(me + 1, cell(me + 1, from, 0), &u[cells], sizeof *u);
  for (long i = 2; i < cells; i++) v[i] = (u[i - 1] + u[i + 1]) / 2;

  gasnet_wait_syncnb_all(sent, 2);                             /* my puts have arrived */
  if (gasnet_barrier(number, 0) != GASNET_OK) fail("barrier"); /* so have everybody's */
  v[1] = (u[0] + u[2]) / 2;
  v[cells] = (u[cells - 1] + u[cells + 1]) / 2;
}

int main(int argc, char **argv)
{
  static const struct option options[] = {{"cells", &cells, 1, 10000000, "cells on each node"},
      {"steps", &steps, 1, 1000000, "steps"}, {NULL, NULL, 0, 0, NULL}};
  if (gasnet_init(&argc, &argv) != GASNET_OK) return 1;
  me = gasnet_mynode(), nodes = gasnet_nodes();
  int code = options_read(
      argc, argv, "gasnetrun -n N", "Exchanges ghost cells, and checks all cells.", options, me == 0);
  attach(code < 0 ? 2 * (uintptr_t)(cells + 2) * sizeof(double) : 0);
  if (code < 0) fill();
  gasnet_barrier(0, GASNET_BARRIERFLAG_ANONYMOUS); /* no put may come before the fill */
  if (code >= 0) gasnet_exit(code);

  double start = now();
  for (int number = 0; number < steps; number++) step(number);
  double seconds = now() - start;

  const double *u = cell(me, (int)(steps % 2), 0);
  for (long i = 1; i <= cells; i++)
    if (u[i] != (double)(me * cells + i)) fail("a cell is wrong");
  gasnet_barrier(0, GASNET_BARRIERFLAG_ANONYMOUS); /* no node has failed */
  if (me == 0) printf("%ld cells on %d nodes, %ld steps: right\n", cells * (long)nodes, (int)nodes, steps);
  if (me == 0) printf("%.3f us a step\n", seconds / (double)steps * 1e6);
  gasnet_exit(0);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A square matrix in rows, equally many on each node; its transpose is distributed alike. Each node puts one
 * block to each other node, and the blocks are turned on the way. */
#define GASNET_SEQ 1
#include "job.h"

static long rows = 96; /* on each node */
static size_t n;       /* rows and columns of all */

/* Row i on a node, of the matrix (0) or the result (1): the two lie one behind the other in each segment. */
static double *row(gasnet_node_t node, int which, size_t i)
{
  return (double *)segment[node].addr + ((size_t)which * (size_t)rows + i) * n;
}

/* Each element says where it is at first. */
static double value(size_t i, size_t j) { return (double)(i * n + j); }

static void fill(void)
{
  for (size_t i = 0; i < (size_t)rows; i++)
    for (size_t j = 0; j < n; j++) row(me, 0, i)[j] = value(me * (size_t)rows + i, j);
}

/* My rows of the columns that become rows of node `to`. Element (i, j) of the block lies at i * srcstrides[0]
 * + j * srcstrides[1] here, and at i * dststrides[0] + j * dststrides[1] there. */
static gasnet_handle_t send_block(gasnet_node_t to)
{
  const ptrdiff_t along = sizeof(double), across = (ptrdiff_t)(n * sizeof(double));
  const ptrdiff_t dststrides[] = {along, across}, srcstrides[] = {across, along};
  const size_t m = (size_t)rows, count[] = {m, m};
  return gasnetx_puts_any_nb_bulk(
      to, row(to, 1, 0) + me * m, dststrides, row(me, 0, 0) + to * m, srcstrides, sizeof(double), count, 2);
}

static double transpose(void)
{
  gasnet_handle_t *sent = room(nodes, sizeof *sent);
  double start = now();
  for (gasnet_node_t i = 0; i < nodes; i++)
    sent[i] = send_block((me + i) % nodes); /* not all to node 0 first */
  gasnet_wait_syncnb_all(sent, nodes);
  barrier(); /* the blocks of the others have arrived */
  free(sent);
  return now() - start;
}

static void check(void)
{
  for (size_t i = 0; i < (size_t)rows; i++)
    for (size_t j = 0; j < n; j++)
      if (row(me, 1, i)[j] != value(j, me * (size_t)rows + i)) fail("element %zu of row %zu is wrong", j, i);
}

int main(int argc, char **argv)
{
  static const struct option options[] = {
      {"rows", &rows, 1, 2000, "rows on each node"}, {NULL, NULL, 0, 0, NULL}};
  join(argc, argv,
      "Transposes a square matrix whose rows are spread over the nodes, and checks each element.", options);
  n = (size_t)rows * nodes;
  attach(NULL, 0, 2 * (size_t)rows * n * sizeof(double));
  fill();
  barrier();
  double seconds = transpose();
  check();
  barrier(); /* no node has failed */
  if (me == 0) printf("%zu x %zu elements on %d nodes: transposed\n", n, n, (int)nodes);
  if (me == 0)
    printf("%.3f ms, %.3f GB/s of all nodes together\n", seconds * 1e3,
        (double)(n * n * sizeof(double)) / seconds / 1e9);
  gasnet_exit(0);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A sparse matrix times a vector that is spread over all nodes: the elements that a node's rows need,
 * wherever they are, come by one call. */
#define GASNET_SEQ 1
#include "job.h"

enum { NONZEROS = 6 }; /* entries of a row that are not 0 */

static long local = 500; /* elements of the vector, and rows, on each node */

/* A node's part of the vector. */
static double *part(gasnet_node_t node) { return segment[node].addr; }

/* Element j of the whole vector; it has no fraction, so that sums are exact. */
static double element(size_t j) { return (double)(j * j % 1009); }

/* The column of entry k in a row. */
static size_t column(size_t row, size_t k)
{
  return (row * 7919 + k * k * 104729 + k) % ((size_t)local * nodes);
}

static size_t first_row(void) { return (size_t)me * (size_t)local; }

/* Gets the element for each entry of my rows, in their order: by a list of nodes and one of addresses
 * there. */
static double *gather(void)
{
  const size_t n = (size_t)local, entries = n * NONZEROS;
  gasnet_node_t *node = room(entries, sizeof *node);
  void **from = room(entries, sizeof *from), *to;
  double *x = room(entries, sizeof *x);
  for (size_t e = 0; e < entries; e++) {
    size_t j = column(first_row() + e / NONZEROS, e % NONZEROS);
    node[e] = (gasnet_node_t)(j / n);
    from[e] = part(node[e]) + j % n;
  }
  to = x;
  gasnetx_geti_multi_bulk(1, &to, entries * sizeof *x, entries, node, from, sizeof *x);
  free(node);
  free(from);
  return x;
}

/* The entries of row i are 1, 2, ... */
static double product(const double *x, size_t i)
{
  double y = 0;
  for (size_t k = 0; k < NONZEROS; k++) y += (double)(k + 1) * x[i * NONZEROS + k];
  return y;
}

static double expected(size_t i)
{
  double y = 0;
  for (size_t k = 0; k < NONZEROS; k++) y += (double)(k + 1) * element(column(first_row() + i, k));
  return y;
}

int main(int argc, char **argv)
{
  static const struct option options[] = {
      {"rows", &local, 1, 1000000, "rows on each node"}, {NULL, NULL, 0, 0, NULL}};
  join(argc, argv,
      "Multiplies a sparse matrix and a vector that is spread over the nodes, and checks each element.",
      options);
  attach(NULL, 0, (size_t)local * sizeof(double));
  for (size_t i = 0; i < (size_t)local; i++) part(me)[i] = element(first_row() + i);
  barrier(); /* all parts of the vector are there */

  double start = now(), *x = gather(), seconds = now() - start;
  for (size_t i = 0; i < (size_t)local; i++)
    if (product(x, i) != expected(i)) fail("row %zu is wrong", i);
  free(x);
  barrier(); /* no node has failed, and none needs my part any more */
  if (me == 0) printf("%ld rows on %d nodes: right\n", local * (long)nodes, (int)nodes);
  if (me == 0) printf("%.3f us for %ld elements of node 0's rows\n", seconds * 1e6, local * NONZEROS);
  gasnet_exit(0);
}

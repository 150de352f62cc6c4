/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* An array in one large block a node becomes one in small blocks, dealt out in turn, as solvers of linear
 * equations like it. Each node moves its own share. Then node 0 collects the whole array from the small
 * blocks. */
#define GASNET_SEQ 1
#include "job.h"

static long local = 3000, block_size = 32; /* elements on each node at first; of a small block */
static void **large, **small; /* where the blocks of each node begin; the addresses are valid there */

/* Each segment: the large block, then the small ones. Of these a node may have two more than its share. */
static void find_blocks(void)
{
  attach(NULL, 0, 2 * (size_t)(local + block_size) * sizeof(double));
  large = room(nodes, sizeof *large);
  small = room(nodes, sizeof *small);
  for (gasnet_node_t i = 0; i < nodes; i++) {
    large[i] = segment[i].addr;
    small[i] = (double *)segment[i].addr + local;
  }
}

/* Element e of the whole array is e. Those of my small blocks are found by the rule of the distribution. */
static void check_small(void)
{
  const double *mine = small[me];
  const size_t size = (size_t)block_size;
  for (size_t e = 0; e < (size_t)local * nodes; e++) {
    size_t block = e / size;
    if (block % nodes == me && mine[block / nodes * size + e % size] != (double)e)
      fail("small block %zu is wrong", block);
  }
}

/* One node alone is a distribution, too: a single block, which may lie anywhere in its own memory. */
static void collect(const gasnetx_distribution_t *in_small)
{
  const size_t n = (size_t)local * nodes;
  double *whole = room(n, sizeof *whole);
  void *base = whole;
  const gasnetx_distribution_t here = {n, 1, &me, &base};
  gasnetx_reblock_bulk(&here, 0, in_small, 0, n, sizeof *whole);
  for (size_t e = 0; e < n; e++)
    if (whole[e] != (double)e) fail("the collected array is wrong");
  free(whole);
}

int main(int argc, char **argv)
{
  static const struct option options[] = {{"elements", &local, 1, 10000000, "elements on each node"},
      {"block", &block_size, 1, 10000000, "elements of a small block"}, {NULL, NULL, 0, 0, NULL}};
  join(
      argc, argv, "Deals out an array in small blocks, collects it again, and checks each element.", options);
  find_blocks();
  const size_t share = (size_t)local, first = me * share;
  for (size_t i = 0; i < share; i++) ((double *)large[me])[i] = (double)(first + i);
  barrier();

  const gasnetx_distribution_t in_large = {share, nodes, NULL, large},
                               in_small = {(size_t)block_size, nodes, NULL, small};
  double start = now();
  gasnet_handle_t moved = gasnetx_reblock_nb_bulk(&in_small, first, &in_large, first, share, sizeof(double));
  gasnet_wait_syncnb(moved); /* my share has arrived */
  barrier();                 /* so has everybody's */
  double seconds = now() - start;

  check_small();
  if (me == 0) collect(&in_small);
  barrier(); /* no node has failed, and node 0 has what it needs of mine */
  if (me == 0)
    printf(
        "%ld elements on %d nodes, in blocks of %ld: right\n", local * (long)nodes, (int)nodes, block_size);
  if (me == 0) printf("%.3f ms to deal them out\n", seconds * 1e3);
  gasnet_exit(0);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Random updates of a table that is spread over all nodes: each node adds numbers to words anywhere,
 * atomically, as fast as it can. Then each node works out, from everybody's random numbers, what its part
 * must be, and compares. */
#define GASNET_SEQ 1
#include "job.h"

static long bits = 14, updates = 4;

struct update {
  gasnet_node_t node;
  size_t at;
  uint64_t add;
};

/* Update number i of a node: every node can compute it. */
static struct update update_of(gasnet_node_t node, long i)
{
  uint64_t r = mix(((uint64_t)node << 40) + (uint64_t)i + 1);
  return (struct update){(gasnet_node_t)((r >> 32) % nodes), r & (((uint64_t)1 << bits) - 1), mix(r)};
}

static uint64_t *table(gasnet_node_t node) { return segment[node].addr; }

/* Nobody needs the old values: operations without an answer, any number of which may be under way. */
static double update_all(long count)
{
  double start = now();
  for (long i = 0; i < count; i++) {
    struct update u = update_of(me, i);
    gasnetx_atomic64_nbi(GASNETX_ADD, u.node, &table(u.node)[u.at], u.add);
  }
  gasnet_wait_syncnbi_puts(); /* mine are done */
  barrier();                  /* so are everybody's */
  return now() - start;
}

/* Subtracts all that was added here: the first values must be left. */
static void check(long count)
{
  long wrong = 0;
  for (gasnet_node_t node = 0; node < nodes; node++)
    for (long i = 0; i < count; i++) {
      struct update u = update_of(node, i);
      if (u.node == me) table(me)[u.at] -= u.add;
    }
  for (long i = 0; i < 1L << bits; i++) wrong += table(me)[i] != (uint64_t)i;
  if (wrong) fail("%ld words are wrong", wrong);
}

int main(int argc, char **argv)
{
  static const struct option options[] = {{"bits", &bits, 1, 30, "each node has 2^BITS words of the table"},
      {"updates", &updates, 1, 1000, "updates for each of these words"}, {NULL, NULL, 0, 0, NULL}};
  join(argc, argv, "Adds to random words of a table on all nodes, and checks each word.", options);
  attach(NULL, 0, sizeof(uint64_t) << bits);
  for (long i = 0; i < 1L << bits; i++) table(me)[i] = (uint64_t)i;
  barrier(); /* no update may come before */

  const long count = updates << bits;
  double seconds = update_all(count);
  check(count);
  barrier(); /* no node has failed */
  if (me == 0)
    printf("%ld updates of %ld words on %d nodes: right\n", count * (long)nodes, (1L << bits) * (long)nodes,
        (int)nodes);
  if (me == 0) printf("%.6f GUPS\n", (double)count * nodes / seconds / 1e9);
  gasnet_exit(0);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Sorting keys that are spread over all nodes. Each node sorts its own and shows some of them to everybody;
 * these samples, sorted, say where to cut, so that no node gets more than about twice its share. Then each
 * node puts what belongs to another straight to its place there. */
#define GASNET_SEQ 1
#include "job.h"

static long keys = 100000;
static uint64_t *mine; /* [keys] as they were at first */
static size_t *cut;    /* [nodes + 1] what belongs to node i begins at mine[cut[i]] */
static size_t *count;  /* [nodes * nodes] how many keys go from node i to node k: count[i * nodes + k] */

/* Where sorted keys begin in a node's segment, which has `most` places. */
static uint64_t *sorted(gasnet_node_t node) { return segment[node].addr; }
static size_t most(void) { return 2 * (size_t)keys + 3 * nodes; }

static int compare(const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}
static void sort(uint64_t *key, size_t n) { qsort(key, n, sizeof *key, compare); }

/* How many of n sorted keys are below the limit. */
static size_t below(const uint64_t *key, size_t n, uint64_t limit)
{
  size_t low = 0, high = n;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (key[middle] < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* As many samples of each node as there are nodes, at equal distances. */
static void choose_cuts(void)
{
  const size_t samples = (size_t)nodes * nodes;
  uint64_t *sample = room(nodes, sizeof *sample), *all = room(samples, sizeof *all);
  for (size_t i = 0; i < nodes; i++) sample[i] = mine[i * (size_t)keys / nodes];
  gasnetx_team_fcollect(&everybody, all, sample, nodes * sizeof *sample);
  sort(all, samples);
  cut[0] = 0, cut[nodes] = (size_t)keys;
  for (size_t i = 1; i < nodes; i++) cut[i] = below(mine, (size_t)keys, all[i * nodes]);
  free(all);
  free(sample);
}

/* Every node learns how many keys go from each node to each, and so where they lie in a segment. */
static void share_counts(void)
{
  size_t *row = room(nodes, sizeof *row);
  for (size_t i = 0; i < nodes; i++) row[i] = cut[i + 1] - cut[i];
  gasnetx_team_fcollect(&everybody, count, row, nodes * sizeof *row);
  free(row);
}

/* How many keys come to a node from those before `from`. */
static size_t arrive(gasnet_node_t to, size_t from)
{
  size_t sum = 0;
  for (size_t i = 0; i < from; i++) sum += count[i * nodes + to];
  return sum;
}

static void exchange(void)
{
  for (gasnet_node_t i = 0; i < nodes; i++) {
    gasnet_node_t to = (me + i) % nodes; /* not all to node 0 first */
    if (arrive(to, nodes) > most())
      fail("node %d would get %zu keys, but has room for %zu", (int)to, arrive(to, nodes), most());
    gasnet_put_nbi_bulk(
        to, sorted(to) + arrive(to, me), mine + cut[to], (cut[to + 1] - cut[to]) * sizeof *mine);
  }
  gasnet_wait_syncnbi_puts(); /* mine have arrived */
  barrier();                  /* so have everybody's */
}

static size_t sort_all(void)
{
  sort(mine, (size_t)keys);
  choose_cuts();
  share_counts();
  exchange();
  size_t n = arrive(me, nodes);
  sort(sorted(me), n);
  return n;
}

/* ---- check: keys are mix(0), mix(1), ... of all nodes, and mix can be undone ---- */

static uint64_t unmix(uint64_t x)
{
  uint64_t inverse = 1;
  for (int i = 0; i < 6; i++)
    inverse *= 2 - 0x9e3779b97f4a7c15u * inverse; /* each step doubles the bits that are right */
  x = (x ^ x >> 32) * inverse;
  x = (x ^ x >> 32) * inverse;
  return x ^ x >> 32;
}

/* The result is right if keys ascend everywhere, each was there before, and there are as many. */
static void check(size_t n)
{
  struct ends {
    uint64_t any, first, last;
  } my = {n > 0, n ? sorted(me)[0] : 0, n ? sorted(me)[n - 1] : 0}, *all = room(nodes, sizeof *all);
  for (size_t i = 0; i < n; i++) {
    if (i > 0 && sorted(me)[i] <= sorted(me)[i - 1]) fail("keys do not ascend");
    if (unmix(sorted(me)[i]) >= (uint64_t)keys * nodes) fail("a key is none of those that there were");
  }
  gasnetx_team_fcollect(&everybody, all, &my, sizeof my);
  for (size_t i = 0; i < me; i++)
    if (my.any && all[i].any && all[i].last >= my.first) fail("keys of node %zu should be here or after", i);
  if (total((long)n) != keys * (long)nodes) fail("there are not as many keys as before");
  free(all);
}

int main(int argc, char **argv)
{
  static const struct option options[] = {
      {"keys", &keys, 1, 10000000, "keys of each node"}, {NULL, NULL, 0, 0, NULL}};
  join(argc, argv,
      "Sorts 64-bit keys that are spread over all nodes, and checks that all are there, in order.", options);
  mine = room((size_t)keys, sizeof *mine);
  cut = room((size_t)nodes + 1, sizeof *cut);
  count = room((size_t)nodes * nodes, sizeof *count);
  attach(NULL, 0, most() * sizeof *mine);
  for (long i = 0; i < keys; i++) mine[i] = mix((uint64_t)me * (uint64_t)keys + (uint64_t)i);
  barrier();

  double start = now();
  size_t n = sort_all();
  barrier(); /* all have sorted */
  double seconds = now() - start;
  check(n);
  barrier(); /* no node has failed */
  size_t largest = 0;
  for (gasnet_node_t i = 0; i < nodes; i++) largest = arrive(i, nodes) > largest ? arrive(i, nodes) : largest;
  if (me == 0) printf("%ld keys on %d nodes: sorted\n", keys * (long)nodes, (int)nodes);
  if (me == 0)
    printf("%.3f million keys a second; the largest part is %.2f times the average\n",
        (double)keys * nodes / seconds / 1e6, (double)largest / (double)keys);
  gasnet_exit(0);
}

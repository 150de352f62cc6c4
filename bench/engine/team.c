/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What nodes tell each other; the nodes of an OpenSHMEM worker are its PEs. */
#include "engine.h"

#include <gasnet.h>
#include <gasnetx.h>

static gasnetx_nodes_t all_nodes(void) { return (gasnetx_nodes_t){0, 1, (gasnet_node_t)bench_node.nodes}; }

void bench_tell(void *data, size_t nbytes)
{
  const gasnetx_nodes_t all = all_nodes();
  gasnetx_team_broadcast(&all, 0, data, data, nbytes, 0);
}

static void keep_greater(void *inout, const void *in, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (((const double *)in)[i] > ((double *)inout)[i]) ((double *)inout)[i] = ((const double *)in)[i];
}

double bench_most(double v)
{
  const gasnetx_nodes_t all = all_nodes();
  double greatest;
  gasnetx_team_reduce(&all, &greatest, &v, 1, sizeof v, keep_greater);
  return greatest;
}

static void add_words(void *inout, const void *in, size_t n)
{
  for (size_t i = 0; i < n; i++) ((uint64_t *)inout)[i] += ((const uint64_t *)in)[i];
}

uint64_t bench_sum(uint64_t mine)
{
  const gasnetx_nodes_t all = all_nodes();
  uint64_t sum;
  gasnetx_team_reduce(&all, &sum, &mine, 1, sizeof mine, add_words);
  return sum;
}

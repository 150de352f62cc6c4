/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "teams/cost.h"

#include "core/job.h"
#include "support/integers.h"

struct pst_collcost pst_collcost;

/* Measured over tcp with libfabric, by more processes than cores: a message then takes more time of the
 * processors at its two ends than it is on its way. Networks with devices of their own are faster in all. */
static const struct pst_collcost over_network = {
    .latency = 10000, .message = 12000, .kb = 1000, .near = 300, .near_kb = 60};
static const struct pst_collcost over_memory = {
    .latency = 1000, .message = 300, .kb = 120, .near = 300, .near_kb = 60};

void pst_collcost_constants(int network, struct pst_collcost *k)
{
  const char *text = pst_env_string(&pst_teams_env.cost);
  *k = network ? over_network : over_memory;
  if (text) pst_parse_fields(text, pst_collcost_fields, PST_COLLCOST_FIELDS, k);
}

void pst_collcost_open(void) { pst_collcost_constants(pst_job.network != NULL, &pst_collcost); }

/* Nanoseconds. Whole numbers, which come out the same on all processors. */
typedef unsigned __int128 cost_t;

static unsigned rounds_of(unsigned n)
{
  unsigned rounds = 0;
  while (rounds < 32 && UINT64_C(1) << rounds < n) rounds++;
  return rounds;
}

static cost_t bytes_cost(cost_t n, uint32_t kb) { return n * kb / 1024; }

/* ---- gather and scatter ---- */

/* The root has one message for each other group, not for each member of it. A head has all shares of its
 * group once more, and a message for each. */
int pst_collcost_gather_by_heads(const struct pst_collcost *k, const struct pst_shape_of_team *t, size_t n)
{
  if (t->groups <= 1 || t->most <= 1 || n > PST_COLL_BLOCK / t->most) return 0;
  const cost_t spared = (cost_t)(t->size - t->most - (t->groups - 1)) * k->message,
               within = (cost_t)t->most * (k->near + bytes_cost(n, k->near_kb));
  return within < spared;
}

/* ---- all-to-all ---- */

/* Each of a group's members sends size - most messages, and all of them share the way to other groups. */
static cost_t alltoall_direct(const struct pst_collcost *k, const struct pst_shape_of_team *t, size_t n)
{
  return k->latency + (cost_t)(t->size - t->most) * (k->message + bytes_cost((cost_t)n * t->most, k->kb));
}

/* A head's grid has a block for each group, of a share for each pair of members. The head copies the grid
 * when it has been gathered, half of it to and from the buffers of each round, and all at the end. */
static cost_t alltoall_in_rounds(const struct pst_collcost *k, const struct pst_shape_of_team *t, cost_t grid)
{
  const cost_t within = t->most > 1 ? 2 * (cost_t)t->most * k->near : 0,
               round = (cost_t)k->latency + k->message + bytes_cost(grid / 2, k->kb);
  return rounds_of(t->groups) * (round + bytes_cost(grid, k->near_kb)) + within +
      bytes_cost(2 * grid, k->near_kb);
}

int pst_collcost_alltoall_by_heads(const struct pst_collcost *k, const struct pst_shape_of_team *t, size_t n)
{
  const cost_t grid = (cost_t)pst_least(n, PST_COLL_GRID) * t->groups * t->most * t->most;
  return t->groups > 1 && grid <= PST_COLL_GRID && alltoall_in_rounds(k, t, grid) < alltoall_direct(k, t, n);
}

/* ---- all-reduction ---- */

/* All: n bytes a round. Halves: twice as many rounds, and 2 n - 2 n / 2^rounds bytes in all of them. */
int pst_collcost_halves(const struct pst_collcost *k, unsigned rounds, size_t n)
{
  const cost_t all = rounds * (k->latency + (cost_t)k->message + bytes_cost(n, k->kb)),
               halves = 2 * rounds * (k->latency + (cost_t)k->message) +
      bytes_cost(2 * ((cost_t)n - (n >> rounds)), k->kb);
  return halves < all;
}

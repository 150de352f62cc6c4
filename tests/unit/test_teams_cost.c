/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The choices of collectives between groups: what each constant leads to, the bounds of memory, and that a
 * longer call never goes back to the algorithm of shorter ones. */
#include "teams/cost.c"

#include "tests/unit/suite.h"

static const unsigned some_groups[] = {2, 3, 4, 7, 8, 64, 100, 1024, 100000};
enum { GROUPS = sizeof some_groups / sizeof *some_groups };

static int gathers(const struct pst_collcost *k, unsigned groups, unsigned most, size_t n)
{
  return pst_collcost_alltoall_by_heads(k, &(struct pst_shape_of_team){groups * most, groups, most}, n);
}

static void test_alltoall(void)
{
  CU_ASSERT(gathers(&over_network, 8, 1, 8));
  CU_ASSERT(gathers(&over_network, 4, 16, 8));
  CU_ASSERT_FALSE(gathers(&over_network, 1, 8, 8));
  CU_ASSERT_FALSE(gathers(&over_network, 8, 1, 64 << 10));
  CU_ASSERT_FALSE(gathers(&over_network, 8, 1, SIZE_MAX));
  /* Messages that cost nothing need not be saved. */
  const struct pst_collcost no_messages = {.latency = 1, .kb = 1}, messages = {.message = 1000000};
  for (unsigned i = 1; i < GROUPS; i++) {
    CU_ASSERT_FALSE(gathers(&no_messages, some_groups[i], 1, 1024));
    CU_ASSERT_EQUAL(gathers(&messages, some_groups[i], 1, 8), some_groups[i] > 3);
  }
}

/* The grid of a head stays below its bound, whatever the constants are. */
static void test_grid(void)
{
  const struct pst_collcost messages = {.message = PST_COLLCOST_MOST};
  for (unsigned most = 1; most <= 64; most *= 4)
    for (unsigned i = 0; i < GROUPS; i++)
      for (size_t n = 1; n; n *= 2) {
        const cost_t grid = (cost_t)n * some_groups[i] * most * most;
        if (gathers(&messages, some_groups[i], most, n)) CU_ASSERT(grid <= PST_COLL_GRID);
      }
}

static int collects(unsigned groups, unsigned most, size_t n)
{
  const struct pst_shape_of_team t = {groups * most, groups, most};
  return pst_collcost_gather_by_heads(&over_network, &t, n);
}

static void test_gather(void)
{
  CU_ASSERT(collects(2, 2, 8));
  CU_ASSERT(collects(1000, 64, 8));
  CU_ASSERT_FALSE(collects(1, 64, 8)); /* there is nobody else */
  CU_ASSERT_FALSE(collects(64, 1, 8)); /* heads are all there is */
  CU_ASSERT_FALSE(collects(2, 2, 1 << 20));
  CU_ASSERT_FALSE(collects(100000, 64, SIZE_MAX));
  for (size_t n = 1; n; n *= 2)
    if (collects(100000, 64, n)) CU_ASSERT(n * 64 <= PST_COLL_BLOCK);
}

static void test_fold(void)
{
  const struct pst_collcost no_bytes = {.latency = 1000}, no_latency = {.kb = 1024};
  for (unsigned rounds = 0; rounds < 20; rounds++) {
    CU_ASSERT_FALSE(pst_collcost_halves(&no_bytes, rounds, SIZE_MAX));
    CU_ASSERT_EQUAL(pst_collcost_halves(&no_latency, rounds, (size_t)1 << 30), rounds > 1);
    CU_ASSERT_FALSE(pst_collcost_halves(&over_network, rounds, 8));
  }
  CU_ASSERT(pst_collcost_halves(&over_network, 3, 1 << 20));
}

/* Each choice changes once as the length grows. */
static void test_monotone(void)
{
  for (unsigned i = 0; i < GROUPS; i++) {
    int before[3] = {0};
    for (size_t n = 1; n <= (size_t)1 << 40; n += n / 3 + 1) {
      const struct pst_collcost *k = &over_network;
      const int now[3] = {!gathers(k, some_groups[i], 1, n), pst_collcost_halves(k, i + 1, n),
          !collects(some_groups[i], 8, n)};
      for (int c = 0; c < 3; c++) CU_ASSERT(now[c] >= before[c]);
      memcpy(before, now, sizeof now);
    }
  }
}

int main(void)
{
  static const struct unit_test tests[] = {
      {"all-to-all", test_alltoall},
      {"the grid", test_grid},
      {"gather and scatter", test_gather},
      {"all-reduction", test_fold},
      {"one change each", test_monotone},
  };
  return RUN_SUITE("teams_cost", tests);
}

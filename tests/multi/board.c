/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Which teams have a board in shared memory: those of the library and those that are made, until they are
 * destroyed. Collectives give the same without.
 *   --none   the processes cannot open each other's files, so there are no boards */
#include <gasnetx.h>

#include "common.h"

static int expected; /* each team has one */

static int boards(void)
{
  FILE *f = fopen("/proc/self/maps", "r");
  char line[512];
  int n = 0;
  REQUIRE(f != NULL, "no /proc/self/maps");
  while (fgets(line, sizeof line, f)) n += strstr(line, "penstock-board") != NULL;
  fclose(f);
  return n;
}

static int shares_memory(void)
{
  gasnet_nodeinfo_t *info = (gasnet_nodeinfo_t *)calloc(test.nodes, sizeof *info);
  unsigned near = 0;
  REQUIRE(info && gasnet_getNodeInfo(info, (int)test.nodes) == GASNET_OK, "gasnet_getNodeInfo");
  for (gasnet_node_t i = 0; i < test.nodes; i++) near += info[i].supernode == info[test.me].supernode;
  free(info);
  return near > 1;
}

static void sums(gasnetx_team_t t)
{
  const gasnetx_reduction_t sum = {.type = GASNETX_TYPE_UINT32, .op = GASNETX_OP_SUM};
  for (uint32_t i = 0; i < 100; i++) {
    uint32_t x[2] = {gasnetx_team_rank(t) + i, 1};
    const uint32_t n = gasnetx_team_size(t);
    gasnetx_coll_allreduce(t, x, x, 2, &sum);
    CHECK(x[0] == n * (n - 1) / 2 + n * i && x[1] == n, "sum %u is %u of %u", i, x[0], x[1]);
    gasnetx_coll_barrier(t);
  }
}

int main(int argc, char **argv)
{
  test_init("board", &argc, &argv);
  const int none = argc > 1 && strcmp(argv[1], "--none") == 0;
  test_attach(NULL, 0, GASNET_PAGESIZE);
  expected = !none && shares_memory();
  CHECK(boards() == 2 * expected, "%d boards at the start", boards());
  for (int i = 0; i < 20; i++) {
    gasnetx_team_t t = gasnetx_team_duplicate(GASNET_TEAM_ALL);
    CHECK(boards() == 3 * expected, "%d boards with a team", boards());
    sums(t);
    gasnetx_team_destroy(t);
    CHECK(boards() == 2 * expected, "%d boards without the team", boards());
  }
  sums(GASNET_TEAM_ALL);
  const gasnetx_nodes_t list = {.first = 0, .stride = 1, .count = test.nodes};
  for (int i = 0; i < 100; i++) gasnetx_team_barrier(&list);
  test_finish();
}

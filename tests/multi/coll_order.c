/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Blocking calls of three teams of two nodes in a circle: node 0 sends node 1 more than a lane holds, while
 * node 1 waits for node 2, and node 2 for node 0. Node 1 has to make room. How many messages were taken
 * before shifts what each knows of the lane. */
#include "common.h"

#include <gasnetx.h>

enum { BEFORE = 9, MANY = 20 };

static gasnetx_team_t with_next, with_last; /* teams of this node and the next one, or the one before */

static void broadcasts(gasnetx_team_t team, gasnet_node_t root, unsigned n, uint64_t key)
{
  for (unsigned i = 0; i < n; i++) {
    const uint64_t given = key + i;
    uint64_t got = 0;
    gasnetx_coll_broadcast(team, &got, root, &given, sizeof given);
    CHECK(got == key + i, "broadcast %u gave %llu", i, (unsigned long long)got);
  }
}

static void circle(unsigned before)
{
  if (test.me == 0) broadcasts(with_next, 0, before, 100);
  if (test.me == 1) broadcasts(with_last, 0, before, 100);
  test_barrier();
  if (test.me == 0) {
    broadcasts(with_next, 0, MANY, 1000);
    broadcasts(with_last, 1, 1, 3000);
  } else if (test.me == 1) {
    broadcasts(with_next, 1, 1, 2000);
    broadcasts(with_last, 0, MANY, 1000);
  } else {
    broadcasts(with_next, 1, 1, 3000);
    broadcasts(with_last, 1, 1, 2000);
  }
  test_barrier();
}

int main(int argc, char **argv)
{
  test_start("coll_order", &argc, &argv, NULL, 0, GASNET_PAGESIZE);
  REQUIRE(test.nodes == 3, "it is for 3 nodes");
  const gasnet_node_t next = (test.me + 1) % 3, last = (test.me + 2) % 3;
  const gasnet_node_t behind[] = {test.me, next}, ahead[] = {last, test.me};
  if (test.me == 0) with_next = gasnetx_team_create(behind, 2);
  with_last = gasnetx_team_create(ahead, 2);
  if (test.me != 0) with_next = gasnetx_team_create(behind, 2);
  for (unsigned before = 0; before < BEFORE; before++) circle(before);
  gasnetx_team_destroy(with_next);
  gasnetx_team_destroy(with_last);
  test_finish();
}

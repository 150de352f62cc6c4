/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Broadcasts so long that each member of a group copies a part of the data for all others: between memory
 * that all can reach, and where one has memory that the others cannot. */
#include "common.h"
#include "gasnetx.h"

#define LONG ((size_t)512 << 10) /* teams/broadcast_plan.c */
#define ROOM (LONG + 8192 + 2 * TEST_GUARD)

enum { FROM_ELSEWHERE = 1, TO_ELSEWHERE = 2, IN_PLACE = 4, LATER = 8 };

static void one(gasnet_node_t root, size_t n, unsigned how, uint64_t key)
{
  char *const own = (char *)malloc(ROOM);
  REQUIRE(own, "no memory");
  char *const src = how & FROM_ELSEWHERE ? own + TEST_GUARD : seg_at(test.me, TEST_GUARD);
  /* of the nodes that receive, one alone has memory of its own */
  const int elsewhere = how & TO_ELSEWHERE && test.me == (root + 1) % test.nodes;
  char *const other = elsewhere ? own + TEST_GUARD : seg_at(test.me, ROOM + TEST_GUARD);
  char *const dst = how & IN_PLACE && test.me == root ? src : other;
  if (dst != src) guard_open(dst, n);
  if (test.me == root) pattern_fill(src, n, key);
  test_barrier();
  if (how & LATER) gasnet_wait_syncnb(gasnetx_coll_broadcast_nb(GASNET_TEAM_ALL, dst, root, src, n));
  else gasnetx_coll_broadcast(GASNET_TEAM_ALL, dst, root, src, n);
  if (dst != src) CHECK_BLOCK(dst, n, key, "a long broadcast");
  if (test.me == root) CHECK_PATTERN(src, n, key, "the root's source");
  test_barrier();
  free(own);
}

int main(int argc, char **argv)
{
  static const size_t lengths[] = {LONG - 1, LONG, LONG + 1, LONG + 4097};
  static const unsigned ways[] = {0, FROM_ELSEWHERE, TO_ELSEWHERE, IN_PLACE, LATER, LATER | TO_ELSEWHERE};
  test_start("coll_long", &argc, &argv, NULL, 0, 2 * ROOM);
  for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++)
    one(i % test.nodes, lengths[i % 4], ways[i], test_key(11, i, 0));
  test_finish();
}

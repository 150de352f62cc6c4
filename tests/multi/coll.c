/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The collectives that ordinary clients use: broadcast from every root, any size, to and from any memory. */
#include "common.h"

#define MOST ((size_t)1 << 20)
static const int flags_in[] = {GASNET_COLL_IN_ALLSYNC, GASNET_COLL_IN_MYSYNC, GASNET_COLL_IN_NOSYNC};
static const int flags_out[] = {GASNET_COLL_OUT_ALLSYNC, GASNET_COLL_OUT_MYSYNC, GASNET_COLL_OUT_NOSYNC};

static void one(gasnet_node_t root, size_t n, char *dst, char *src, int flags, uint64_t key, int loose)
{
  guard_open(dst, n);
  memset(src, 0x77, n);
  if (test.me == root) pattern_fill(src, n, key);
  if (loose) test_barrier(); /* without synchronisation at entry the caller must do it */
  gasnet_coll_broadcast(GASNET_TEAM_ALL, dst, root, src, n, GASNET_COLL_LOCAL | flags);
  if (loose) test_barrier();
  CHECK_BLOCK(dst, n, key, "broadcast");
  if (test.me == root) CHECK_PATTERN(src, n, key, "the root's source");
  else CHECK(bytes_bad(src, n, 0x77) == n, "broadcast wrote the source of another node than the root");
}

int main(int argc, char **argv)
{
  static char in_data[MOST / 8 + 2 * TEST_GUARD];
  test_start("coll", &argc, &argv, NULL, 0, MOST + 4 * TEST_GUARD);
  gasnet_coll_init(0, 0, 0, 0, 0);
  char *heap = (char *)malloc(2 * MOST + 6 * TEST_GUARD), *src = heap, *dst = heap + MOST + 3 * TEST_GUARD;
  REQUIRE(heap, "no memory");
  struct rng r;
  rng_init(&r, test_key(7, 0, 0)); /* the same on all nodes */
  const int all = GASNET_COLL_IN_ALLSYNC | GASNET_COLL_OUT_ALLSYNC;
  size_t most = test.nodes <= 16 ? MOST : MOST / 16, few = test.nodes <= 16 ? 70 : 20;
  for (size_t n = 0; n < few; n++)
    one((gasnet_node_t)(n % test.nodes), n, dst + n % 8, src + n % 3, all, rng_next(&r), 0);
  for (size_t p = 128; p <= most; p *= 2) {
    gasnet_node_t root = (gasnet_node_t)rng_below(&r, test.nodes);
    one(root, p, dst, src, all, rng_next(&r), 0);
    one(root, p - 1, dst + 1, src + 7, all, rng_next(&r), 0);
    one(root, p, seg_at(test.me, TEST_GUARD), src, all, rng_next(&r), 0); /* into the segment */
    if (p <= sizeof in_data - 2 * TEST_GUARD) one(root, p, in_data + TEST_GUARD, src, all, rng_next(&r), 0);
  }
  for (size_t i = 0; i < test_scaled(test.nodes <= 16 ? 100 : 20); i++) {
    size_t in = rng_below(&r, 3), out = rng_below(&r, 3), n = rng_size(&r, 20000);
    one((gasnet_node_t)rng_below(&r, test.nodes), n, dst, src, flags_in[in] | flags_out[out], rng_next(&r),
        in || out);
  }
  /* Many in a row, one value each: none may overtake another. */
  for (unsigned i = 0; i < test_scaled(test.nodes <= 8 ? 500 : 50); i++) {
    unsigned mine = test.me == i % test.nodes ? i : ~0u, got = ~0u;
    gasnet_coll_broadcast(GASNET_TEAM_ALL, &got, i % test.nodes, &mine, sizeof mine, GASNET_COLL_LOCAL | all);
    CHECK(got == i, "broadcast %u gave %u", i, got);
  }
  test_finish();
}

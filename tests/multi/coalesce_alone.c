/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Small implicit puts arrive although the node that made them computes and makes no more calls: a thread of
 * the network sends those that wait to travel together. The job does not end if nothing sends them. */
#include "common.h"

enum { LARGE = 65536, WORDS = 40, ROUNDS = 300, SEGMENT = 2 * LARGE };

static char large[LARGE];
static uint64_t *words(gasnet_node_t node) { return (uint64_t *)((char *)test.seg[node].addr + LARGE); }
static uint64_t value_of(uint64_t round, int i) { return round * 1000 + (uint64_t)i + 1; }

/* While the large put is under way, the words wait for each other. */
static void put_words(uint64_t round)
{
  gasnet_put_nbi_bulk(1, test.seg[1].addr, large, LARGE);
  for (int i = 0; i < WORDS; i++) {
    uint64_t value = value_of(round, i);
    gasnet_put_nbi(1, words(1) + i, &value, sizeof value);
  }
}

/* The answer is a put: it needs no call of this node. */
static void compute_until_answered(uint64_t round)
{
  volatile uint64_t x = 1;
  while (__atomic_load_n(words(0), __ATOMIC_ACQUIRE) != round)
    for (int i = 0; i < 1000; i++) x = test_mix(x);
}

static void make(uint64_t round)
{
  put_words(round);
  compute_until_answered(round);
  gasnet_wait_syncnbi_puts();
}

static int have_come(uint64_t round)
{
  for (int i = 0; i < WORDS; i++)
    if (__atomic_load_n(words(1) + i, __ATOMIC_ACQUIRE) != value_of(round, i)) return 0;
  return 1;
}

static void answer(uint64_t round)
{
  GASNET_BLOCKUNTIL(have_come(round));
  gasnet_put(0, words(0), &round, sizeof round);
}

int main(int argc, char **argv)
{
  test_start("coalesce_alone", &argc, &argv, NULL, 0, SEGMENT);
  test_no_more_options(argc, argv);
  const size_t rounds = test_scaled(ROUNDS);
  if (test.nodes != 2) test_skip("it takes 2 nodes");
  memset(test.seg[test.me].addr, 0, SEGMENT);
  test_barrier();
  for (uint64_t round = 1; round <= rounds; round++) (test.me == 0 ? make : answer)(round);
  for (int i = 0; i < WORDS && test.me == 1; i++) CHECK(words(1)[i] == value_of(rounds, i), "word %d", i);
  test_barrier();
  test_finish();
}

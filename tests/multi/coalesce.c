/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Small puts and gets with implicit handles, which may travel together: to many nodes in turn, of sizes
 * around the largest that does, among larger ones and other operations, inside and outside access regions.
 * After a sync all are complete, and nothing around them has changed. Puts of a thread that polls arrive even
 * if it never synchronises. */
#include "transfer.h"

static void sync_all(unsigned how)
{
  switch (how) {
  case 0: gasnet_wait_syncnbi_all(); break;
  case 1:
    gasnet_wait_syncnbi_puts();
    gasnet_wait_syncnbi_gets();
    break;
  case 2:
    while (gasnet_try_syncnbi_all() == GASNET_ERR_NOT_READY) test_yield();
    break;
  default:
    while (gasnet_try_syncnbi_gets() == GASNET_ERR_NOT_READY) {}
    while (gasnet_try_syncnbi_puts() == GASNET_ERR_NOT_READY) {}
  }
}

static void storm(int thread)
{
  static struct transfer all[TEST_MAX_THREADS][SLOTS];
  struct transfer *x = all[thread];
  char *mine = (char *)malloc((size_t)SLOTS * SLOT);
  struct rng r;
  rng_init(&r, test_key(test.me, (uint64_t)thread, 77));
  REQUIRE(mine, "no memory");
  for (uint64_t round = 0; round < test_scaled(40.0 / test.threads); round++) {
    const int region = rng_below(&r, 3) == 0;
    const size_t count = 1 + rng_below(&r, SLOTS);
    transfers_open(thread);
    if (region) gasnet_begin_nbi_accessregion();
    for (size_t i = 0; i < count; i++) {
      transfer_choose(&x[i], &r, thread, i, round, mine + i * SLOT);
      transfer_start(&x[i]);
    }
    if (region) gasnet_wait_syncnb(gasnet_end_nbi_accessregion());
    else sync_all((unsigned)rng_below(&r, 4));
    for (size_t i = 0; i < count; i++) transfer_check(&x[i]);
  }
  free(mine);
}

/* Words go around without a sync: each node polls until its words are there, and passes them on. */
static void pass_around(void)
{
  const gasnet_node_t next = peer_to(1);
  for (uint64_t round = 1; round <= OWN_SLOTS; round++) {
    volatile uint64_t *word = (volatile uint64_t *)(void *)seg_at(test.me, (round - 1) * SLOT);
    if (test.me != 0) GASNET_BLOCKUNTIL(word[7] == round);
    for (unsigned i = 0; i < 8; i++)
      gasnet_put_nbi_val(next, seg_at(next, (round - 1) * SLOT + 8 * i), round, 8);
    if (test.me == 0) GASNET_BLOCKUNTIL(word[7] == round);
  }
  gasnet_wait_syncnbi_puts();
  test_barrier();
  for (uint64_t i = 0; i < 8 * OWN_SLOTS; i++) {
    const uint64_t v = *(const uint64_t *)(void *)seg_at(test.me, i / 8 * SLOT + i % 8 * 8);
    CHECK(v == i / 8 + 1, "word %llu of round %llu is %llu", (unsigned long long)(i % 8),
        (unsigned long long)(i / 8 + 1), (unsigned long long)v);
  }
}

int main(int argc, char **argv)
{
  transfers_start("coalesce", &argc, &argv);
  test_threads(test.threads, storm);
  test_barrier();
  pass_around();
  test_finish();
}

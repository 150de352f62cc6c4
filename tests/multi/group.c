/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Groups: implicit operations of every kind on private and shared ones, in random turns; what each wait waits
 * for is compared by value. A thread waits for what others have begun on a shared group. */
#include "transfer.h"

enum { GROUPS = 4, STARTED = 64 };

static gasnetx_group_t shared;

/* `how`: bit 0 waits, or tests until all is complete; bit 1: gets are waited for before puts. */
static void group_sync(gasnetx_group_t g, unsigned how, unsigned what)
{
  if (how & 1) gasnetx_group_wait(g, what);
  else
    while (gasnetx_group_test(g, what) == GASNET_ERR_NOT_READY) test_yield();
}

struct grouped {
  struct transfer x;
  unsigned group;
};

/* Each wait makes a part of its group's operations complete; the order of the waits differs from that of the
 * starts. */
static void group_check(gasnetx_group_t g, unsigned number, unsigned how, const struct grouped *p)
{
  const struct grouped *const end = p + STARTED;
  group_sync(g, how, GASNETX_GROUP_LOCAL);
  for (const struct grouped *i = p; i < end; i++)
    if (i->group == number && !transfer_is_get(&i->x)) memset(i->x.here, 0x22, SLOT - 2 * TEST_GUARD);
  for (unsigned k = 0; k < 2; k++) {
    const int gets = (int)((k ^ how >> 1) & 1);
    group_sync(g, how, gets ? GASNETX_GROUP_GETS : GASNETX_GROUP_PUTS);
    for (const struct grouped *i = p; i < end; i++)
      if (i->group == number && transfer_is_get(&i->x) == gets) transfer_check(&i->x);
  }
}

/* Group 0 is the thread's own, the last one is shared by all. */
static void storm(int thread)
{
  static char memory[TEST_MAX_THREADS][STARTED][SLOT];
  gasnetx_group_t group[GROUPS] = {NULL, gasnetx_group_create(0), gasnetx_group_create(0), shared};
  struct grouped p[STARTED];
  struct rng r;
  rng_init(&r, test_key(test.me, (uint64_t)thread, 3));
  for (uint64_t round = 0; round < test_scaled(20.0 / test.threads); round++) {
    transfers_open(thread);
    for (unsigned s = 0; s < STARTED; s++) {
      p[s].group = (unsigned)rng_below(&r, GROUPS);
      transfer_choose(&p[s].x, &r, thread, s, round, memory[thread][s]);
      gasnetx_group_choose(group[p[s].group]);
      transfer_start(&p[s].x);
    }
    gasnetx_group_choose(NULL);
    const unsigned first = (unsigned)rng_below(&r, GROUPS), how = (unsigned)rng_below(&r, 4);
    for (unsigned i = 0; i < GROUPS; i++)
      group_check(group[(first + i) % GROUPS], (first + i) % GROUPS, how, p);
  }
  gasnetx_group_wait_all(GASNETX_GROUP_ALL);
  for (unsigned g = 1; g + 1 < GROUPS; g++) gasnetx_group_destroy(group[g]);
}

static void test_choose(void)
{
  gasnetx_group_t a = gasnetx_group_create(0), b = gasnetx_group_create(GASNETX_GROUP_SHARED);
  uint64_t word = 7, back = 0;
  CHECK(gasnetx_group_choose(a) == NULL, "a thread has chosen no group at first");
  gasnet_put_nbi_bulk(peer_to(1), seg_at(peer_to(1), 8 * test.me), &word, 8);
  CHECK(gasnetx_group_choose(b) == a, "choose returns the group before");
  gasnet_begin_nbi_accessregion();
  gasnet_get_nbi_bulk(&back, test.me, seg_at(test.me, 0), 8);
  gasnet_wait_syncnb(gasnet_end_nbi_accessregion());
  CHECK(gasnetx_group_test(b, GASNETX_GROUP_ALL) == GASNET_OK, "a region's operations count on the region");
  CHECK(gasnetx_group_choose(NULL) == b, "choose returns the group before");
  gasnetx_group_wait(a, GASNETX_GROUP_ALL);
  gasnet_get(&back, peer_to(1), seg_at(peer_to(1), 8 * test.me), 8);
  CHECK(back == 7, "the put reads %llu", (unsigned long long)back);
  gasnetx_group_destroy(a);
  gasnetx_group_destroy(b);
}

#ifdef GASNET_PAR
static volatile int begun, waited;

/* Thread 0 waits for what thread 1 has begun, which makes no call until then. */
static void wait_for_other(int thread)
{
  enum { MANY = 32 };
  const gasnet_node_t to = peer_to(1);
  if (thread == 1) {
    gasnetx_group_choose(shared);
    for (uint64_t i = 0; i < MANY; i++) gasnet_put_nbi_val(to, place(to, 0, (unsigned)i), i + 1, 8);
    gasnetx_group_choose(NULL);
    __atomic_store_n(&begun, 1, __ATOMIC_RELEASE);
    while (!__atomic_load_n(&waited, __ATOMIC_ACQUIRE)) test_yield();
    return;
  }
  while (!__atomic_load_n(&begun, __ATOMIC_ACQUIRE)) test_yield();
  gasnetx_group_wait(shared, GASNETX_GROUP_PUTS);
  for (uint64_t i = 0; i < MANY; i++) {
    uint64_t back;
    gasnet_get(&back, to, place(to, 0, (unsigned)i), 8);
    CHECK(back == i + 1, "another thread's put %llu reads %llu", (unsigned long long)i,
        (unsigned long long)back);
  }
  __atomic_store_n(&waited, 1, __ATOMIC_RELEASE);
}
#endif

int main(int argc, char **argv)
{
  transfers_start("group", &argc, &argv);
  shared = gasnetx_group_create(GASNETX_GROUP_SHARED);
  test_choose();
  test_barrier();
  test_threads(test.threads, storm);
  test_barrier();
#ifdef GASNET_PAR
  test_threads(2, wait_for_other);
#endif
  gasnetx_group_wait_all(GASNETX_GROUP_ALL);
  gasnetx_group_destroy(shared);
  test_finish();
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Groups: implicit operations on private and shared ones, in random turns; what each wait waits for is
 * compared by value. A thread waits for what others have begun on a shared group. */
#include "common.h"
#include <gasnetx.h>

enum { SLOT = 256, SLOTS = 64, GROUPS = 4, MOST = SLOT - 2 * TEST_GUARD };

static gasnetx_group_t shared;

static char *place(gasnet_node_t node, int thread, unsigned slot)
{
  const size_t area = (size_t)test.me * (size_t)test.threads + (size_t)thread;
  return seg_at(node, (area * SLOTS + slot) * SLOT + TEST_GUARD);
}

struct put {
  gasnet_node_t node;
  unsigned group, bulk;
  size_t n;
  uint64_t key;
  char from[SLOT];
};

static void start(struct put *p, struct rng *r, int thread, unsigned slot, uint64_t round)
{
  p->node = (gasnet_node_t)rng_below(r, test.nodes);
  p->group = (unsigned)rng_below(r, GROUPS);
  p->bulk = (unsigned)rng_below(r, 2);
  p->n = rng_below(r, 2) ? 8 : rng_below(r, MOST + 1);
  p->key = test_key(test.me, (uint64_t)thread << 32 | slot, round);
  pattern_fill(p->from, p->n, p->key);
  if (p->bulk) gasnet_put_nbi_bulk(p->node, place(p->node, thread, slot), p->from, p->n);
  else {
    gasnet_put_nbi(p->node, place(p->node, thread, slot), p->from, p->n);
    memset(p->from, 0x11, p->n);
  }
}

static void group_sync(gasnetx_group_t g, unsigned how, unsigned what)
{
  if (how == 0) gasnetx_group_wait(g, what);
  else
    while (gasnetx_group_test(g, what) == GASNET_ERR_NOT_READY) test_yield();
}

static void check(const struct put *p, int thread, unsigned slot)
{
  char back[SLOT], *there = direct_at(p->node, place(p->node, thread, slot));
  if (there) CHECK_PATTERN(there, p->n, p->key, "put at its target");
  gasnet_get_bulk(back, p->node, place(p->node, thread, slot) - TEST_GUARD, p->n + 2 * TEST_GUARD);
  CHECK_PATTERN(back + TEST_GUARD, p->n, p->key, "put on a group");
  CHECK_GUARDS(back + TEST_GUARD, p->n, "put on a group");
}

/* A slot has guards around what it will hold, and is used once a round. */
static void clean(int thread)
{
  char untouched[SLOT];
  memset(untouched, TEST_UNTOUCHED, sizeof untouched);
  for (gasnet_node_t k = 0; k < test.nodes; k++)
    for (unsigned s = 0; s < SLOTS; s++)
      gasnet_put_bulk(k, place(k, thread, s) - TEST_GUARD, untouched, SLOT);
}

/* Each group's wait makes its own puts complete; the order of the waits differs from the order of puts. */
static void one_round(gasnetx_group_t *group, struct rng *r, int thread, uint64_t round)
{
  static struct put all[TEST_MAX_THREADS][SLOTS];
  struct put *const p = all[thread];
  const unsigned first = (unsigned)rng_below(r, GROUPS), how = (unsigned)rng_below(r, 2);
  clean(thread);
  for (unsigned s = 0; s < SLOTS; s++) {
    struct rng peek = *r;
    rng_below(&peek, test.nodes);
    gasnetx_group_choose(group[rng_below(&peek, GROUPS)]);
    start(&p[s], r, thread, s, round);
  }
  gasnetx_group_choose(NULL);
  for (unsigned i = 0; i < GROUPS; i++) {
    const unsigned g = (first + i) % GROUPS;
    group_sync(group[g], how, GASNETX_GROUP_LOCAL);
    for (unsigned s = 0; s < SLOTS; s++)
      if (p[s].group == g) memset(p[s].from, 0x22, p[s].n);
    group_sync(group[g], how, GASNETX_GROUP_PUTS);
    for (unsigned s = 0; s < SLOTS; s++)
      if (p[s].group == g) check(&p[s], thread, s);
  }
}

/* Group 0 is the thread's own, the last one is shared by all. */
static void storm(int thread)
{
  gasnetx_group_t group[GROUPS] = {NULL, gasnetx_group_create(0), gasnetx_group_create(0), shared};
  struct rng r;
  rng_init(&r, test_key(test.me, (uint64_t)thread, 3));
  for (uint64_t round = 0; round < test_scaled(20.0 / test.threads); round++)
    one_round(group, &r, thread, round);
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
  test_start("group", &argc, &argv, NULL, 0, (size_t)SLOT * SLOTS * 128);
  REQUIRE((size_t)test.nodes * (size_t)test.threads <= 128, "at most 128 threads in all");
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

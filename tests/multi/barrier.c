/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Split-phase barriers: matching and mismatching names, what they order, work between the phases, messages
 * served while waiting and on return. */
#include "common.h"

#define ANON     GASNET_BARRIERFLAG_ANONYMOUS
#define MISMATCH GASNET_BARRIERFLAG_MISMATCH
enum { H_PING = 128, H_PONG, H_ROUND };
static volatile unsigned pings, pongs;

static void ping(gasnet_token_t t)
{
  pings++;
  REQUIRE_OK(gasnet_AMReplyShort0(t, H_PONG));
}
static void pong(gasnet_token_t t)
{
  (void)t;
  pongs++;
}

/* Messages of each node by the parity of their round. A node that has passed a barrier may send those of the
 * next round before this node has counted, but not those of the round after. */
static volatile unsigned *came[2];
static void round_message(gasnet_token_t t, gasnet_handlerarg_t round)
{
  gasnet_node_t from;
  REQUIRE_OK(gasnet_AMGetMsgSource(t, &from));
  came[round & 1][from]++;
}

static int try_until_ready(int id, int flags)
{
  int rc;
  while ((rc = gasnet_barrier_try(id, flags)) == GASNET_ERR_NOT_READY) test_yield();
  return rc;
}

/* how: 0 notify and wait, 1 notify and try, 2 gasnet_barrier */
static int barrier_as(int how, int id, int flags)
{
  if (how == 2) return gasnet_barrier(id, flags);
  gasnet_barrier_notify(id, flags);
  return how ? try_until_ready(id, flags) : gasnet_barrier_wait(id, flags);
}

static void test_matching(int how)
{
  static const int ids[] = {0, 1, -1, 42, INT32_MAX, INT32_MIN};
  int id;
  for (unsigned i = 0; i < sizeof ids / sizeof *ids; i++) {
    CHECK(barrier_as(how, ids[i], 0) == GASNET_OK, "named barrier %d, form %d", ids[i], how);
    id = ids[i] ^ 1;
    CHECK(gasnet_barrier_result(&id) == 0 && id == ids[i],
        "barrier_result after the named barrier %d gives %d", ids[i], id);
  }
  CHECK(barrier_as(how, (int)test.me, ANON) == GASNET_OK, "anonymous barrier, form %d",
      how); /* the id is not looked at */
  CHECK(gasnet_barrier_result(&id) != 0, "barrier_result after an anonymous barrier");
  CHECK(barrier_as(how, 0, GASNET_BARRIERFLAG_UNNAMED) == GASNET_OK, "unnamed barrier, form %d", how);
  /* One node names it, another time all but one do: anonymous matches anything. */
  int named = test.me == test.nodes - 1;
  CHECK(barrier_as(how, named ? 7 : 0, named ? 0 : ANON) == GASNET_OK, "one name among anonymous, form %d",
      how);
  id = -7;
  CHECK(gasnet_barrier_result(&id) == 0 && id == 7, "barrier_result gives %d, not the one name 7", id);
  named = test.me != 0;
  CHECK(barrier_as(how, named ? 8 : 0, named ? 0 : ANON) == GASNET_OK, "one anonymous among names, form %d",
      how);
}

static void test_mismatch(int how)
{
  for (gasnet_node_t odd = 0; odd < test.nodes; odd += 1 + test.nodes / 5) {
    int rc = barrier_as(how, 3, test.me == odd ? MISMATCH : 0);
    CHECK(rc == GASNET_ERR_BARRIER_MISMATCH, "mismatch flag at node %u: %s", (unsigned)odd,
        gasnet_ErrorName(rc));
    rc = barrier_as(how, 3, ANON | (test.me == odd ? MISMATCH : 0));
    CHECK(rc == GASNET_ERR_BARRIER_MISMATCH, "mismatch flag at node %u among anonymous: %s", (unsigned)odd,
        gasnet_ErrorName(rc));
    CHECK(barrier_as(how, 3, 0) == GASNET_OK, "the barrier after a mismatch");
    if (test.nodes > 1) {
      rc = barrier_as(how, test.me == odd ? 4 : 5, 0);
      CHECK(rc == GASNET_ERR_BARRIER_MISMATCH, "another id at node %u: %s", (unsigned)odd,
          gasnet_ErrorName(rc));
      for (int bit = 0; bit < 32; bit += 5) { /* every bit of the id counts */
        rc = barrier_as(how, (int)(test.me == odd ? 6u ^ 1u << bit : 6u), 0);
        CHECK(rc == GASNET_ERR_BARRIER_MISMATCH, "ids that differ in bit %d: %s", bit, gasnet_ErrorName(rc));
      }
      if (test.nodes > 2) {
        int anonymous = test.me != odd && test.me != (odd + 1) % test.nodes;
        rc = barrier_as(how, test.me == odd ? 4 : 5, anonymous ? ANON : 0);
        CHECK(rc == GASNET_ERR_BARRIER_MISMATCH, "two names among anonymous: %s", gasnet_ErrorName(rc));
      }
      CHECK(barrier_as(how, 0, ANON) == GASNET_OK, "the anonymous barrier after differing ids");
    }
  }
}

/* What a node may pass to a notify or a wait. */
struct word {
  int id, flags;
};
static const struct word words[] = {
    {6, 0},
    {-6, 0},
    {7, ANON},
    {8, MISMATCH},
    {9, GASNET_BARRIERFLAG_UNNAMED},
    {6, ANON | MISMATCH},
};
enum { WAIT_WORDS = sizeof words / sizeof *words }; /* the notifies take the first four */

/* The rule: a mismatch or two names fail. Else an anonymous wait passes, and so does any wait if no notify
 * has a name. Else the wait's id must be the one name. */
static int expected(const struct word *notified, struct word wait)
{
  const struct word *name = NULL;
  if (wait.flags & MISMATCH) return GASNET_ERR_BARRIER_MISMATCH;
  for (gasnet_node_t i = 0; i < test.nodes; i++) {
    if (notified[i].flags & MISMATCH) return GASNET_ERR_BARRIER_MISMATCH;
    if (notified[i].flags & ANON) continue;
    if (name && name->id != notified[i].id) return GASNET_ERR_BARRIER_MISMATCH;
    name = &notified[i];
  }
  return !name || wait.flags & ANON || wait.id == name->id ? GASNET_OK : GASNET_ERR_BARRIER_MISMATCH;
}

/* Every combination of words at the notifies of up to four nodes (the others are anonymous), with every word
 * at every node's wait. */
static void test_all_combinations(void)
{
  const gasnet_node_t speakers = test.nodes < 4 ? test.nodes : 4;
  struct word *notified = (struct word *)calloc(test.nodes, sizeof *notified);
  REQUIRE(notified, "no memory for %u words", (unsigned)test.nodes);
  for (unsigned k = 0; k < 1u << 2 * speakers; k++) {
    for (gasnet_node_t i = 0; i < test.nodes; i++) notified[i] = words[i < speakers ? k >> 2 * i & 3 : 2];
    for (unsigned turn = 0; turn < WAIT_WORDS; turn++) {
      const struct word wait = words[(turn + test.me) % WAIT_WORDS];
      gasnet_barrier_notify(notified[test.me].id, notified[test.me].flags);
      int rc = (k + turn) & 1 ? try_until_ready(wait.id, wait.flags)
                              : gasnet_barrier_wait(wait.id, wait.flags);
      CHECK(rc == expected(notified, wait), "notifies of combination %u, wait with id %d and flags %d: %s", k,
          wait.id, wait.flags, gasnet_ErrorName(rc));
    }
  }
  free(notified);
  test_barrier();
}

/* No node leaves before all have come: each node's count, read after the barrier, is at least the round's. */
static void test_order(size_t rounds)
{
  volatile uint64_t *own = (volatile uint64_t *)test.seg[test.me].addr;
  struct rng r;
  rng_init(&r, test_key(4, test.me, 0));
  for (uint64_t k = 1; k <= rounds; k++) {
    *own = k;
    if (rng_below(&r, 50) == 0)
      for (volatile int spin = 0; spin < 20000; spin++) {}
    CHECK(barrier_as((int)(k % 3), (int)k, k % 2 ? 0 : ANON) == GASNET_OK, "barrier %llu",
        (unsigned long long)k);
    gasnet_node_t who = (gasnet_node_t)rng_below(&r, test.nodes);
    uint64_t theirs = gasnet_get_val(who, test.seg[who].addr, 8);
    CHECK(theirs == k || theirs == k + 1, "after barrier %llu node %u is at %llu", (unsigned long long)k,
        (unsigned)who, (unsigned long long)theirs);
  }
  test_barrier();
}

/* Puts before the notify are seen after the wait; work between the phases does not disturb. */
static void test_split(size_t rounds)
{
  gasnet_node_t to = peer_to(1), from = peer_from(1);
  for (uint64_t k = 0; k < rounds; k++) {
    uint64_t word = test_key(test.me, k, 5), seen, other = k;
    gasnet_put(to, seg_at(to, 64 + k % 2 * 8), &word, 8);
    gasnet_barrier_notify((int)k, 0);
    gasnet_put(to, seg_at(to, 128), &other, 8); /* not ordered by this barrier */
    gasnet_get(&seen, test.me, seg_at(test.me, 0), 8);
    if (k % 16 == test.me % 16) REQUIRE_OK(gasnet_AMRequestShort0(to, H_PING));
    REQUIRE_OK(k & 1 ? try_until_ready((int)k, 0) : gasnet_barrier_wait((int)k, 0));
    memcpy(&seen, seg_at(test.me, 64 + k % 2 * 8), 8);
    CHECK(seen == test_key(from, k, 5), "the put before notify %llu is not there after wait",
        (unsigned long long)k);
  }
  test_barrier();
}

/* All but node 0 wait in a barrier that node 0 does not join until they have answered its requests. */
static void test_served_while_waiting(int how)
{
  test_barrier();
  unsigned expect = pongs + 20 * test.nodes;
  if (test.me == 0) {
    for (unsigned k = 0; k < 20; k++)
      for (gasnet_node_t i = 0; i < test.nodes; i++) REQUIRE_OK(gasnet_AMRequestShort0(i, H_PING));
    GASNET_BLOCKUNTIL(pongs >= expect);
  }
  CHECK(barrier_as(how, 99, 0) == GASNET_OK, "barrier while messages are served");
}

/* Whether messages between the two go through shared memory: then all that was sent before the sender's
 * barrier has arrived when the barrier is released. A network may bring it later. */
static int shares_memory(const gasnet_nodeinfo_t *info, gasnet_node_t peer)
{
  const char *conduit = gasnet_getenv("GASNET_CONDUIT");
  if (info[peer].supernode == info[test.me].supernode) return 1;
  for (gasnet_node_t i = 0; i < test.nodes; i++)
    if (info[i].host != info[0].host) return 0;
  return !conduit || !strcmp(conduit, "smp") || !strcmp(conduit, "auto");
}

/* One message to each peer, then a barrier: when it returns, the messages that had arrived are served. Fewer
 * rounds where some go by a network. */
static void test_served_on_return(size_t rounds)
{
  unsigned missing = 0, late = 0;
  gasnet_nodeinfo_t *info = (gasnet_nodeinfo_t *)calloc(test.nodes, sizeof *info);
  REQUIRE_OK(gasnet_getNodeInfo(info, (int)test.nodes));
  for (gasnet_node_t i = 0; i < test.nodes; i++)
    if (!shares_memory(info, i) && rounds > 300) rounds = 300;
  for (unsigned k = 0; k < rounds; k++) {
    volatile unsigned *from = came[k & 1];
    for (gasnet_node_t r = 1; r < test.nodes; r++)
      REQUIRE_OK(gasnet_AMRequestShort1(peer_to(r), H_ROUND, (gasnet_handlerarg_t)k));
    REQUIRE_OK(barrier_as((int)(k % 3), (int)k, 0));
    for (gasnet_node_t i = 0; i < test.nodes; i++) {
      if (i == test.me) continue;
      if (from[i] == 0 && shares_memory(info, i)) missing++;
      else if (from[i] == 0) late++;
      GASNET_BLOCKUNTIL(from[i] != 0);
      CHECK(from[i] == 1, "node %u has sent %u messages in round %u", (unsigned)i, from[i], k);
      from[i] = 0;
    }
  }
  CHECK(missing == 0,
      "%u messages sent through memory before their sender's barrier were not served when it returned",
      missing);
  if (late)
    printf("barrier: node %u has seen %u messages come after the barrier, by the network\n",
        (unsigned)test.me, late);
  free(info);
  test_barrier();
}

/* On more nodes than cores each round waits for each node's turn, over a network a millisecond. */
static size_t scaled_rounds(double on_few_nodes, double on_many)
{
  return test_scaled(test.nodes <= 4 ? on_few_nodes : test.nodes <= 8 ? on_few_nodes / 4 : on_many);
}

int main(int argc, char **argv)
{
  gasnet_handlerentry_t table[] = {
      {H_PING, (void (*)())ping}, {H_PONG, (void (*)())pong}, {H_ROUND, (void (*)())round_message}};
  test_start("barrier", &argc, &argv, table, 3, 4096);
  for (int i = 0; i < 2; i++) came[i] = (volatile unsigned *)calloc(test.nodes, sizeof **came);
  memset(test.seg[test.me].addr, 0, 4096);
  test_barrier();
  for (int how = 0; how < 3; how++) {
    test_matching(how);
    test_mismatch(how);
    test_served_while_waiting(how);
  }
  test_all_combinations();
  test_order(scaled_rounds(4000, 400));
  test_split(scaled_rounds(1000, 100));
  test_served_on_return(scaled_rounds(3000, 100));
  test_finish();
}

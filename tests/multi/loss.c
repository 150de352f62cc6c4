/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Losses that are reported. In each round all nodes that are left do operations of one kind, until one of
 * them dies in the middle, by a signal, without a word or by gasnetx_node_fail. The others must all learn of
 * it, whatever they wait for, and make a team without it; on that they check data by value, what each has
 * sent to each in the round, and the memory of all. The last two end the job.
 *   --place N   only operations of this kind: enum place */
#include <gasnetx.h>

#include "common.h"

#include <sched.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

enum { MOST = 64, WORDS = 2048, H_WORK = 200, H_DONE };
enum place { COLLECTIVE, IN_FLIGHT, BARRIER, MESSAGES, TRANSFERS, TEAMS, FLOOD, STARVE, PLACES };

static struct {
  gasnetx_team_t team; /* of the nodes that are left */
  gasnet_node_t node[MOST], size, me;
  gasnet_node_t losses; /* that were agreed upon */
} left;

static struct rng common, own; /* equal on all nodes; not */
static _Atomic uint64_t got[MOST], answered;
static uint64_t sent[MOST];

static uint64_t *word_of(gasnet_node_t owner, gasnet_node_t writer, unsigned i)
{
  return (uint64_t *)(void *)seg_at(owner, 0) + (size_t)writer * WORDS + i;
}

static struct rng rng_of(uint64_t key)
{
  struct rng r;
  rng_init(&r, test.seed * 1000 + key);
  return r;
}

static gasnet_node_t victim; /* of this round */

static int loss_is_known(void) { return gasnetx_lost_count() > left.losses; }

/* ---- the victim ---- */

static void on_timer(int sig)
{
  (void)sig;
  raise(SIGKILL);
}

static void timer_start(unsigned most)
{
  struct itimerval in = {{0, 0}, {0, (suseconds_t)(1 + rng_below(&own, most))}};
  signal(SIGALRM, on_timer);
  REQUIRE(setitimer(ITIMER_REAL, &in, NULL) == 0, "setitimer");
}

/* Some time later, in whatever this node does then; or at the next `moment`. */
static enum { LIVES, FAILS, ENDS, KILLED } fate;
static void die_soon(void)
{
  enum { MOST_US = 4000 };
  fate = LIVES;
  switch (rng_below(&own, 6)) {
  case 0: fate = FAILS; break;
  case 1: fate = ENDS; break;
  case 2: fate = KILLED; break;
  default: timer_start(MOST_US);
  }
}

static void moment(void)
{
  if (fate == LIVES || rng_below(&own, 20)) return;
  if (fate == FAILS) gasnetx_node_fail();
  if (fate == ENDS) _exit((int)rng_below(&own, 5));
  raise(SIGKILL);
}

/* ---- operations of each kind, until they end with the status ---- */

static gasnet_node_t any(void) { return left.node[rng_below(&own, left.size)]; }

static uint64_t value_of(uint64_t turn, gasnet_node_t node) { return test_mix(turn * 1000 + node); }

/* A call with data that all of its team know. 1: it ended with the status. */
static int collective(uint64_t turn)
{
  static uint64_t in[WORDS], out[WORDS * 16];
  struct rng r = rng_of(turn + 77);
  const size_t n = rng_below(&r, 4) ? rng_range(&r, 1, 16) : rng_range(&r, 1, WORDS);
  const gasnetx_reduction_t sum = {.op = GASNETX_OP_SUM, .type = GASNETX_TYPE_UINT64};
  const gasnet_node_t root = (gasnet_node_t)rng_below(&r, left.size);
  uint64_t total = 0;
  for (size_t i = 0; i < n; i++) in[i] = value_of(turn, test.me) + i;
  for (gasnet_node_t k = 0; k < left.size; k++) total += value_of(turn, left.node[k]);
  switch (rng_below(&r, 3)) {
  case 0:
    gasnetx_coll_allreduce(left.team, out, in, n, &sum);
    if (gasnetx_status_take() != GASNET_OK) return 1;
    for (size_t i = 0; i < n; i++)
      CHECK(out[i] == total + i * left.size, "turn %llu: a sum is wrong", (unsigned long long)turn);
    return 0;
  case 1:
    gasnetx_coll_broadcast(left.team, out, root, in, n * sizeof *in);
    if (gasnetx_status_take() != GASNET_OK) return 1;
    for (size_t i = 0; i < n; i++)
      CHECK(out[i] == value_of(turn, left.node[root]) + i, "turn %llu: broadcast", (unsigned long long)turn);
    return 0;
  default:
    gasnetx_coll_allgather(left.team, out, in, sizeof *in);
    if (gasnetx_status_take() != GASNET_OK) return 1;
    for (gasnet_node_t k = 0; k < left.size; k++)
      CHECK(out[k] == value_of(turn, left.node[k]), "turn %llu: all-gather", (unsigned long long)turn);
    return 0;
  }
}

/* Several calls at once, waited for in another order. */
static int in_flight(uint64_t turn)
{
  enum { AT_ONCE = 6 };
  static uint64_t in[AT_ONCE], out[AT_ONCE];
  const gasnetx_reduction_t most = {.op = GASNETX_OP_MAX, .type = GASNETX_TYPE_UINT64};
  gasnet_handle_t h[AT_ONCE];
  uint64_t greatest[AT_ONCE] = {0};
  for (unsigned i = 0; i < AT_ONCE; i++) {
    in[i] = value_of(turn + i, test.me);
    for (gasnet_node_t k = 0; k < left.size; k++)
      if (value_of(turn + i, left.node[k]) > greatest[i]) greatest[i] = value_of(turn + i, left.node[k]);
    h[i] = gasnetx_coll_allreduce_nb(left.team, &out[i], &in[i], 1, &most);
  }
  for (unsigned i = AT_ONCE; i-- > 0;) gasnet_wait_syncnb(h[i]);
  if (gasnetx_status_take() != GASNET_OK) return 1;
  for (unsigned i = 0; i < AT_ONCE; i++) CHECK(out[i] == greatest[i], "the greatest is wrong");
  return 0;
}

static int barrier(uint64_t turn)
{
  if (left.size == test.nodes) REQUIRE_OK(gasnet_barrier(0, GASNET_BARRIERFLAG_ANONYMOUS));
  else if (turn % 2) gasnetx_coll_barrier(left.team);
  else REQUIRE_OK(gasnet_coll_barrier(left.team, 0, GASNET_BARRIERFLAG_ANONYMOUS));
  return gasnetx_status_take() != GASNET_OK;
}

static void handle_done(gasnet_token_t token)
{
  (void)token;
  answered++;
}

static void handle_work(gasnet_token_t token, void *data, size_t nbytes, gasnet_handlerarg_t value)
{
  gasnet_node_t src;
  REQUIRE_OK(gasnet_AMGetMsgSource(token, &src));
  for (size_t i = 0; i < nbytes; i++)
    CHECK(
        ((unsigned char *)data)[i] == (unsigned char)value, "a byte of a message of node %u", (unsigned)src);
  got[src]++;
  REQUIRE_OK(gasnet_AMReplyShort0(token, H_DONE));
}

/* To all without a pause, so that queues are full when the victim dies. */
static int messages(uint64_t turn)
{
  static char data[8192];
  const gasnet_node_t to = any();
  const size_t n = rng_below(&own, 3) ? 0 : rng_below(&own, sizeof data);
  memset(data, (int)turn, n);
  REQUIRE_OK(gasnet_AMRequestMedium1(to, H_WORK, data, n, (gasnet_handlerarg_t)turn));
  sent[to]++;
  return 0;
}

static int transfer_with(gasnet_node_t to, uint64_t turn)
{
  static uint64_t back[WORDS];
  const unsigned i = (unsigned)rng_below(&own, WORDS - 64);
  size_t stride = 3 * sizeof(uint64_t), near = sizeof(uint64_t), count[] = {sizeof(uint64_t), 16};
  uint64_t some[16];
  for (unsigned k = 0; k < 16; k++) some[k] = test_mix(turn + k);
  gasnet_put_nbi_bulk(to, word_of(to, test.me, i), some, sizeof some);
  gasnet_puts_bulk(to, word_of(to, test.me, i), &stride, some, &near, count, 1);
  gasnetx_atomic64(GASNETX_ADD, to, word_of(to, test.me, WORDS - 1), 1, 0);
  gasnetx_atomic64_nbi(GASNETX_ADD, to, word_of(to, test.me, WORDS - 2), 1);
  gasnet_get(back, to, word_of(to, test.me, i), 64);
  gasnet_wait_syncnbi_all();
  if (gasnetx_status_take() != GASNET_OK) CHECK(gasnetx_lost_count() > 0, "a status without a loss");
  else if (!gasnetx_node_is_lost(to)) CHECK(back[0] == some[0], "a word that was put is another one");
  return 0;
}

static int transfers(uint64_t turn) { return transfer_with(any(), turn); }

static size_t longest(void)
{
  const size_t most = gasnet_AMMaxLongRequest();
  return most < WORDS * sizeof(uint64_t) ? most : WORDS * sizeof(uint64_t);
}

enum { FLOOD_US = 150000 };

/* The victim serves nothing any more until it dies, so that the others find no room and wait for it. */
static int flood(uint64_t turn)
{
  static uint64_t data[WORDS], back[WORDS];
  if (test.me == victim) {
    timer_start(FLOOD_US);
    for (;;) pause();
  }
  switch (rng_below(&own, 5)) {
  case 0: transfer_with(victim, turn); break;
  case 1: gasnet_get_nbi_bulk(back, victim, word_of(victim, test.me, 0), sizeof back); break;
  case 2: gasnet_put_nbi_bulk(victim, word_of(victim, test.me, 0), data, sizeof data); break;
  case 3:
    REQUIRE_OK(gasnet_AMRequestLong1(
        victim, H_WORK, data, rng_below(&own, longest()), word_of(victim, test.me, 0), 0));
    break;
  default:
    for (unsigned i = 0; i < 50; i++) REQUIRE_OK(gasnet_AMRequestMedium1(victim, H_WORK, data, 8 * i, 0));
  }
  if (rng_below(&own, 8) == 0) gasnet_wait_syncnbi_all();
  return 0;
}

/* The victim finds no room, for the others serve nothing until it is dead, in the middle of a message. */
static int starve(uint64_t turn)
{
  if (test.me == victim) {
    timer_start(FLOOD_US);
    for (;;) messages(turn);
  }
  while (!loss_is_known()) sched_yield();
  return 0;
}

static int teams(uint64_t turn)
{
  gasnetx_team_t t = turn % 2 ? gasnetx_team_split(left.team, (uint32_t)(left.me % 2), 0)
                              : gasnetx_team_create(left.node, left.size);
  const int lost = gasnetx_status_take() != GASNET_OK;
  CHECK(lost == !t, "a team was %s although the status says the opposite", t ? "made" : "not made");
  if (t) gasnetx_team_destroy(t);
  return lost;
}

static void operate(enum place place)
{
  static int (*const one[PLACES])(uint64_t) = {
      collective, in_flight, barrier, messages, transfers, teams, flood, starve};
  const int has_status = place < MESSAGES
  || place == TEAMS;
  uint64_t turn = (uint64_t)left.size << 32; /* equal on all nodes, in the n-th operation */
  while (!(has_status ? one[place](++turn) : (one[place](++turn), gasnet_AMPoll(), loss_is_known())))
    moment();
  CHECK(loss_is_known(), "the status says that a node is lost, and none is known");
  gasnet_wait_syncnbi_all();
}

/* ---- agreement ---- */

/* Those that are left, as this node knows them. */
static void left_find(void)
{
  left.size = 0;
  for (gasnet_node_t i = 0; i < test.nodes; i++) {
    if (gasnetx_node_is_lost(i)) continue;
    if (i == test.me) left.me = left.size;
    left.node[left.size++] = i;
  }
}

static void left_agree(void)
{
  gasnet_node_t lost[MOST];
  do {
    left_find();
    left.team = gasnetx_team_create(left.node, left.size);
  } while (!left.team);
  left.losses = test.nodes - left.size;
  CHECK(gasnetx_lost_nodes(lost, MOST) == left.losses, "%u nodes are left, and not all others are lost",
      (unsigned)left.size);
  for (gasnet_node_t i = 0; i < left.losses; i++)
    CHECK(gasnetx_node_is_lost(lost[i]) && (i == 0 || lost[i] > lost[i - 1]), "the list of lost nodes");
  gasnetx_status_take();
}

/* More than there may be on their way at once: what a lost node has not taken must keep no room from them. */
static void messages_send(void)
{
  enum { EACH = 400 };
  static char data[1000];
  for (unsigned i = 0; i < EACH * left.size; i++) {
    const gasnet_node_t to = left.node[i % left.size];
    REQUIRE_OK(gasnet_AMRequestMedium1(to, H_WORK, data, i % sizeof data, 0));
    sent[to]++;
  }
}

/* Every message to a node that is left has come, exactly once. */
static void messages_check(void)
{
  static uint64_t out[MOST], in[MOST];
  for (gasnet_node_t k = 0; k < left.size; k++) out[k] = sent[left.node[k]];
  gasnetx_coll_alltoall(left.team, in, out, sizeof *in);
  REQUIRE(gasnetx_status_take() == GASNET_OK, "a node is lost that nobody has killed");
  for (gasnet_node_t k = 0; k < left.size; k++) {
    GASNET_BLOCKUNTIL(got[left.node[k]] >= in[k]);
    CHECK(got[left.node[k]] == in[k], "node %u has sent %llu messages, and %llu have come",
        (unsigned)left.node[k], (unsigned long long)in[k], (unsigned long long)got[left.node[k]]);
  }
}

static void memory_check(void)
{
  for (gasnet_node_t k = 0; k < left.size; k++) {
    const uint64_t mine = test_mix(test.me + left.size);
    uint64_t back = 0;
    gasnet_put(left.node[k], word_of(left.node[k], test.me, 5), (void *)(uintptr_t)&mine, sizeof mine);
    gasnet_get(&back, left.node[k], word_of(left.node[k], test.me, 5), sizeof back);
    CHECK(back == mine, "the memory of node %u", (unsigned)left.node[k]);
  }
  CHECK(gasnetx_status_take() == GASNET_OK, "a status without a reason");
}

static void round_run(enum place place)
{
  victim = left.node[rng_below(&common, left.size)];
  if (victim == test.me && place < FLOOD) die_soon();
  operate(place);
  REQUIRE(victim != test.me, "the victim lives");
  const gasnetx_team_t before = left.team;
  left_agree();
  gasnetx_coll_barrier(before);
  CHECK(gasnetx_status_take() == GASNETX_ERR_NODE_LOST, "a barrier with a lost member has no status");
  CHECK(gasnetx_status_take() == GASNET_OK, "the status was taken twice");
  if (before != GASNET_TEAM_ALL) gasnetx_team_destroy(before);
  messages_send();
  messages_check();
  memory_check();
  gasnetx_coll_barrier(left.team);
  CHECK(gasnetx_status_take() == GASNET_OK || loss_is_known(), /* the next victim may be fast */
      "a barrier of those that are left has a status");
}

/* UCX's transports in memory do not report that a peer has ended. */
static void skip_where_refused(void)
{
  const char *tls = getenv("GASNET_UCX_TLS");
  if (!tls || strstr(tls, "tcp")) return;
  fprintf(stderr, "skip: UCX reports no end of a peer with GASNET_UCX_TLS=%s\n", tls);
  exit(77);
}

int main(int argc, char **argv)
{
  gasnet_handlerentry_t table[] = {{H_WORK, (void (*)())handle_work}, {H_DONE, (void (*)())handle_done}};
  skip_where_refused();
  gasnetx_report_losses();
  test_init("loss", &argc, &argv);
  const char *place = test_option(&argc, argv, "--place");
  test_no_more_options(argc, argv);
  test_attach(table, 2, (size_t)test.nodes * WORDS * sizeof(uint64_t));
  REQUIRE(test.nodes <= MOST && test.nodes >= 2, "2 to %d nodes", MOST);
  REQUIRE(gasnetx_lost_count() == 0 && !gasnetx_node_is_lost(0), "a node is lost at the start");
  common = rng_of(1);
  own = rng_of(2 + test.me);
  left_find();
  left.team = GASNET_TEAM_ALL;
  /* All begin with the same nodes. Behind the barrier the first victim may die at once, and a node that
   * looked only then would choose another victim than the others. */
  test_barrier();
  while (left.size > 2) round_run(place ? (enum place)atoi(place) : (enum place)rng_below(&common, PLACES));
  gasnet_exit(test.failures ? 1 : 0);
}

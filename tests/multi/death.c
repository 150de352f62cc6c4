/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* One node of a busy job dies: death KIND PLACE SEED [TEXT...]
 *   KIND   kill (SIGKILL), hangup (SIGHUP), abort, exit (exit(3)), gasnet_exit (gasnet_exit(7))
 *   PLACE  client (between any two operations, before attach too), handler, barrier (a timer's signal while
 *          the node does nothing but barriers), team:COLLECTIVE (likewise, but calls of that kind, of
 *          gasnetx_coll.h's names, on two teams), or another word: nobody dies
 * SEED decides which node dies and when. The job never ends by itself. Further arguments are marks by which
 * tests find the processes. tests/check_death.sh runs this and checks the rest. */
#include <gasnetx.h>

#include "../victim.h"

enum {
  IN_FLIGHT = 6,
  MOST_BYTES = 100000,
  SEGMENT = 64 * GASNET_PAGESIZE,
  H_WORK = 200,
  H_DONE = 201,
  WORDS = 512,
  MOST_STEPS = 60
};

static const char *kind;
static gasnet_node_t me, nodes, victim;
static int in_handler_now; /* the victim dies in its next request handler */
static volatile int answers;

static void die(void)
{
  victim_says((unsigned)me);
  if (strcmp(kind, "kill") == 0) raise(SIGKILL);
  if (strcmp(kind, "hangup") == 0) raise(SIGHUP);
  if (strcmp(kind, "abort") == 0) abort();
  if (strcmp(kind, "exit") == 0) exit(3);
  gasnet_exit(7);
}

static void work(gasnet_token_t token, void *data, size_t bytes, gasnet_handlerarg_t x)
{
  (void)data;
  (void)bytes;
  if (in_handler_now) die();
  gasnet_AMReplyShort1(token, H_DONE, x);
}

static void done(gasnet_token_t token, gasnet_handlerarg_t x)
{
  (void)token;
  (void)x;
  answers++;
}

static gasnet_seginfo_t *segments;

/* Does some of everything, so that the others may be in any operation when the victim dies. */
static void step(void)
{
  static char data[4096];
  gasnet_node_t to = random_below(nodes);
  int expected = answers + 1;
  gasnet_put_nbi_bulk(to, segments[to].addr, data, sizeof data);
  gasnet_AMRequestMedium1(to, H_WORK, data, random_below(sizeof data / 8), 1);
  gasnet_get_bulk(data, to, segments[to].addr, 64);
  GASNET_BLOCKUNTIL(answers == expected);
  gasnet_wait_syncnbi_all();
}

static void barrier(void)
{
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  if (gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS) != GASNET_OK) {
    fprintf(stderr, "FAIL: barrier\n");
    gasnet_exit(99);
  }
}

/* ---- collectives ---- */

static const char *const collectives[] = {"barrier", "broadcast", "scatter", "gather", "allgather", "collect",
    "alltoall", "reduce", "allreduce", "scan", "exscan", "make", NULL};
static gasnetx_team_t pairs, ring; /* neighbours in twos, and all in the other direction */

static int collective_named(const char *name)
{
  int i = 0;
  while (collectives[i] && strcmp(collectives[i], name) != 0) i++;
  if (!collectives[i]) exit(94);
  return i;
}

static void make_teams(void)
{
  pairs = gasnetx_team_split(GASNET_TEAM_ALL, me / 2, me);
  ring = gasnetx_team_split(GASNET_TEAM_ALL, 0, nodes - me);
}

/* Calls of one kind on both teams: small and large, blocking, and several in flight. */
static void some_collectives(uint32_t kind, unsigned round)
{
  static const gasnetx_reduction_t sum = {.type = GASNETX_TYPE_UINT64, .op = GASNETX_OP_SUM};
  static char from[2][MOST_BYTES], to[2][IN_FLIGHT][MOST_BYTES];
  const size_t bytes = round % 3 == 0 ? 8 : round % 3 == 1 ? 3000 : MOST_BYTES;
  gasnet_handle_t h[2 * IN_FLIGHT];
  for (int i = 0; i < 2 * IN_FLIGHT; i++) {
    const gasnetx_team_t team = i % 2 ? pairs : ring;
    gasnetx_collective_t call = {.kind = kind, .dst = to[i % 2][i / 2], .src = from[i % 2]};
    if (kind != GASNETX_BARRIER) call.root = round % gasnetx_team_size(team);
    if (kind >= GASNETX_REDUCE) call.count = bytes / 8, call.reduction = &sum;
    else if (kind != GASNETX_BARRIER) call.nbytes = bytes / gasnetx_team_size(team);
    h[i] = gasnetx_coll_start(team, &call);
    if (round % 2) gasnet_wait_syncnb(h[i]), h[i] = GASNET_INVALID_HANDLE;
  }
  gasnet_wait_syncnb_all(h, 2 * IN_FLIGHT);
}

static void some_collectives_or_teams(int kind, unsigned round)
{
  if (collectives[kind + 1]) {
    some_collectives((uint32_t)kind, round);
    return;
  }
  make_teams();
  gasnetx_team_destroy(pairs);
  gasnetx_team_destroy(ring);
}

/* ---- the whole ---- */

static void on_timer(int sig)
{
  (void)sig;
  die();
}

static void attach(void)
{
  gasnet_handlerentry_t table[] = {{H_WORK, (void (*)())work}, {H_DONE, (void (*)())done}};
  if (gasnet_attach(table, 2, SEGMENT, 0) != GASNET_OK) exit(96);
  segments = malloc(nodes * sizeof *segments);
  if (!segments || gasnet_getSegmentInfo(segments, (int)nodes) != GASNET_OK) exit(96);
  barrier();
}

int main(int argc, char **argv)
{
  if (argc < 4) {
    fprintf(stderr, "usage: death KIND PLACE SEED [TEXT...]\n");
    return 2;
  }
  if (gasnet_init(&argc, &argv) != GASNET_OK) return 95;
  kind = argv[1];
  const char place = argv[2][0];
  const int collective = place == 't' ? collective_named(argv[2] + strlen("team:")) : 0;
  me = gasnet_mynode();
  nodes = gasnet_nodes();
  random_seed(argv[3]);
  victim = random_below(nodes);
  const unsigned when = random_below(MOST_STEPS), us = random_below(20000);
  const int mine = me == victim;
  victim_state += me * 2; /* from here on each node draws other numbers */
  if (mine && place == 'c' && when < MOST_STEPS / 10) die();
  attach();
  if (place == 't') make_teams();
  for (unsigned i = 0;; i++) {
    if (mine && place == 'c' && i >= when) die();
    if (mine && place == 'h' && i >= when) in_handler_now = 1;
    if (mine && (place == 'b' || place == 't') && i == 0) victim_timer(us, on_timer);
    if (place == 't') some_collectives_or_teams(collective, i);
    else if (place != 'b') step();
    if (place == 'b' || i % 16 == 15) barrier();
  }
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The poll on a barrier's return: one after the release, on every way to it, on shared memory and over a
 * network. A conduit and a network of this file's own say when a barrier is released, and what arrives. */
#include "teams/barrier.h"

#include <string.h>

#include "core/handler.h"
#include "core/job.h"
#include "core/wait.h"
#include "teams/call.h"
#include "teams/channel.h"
#include "tests/unit/suite.h"

enum { NEVER = 1 << 30, H_LATE = 128 };
static int looks_left;         /* until the barrier is released */
static int brief_release;      /* the conduit's short wait sees it */
static int polls, polls_since; /* in one call; since the release */

static int release(uint64_t *result)
{
  polls_since = 0;
  *result = PST_BARRIER_ANONYMOUS;
  return 1;
}
static void memory_notify(uint64_t value) { (void)value; }
static int memory_try(uint64_t *result) { return looks_left-- > 0 ? 0 : release(result); }
static int memory_wait(uint64_t *result) { return brief_release ? release(result) : 0; }
static int memory_poll(void)
{
  polls++, polls_since++;
  return 0;
}
static int memory_linger(unsigned times, int barrier)
{
  (void)times;
  (void)barrier;
  return 0;
}
static unsigned served(void) { return 0; }
static int block(unsigned us, int barrier, unsigned seen, const struct pst_watch *watch, int descriptor)
{
  return (void)us, (void)barrier, (void)seen, (void)watch, (void)descriptor, 0;
}

static void ring(gasnet_node_t node) { (void)node; }

static const struct pst_host_slots memory_host = {
    .linger = memory_linger,
    .block = block,
    .ring = ring,
    .barrier_notify = memory_notify,
    .barrier_try = memory_try,
    .barrier_wait = memory_wait,
};
static const struct pst_conduit memory = {
    .name = "memory", .host = &memory_host, .poll = memory_poll, .serve_every = 1, .served = served};

static void open_on(const struct pst_conduit *network)
{
  static const uint8_t far[] = {0, 1};
  pst_job = (struct pst_job){.phase = PST_PHASE_ATTACHED,
      .conduit = &memory,
      .host = &memory_host,
      .network = network,
      .far = network ? far : NULL};
  pst_mynode = 0;
  pst_nodes = 2;
  pst_wait_open(1, 2, 2); /* a core each: a thread that waits looks for a while before it polls */
  pst_barrier_open();
}

static void begin(int looks, int brief)
{
  looks_left = looks;
  brief_release = brief;
  polls = polls_since = 0;
}

static void test_wait(void)
{
  static const struct {
    int looks, brief;
  } ways[] = {{NEVER, 1}, {0, 0}, {1, 0}, {1000, 0}, {100000, 0}};
  CU_ASSERT(pst_wait_eager() > 1);
  for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++) {
    begin(ways[i].looks, ways[i].brief);
    gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
    CU_ASSERT_EQUAL(gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS), GASNET_OK);
    CU_ASSERT_EQUAL(polls_since, 1);
    begin(ways[i].looks, ways[i].brief);
    CU_ASSERT_EQUAL(gasnet_barrier(0, GASNET_BARRIERFLAG_ANONYMOUS), GASNET_OK);
    CU_ASSERT_EQUAL(polls_since, 1);
  }
}

static void test_try(void)
{
  for (int looks = 0; looks < 10; looks++) {
    int rc;
    begin(looks, 0);
    gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
    while ((rc = gasnet_barrier_try(0, GASNET_BARRIERFLAG_ANONYMOUS)) == GASNET_ERR_NOT_READY) {
      CU_ASSERT_EQUAL(polls, 1); /* one that succeeds later serves, too */
      polls = 0;
    }
    CU_ASSERT_EQUAL(rc, GASNET_OK);
    CU_ASSERT_EQUAL(polls_since, 1);
  }
}

/* ---- over a network: a poll brings the other node's word, and a message behind it ---- */

static int late_came;
static void on_late(gasnet_token_t t)
{
  (void)t;
  late_came++;
}

static gasnet_handlerarg_t head[7]; /* of this node's message; the other node's is alike */

static int net_am(struct pst_message *m)
{
  CU_ASSERT(m->handler == PST_HANDLER_TEAM && m->kind == PST_AM_MEDIUM && m->nargs == 7 && !m->reply);
  CU_ASSERT_EQUAL(m->nbytes, sizeof(uint64_t));
  memcpy(head, m->args, sizeof head);
  return PST_OK;
}

static int net_poll(void)
{
  static uint64_t word = PST_BARRIER_ANONYMOUS;
  const struct pst_arrival message = {.src = 1,
      .kind = PST_AM_MEDIUM,
      .handler = PST_HANDLER_TEAM,
      .nargs = 7,
      .args = head,
      .payload = &word,
      .nbytes = sizeof word};
  if (looks_left-- > 0) return 0;
  if (looks_left == -1) pst_am_deliver(&message);
  else if (looks_left == -2) pst_am_deliver_short(1, 0, H_LATE, 0, NULL);
  else return 0;
  return 1;
}

static const struct pst_network_slots net_slots = {0};
static const struct pst_conduit net = {
    .name = "net", .net = &net_slots, .poll = net_poll, .am = net_am, .served = served, .serve_every = 1024};

static int finish(int how)
{
  int rc;
  if (how == 2) return gasnet_barrier(0, GASNET_BARRIERFLAG_ANONYMOUS);
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  if (how == 0) return gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
  while ((rc = gasnet_barrier_try(0, GASNET_BARRIERFLAG_ANONYMOUS)) == GASNET_ERR_NOT_READY)
    ;
  return rc;
}

static void test_network(void)
{
  open_on(&net);
  pst_job.am_only = 1; /* the other node shares no memory */
  pst_job.limits.max_medium = 4096;
  pst_channels_open();
  pst_team_open();
  pst_engine_open();
  pst_barrier_open();
  pst_handler_set(H_LATE, (pst_handler_fn)on_late);
  for (int how = 0; how < 3; how++)
    for (int looks = 0; looks < 2000; looks = looks * 3 + 1) {
      late_came = 0;
      begin(looks, 0);
      CU_ASSERT_EQUAL(finish(how), GASNET_OK);
      CU_ASSERT_EQUAL(late_came, 1);
    }
}

int main(void)
{
  static const struct unit_test tests[] = {{"wait", test_wait}, {"try", test_try}, {"network", test_network}};
  open_on(NULL);
  return RUN_SUITE("barrier", tests);
}

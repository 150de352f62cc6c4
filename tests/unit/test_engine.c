/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The engine where several threads come: who sleeps is told of calls that polls complete; and how much one
 * poll does. The calls have plans of this file's own; the other node of the job shares no memory. */
#include <string.h>

#include "core/handler.h"
#include "core/job.h"
#include "core/wait.h"
#include "teams/call.h"
#include "teams/channel.h"
#include "tests/unit/suite.h"

static unsigned rings, blocks, sleeps;
static struct pst_head awaited; /* a message of the other node, for a call of this one */

static int poll_nothing(void) { return 0; }
static int linger_nothing(unsigned times, int barrier) { return (void)times, (void)barrier, 0; }
static unsigned served_none(void) { return 0; }
static void ring(gasnet_node_t node) { rings += node == pst_mynode; }

static int has_changed(const struct pst_watch *watch)
{
  for (; watch; watch = watch->next)
    if (atomic_load_explicit(watch->word, memory_order_relaxed) != watch->seen) return 1;
  return 0;
}

static void message_arrives(void)
{
  const gasnet_handlerarg_t args[] = {1, (gasnet_handlerarg_t)(awaited.team >> 32),
      (gasnet_handlerarg_t)awaited.team, (gasnet_handlerarg_t)(awaited.length >> 32),
      (gasnet_handlerarg_t)awaited.length, (gasnet_handlerarg_t)(awaited.call >> 32),
      (gasnet_handlerarg_t)awaited.call};
  const struct pst_arrival message = {.src = 1,
      .kind = PST_AM_MEDIUM,
      .handler = PST_HANDLER_TEAM,
      .nargs = 7,
      .args = args,
      .payload = &rings};
  pst_am_deliver(&message);
}

/* While this thread is about to sleep another one serves the message, and completes the call. */
static int block(unsigned us, int barrier, unsigned seen, const struct pst_watch *watch, int descriptor)
{
  (void)us, (void)barrier, (void)seen, (void)descriptor;
  if (blocks++ == 0) {
    message_arrives();
    pst_poll();
  }
  sleeps += !has_changed(watch);
  return 0;
}

static const struct pst_host_slots host = {.linger = linger_nothing, .block = block, .ring = ring};
static const struct pst_conduit conduit = {
    .name = "nothing", .host = &host, .poll = poll_nothing, .serve_every = 1, .served = served_none};

/* ---- calls whose work takes some polls, and does a part in each ---- */

static unsigned parts_left, parts_done;

static int part(struct pst_call *c, struct pst_step *s)
{
  (void)c, (void)s;
  parts_done++;
  return --parts_left == 0;
}

static int plan_parts(struct pst_call *c)
{
  if (c->stage == 0) pst_call_work(c, part);
  return c->stage == 0;
}

static gasnet_handle_t start(unsigned parts)
{
  struct pst_call *c = pst_call_new("test", pst_team_all, GASNETX_BARRIER, 0, 0);
  parts_left = parts;
  pst_call_add_plan(c, plan_parts);
  return pst_call_start(c);
}

static void test_completion_is_told(void)
{
  gasnet_handle_t h = start(4);
  rings = 0;
  for (int polls = 0; h && !pst_op_done(h) && polls < 4; polls++) pst_poll();
  CU_ASSERT_FATAL(h != GASNET_INVALID_HANDLE && pst_op_done(h));
  CU_ASSERT_EQUAL(rings, 1);
  pst_op_free(pst_thread_get(), h);
}

static int plan_receive(struct pst_call *c)
{
  if (c->stage == 0) pst_call_receive(c, 1, NULL, 0);
  return c->stage == 0;
}

static void test_no_sleep_after_completion(void)
{
  struct pst_wait w = {0, 0};
  struct pst_call *c = pst_call_new("test", pst_team_all, GASNETX_BARRIER, 0, 0);
  awaited = c->head;
  pst_call_add_plan(c, plan_receive);
  gasnet_handle_t h = pst_call_start(c);
  CU_ASSERT_FATAL(h != GASNET_INVALID_HANDLE);
  gasnet_set_waitmode(GASNET_WAIT_BLOCK);
  while (!pst_op_done(h)) pst_wait_step(&w);
  CU_ASSERT(blocks == 1 && sleeps == 0);
  pst_op_free(pst_thread_get(), h);
}

/* ---- data in parts ---- */

enum { CALLS = 5 };
static size_t copied_most;
static char from[CALLS][4 * PST_STEP_BYTES], to[CALLS][4 * PST_STEP_BYTES];

static size_t bytes_copied(void)
{
  size_t n = 0;
  for (unsigned i = 0; i < CALLS; i++)
    for (size_t at = 0; at < sizeof to[i]; at += 4096) n += to[i][at] ? 4096 : 0;
  return n;
}

static int plan_copy(struct pst_call *c)
{
  if (c->stage == 0) pst_call_copy(c, c->of.dst, c->of.src, c->of.nbytes);
  return c->stage == 0;
}

static void test_polls_copy_a_part(void)
{
  gasnet_handle_t h[CALLS];
  for (unsigned i = 0; i < CALLS; i++) {
    struct pst_call *c = pst_call_new("test", pst_team_all, GASNETX_BROADCAST, 0, sizeof from[i]);
    memset(from[i], 1 + (int)i, sizeof from[i]);
    pst_call_arguments(c, 0, to[i], from[i], sizeof from[i]);
    pst_call_add_plan(c, plan_copy);
    const size_t before = bytes_copied();
    h[i] = pst_call_start(c);
    CU_ASSERT(bytes_copied() - before <= 2 * (size_t)PST_STEP_BYTES);
  }
  for (size_t before; (before = bytes_copied()) < sizeof to;) {
    pst_poll();
    const size_t n = bytes_copied() - before;
    CU_ASSERT_FATAL(n > 0);
    if (n > copied_most) copied_most = n;
  }
  CU_ASSERT(copied_most <= PST_STEP_BYTES);
  CU_ASSERT(memcmp(to, from, sizeof to) == 0);
  for (unsigned i = 0; i < CALLS; i++) {
    CU_ASSERT_FATAL(h[i] != GASNET_INVALID_HANDLE && pst_op_done(h[i]));
    pst_op_free(pst_thread_get(), h[i]);
  }
}

int main(void)
{
  static const struct unit_test tests[] = {{"who sleeps is told", test_completion_is_told},
      {"polls copy a part", test_polls_copy_a_part},
      {"no sleep after the call is complete", test_no_sleep_after_completion}};
  pst_job = (struct pst_job){.phase = PST_PHASE_ATTACHED, .conduit = &conduit, .host = &host, .par = 1};
  pst_nodes = 2;
  pst_job.am_only = 1;
  pst_job.limits.max_medium = 4096;
  pst_wait_open(2, 1, 1);
  pst_channels_open();
  pst_team_open();
  pst_engine_open();
  return RUN_SUITE("engine", tests);
}

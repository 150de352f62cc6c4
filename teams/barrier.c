/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "teams/barrier.h"

#include <stdalign.h>
#include <string.h>
#include <strings.h>

#include "core/amcheck.h"
#include "core/job.h"
#include "core/loss.h"
#include "core/trace.h"
#include "core/wait.h"
#include "extended/variables.h"
#include "support/env.h"
#include "teams/call.h"

/* One cache line, for the reason that struct pst_smp gives. */
PST_HOT_DATA static struct {
  alignas(64) uint64_t last;      /* consensus of the last barrier completed */
  int open;                       /* notified and not yet waited for */
  void (*notify)(uint64_t value); /* the conduit's, or the one over active messages */
  int (*attempt)(uint64_t *result);
  int (*wait_briefly)(uint64_t *result);
  void (*wait_step)(struct pst_wait *w);
} phase;

/* ---- by messages: a call ---- */

static void consensus_combine(void *inout, const void *in, size_t count, void *context)
{
  uint64_t *const all = inout, one;
  (void)context;
  memcpy(&one, in, sizeof one);
  for (size_t i = 0; i < count; i++) *all = pst_barrier_combine(*all, one);
}

static void team_notify(const char *who, struct pst_team *t, uint64_t value)
{
  struct pst_call *c = pst_call_new(who, t, PST_KIND_BARRIER, 0, 0);
  t->consensus = value;
  c->reduction = (struct pst_reduction){.combine = consensus_combine, .size = sizeof t->consensus};
  c->value = &t->consensus;
  c->value_size = sizeof t->consensus;
  pst_plan_barrier(c);
  t->barrier = pst_call_start(c);
}

static int team_try(struct pst_team *t)
{
  if (t->barrier && !pst_op_done(t->barrier)) return 0;
  if (t->barrier) pst_op_free(pst_thread_get(), t->barrier);
  t->barrier = GASNET_INVALID_HANDLE;
  return 1;
}

/* gasnet_barrier has a team of its own. */
static struct pst_team message_team;

static void message_notify(uint64_t value) { team_notify("gasnet_barrier_notify", &message_team, value); }

static int message_try(uint64_t *result)
{
  if (!team_try(&message_team)) return 0;
  *result = message_team.consensus;
  return 1;
}

static int barrier_wants_messages(void)
{
  const char *name = pst_env_string(&pst_extended_env.barrier);
  return pst_job.am_only || pst_job.network || pst_loss.on || !pst_job.host->barrier_notify ||
      (strcasecmp(name, "AUTO") != 0 && strcasecmp(name, "SHARED") != 0);
}

void pst_barrier_open(void)
{
  const int messages = barrier_wants_messages();
  phase.notify = messages ? message_notify : pst_job.host->barrier_notify;
  phase.wait_step = messages ? pst_wait_step : pst_wait_barrier;
  phase.attempt = messages ? message_try : pst_job.host->barrier_try;
  phase.wait_briefly = messages ? NULL : pst_job.host->barrier_wait;
  message_team = *pst_team_all;
  message_team.board = (struct pst_board){0};
  message_team.id = ~UINT64_C(0); /* a hash of no list: PST_ID_PASSING */
}

PST_HOT static uint64_t barrier_value(int id, int flags)
{
  if (flags & GASNET_BARRIERFLAG_MISMATCH) return PST_BARRIER_MISMATCH;
  if (flags & GASNET_BARRIERFLAG_ANONYMOUS) return PST_BARRIER_ANONYMOUS;
  return (uint32_t)id;
}

PST_HOT void gasnet_barrier_notify(int id, int flags)
{
  pst_amcheck_client("gasnet_barrier_notify");
  if (__builtin_expect(phase.open, 0)) pst_fatal("gasnet_barrier_notify twice without gasnet_barrier_wait");
  PST_TRACE('B', "BARRIER_NOTIFY", -1, 0);
  phase.open = 1;
  phase.notify(barrier_value(id, flags));
}

/* The name given at a wait has to be that of the notifies, where both have one. Only this node knows it. */
PST_HOT static int barrier_conclude(int id, int flags, uint64_t consensus)
{
  const uint64_t wait = barrier_value(id, flags);
  phase.open = 0;
  phase.last = consensus;
  return pst_barrier_combine(consensus, wait) == PST_BARRIER_MISMATCH ? GASNET_ERR_BARRIER_MISMATCH
                                                                      : GASNET_OK;
}

static inline void barrier_check_open(const char *call)
{
  pst_amcheck_client(call);
  if (__builtin_expect(!phase.open, 0)) pst_fatal("%s without gasnet_barrier_notify", call);
}

PST_HOT static int barrier_try_eagerly(uint64_t *consensus)
{
  unsigned looks = pst_wait_eager();
  while (!phase.attempt(consensus)) {
    if (looks-- == 0) return 0;
    pst_spin_pause();
  }
  return 1;
}

PST_HOT static void barrier_await(uint64_t *consensus)
{
  struct pst_wait w = {0, 0};
  if (phase.wait_briefly && phase.wait_briefly(consensus)) return;
  if (barrier_try_eagerly(consensus)) return;
  do {
    phase.wait_step(&w);
  } while (!phase.attempt(consensus));
}

/* A barrier polls once after its release, so messages that arrived before it are served when the call
 * returns: all that were sent through shared memory before their senders came to the barrier, up to what one
 * poll takes. A program that calls nothing but barriers serves others by it. It does not poll more often:
 * where processes outnumber cores, what each touches between two yields is the cost of a barrier. */
PST_HOT int gasnet_barrier_wait(int id, int flags)
{
  uint64_t consensus;
  barrier_check_open("gasnet_barrier_wait");
  PST_TRACE('B', "BARRIER_WAIT", -1, 0);
  barrier_await(&consensus);
  pst_poll();
  return barrier_conclude(id, flags, consensus);
}

int gasnet_barrier_try(int id, int flags)
{
  uint64_t consensus;
  barrier_check_open("gasnet_barrier_try");
  PST_TRACE('B', "BARRIER_TRY", -1, 0);
  if (!phase.attempt(&consensus)) {
    pst_wait_poll();
    if (!phase.attempt(&consensus)) return GASNET_ERR_NOT_READY;
  }
  pst_poll();
  return barrier_conclude(id, flags, consensus);
}

int gasnet_barrier(int id, int flags)
{
  gasnet_barrier_notify(id, flags);
  return gasnet_barrier_wait(id, flags);
}

int gasnet_barrier_result(int *id)
{
  if (phase.last & PST_BARRIER_ANONYMOUS) return 1;
  *id = (int)(uint32_t)phase.last;
  return 0;
}

/* ---- on a team ---- */

void gasnet_coll_barrier_notify(gasnet_team_handle_t team, int id, int flags)
{
  static const char who[] = "gasnet_coll_barrier_notify";
  struct pst_team *t = pst_team_check(who, team);
  if (t->notified) pst_fatal("%s twice without gasnet_coll_barrier_wait", who);
  t->notified = 1;
  team_notify(who, t, barrier_value(id, flags));
}

static int team_conclude(struct pst_team *t, int id, int flags)
{
  t->notified = 0;
  return pst_barrier_combine(t->consensus, barrier_value(id, flags)) == PST_BARRIER_MISMATCH
      ? GASNET_ERR_BARRIER_MISMATCH
      : GASNET_OK;
}

static struct pst_team *team_notified(const char *who, gasnet_team_handle_t team)
{
  struct pst_team *t = pst_team_check(who, team);
  pst_amcheck_client(who);
  if (!t->notified) pst_fatal("%s without gasnet_coll_barrier_notify", who);
  return t;
}

int gasnet_coll_barrier_wait(gasnet_team_handle_t team, int id, int flags)
{
  struct pst_team *t = team_notified("gasnet_coll_barrier_wait", team);
  struct pst_wait w = {0, 0};
  while (!team_try(t)) pst_wait_step(&w);
  return team_conclude(t, id, flags);
}

int gasnet_coll_barrier_try(gasnet_team_handle_t team, int id, int flags)
{
  struct pst_team *t = team_notified("gasnet_coll_barrier_try", team);
  if (!team_try(t)) {
    pst_wait_poll();
    if (!team_try(t)) return GASNET_ERR_NOT_READY;
  }
  return team_conclude(t, id, flags);
}

int gasnet_coll_barrier(gasnet_team_handle_t team, int id, int flags)
{
  gasnet_coll_barrier_notify(team, id, flags);
  return gasnet_coll_barrier_wait(team, id, flags);
}

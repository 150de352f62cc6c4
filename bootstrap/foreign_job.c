/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "bootstrap/foreign_job.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "bootstrap/children.h"
#include "bootstrap/loop.h"
#include "bootstrap/kvs.h"
#include "bootstrap/place.h"
#include "bootstrap/share.h"
#include "bootstrap/liveness.h"
#include "bootstrap/variables.h"
#include "support/env.h"
#include "support/error.h"
#include "support/futex.h"
#include "support/variables.h"

#define FAILURE_GRACE 0.3 /* seconds that the others have to leave by themselves after a failure */
#define TERM_GRACE    1.0 /* from SIGTERM until the launcher is asked to end them */
#define ANOTHER_LOOK  0.1 /* whether a handler of the client's still runs */
#define DEATH_CODE    1   /* of a process whose end nobody has announced */
#define LAUNCHER_MOST 5.0 /* seconds that it may take to say goodbye to the launcher */

static const struct pst_kvs *launcher; /* NULL in any other job */
static struct pst_start here;
static struct pst_places places;
static pid_t *pids; /* of this host's processes */

int pst_foreign_is_job(void) { return launcher != NULL; }

static void need(const char *why)
{
  if (why) pst_fatal("cannot join the job of the launcher (%s): %s", launcher->name, why);
}

/* ---- the beginning ---- */

static struct pst_contact *exchange_contacts(const struct pst_contact *mine)
{
  struct pst_contact *all = calloc(launcher->size, sizeof *all);
  if (!all) pst_fatal("out of memory for %u processes", launcher->size);
  need(pst_kvs_put_bytes(launcher, "contact", mine, sizeof *mine));
  need(launcher->fence(HUGE_VAL));
  for (unsigned i = 0; i < launcher->size; i++)
    need(pst_kvs_get_bytes(launcher, i, "contact", &all[i], sizeof all[i]));
  return all;
}

/* There is no supervisor to ring for. */
static void remove_bell(struct pst_hostmem *hm)
{
  if (hm->bell_fd >= 0) close(hm->bell_fd);
  hm->bell_fd = hm->state->bell = -1;
}

static const char *make_memory(struct pst_start *s, int listener, const struct pst_contact *mine)
{
  const struct pst_part part = {s->first, s->local, s->nodes, s->host, s->hosts};
  const char *why = NULL;
  if (pst_hostmem_create(&part, &s->hm, &why) != PST_OK) return why;
  remove_bell(&s->hm);
  pst_children_adopted();
  return pst_share_give(listener, mine, &s->hm, s->local, pst_env_double(&pst_bootstrap_env.spawn_timeout));
}

static void share_memory(
    struct pst_start *s, int listener, const struct pst_contact *mine, const struct pst_contact *all)
{
  const unsigned index = s->node - s->first;
  if (index == 0) need(make_memory(s, listener, mine));
  close(listener);
  if (index != 0)
    need(pst_share_fetch(&all[places.rank[s->first]], index, s->local,
        pst_env_double(&pst_bootstrap_env.spawn_timeout), &s->hm));
}

static void watch_others(const struct pst_contact *all);

int pst_foreign_join(struct pst_start *s, char how[64])
{
  struct pst_contact mine = {.pid = getpid()}, *all;
  int listener;
  launcher = pst_kvs_open();
  if (!launcher) return 0;
  if (launcher->size > (unsigned)PST_MAX_LOCAL * PST_MAX_HOSTS)
    pst_fatal("%u processes are more than a job can have", launcher->size);
  pst_place_host(mine.host);
  need(pst_share_open(&listener, &mine));
  all = exchange_contacts(&mine);
  const int err = pst_place_find(all, launcher->size, launcher->rank, s, &places);
  if (err)
    pst_fatal("cannot join the job of the launcher (%s): its processes' places: %s", launcher->name,
        pst_err_text(err));
  share_memory(s, listener, &mine, all);
  here = *s;
  watch_others(all);
  free(all);
  snprintf(how, 64, "another launcher (%s, rank %u)", launcher->name, launcher->rank);
  return 1;
}

/* ---- collectives ---- */

static const char *fetch_host(struct pst_gather *g, unsigned host, const char *key)
{
  const unsigned first = places.first[host], local = places.first[host + 1] - first;
  return pst_kvs_get_bytes(launcher, places.rank[first], key,
      pst_gather_all(g, &here.hm.state->part) + (size_t)first * g->size, (size_t)local * g->size);
}

void pst_foreign_gather(struct pst_gather *g, unsigned index, uint32_t turn)
{
  char key[24];
  snprintf(key, sizeof key, "turn%u", turn);
  if (index == 0 && g->size) need(pst_kvs_put_bytes(launcher, key, g->bytes, (size_t)here.local * g->size));
  need(launcher->fence(HUGE_VAL));
  if (index != 0) return;
  for (unsigned h = 0; h < here.hosts && g->size; h++) need(fetch_host(g, h, key));
  atomic_store_explicit(&g->answered, turn, memory_order_release);
  pst_futex_wake_shared(&g->answered);
}

/* ---- the end ---- */

static struct pst_jobnode *node(unsigned i) { return &here.hm.state->node[i]; }

static unsigned missing(void)
{
  unsigned n = 0;
  for (unsigned i = 0; i < here.local; i++) n += !(atomic_load(&node(i)->leaving) & PST_LEAVING_READY);
  return n;
}

/* Those who leave raise no signal: looked for often. */
static int await_others(double seconds)
{
  static const struct timespec moment = {0, 2 * 1000 * 1000};
  const double until = pst_loop_now() + seconds;
  while (missing()) {
    if (pst_loop_now() >= until) return 0;
    nanosleep(&moment, NULL);
  }
  return 1;
}

static int somebody_cleans(void)
{
  for (unsigned i = 0; i < here.local; i++)
    if (atomic_load(&node(i)->cleaning) && !(atomic_load(&node(i)->leaving) & PST_LEAVING_READY)) return 1;
  return 0;
}

static int somebody_died(void)
{
  for (unsigned i = 0; i < here.local; i++)
    if (atomic_load(&node(i)->leaving) & PST_LEAVING_DEAD) return 1;
  return 0;
}

/* 0: somebody has before. */
static int ask_others(void)
{
  if (atomic_exchange(&here.hm.state->ending, 1)) return 0;
  for (unsigned i = 0; i < here.local; i++)
    if (!(atomic_load(&node(i)->leaving) & PST_LEAVING)) kill(pids[i], SIGTERM);
  return 1;
}

int pst_foreign_code(void)
{
  const uint32_t first = atomic_load(&here.hm.state->first);
  return first > 0 && first <= here.local ? (int)(atomic_load(&node(first - 1)->leaving) & 255) : 0;
}

/* What a client's handler for SIGQUIT gets. */
static double handler_time(void) { return pst_env_double(&pst_support_env.exittimeout); }

static double patience(int code)
{
  if (code) return FAILURE_GRACE;
  return pst_env_bool(&pst_bootstrap_env.catch_exit) ? pst_env_double(&pst_support_env.exittimeout)
                                                     : HUGE_VAL;
}

static int all_leave(double seconds)
{
  if (await_others(seconds)) return 1;
  ask_others();
  const double cleaned = pst_loop_now() + handler_time();
  int all = await_others(TERM_GRACE);
  while (!all && somebody_cleans() && pst_loop_now() < cleaned) all = await_others(ANOTHER_LOOK);
  return all;
}

/* Where the job is on several hosts, those of this one meet the rest at the launcher. */
static int meet_hosts(double seconds)
{
  return here.hosts == 1 || launcher->fence(seconds > 0 ? seconds : 0) == NULL;
}

int pst_foreign_leave(int code, void (*limit)(int code, double seconds), void (*finalize)(void))
{
  const double grace = patience(code), start = pst_loop_now();
  if (!launcher) return code;
  limit(code, grace + TERM_GRACE + handler_time() + LAUNCHER_MOST);
  atomic_fetch_or(&node(here.node - here.first)->leaving, PST_LEAVING_READY);
  const int all = all_leave(grace) && meet_hosts(grace + TERM_GRACE - (pst_loop_now() - start));
  if (pst_foreign_code()) code = pst_foreign_code();
  limit(code, LAUNCHER_MOST);
  if (all && finalize && !somebody_died()) finalize();
  if (all) launcher->leave();
  else launcher->abort(code);
  return code;
}

/* ---- sudden ends ---- */

static int has_left(unsigned i) { return (atomic_load(&node(i)->leaving) & PST_LEAVING_READY) != 0; }

/* The dead are ready, so that nobody waits for them. One who had announced its end has only not come to say
 * goodbye. */
static double died(unsigned i, pid_t pid)
{
  uint32_t announced = 0;
  const int sudden = atomic_compare_exchange_strong(
      &node(i)->leaving, &announced, PST_LEAVING | PST_LEAVING_READY | PST_LEAVING_DEAD | DEATH_CODE);
  if (!sudden) atomic_fetch_or(&node(i)->leaving, PST_LEAVING_READY | PST_LEAVING_DEAD);
  uint32_t nobody = 0;
  if (sudden) atomic_compare_exchange_strong(&here.hm.state->first, &nobody, i + 1);
  if (ask_others() && sudden)
    pst_say("node %u (process %ld) has ended without a word, as by a signal; ending the job", here.first + i,
        (long)pid);
  return TERM_GRACE + handler_time() + LAUNCHER_MOST;
}

static void kill_all(void)
{
  for (unsigned i = 0; i < here.local; i++)
    if (pids[i] != getpid()) kill(pids[i], SIGKILL);
  raise(SIGKILL);
}

static void watch_others(const struct pst_contact *all)
{
  static const struct pst_liveness_ops ops = {has_left, died, kill_all};
  pids = malloc(here.local * sizeof *pids);
  if (!pids) pst_fatal("out of memory for %u processes", here.local);
  for (unsigned i = 0; i < here.local; i++) pids[i] = all[places.rank[here.first + i]].pid;
  pst_liveness_watch(pids, here.node - here.first, here.local,
      &ops); /* without it the launcher has to see who dies, as most do */
}

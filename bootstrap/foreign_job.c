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
#define ANOTHER_LOOK  0.1 /* between two looks whether a handler of the client's still runs */
#define DEATH_CODE    1   /* the job's code when a process ends without announcing it */
#define LAUNCHER_MOST 5.0 /* seconds that telling the launcher of the end may take */

static const struct pst_kvs *launcher; /* NULL in any other job */
static struct pst_start place;
static struct pst_places places;
static pid_t *pids; /* of this host's processes */

int pst_foreign_is_job(void) { return launcher != NULL; }

static void launcher_need(const char *why)
{
  if (why) pst_fatal("cannot join the job of the launcher (%s): %s", launcher->name, why);
}

/* ---- the beginning ---- */

static struct pst_contact *exchange_contacts(const struct pst_contact *mine)
{
  struct pst_contact *all = calloc(launcher->size, sizeof *all);
  if (!all) pst_fatal("out of memory for %u processes", launcher->size);
  launcher_need(pst_kvs_put_bytes(launcher, "contact", mine, sizeof *mine));
  launcher_need(launcher->fence(HUGE_VAL));
  for (unsigned i = 0; i < launcher->size; i++)
    launcher_need(pst_kvs_get_bytes(launcher, i, "contact", &all[i], sizeof all[i]));
  return all;
}

/* There is no supervisor that it could wake. */
static void bell_remove(struct pst_hostmem *hm)
{
  if (hm->bell_fd >= 0) close(hm->bell_fd);
  hm->bell_fd = hm->state->bell = -1;
}

static const char *memory_make(struct pst_start *s, int listener, const struct pst_contact *mine)
{
  const struct pst_part part = {s->first, s->local, s->nodes, s->host, s->hosts};
  const char *why = NULL;
  if (pst_hostmem_create(&part, &s->hm, &why) != PST_OK) return why;
  bell_remove(&s->hm);
  pst_children_adopted();
  return pst_share_give(listener, mine, &s->hm, s->local, pst_env_double(&pst_bootstrap_env.spawn_timeout));
}

static void memory_share(
    struct pst_start *s, int listener, const struct pst_contact *mine, const struct pst_contact *all)
{
  const unsigned index = s->node - s->first;
  if (index == 0) launcher_need(memory_make(s, listener, mine));
  close(listener);
  if (index != 0)
    launcher_need(pst_share_fetch(&all[places.rank[s->first]], index, s->local,
        pst_env_double(&pst_bootstrap_env.spawn_timeout), &s->hm));
}

static void nodes_watch(const struct pst_contact *all);

int pst_foreign_join(struct pst_start *s, char how[64])
{
  struct pst_contact mine = {.pid = getpid()}, *all;
  int listener;
  launcher = pst_kvs_open();
  if (!launcher) return 0;
  if (launcher->size > (unsigned)PST_MAX_LOCAL * PST_MAX_HOSTS)
    pst_fatal("%u processes are more than a job can have", launcher->size);
  pst_place_host(mine.host);
  launcher_need(pst_share_open(&listener, &mine));
  all = exchange_contacts(&mine);
  const int err = pst_place_find(all, launcher->size, launcher->rank, s, &places);
  if (err)
    pst_fatal("cannot join the job of the launcher (%s): its processes' places: %s", launcher->name,
        pst_err_text(err));
  memory_share(s, listener, &mine, all);
  place = *s;
  nodes_watch(all);
  free(all);
  snprintf(how, 64, "another launcher (%s, rank %u)", launcher->name, launcher->rank);
  return 1;
}

/* ---- collectives ---- */

static const char *host_fetch(struct pst_jobexchange *g, unsigned host, const char *key)
{
  const unsigned first = places.first[host], local = places.first[host + 1] - first;
  return pst_kvs_get_bytes(launcher, places.rank[first], key,
      pst_jobexchange_all(g, &place.hm.state->part) + (size_t)first * g->size, (size_t)local * g->size);
}

void pst_foreign_exchange(struct pst_jobexchange *g, unsigned index, uint32_t turn)
{
  char key[24];
  snprintf(key, sizeof key, "turn%u", turn);
  if (index == 0 && g->size)
    launcher_need(pst_kvs_put_bytes(launcher, key, g->bytes, (size_t)place.local * g->size));
  launcher_need(launcher->fence(HUGE_VAL));
  if (index != 0) return;
  for (unsigned h = 0; h < place.hosts && g->size; h++) launcher_need(host_fetch(g, h, key));
  atomic_store_explicit(&g->answered, turn, memory_order_release);
  pst_futex_wake_shared(&g->answered);
}

/* ---- the end ---- */

static struct pst_jobnode *node_state(unsigned i) { return &place.hm.state->node[i]; }

static unsigned nodes_missing(void)
{
  unsigned n = 0;
  for (unsigned i = 0; i < place.local; i++) n += !(atomic_load(&node_state(i)->leaving) & PST_LEAVING_READY);
  return n;
}

/* A process that leaves raises no signal, so this looks often. */
static int nodes_await(double seconds)
{
  static const struct timespec moment = {0, 2 * 1000 * 1000};
  const double until = pst_loop_now() + seconds;
  while (nodes_missing()) {
    if (pst_loop_now() >= until) return 0;
    nanosleep(&moment, NULL);
  }
  return 1;
}

static int any_node_cleans(void)
{
  for (unsigned i = 0; i < place.local; i++)
    if (atomic_load(&node_state(i)->cleaning) && !(atomic_load(&node_state(i)->leaving) & PST_LEAVING_READY))
      return 1;
  return 0;
}

static int any_node_died(void)
{
  for (unsigned i = 0; i < place.local; i++)
    if (atomic_load(&node_state(i)->leaving) & PST_LEAVING_DEAD) return 1;
  return 0;
}

/* 0: another process has asked before. */
static int nodes_ask_to_end(void)
{
  if (atomic_exchange(&place.hm.state->ending, 1)) return 0;
  for (unsigned i = 0; i < place.local; i++)
    if (!(atomic_load(&node_state(i)->leaving) & PST_LEAVING)) kill(pids[i], SIGTERM);
  return 1;
}

int pst_foreign_code(void)
{
  const uint32_t first = atomic_load(&place.hm.state->first);
  return first > 0 && first <= place.local ? (int)(atomic_load(&node_state(first - 1)->leaving) & 255) : 0;
}

/* The time that a client's handler for SIGQUIT gets. */
static double handler_seconds(void) { return pst_env_double(&pst_support_env.exittimeout); }

static double leave_patience(int code)
{
  if (code) return FAILURE_GRACE;
  return pst_env_bool(&pst_bootstrap_env.catch_exit) ? pst_env_double(&pst_support_env.exittimeout)
                                                     : HUGE_VAL;
}

static int nodes_all_leave(double seconds)
{
  if (nodes_await(seconds)) return 1;
  nodes_ask_to_end();
  const double cleaned = pst_loop_now() + handler_seconds();
  int all = nodes_await(TERM_GRACE);
  while (!all && any_node_cleans() && pst_loop_now() < cleaned) all = nodes_await(ANOTHER_LOOK);
  return all;
}

/* Where the job is on several hosts, all processes meet in a fence of the launcher. */
static int hosts_all_leave(double seconds)
{
  return place.hosts == 1 || launcher->fence(seconds > 0 ? seconds : 0) == NULL;
}

int pst_foreign_leave(int code, void (*limit)(int code, double seconds), void (*finalize)(void))
{
  const double grace = leave_patience(code), start = pst_loop_now();
  if (!launcher) return code;
  limit(code, grace + TERM_GRACE + handler_seconds() + LAUNCHER_MOST);
  atomic_fetch_or(&node_state(place.node - place.first)->leaving, PST_LEAVING_READY);
  const int all = nodes_all_leave(grace) && hosts_all_leave(grace + TERM_GRACE - (pst_loop_now() - start));
  if (pst_foreign_code()) code = pst_foreign_code();
  limit(code, LAUNCHER_MOST);
  if (all && finalize && !any_node_died()) finalize();
  if (all) launcher->leave();
  else launcher->abort(code);
  return code;
}

/* ---- sudden ends ---- */

static int node_has_left(unsigned i)
{
  return (atomic_load(&node_state(i)->leaving) & PST_LEAVING_READY) != 0;
}

/* A dead process counts as ready, so that no process waits for it. One that had announced its end has only
 * failed to tell the launcher. */
static double node_died(unsigned i, pid_t pid)
{
  uint32_t announced = 0;
  const int sudden = atomic_compare_exchange_strong(
      &node_state(i)->leaving, &announced, PST_LEAVING | PST_LEAVING_READY | PST_LEAVING_DEAD | DEATH_CODE);
  if (!sudden) atomic_fetch_or(&node_state(i)->leaving, PST_LEAVING_READY | PST_LEAVING_DEAD);
  uint32_t nobody = 0;
  if (sudden) atomic_compare_exchange_strong(&place.hm.state->first, &nobody, i + 1);
  if (nodes_ask_to_end() && sudden)
    pst_say("node %u (process %ld) has ended without a word, as by a signal; ending the job", place.first + i,
        (long)pid);
  return TERM_GRACE + handler_seconds() + LAUNCHER_MOST;
}

static void nodes_kill(void)
{
  for (unsigned i = 0; i < place.local; i++)
    if (pids[i] != getpid()) kill(pids[i], SIGKILL);
  raise(SIGKILL);
}

static void nodes_watch(const struct pst_contact *all)
{
  static const struct pst_liveness_ops ops = {node_has_left, node_died, nodes_kill};
  pids = malloc(place.local * sizeof *pids);
  if (!pids) pst_fatal("out of memory for %u processes", place.local);
  for (unsigned i = 0; i < place.local; i++) pids[i] = all[places.rank[place.first + i]].pid;
  pst_liveness_watch(pids, place.node - place.first, place.local,
      &ops); /* if that fails, the launcher has to see which process dies, as most launchers do */
}

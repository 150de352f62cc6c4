/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "bootstrap/start.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bootstrap/children.h"
#include "bootstrap/jobsignals.h"
#include "bootstrap/foreign_job.h"
#include "bootstrap/supervise.h"
#include "bootstrap/variables.h"
#include "support/env.h"
#include "support/error.h"
#include "support/variables.h"

static void place_say(const char *how, const struct pst_start *s)
{
  char where[64] = "";
  if (!pst_env_bool(&pst_support_env.spawn_verbose)) return;
  if (s->hosts > 1) snprintf(where, sizeof where, " on host %u of %u", s->host, s->hosts);
  fprintf(stderr, "penstock: node %u of %u is process %ld%s, started by %s\n", s->node, s->nodes,
      (long)getpid(), where, how);
}

static void memory_create(unsigned nodes, struct pst_hostmem *hm)
{
  const struct pst_part part = pst_part_single(nodes);
  const char *why = NULL;
  if (pst_hostmem_create(&part, hm, &why) != PST_OK) pst_fatal("cannot start %u processes: %s", nodes, why);
}

/* The variable names open files: it must not reach programs that this process starts. Returns the rank on
 * this host. */
static unsigned memory_adopt(const char *text, struct pst_hostmem *hm)
{
  const char *why = NULL;
  unsigned rank;
  if (pst_hostmem_adopt(text, &rank, hm, &why) != PST_OK) pst_fatal("cannot join the job: %s", why);
  unsetenv(PST_LAUNCH_VARIABLE);
  return rank;
}

static void input_empty(void)
{
  const int fd = open("/dev/null", O_RDONLY);
  if (fd < 0) return;
  dup2(fd, STDIN_FILENO);
  if (fd != STDIN_FILENO) close(fd);
}

static double exit_timeout(void)
{
  return pst_env_bool(&pst_bootstrap_env.catch_exit) ? pst_env_double(&pst_support_env.exittimeout)
                                                     : HUGE_VAL;
}

static _Noreturn void nodes_supervise(pid_t *pids, unsigned nodes, struct pst_hostmem *hm)
{
  struct pst_supervise s = {.state = hm->state,
      .nodes = nodes,
      .pid = pids,
      .exit_timeout = exit_timeout(),
      .verbose = pst_env_bool(&pst_support_env.spawn_verbose)};
  _exit(pst_supervise_run(&s));
}

static _Noreturn void fork_fail(const pid_t *pids, unsigned started, unsigned nodes)
{
  const int e = errno;
  pst_children_kill(pids, started);
  errno = e;
  pst_fatal("cannot start process %u of %u: %m; see ulimit -u", started, nodes);
}

/* Output is flushed first: every child would write what stdio still holds. */
static unsigned nodes_fork(unsigned nodes, struct pst_hostmem *hm)
{
  const pid_t parent = getpid();
  pid_t *pids = malloc(nodes * sizeof *pids);
  sigset_t mask;
  if (!pids) pst_fatal("out of memory for %u processes", nodes);
  fflush(NULL);
  pst_jobsignals_block(&mask);
  for (unsigned i = 0; i < nodes; i++) {
    pids[i] = fork();
    if (pids[i] < 0) fork_fail(pids, i, nodes);
    if (pids[i] > 0) continue;
    pst_children_begin(parent, &mask);
    free(pids);
    if (i > 0) input_empty();
    return i;
  }
  nodes_supervise(pids, nodes, hm);
}

static void place_from_part(struct pst_start *s, unsigned rank)
{
  const struct pst_part *part = &s->hm.state->part;
  s->node = part->first + rank;
  s->nodes = part->nodes;
  s->first = part->first;
  s->local = part->local;
  s->host = part->host;
  s->hosts = part->hosts;
}

static unsigned self_start(struct pst_hostmem *hm)
{
  const unsigned nodes = pst_env_is_set(&pst_bootstrap_env.pshm_nodes)
      ? (unsigned)pst_env_int(&pst_bootstrap_env.pshm_nodes)
      : 1;
  memory_create(nodes, hm);
  return nodes > 1 ? nodes_fork(nodes, hm) : 0;
}

void pst_start(struct pst_start *s)
{
  const char *launch = getenv(PST_LAUNCH_VARIABLE);
  char how[64];
  if (!launch && !pst_env_is_set(&pst_bootstrap_env.pshm_nodes) && pst_foreign_join(s, how)) {
    place_say(how, s);
    return;
  }
  place_from_part(s, launch ? memory_adopt(launch, &s->hm) : self_start(&s->hm));
  place_say(launch ? "gasnetrun" : "itself", s);
}

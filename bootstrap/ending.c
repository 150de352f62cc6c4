/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "bootstrap/ending.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bootstrap/jobsignals.h"
#include "bootstrap/jobstate.h"
#include "bootstrap/loop.h"

#define FAILURE_GRACE 0.3 /* seconds that the others have to leave by themselves after a failure */
#define HANDLER_GRACE 2.0 /* after a signal, where exit_timeout sets no limit */
#define TERM_GRACE    1.0 /* from SIGTERM to SIGKILL, unless a handler of the client's runs */
#define ANNOUNCE_POLL 0.1 /* an announcement raises no signal: looked for often once a node has left, */
#define HEARING       0.5 /* and seldom before, for a node may announce its end and then hang */
#define FOREVER       HUGE_VAL

/* The reason for a code, from the least to the most important. */
enum { RANK_NONE, RANK_ASKED, RANK_LEFT, RANK_CRASHED };

static void code_set(struct pst_ending *e, int code, int rank)
{
  if (rank <= e->rank) return;
  e->code = code;
  e->rank = rank;
}

static double handler_time(const struct pst_ending *e)
{
  return e->exit_timeout < FOREVER ? e->exit_timeout : HANDLER_GRACE;
}

/* Deadlines only ever come nearer. */
static void job_end_within(struct pst_ending *e, double seconds)
{
  double at = pst_loop_now() + seconds;
  if (e->phase > PST_ENDING_GRACE) return;
  if (e->phase == PST_ENDING_NOT || at < e->deadline) e->deadline = at;
  e->phase = PST_ENDING_GRACE;
}

/* Where a signal has asked for the end, all have that signal, and the time to answer it runs already. */
static void job_fail(struct pst_ending *e, int code, int rank, double grace)
{
  code_set(e, code, rank);
  e->ops->announce(e->arg);
  if (!e->straight) job_end_within(e, grace);
}

/* A node has left, as it announced or as its exit status says. */
static void node_left(struct pst_ending *e, int code)
{
  e->someone_left = 1;
  if (code == 0) {
    if (e->ops->joined(e->arg)) job_end_within(e, e->exit_timeout);
    return;
  }
  if (e->phase <= PST_ENDING_GRACE)
    job_fail(e, code, RANK_LEFT, FAILURE_GRACE); /* later it answers our SIGTERM */
}

void pst_ending_leaves(struct pst_ending *e, unsigned node, unsigned leaving)
{
  if (e->verbose) dprintf(STDERR_FILENO, "penstock: node %u leaves with code %u\n", node, leaving & 255);
  if (leaving & PST_LEAVING_LOST) return; /* its end follows */
  node_left(e, (int)(leaving & 255));
}

static void death_explain(struct pst_ending *e, unsigned node, pid_t pid, const char *host, int sig)
{
  if (e->said) return;
  e->said = 1;
  dprintf(STDERR_FILENO,
      "penstock: node %u of %u (pid %ld on %s) was killed by signal %d (%s); ending the job\n", node,
      e->nodes, (long)pid, host, sig, strsignal(sig));
}

/* Is this end of a process reported to the others? A node that has announced its end has left the job, and
 * one that has printed a fatal message is not to be survived. */
static int end_is_loss(const struct pst_ending *e, unsigned node, int sig, unsigned leaving)
{
  if (e->phase != PST_ENDING_NOT || !e->ops->reports(e->arg, node)) return 0;
  return leaving & PST_LEAVING_LOST || (sig ? !(leaving & PST_LEAVING_TOLD) : !leaving);
}

static void loss_explain(unsigned nodes, unsigned node, pid_t pid, const char *host, int sig, int code)
{
  char how[80];
  if (sig) snprintf(how, sizeof how, "was killed by signal %d (%s)", sig, strsignal(sig));
  else snprintf(how, sizeof how, "ended with code %d without gasnet_exit", code);
  dprintf(STDERR_FILENO, "penstock: node %u of %u (pid %ld on %s) %s; the job goes on without it\n", node,
      nodes, (long)pid, host, how);
}

static void node_lost(struct pst_ending *e, unsigned node, int code)
{
  if (e->lost++ == 0) e->lost_code = code ? code : 1;
  if (e->lost == e->nodes) code_set(e, e->lost_code, RANK_CRASHED);
  e->ops->lose(e->arg, node);
}

/* A death by a signal that we sent, or that is ending the whole job, is expected. */
static int death_is_news(const struct pst_ending *e, int sig)
{
  if (e->phase <= PST_ENDING_GRACE && !e->straight) return 1;
  return e->phase < PST_ENDING_KILLED && !pst_jobsignals_ends(sig);
}

void pst_ending_ended(
    struct pst_ending *e, unsigned node, pid_t pid, const char *host, int status, unsigned leaving)
{
  const int sig = WIFSIGNALED(status) ? WTERMSIG(status) : 0, code = WEXITSTATUS(status);
  e->alive--;
  if (e->verbose)
    dprintf(STDERR_FILENO, "penstock: node %u (pid %ld) ended, %s %d\n", node, (long)pid,
        sig ? "signal" : "code", sig ? sig : code);
  if (end_is_loss(e, node, sig, leaving)) {
    if (!(leaving & PST_LEAVING_LOST)) loss_explain(e->nodes, node, pid, host, sig, code);
    node_lost(e, node, sig ? 128 + sig : code);
    return;
  }
  if (!sig) {
    if (!e->straight || code == 0)
      node_left(e, code); /* its announcement, in answer to the signal, has counted already */
    return;
  }
  e->someone_left = 1;
  if (!death_is_news(e, sig)) return;
  if (!(leaving & PST_LEAVING_TOLD)) death_explain(e, node, pid, host, sig);
  job_fail(e, 128 + sig, leaving & PST_LEAVING_TOLD ? RANK_LEFT : RANK_CRASHED, 0);
}

void pst_ending_failed(struct pst_ending *e, int code)
{
  e->someone_left = 1;
  if (e->phase <= PST_ENDING_GRACE) job_fail(e, code, RANK_LEFT, 0);
}

void pst_ending_asked(struct pst_ending *e, int sig)
{
  if (e->asked++ || e->phase > PST_ENDING_GRACE) return;
  code_set(e, 128 + sig, RANK_ASKED);
  e->straight = 1;
  e->phase = PST_ENDING_GRACE;
  e->deadline = pst_loop_now() + handler_time(e);
}

static void phase_begin_next(struct pst_ending *e)
{
  int last = e->phase == PST_ENDING_TERMINATED || e->straight;
  e->ops->announce(e->arg);
  if (e->verbose)
    dprintf(STDERR_FILENO, "penstock: %s to %u processes\n", last ? "SIGKILL" : "SIGTERM", e->alive);
  e->ops->signal(e->arg, last ? SIGKILL : SIGTERM);
  e->phase = last ? PST_ENDING_KILLED : PST_ENDING_TERMINATED;
  e->deadline = last ? FOREVER : pst_loop_now() + TERM_GRACE;
  e->cleaned = pst_loop_now() + handler_time(e);
}

void pst_ending_advance(struct pst_ending *e)
{
  /* a node had left with 0 before any other joined: now that one has, its departure counts */
  if (e->phase == PST_ENDING_NOT && e->someone_left && e->ops->joined(e->arg)) node_left(e, 0);
  if (e->phase == PST_ENDING_NOT || e->phase == PST_ENDING_KILLED || pst_loop_now() < e->deadline) return;
  if (e->phase == PST_ENDING_GRACE && !e->straight && e->code == 0 && e->ops->only_wrappers(e->arg)) return;
  if (e->phase == PST_ENDING_TERMINATED && pst_loop_now() < e->cleaned && e->ops->cleaning(e->arg)) return;
  phase_begin_next(e);
}

double pst_ending_patience(const struct pst_ending *e)
{
  if (e->phase == PST_ENDING_NOT && !e->someone_left) return HEARING;
  double rest = e->phase == PST_ENDING_NOT ? FOREVER : e->deadline - pst_loop_now();
  return rest > 0 && rest < ANNOUNCE_POLL
      ? rest
      : ANNOUNCE_POLL; /* the deadline may be past while scripts around nodes work on */
}

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
#define TERM_GRACE    1.0 /* from SIGTERM to SIGKILL, but for those in a handler of the client's */
#define ANNOUNCE_POLL 0.1 /* announcements raise no signal: looked for often once somebody has left */
#define HEARING       0.5 /* and seldom before: a node may announce its end and then hang */
#define FOREVER       HUGE_VAL

/* What a code tells of, from the least to the most. */
enum { RANK_NONE, RANK_ASKED, RANK_LEFT, RANK_CRASHED };

static void set_code(struct pst_ending *e, int code, int rank)
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
static void end_within(struct pst_ending *e, double seconds)
{
  double at = pst_loop_now() + seconds;
  if (e->phase > PST_ENDING_GRACE) return;
  if (e->phase == PST_ENDING_NOT || at < e->deadline) e->deadline = at;
  e->phase = PST_ENDING_GRACE;
}

/* Once a signal has asked for the end all have it, and their time to answer it. */
static void fail_with(struct pst_ending *e, int code, int rank, double grace)
{
  set_code(e, code, rank);
  e->ops->announce(e->arg);
  if (!e->straight) end_within(e, grace);
}

/* A node left, by its own announcement or by its exit status. */
static void left(struct pst_ending *e, int code)
{
  e->someone_left = 1;
  if (code == 0) {
    if (e->ops->joined(e->arg)) end_within(e, e->exit_timeout);
    return;
  }
  if (e->phase <= PST_ENDING_GRACE)
    fail_with(e, code, RANK_LEFT, FAILURE_GRACE); /* later it answers our SIGTERM */
}

void pst_ending_leaves(struct pst_ending *e, unsigned node, unsigned leaving)
{
  if (e->verbose) dprintf(STDERR_FILENO, "penstock: node %u leaves with code %u\n", node, leaving & 255);
  left(e, (int)(leaving & 255));
}

static void explain(struct pst_ending *e, unsigned node, pid_t pid, const char *host, int sig)
{
  if (e->said) return;
  e->said = 1;
  dprintf(STDERR_FILENO,
      "penstock: node %u of %u (pid %ld on %s) was killed by signal %d (%s); ending the job\n", node,
      e->nodes, (long)pid, host, sig, strsignal(sig));
}

/* Deaths by our own signals, or by the one that is ending the whole job, are no news. */
static int is_news(const struct pst_ending *e, int sig)
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
  if (!sig) {
    if (!e->straight || code == 0)
      left(e, code); /* what a node announces in answer to the signal has been heard */
    return;
  }
  e->someone_left = 1;
  if (!is_news(e, sig)) return;
  if (!(leaving & PST_LEAVING_TOLD)) explain(e, node, pid, host, sig);
  fail_with(e, 128 + sig, leaving & PST_LEAVING_TOLD ? RANK_LEFT : RANK_CRASHED, 0);
}

void pst_ending_failed(struct pst_ending *e, int code)
{
  e->someone_left = 1;
  if (e->phase <= PST_ENDING_GRACE) fail_with(e, code, RANK_LEFT, 0);
}

void pst_ending_asked(struct pst_ending *e, int sig)
{
  if (e->asked++ || e->phase > PST_ENDING_GRACE) return;
  set_code(e, 128 + sig, RANK_ASKED);
  e->straight = 1;
  e->phase = PST_ENDING_GRACE;
  e->deadline = pst_loop_now() + handler_time(e);
}

static void next_phase(struct pst_ending *e)
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
  /* a program that joined after another had left with 0 makes that departure count */
  if (e->phase == PST_ENDING_NOT && e->someone_left && e->ops->joined(e->arg)) left(e, 0);
  if (e->phase == PST_ENDING_NOT || e->phase == PST_ENDING_KILLED || pst_loop_now() < e->deadline) return;
  if (e->phase == PST_ENDING_GRACE && !e->straight && e->code == 0 && e->ops->only_wrappers(e->arg)) return;
  if (e->phase == PST_ENDING_TERMINATED && pst_loop_now() < e->cleaned && e->ops->cleaning(e->arg)) return;
  next_phase(e);
}

double pst_ending_patience(const struct pst_ending *e)
{
  if (e->phase == PST_ENDING_NOT && !e->someone_left) return HEARING;
  double rest = e->phase == PST_ENDING_NOT ? FOREVER : e->deadline - pst_loop_now();
  return rest > 0 && rest < ANNOUNCE_POLL ? rest
                                          : ANNOUNCE_POLL; /* it is over while scripts around nodes work on */
}

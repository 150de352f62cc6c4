/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* One loop: sleep until a signal or output comes, find the nodes that died or left, decide how the job goes
 * on. */
#include "bootstrap/supervise.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bootstrap/children.h"
#include "bootstrap/ending.h"
#include "bootstrap/jobsignals.h"
#include "bootstrap/losses.h"

struct run {
  struct pst_children children;
  struct pst_ending ending;
  struct pst_loop loop;
};

static const char *host_name(void)
{
  static char name[256];
  if (!name[0] && gethostname(name, sizeof name - 1) != 0) strcpy(name, "unknown host");
  return name;
}

/* ---- between the children and the policy ---- */

static void children_signal(void *run, int sig) { pst_children_signal(&((struct run *)run)->children, sig); }
static void end_announce(void *run) { atomic_store(&((struct run *)run)->children.state->ending, 1); }
static int children_joined(void *run) { return pst_children_joined(&((struct run *)run)->children); }
static int children_cleaning(void *run) { return pst_children_cleaning(&((struct run *)run)->children); }
static int children_only_wrappers(void *run)
{
  return pst_children_only_wrappers(&((struct run *)run)->children);
}

static int nodes_want_reports(void *run, unsigned node)
{
  (void)node;
  return atomic_load_explicit(&((struct run *)run)->children.state->reports, memory_order_acquire) != 0;
}
static void loss_tell(void *run, unsigned node) { pst_losses_add(((struct run *)run)->children.state, node); }

static const struct pst_ending_ops ops = {children_signal, end_announce, children_joined, children_cleaning,
    children_only_wrappers, nodes_want_reports, loss_tell};

static void node_leaves(void *run, unsigned i, unsigned leaving)
{
  pst_ending_leaves(&((struct run *)run)->ending, i, leaving);
}

static void node_ended(void *run, unsigned i, pid_t pid, int status)
{
  struct run *r = run;
  pst_ending_ended(&r->ending, i, pid, host_name(), status, atomic_load(&r->children.state->node[i].leaving));
}

/* The kernel sends a terminal's signals to the whole process group, so the children have them already. */
static void signal_came(void *run, int sig, int from_terminal)
{
  struct run *r = run;
  if (!from_terminal) pst_children_signal(&r->children, sig);
  if (pst_jobsignals_ends(sig)) pst_ending_asked(&r->ending, sig);
  if (sig == SIGTSTP) pst_jobsignals_stop();
}

/* ---- the loop ---- */

static void run_look(struct run *r)
{
  if (r->loop.signalled) pst_jobsignals_read(pst_loop_signals(&r->loop), signal_came, r);
  pst_children_look(&r->children);
  pst_ending_advance(&r->ending);
}

/* Dead children have written everything. Nothing waits for what a grandchild that lives on may write. */
static void output_drain(struct run *r)
{
  unsigned asked = r->ending.asked;
  while (r->loop.watches && r->ending.asked == asked) {
    pst_loop_wait(&r->loop, 0);
    if (r->loop.signalled) pst_jobsignals_read(pst_loop_signals(&r->loop), signal_came, r);
    if (!pst_loop_ready(&r->loop)) return;
    pst_loop_serve(&r->loop);
  }
}

static int children_copy(struct pst_children *c, const struct pst_supervise *s, void *run)
{
  *c = (struct pst_children){
      .state = s->state, .nodes = s->nodes, .leaves = node_leaves, .ended = node_ended, .arg = run};
  c->pid = malloc(s->nodes * sizeof *c->pid);
  c->told = calloc(s->nodes, 1);
  if (!c->pid || !c->told) return 0;
  memcpy(c->pid, s->pid, s->nodes * sizeof *c->pid);
  return 1;
}

static int run_begin(struct run *r, const struct pst_supervise *s)
{
  if (!children_copy(&r->children, s, r)) return 0;
  r->ending = (struct pst_ending){.ops = &ops,
      .arg = r,
      .nodes = s->nodes,
      .alive = pst_children_alive(&r->children),
      .exit_timeout = s->exit_timeout,
      .verbose = s->verbose};
  int signals = pst_jobsignals_open();
  if (signals < 0 || pst_loop_open(&r->loop, signals) != 0) return 0;
  for (unsigned i = 0; i < s->watches; i++)
    if (pst_loop_watch(&r->loop, &s->watch[i]) != 0) return 0;
  return 1;
}

static int run_give_up(const struct pst_supervise *s)
{
  dprintf(STDERR_FILENO, "penstock: cannot watch the processes of the job: %s; ending it\n", strerror(errno));
  pst_children_kill(s->pid, s->nodes);
  return 1;
}

static void run_finish(struct run *r)
{
  pst_loop_close(&r->loop);
  free(r->children.told);
  free(r->children.pid);
}

int pst_supervise_run(const struct pst_supervise *s)
{
  struct run r = {0};
  if (!run_begin(&r, s)) {
    const int code = run_give_up(s);
    run_finish(&r);
    return code;
  }
  run_look(&r); /* a child may have died before the signal descriptor was open */
  while (r.ending.alive) {
    pst_loop_wait(&r.loop, pst_ending_patience(&r.ending));
    run_look(&r);
    pst_loop_serve(&r.loop);
  }
  output_drain(&r);
  run_finish(&r);
  return r.ending.code;
}

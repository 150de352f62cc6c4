/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "bootstrap/children.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bootstrap/jobsignals.h"

void pst_children_begin(pid_t parent, const sigset_t *old)
{
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1); /* the parent died before the prctl */
  pst_jobsignals_restore(old);
}

static int threads_count(pid_t pid)
{
  char name[64], text[1024];
  snprintf(name, sizeof name, "/proc/%ld/stat", (long)pid);
  FILE *f = fopen(name, "re");
  if (!f) return 0;
  size_t n = fread(text, 1, sizeof text - 1, f);
  fclose(f);
  text[n] = '\0';
  const char *at = strrchr(text, ')'); /* the name before it may contain anything */
  int threads;
  return at &&
          sscanf(at + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %d",
              &threads) == 1
      ? threads
      : 0;
}

void pst_children_adopted(void)
{
  pid_t parent = getppid();
  if (threads_count(parent) != 1) return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
}

/* libfabric's provider shm names its memory PID:domain:endpoint; a node opens one of each. A process that is
 * killed cannot remove it. The parent can do so safely while the dead process is not yet waited for, so that
 * no other has its number. The parent may be gasnetrun, which opens no conduit: so the name stands here. */
static void leftovers_remove(pid_t pid)
{
  char name[64];
  struct stat s;
  snprintf(name, sizeof name, "/dev/shm/%ld:0:0", (long)pid);
  if (lstat(name, &s) == 0 && S_ISREG(s.st_mode) && s.st_uid == geteuid()) unlink(name);
}

static void departure_tell(struct pst_children *c, unsigned i)
{
  unsigned leaving = atomic_load(&c->state->node[i].leaving);
  if (!(leaving & PST_LEAVING) || c->told[i]) return;
  c->told[i] = 1;
  c->leaves(c->arg, i, leaving);
}

static void child_ended(struct pst_children *c, unsigned i, int status)
{
  pid_t pid = c->pid[i];
  c->pid[i] = 0;
  departure_tell(c, i);
  c->ended(c->arg, i, pid, status);
}

/* The number of the next child that has ended; 0: none has. */
static pid_t child_reap(int *status)
{
  siginfo_t dead = {0};
  if (waitid(P_ALL, 0, &dead, WEXITED | WNOHANG | WNOWAIT) != 0 || dead.si_pid == 0) return 0;
  leftovers_remove(dead.si_pid);
  return waitpid(dead.si_pid, status, WNOHANG);
}

/* The node that was the first to announce an error comes before all others. */
static void first_departure_tell(struct pst_children *c)
{
  const uint32_t first = atomic_load(&c->state->first);
  if (first > 0 && first <= c->nodes) departure_tell(c, first - 1);
}

/* This reaps children that are no nodes, too: helpers from before the job, and orphans where this is
 * process 1. */
void pst_children_look(struct pst_children *c)
{
  int status;
  first_departure_tell(c);
  for (pid_t pid; (pid = child_reap(&status)) > 0;)
    for (unsigned i = 0; i < c->nodes; i++)
      if (c->pid[i] == pid) child_ended(c, i, status);
  for (unsigned i = 0; i < c->nodes; i++)
    if (c->pid[i] > 0) departure_tell(c, i);
}

void pst_children_kill(const pid_t *pid, unsigned n)
{
  siginfo_t dead;
  for (unsigned i = 0; i < n; i++)
    if (pid[i] > 0) kill(pid[i], SIGKILL);
  for (unsigned i = 0; i < n; i++) {
    if (pid[i] <= 0) continue;
    if (waitid(P_PID, (id_t)pid[i], &dead, WEXITED | WNOWAIT) == 0) leftovers_remove(pid[i]);
    waitpid(pid[i], NULL, 0);
  }
}

void pst_children_signal(const struct pst_children *c, int sig)
{
  for (unsigned i = 0; i < c->nodes; i++)
    if (c->pid[i] > 0) kill(c->pid[i], sig);
}

unsigned pst_children_alive(const struct pst_children *c)
{
  unsigned n = 0;
  for (unsigned i = 0; i < c->nodes; i++) n += c->pid[i] > 0;
  return n;
}

int pst_children_joined(const struct pst_children *c)
{
  for (unsigned i = 0; i < c->nodes; i++)
    if (atomic_load(&c->state->node[i].pid)) return 1;
  return 0;
}

int pst_children_cleaning(const struct pst_children *c)
{
  for (unsigned i = 0; i < c->nodes; i++)
    if (c->pid[i] > 0 && atomic_load(&c->state->node[i].cleaning)) return 1;
  return 0;
}

/* The job goes on as long as this child does. A shell script whose node has left with 0 and is gone does not
 * count. */
static int child_is_awaited(const struct pst_children *c, unsigned i)
{
  const struct pst_jobnode *node = &c->state->node[i];
  pid_t self = atomic_load(&node->pid);
  if (c->pid[i] <= 0) return 0;
  return self <= 0 || self == c->pid[i] || (atomic_load(&node->leaving) & ~PST_LEAVING_TOLD) != PST_LEAVING ||
      kill(self, 0) == 0 || errno != ESRCH;
}

int pst_children_only_wrappers(const struct pst_children *c)
{
  for (unsigned i = 0; i < c->nodes; i++)
    if (child_is_awaited(c, i)) return 0;
  return 1;
}

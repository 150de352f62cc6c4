/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The processes of a job that this process has started: how they begin and end, and signals to them. */
#ifndef BOOTSTRAP_CHILDREN_H
#define BOOTSTRAP_CHILDREN_H
#include <signal.h>
#include <sys/types.h>
#include "bootstrap/jobstate.h"

struct pst_children {
  struct pst_jobstate *state;
  unsigned nodes;      /* numbered from 0, as on this host */
  pid_t *pid;          /* [nodes]; 0: gone */
  unsigned char *told; /* [nodes]; leaves() has been called for it */
  /* pst_children_look calls them. For a node that announces its end `leaves` comes before `ended`. */
  void (*leaves)(void *arg, unsigned i, unsigned leaving);
  void (*ended)(void *arg, unsigned i, pid_t pid, int status);
  void *arg;
};

/* Each child calls this first of all: it will die with its parent, and has signals as pst_jobsignals_block
 * found them. */
void pst_children_begin(pid_t parent, const sigset_t *old);
/* For a process whose parent is not gasnetrun, but a shell script under it: the process will die with that
 * script. Nothing is done where the parent has several threads: the kernel would take the end of the thread
 * that forked for the parent's death. */
void pst_children_adopted(void);
/* Kills these n children, whose start has failed, and reaps them and no others. An entry of 0 is no child. */
void pst_children_kill(const pid_t *pid, unsigned n);
/* Reaps the dead, and finds the nodes that announce their end. */
void pst_children_look(struct pst_children *c);
void pst_children_signal(const struct pst_children *c, int sig);
unsigned pst_children_alive(const struct pst_children *c);
int pst_children_joined(const struct pst_children *c); /* at least one has become a node */
int pst_children_cleaning(
    const struct pst_children *c); /* at least one is in its client's handler for SIGQUIT */
/* All children that are left are shell scripts, each around a node that has left with 0 and is gone. A script
 * may have work to do after its node: no process waits for it, and it is not hurried. */
int pst_children_only_wrappers(const struct pst_children *c);

#endif

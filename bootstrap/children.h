/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The processes of a job that this process has started: their beginning, their departures, signals to them.
 */
#ifndef BOOTSTRAP_CHILDREN_H
#define BOOTSTRAP_CHILDREN_H
#include <signal.h>
#include <sys/types.h>
#include "bootstrap/jobstate.h"

struct pst_children {
  struct pst_jobstate *state;
  unsigned nodes;      /* numbered from 0, as on this host */
  pid_t *pid;          /* [nodes]; 0: gone */
  unsigned char *told; /* [nodes]; its `leaving` has been taken into account */
  /* What pst_children_look finds. A node that announces its end is heard before it is gone. */
  void (*leaves)(void *arg, unsigned i, unsigned leaving);
  void (*ended)(void *arg, unsigned i, pid_t pid, int status);
  void *arg;
};

/* In each child first of all: dies with its parent; signals as pst_jobsignals_block found them. */
void pst_children_begin(pid_t parent, const sigset_t *old);
/* In a process that a shell script under gasnetrun started, not gasnetrun itself: dies with that script.
 * Where the parent has several threads nothing is done, for the kernel would take the end of the one that
 * forked for its death. */
void pst_children_adopted(void);
/* Ends n children whose start has failed: none is left, and nobody else's are waited for. An entry of 0 is
 * none. */
void pst_children_kill(const pid_t *pid, unsigned n);
/* Reaps the dead and hears who announces its end. */
void pst_children_look(struct pst_children *c);
void pst_children_signal(const struct pst_children *c, int sig);
unsigned pst_children_alive(const struct pst_children *c);
int pst_children_joined(const struct pst_children *c); /* at least one has become a node */
int pst_children_cleaning(
    const struct pst_children *c); /* at least one is in its client's handler for SIGQUIT */
/* A shell script around a node may have work to do after it: once the node itself has left with 0 and is
 * gone, nobody waits for that script and it is not hurried. */
int pst_children_only_wrappers(const struct pst_children *c);

#endif

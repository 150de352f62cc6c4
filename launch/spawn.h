/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Starts the processes of a job. */
#ifndef LAUNCH_SPAWN_H
#define LAUNCH_SPAWN_H
#include <signal.h>
#include <sys/types.h>
#include "bootstrap/hostmem.h"

struct pipes;

struct spawn {
  const struct pst_hostmem *host;
  const struct pipes *pipes; /* NULL: the processes write where this one would */
  int input;                 /* what the job's node 0 reads */
  int verbose;
  pid_t *pid;           /* [local], filled here */
  char *const *program; /* the program and its arguments, NULL at the end */
  const char *path;     /* what will be executed; owned by the caller */
  sigset_t mask;        /* the signal mask to give to the processes */
};

/* Finds the program as execvp would; ends the process with 126 or 127 where that fails. malloc'ed. */
char *spawn_find(const char *program);
/* Starts all; when one cannot be started kills the others and ends the process. */
void spawn_all(struct spawn *s);

#endif

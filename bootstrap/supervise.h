/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The parent of all processes of a job on one host: waits for them, ends the job when one dies or leaves,
 * forwards signals, and knows the job's exit code. Used by gasnetrun and by a program that starts itself
 * (GASNET_PSHM_NODES=N ./prog), whose first process becomes the supervisor. Call pst_jobsignals_block before
 * the first fork. */
#ifndef BOOTSTRAP_SUPERVISE_H
#define BOOTSTRAP_SUPERVISE_H
#include <sys/types.h>
#include "bootstrap/jobstate.h"
#include "bootstrap/loop.h"

struct pst_supervise {
  struct pst_jobstate *state;
  unsigned nodes;
  const pid_t *pid;    /* [nodes] */
  double exit_timeout; /* seconds that the others get after one node left with code 0 */
  int verbose;
  struct pst_loop_fd *watch; /* output of children read through pipes (gasnetrun --tag-output); may be NULL */
  unsigned watches;
};

/* Returns the job's exit code when all children are gone: 128+signal when one was killed, else the first
 * non-zero code in time, else 0. Prints one line for a death by signal: node, pid, host, signal. */
int pst_supervise_run(const struct pst_supervise *s);
#endif

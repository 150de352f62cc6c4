/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Measures what was planned: starts its jobs one by one and reads what they print. */
#ifndef BENCH_CONTROL_RUN_H
#define BENCH_CONTROL_RUN_H
#include "bench/control/job.h"
#include "bench/control/plan.h"

struct run {
  const struct settings *s;
  struct report *r;
  struct plan plan;
};

/* Until all is measured or missing, or a signal has come. */
void run_all(struct run *run);

/* ---- what a job is given: ask.c ---- */

/* The command line and environment of a job with the nodes of `first`. It measures what still waits of that
 * number in *r; where r is NULL it only starts. -1: there is no such worker; *reason says so. Call job_free
 * in any case. The bounds of --check are for two processors, whatever the machine has. */
int ask(struct run *run, const struct report *r, const struct result *first, unsigned flags, double seconds,
    struct job *job, char reason[TEXT_MOST]);
/* The environment alone. */
void ask_environment(const struct run *run, const struct result *result, unsigned flags, struct job *job);
/* What --raw is for the result: "none", "smp" or the path of a library; for the caller to free. */
char *ask_raw(struct run *run, const struct result *result);
/* The path of gasnetrun; ends the process where it is missing. */
const char *ask_launcher(const struct settings *s);
/* The path of "gasnetbench-seq" and so on, for the caller to free; NULL: it is missing, and *reason
 * says so. */
char *ask_worker(const struct settings *s, const char *name, char reason[TEXT_MOST]);
#endif

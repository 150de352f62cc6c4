/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A run of gasnetbench: what it measures, in which jobs, where, and by which programs. */
#ifndef BENCH_CONTROL_RUN_H
#define BENCH_CONTROL_RUN_H
#include "bench/control/job.h"
#include "bench/control/report.h"
#include "bench/control/settings.h"

struct run {
  struct settings *s;
  struct report *r;
  unsigned jobs;        /* results say to which they belong, by numbers from 0 on */
  unsigned job;         /* the one that runs, */
  struct result *doing; /* and what it measures now, or NULL */
  double seconds;       /* for each point */
  double start;         /* when the first job was started */
};

#define EACH_OF_JOB(each, run) \
  EACH_RESULT (each, (run)->r) \
    if (each->job != (run)->job) continue; \
    else

/* Until all is measured or missing, or a signal has come. A line at the foot of a terminal says how far it
 * is. */
void run_all(struct run *run);

/* ---- plan.c ---- */

/* Fills the report with results that wait, in the order in which they are shown. Ends the process where
 * nothing is left to measure. */
void plan_make(struct run *run);
/* What there is to measure: tests by group with their points, and with --check the bounds. */
void list_tests(const struct settings *s);
unsigned processors_here(void);

/* ---- what a job is given: ask.c ---- */

/* The command line and environment of a job with the nodes of `first`. It measures what still waits of that
 * number; where seconds is 0 it only starts. Returns NULL, or why there is no such worker. The bounds of
 * --check are for two processors, whatever the machine has. */
const char *ask(struct run *run, const struct result *first, unsigned flags, double seconds, struct job *job);
/* The test that the worker measures: of a result of two kinds of jobs the one that both run. */
const struct bench_test *worker_test(const struct result *r);
/* As many bare processes at once as the result has nodes, each forked and ended, or on a network opening and
 * closing one endpoint. -1: there is nothing to compare with. */
int ask_bare(struct run *run, const struct result *result, struct job *job);
int target_is_network(const struct target *t);

/* ---- place.c ---- */

/* This host, now, and notes of what about it spoils the figures. */
void place_fill(const struct settings *s, struct report *r);
#endif

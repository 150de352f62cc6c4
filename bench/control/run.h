/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A run of gasnetbench: what it is asked for, its plan, and its jobs. */
#ifndef BENCH_CONTROL_RUN_H
#define BENCH_CONTROL_RUN_H
#include "bench/control/report.h"
#include "launch/hosts.h"

/* ---- the command line ---- */

enum { EXIT_UNMEASURED = 1, EXIT_OVER = 3 };
enum { CONDUITS = 3, TRANSPORTS_MOST = 16 };

/* What nodes talk by. */
struct target {
  const char *conduit, *transport; /* smp, ofi, ucx; NULL: the library's choice, between hosts a network */
};

static inline int target_is_network(const struct target *t) { return !t->conduit || t->conduit[0] != 's'; }

struct settings {
  int *meant, words;             /* each test: 2 by its name, 1 by a group or a pattern, 0 not; is any? */
  struct numbers sizes, threads; /* no sizes: each test's own; of threads at least one */
  const char *conduit[CONDUITS], *transport[TRANSPORTS_MOST]; /* as named */
  unsigned conduits, transports;
  struct target target[TRANSPORTS_MOST]; /* one for each conduit, or for each transport of one */
  unsigned targets;
  unsigned nodes;                        /* 0: not said */
  struct hosts hosts;                    /* none: this host alone */
  const char *hosts_option, *hosts_text; /* as they were named; option NULL: by the environment */
  double time;                           /* seconds for the whole run; 0: not said */
  unsigned rounds;                       /* 0: by time */
  double noise;                          /* percent: less is no change */
  const char *output, *plot, *vs, *workers;
  int list, json, par, raw, check, strict, unpinned, verbose;
};

/* ---- the run ---- */

struct run {
  struct settings *s;
  struct report *r;
  unsigned jobs;        /* results say to which they belong, by numbers from 0 on */
  unsigned job;         /* the one that runs, */
  struct result *doing; /* and what it measures now, or NULL */
  int other;            /* it is one that ours are compared with: run_pairs */
  const char *said;     /* by what nodes talk, as a job says that is asked only for this; NULL: no job is */
  double seconds;       /* for each point */
  double start;         /* when the first job was started */
};

#define EACH_OF_JOB(each, run) \
  EACH_RESULT (each, (run)->r) \
    if (each->job != (run)->job) continue; \
    else

/* Until all is measured or missing, or a signal has come. A line on a terminal says how far it is. */
void run_all(struct run *run);
/* The signal that asked to end the run, or 0. */
int run_interrupted(void);

/* Fills the report with results that wait. Ends the process where there is nothing to measure. */
void plan_make(struct run *run);
/* What there is to measure: tests by group with their points, and with --check the bounds. */
void list_tests(const struct settings *s);
unsigned processors_here(void);
#endif

/* Measures what was planned: starts its jobs one by one and takes in what they say. */
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

/* ---- its parts ---- */

/* One job of the worker that the results of this number need, with these job flags, so many seconds for each point. A result that it leaves
 * without a value is missing then, and says why. 1: where the run's own job has failed at one point, others still wait. */
int run_job(struct run *run, struct report *r, unsigned number, unsigned flags, double seconds, struct job_end *end);
/* The tests that this program measures by itself. */
void run_start(struct run *run, struct result *result);
void run_two_kinds(struct run *run, unsigned number);
/* A job of that result's nodes which only starts and ends; 0: it did. */
int run_only_start(struct run *run, const struct result *result, struct job_end *end);
#endif

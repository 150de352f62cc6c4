/* What a job says, and how it ends: into the report. */
#ifndef BENCH_CONTROL_LISTEN_H
#define BENCH_CONTROL_LISTEN_H
#include "bench/control/job.h"
#include "bench/control/report.h"

struct listener {
  struct report *r;
  unsigned job;         /* results of this number are its */
  int main;             /* it is the run's own report */
  struct result *doing; /* now; or NULL */
};

/* A line of its output; `arg` is the listener. Others than a worker's own are passed on to standard error, as its complaints are. */
void listen_line(void *arg, const char *line);
void listen_complaint(void *unused, const char *line);
/* What still waits of a job that has ended is missing, unless it was interrupted. */
void listen_end(struct report *r, unsigned number, const struct job *job, const struct job_end *end);
/* Where a job has ended in the middle, what it was doing is missing, and a further job can do the rest. 0: there is no rest, or no use in it. */
int listen_rest(struct listener *l, const struct job *job, const struct job_end *end);
/* All of the job that still wait. */
void listen_missing(struct report *r, unsigned number, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* How many of a job still wait, and how many of all do not. */
unsigned listen_left(const struct report *r, unsigned number);
unsigned listen_done(const struct report *r);
#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Starts a program, reads what it prints, and sees that it ends. */
#ifndef BENCH_CONTROL_JOB_H
#define BENCH_CONTROL_JOB_H
enum { JOB_LINE = 1024 };
enum { JOB_LATE = -1, JOB_NOT_STARTED = -2, JOB_INTERRUPTED = -3 };

struct job {
  const char *command; /* for a shell: variables, program and arguments */
  double patience;     /* seconds without a line, after which it is ended */
  int two_processors;  /* it may use no more; else all that this process may */
  int first_complaint; /* the first complaint says why it failed; else the last */
  /* Takes a line of standard output or error. Returns 0 where it is of no program that knows gasnetbench. */
  int (*line)(void *arg, const char *line);
  void *arg;
  /* Of a job that has ended: */
  int code;                 /* its exit code, 128 + a signal's number, or one of the above */
  double seconds;           /* from its start to its end */
  char complaint[JOB_LINE]; /* the first or last such line with a letter, or "" */
};
void job_run(struct job *job);

/* Signals that ask this program to end: caught from here on; they end the job that runs. */
void job_catch_signals(void);
/* The signal that has come, or 0. */
int job_interrupted(void);

double seconds_now(void);
#endif

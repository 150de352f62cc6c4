#include "bench/control/run.h"

#include <stdio.h>
#include <string.h>

#include "bench/control/ask.h"
#include "bench/control/listen.h"
#include "bench/control/progress.h"

static unsigned run_flags(const struct run *run, const struct result *result) { return result->of->flags | (run->s->par ? BENCH_PAR : 0); }

static struct result *first_of(struct report *r, unsigned number)
{
  unsigned i = 0;
  while (i + 1 < r->count && r->result[i].job != number) i++;
  return &r->result[i];
}

static void tell(const struct run *run, const struct job *job)
{
  if (!run->s->verbose) return;
  progress_clear();
  fprintf(stderr, "gasnetbench:");
  for (unsigned i = 0; i < JOB_SETTINGS && job->variable[i][0]; i++) fprintf(stderr, " %s=%s", job->variable[i][0], job->variable[i][1]);
  for (unsigned i = 0; job->argument[i]; i++) fprintf(stderr, strpbrk(job->argument[i], " ;'") ? " '%s'" : " %s", job->argument[i]);
  fprintf(stderr, "\n");
}

int run_job(struct run *run, struct report *r, unsigned number, unsigned flags, double seconds, struct job_end *end)
{
  const struct result *first = first_of(r, number);
  struct listener listener = {r, number, r == run->r, NULL};
  struct job job = {.patience = 60 + 20 * seconds + 0.2 * first->nodes + (run->s->rounds ? 600 : 0), .line = listen_line,
                    .complaint = listen_complaint, .arg = &listener};
  struct asked asked;
  int again = 0;
  *end = (struct job_end){.code = JOB_NOT_STARTED};
  if (ask(run, r, first, flags, seconds, &job, &asked) != 0) {
    listen_missing(r, number, "%s", asked.reason);
  } else {
    tell(run, &job);
    job_run(&job, end);
    again = listen_rest(&listener, &job, end);
    if (!again) listen_end(r, number, &job, end);
  }
  ask_free(&asked);
  return again;
}

int run_only_start(struct run *run, const struct result *result, struct job_end *end)
{
  struct listener listener = {run->r, result->job, 0, NULL};
  struct job job = {.patience = 60 + 0.2 * result->nodes, .line = listen_line, .complaint = listen_complaint, .arg = &listener};
  struct asked asked;
  *end = (struct job_end){.code = JOB_NOT_STARTED};
  if (ask(run, NULL, result, run_flags(run, result), 0, &job, &asked) != 0) {
    listen_missing(run->r, result->job, "%s", asked.reason);
  } else {
    tell(run, &job);
    job_run(&job, end);
    if (end->code != 0) listen_end(run->r, result->job, &job, end);
  }
  ask_free(&asked);
  return end->code == 0 ? 0 : -1;
}

/* ---- all ---- */

enum { TRIES = 4 };

static void run_number(struct run *run, unsigned number)
{
  struct result *first = first_of(run->r, number);
  struct job_end end;
  unsigned tries = 0;
  progress_doing(first);
  switch (first->of->program) {
    case BENCH_CONTROLLER: run_start(run, first); return;
    case BENCH_TWO_KINDS: run_two_kinds(run, number); return;
    default:
      while (run_job(run, run->r, number, run_flags(run, first), run->plan.seconds, &end) && ++tries < TRIES) {}
      if (tries == TRIES) listen_missing(run->r, number, "%d jobs that were to measure it have failed", TRIES);
  }
}

void run_all(struct run *run)
{
  progress_open(run->r->count, run->plan.seconds);
  for (unsigned j = 0; j < run->plan.jobs && !job_interrupted(); j++) {
    if (listen_left(run->r, j) == 0) continue;
    run_number(run, j);
    progress_at(listen_done(run->r));
  }
  progress_close();
}

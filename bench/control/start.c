/* What it costs to start a job and to end it: seconds from starting the launcher to its end, in turn with as many bare processes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/control/ask.h"
#include "bench/control/listen.h"
#include "bench/control/progress.h"
#include "bench/control/run.h"
#include "bench/control/stats.h"
#include "bench/control/workers.h"

enum { LEAST = 3, MOST = 101 };

struct samples {
  double ours[MOST], raw[MOST], ratio[MOST];
  unsigned n;
};

/* Bare: forked and ended, or on a network opening and closing one endpoint. 0: there is nothing to compare with; negative: failed. */
static double run_bare(struct run *run, const struct result *result)
{
  struct job job = {.patience = 60};
  char reason[256], *raw = ask_raw(run, result), *worker = NULL;
  double seconds = 0;
  if (strcmp(raw, "none") == 0 || run->s->hosts.count) {
    free(raw);
    return 0;
  }
  if (strcmp(raw, "smp") != 0) {
    worker = worker_path(run->s, "gasnetbench-seq", reason);
    job.argument[0] = worker;
    job.argument[1] = "--bare-start";
    job.argument[2] = raw;
    ask_environment(run, result, 0, &job);
  }
  seconds = job_run_bare(&job, result->nodes);
  free(worker);
  free(raw);
  return seconds;
}

static int enough(const struct run *run, const struct samples *s, double start)
{
  if (run->s->rounds) return s->n == run->s->rounds || s->n == MOST;
  return s->n == MOST || (s->n >= LEAST && seconds_now() - start > 3 * run->plan.seconds);
}

static int add_sample(struct run *run, const struct result *result, struct samples *s)
{
  struct job_end end;
  s->raw[s->n] = run_bare(run, result);
  if (s->raw[s->n] < 0) {
    listen_missing(run->r, result->job, "%u bare processes could not be started, or failed", result->nodes);
    return -1;
  }
  if (run_only_start(run, result, &end) != 0) return -1;
  s->ours[s->n] = end.seconds;
  if (s->raw[s->n] > 0) s->ratio[s->n] = s->ours[s->n] / s->raw[s->n];
  s->n++;
  return 0;
}

void run_start(struct run *run, struct result *result)
{
  static struct samples s;
  const double start = seconds_now();
  s.n = 0;
  while (!enough(run, &s, start)) {
    progress_doing(result);
    if (job_interrupted() || add_sample(run, result, &s) != 0) return;
  }
  const int compared = s.raw[0] > 0;
  stats_make(&result->ours, s.ours, s.n);
  if (compared) stats_make(&result->raw, s.raw, s.n);
  result->ratio = compared ? stats_median(s.ratio, s.n) : 0;
  result->state = MEASURED;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "bench/control/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "launch/arguments.h"

/* ---- how far the run is, on a terminal ---- */

/* Something else is to be written: the line is out of the way until the next point. */
static void progress_clear(void)
{
  if (isatty(STDERR_FILENO)) fprintf(stderr, "\r\033[K");
}

/* The time left follows from the time so far; in the first tenth of the run, from the plan. */
static void progress_show(const struct run *run, const struct result *doing)
{
  static const char full[] = "########################", rest[] = "........................";
  const unsigned count = run->r->count, waiting = report_count(run->r, WAITING), done = count - waiting;
  const int part = (int)(done * (sizeof full - 1) / count);
  struct winsize w;
  if (!isatty(STDERR_FILENO)) return;
  const double each = done * 10 < count ? run->seconds : (seconds_now() - run->start) / done;
  const int known = ioctl(STDERR_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 20;
  const char *text = doing->test;
  if (doing->points != BENCH_ONE) text = text_add(text, " ", point_text(doing));
  if (doing->points != BENCH_NODES) text = text_add(text, " ", text_of("on %u nodes", doing->nodes));
  const char *line = text_of("[%.*s%s] %3u %%  about %.0f s left  %s by %s", part, full, rest + part,
      done * 100 / count, each * waiting, text, doing->conduit);
  fprintf(stderr, "\r\033[K%.*s", known ? w.ws_col - 1 : 79, line);
}

/* ---- the results of the job that runs ---- */

static int job_still_waits(const struct run *run)
{
  EACH_OF_JOB (each, run)
    if (each->state == WAITING) return 1;
  return 0;
}

static void result_miss(struct result *result, const char *reason)
{
  if (result->state != WAITING) return;
  result->state = MISSING;
  result->missing = text_plain(reason);
}

/* All that still wait. */
static void job_miss(const struct run *run, const char *reason)
{
  EACH_OF_JOB (each, run) result_miss(each, reason);
}

/* ---- what a job says, and how it ends ---- */

static int stats_are_right(const struct bench_summary *s)
{
  return s->n >= 1 && s->n <= 1000000000 && isfinite(s->least) && isfinite(s->p99) && isfinite(s->q1) &&
      isfinite(s->q3) && s->q1 <= s->median && s->median <= s->q3;
}

/* "CONDUIT TRANSPORT": nodes of one host share memory whatever was asked for, and a variable may name the
 * transport. */
static int hear_about(const struct run *run, const char *rest)
{
  char conduit[8];
  int used = 0;
  if (sscanf(rest, "%7s %n", conduit, &used) != 1 || !rest[used]) return 0;
  EACH_OF_JOB (each, run) {
    each->conduit = text_plain(conduit);
    each->transport = text_plain(rest + used);
  }
  return 1;
}

/* "NODES THREADS", six numbers, and perhaps "raw", as many of the bare transport, the ratio. */
static int hear_point(struct result *which, const char *rest)
{
  struct result heard = *which;
  struct bench_summary *s = &heard.ours, *raw = &heard.raw;
  int ours_end = 0, raw_end = 0;
  heard.raw.n = 0;
  heard.ratio = 0;
  heard.state = MEASURED;
  sscanf(rest, "%u %u %u %lf %lf %lf %lf %lf %n raw %u %lf %lf %lf %lf %lf %lf %n", &heard.nodes,
      &heard.threads, &s->n, &s->median, &s->least, &s->p99, &s->q1, &s->q3, &ours_end, &raw->n, &raw->median,
      &raw->least, &raw->p99, &raw->q1, &raw->q3, &heard.ratio, &raw_end);
  const int end = raw_end ? raw_end : ours_end;
  if (!end || rest[end] || heard.nodes != which->nodes || heard.threads != which->threads) return 0;
  if (!stats_are_right(s) || (raw_end && !stats_are_right(raw)) || !isfinite(heard.ratio) || heard.ratio < 0)
    return 0;
  *which = heard;
  return 1;
}

static struct result *result_named(const struct run *run, const char *test, const char *point)
{
  EACH_OF_JOB (each, run)
    if (strcmp(each->point, point) == 0 && strcmp(worker_test(each)->name, test) == 0) return each;
  return NULL;
}

/* Was the worker's line understood? */
static int hear_word(struct run *run, const char *line)
{
  char word[16], test[32], point[24];
  int used = 0;
  if (strncmp(line, "@about ", 7) == 0) return hear_about(run, line + 7);
  if (sscanf(line, "%15s %31s %23s %n", word, test, point, &used) < 3) return 0;
  struct result *which = result_named(run, test, point);
  const char *rest = line + used;
  if (!which) return 0;
  if (strcmp(word, "@point") == 0) return hear_point(which, rest);
  if (strcmp(word, "@doing") == 0 && !*rest) progress_show(run, run->doing = which);
  else if (strcmp(word, "@missing") == 0) result_miss(which, *rest ? rest : "the worker did not say why");
  else return 0;
  return 1;
}

/* Lines that are not a worker's own are passed on. */
static int hear_line(void *arg, const char *line)
{
  const int own = line[0] == '@';
  if (own && hear_word(arg, line)) return 1;
  progress_clear();
  fprintf(stderr, "%s%s\n", own ? "gasnetbench: a worker said what is not understood: " : "", line);
  return own;
}

/* What still waits of a job that has ended is missing, unless it was interrupted. Where it has failed while
 * it was doing one of several, this one is: a further job can do the rest. */
static void job_take_end(const struct run *run, const struct job *job)
{
  struct result *doing = job->code != 0 ? run->doing : NULL;
  const char *reason;
  switch (job->code) {
  case JOB_INTERRUPTED: return;
  case JOB_NOT_STARTED: reason = "its job could not be started: no more processes or files"; break;
  case JOB_LATE: reason = text_of("its job said nothing for %.0f s and was ended", job->patience); break;
  case 0: reason = "its job printed no result"; break;
  default: reason = text_of("its job ended with code %d", job->code);
  }
  if (job->code > 0 && *job->complaint) reason = text_add(reason, ": ", text_of("%.200s", job->complaint));
  if (doing && doing->state == WAITING) result_miss(doing, reason);
  else job_miss(run, reason);
}

/* ---- one job ---- */

static void job_tell(const struct run *run, const struct job *job)
{
  if (!run->s->verbose) return;
  progress_clear();
  fprintf(stderr, "gasnetbench:");
  for (unsigned i = 0; job->variable[i]; i++) fprintf(stderr, " %s", job->variable[i]);
  for (unsigned i = 0; job->argument[i]; i++)
    fprintf(stderr, strpbrk(job->argument[i], " ;'") ? " '%s'" : " %s", job->argument[i]);
  fprintf(stderr, "\n");
}

/* One job of the worker that the result needs, with these job flags. Where `seconds` is not 0, it measures
 * for so long each point of the job that waits; else it only starts and ends. Returns the seconds that it
 * took. */
static double run_job(struct run *run, const struct result *first, unsigned flags, double seconds)
{
  const double longer = seconds > 0 ? 20 * seconds + (run->s->rounds ? 600 : 0) : 0;
  struct job job = {.patience = 60 + 0.2 * first->nodes + longer, .line = hear_line, .arg = run};
  run->doing = NULL;
  const char *missing = ask(run, first, flags, seconds, &job);
  if (missing) {
    job_miss(run, missing);
    return 0;
  }
  job_tell(run, &job);
  job_run(&job);
  if (seconds > 0 || job.code != 0) job_take_end(run, &job);
  return job.seconds;
}

static unsigned flags_of(const struct run *run, const struct result *result)
{
  return result->of->flags | (run->s->par ? BENCH_PAR : 0);
}

/* Each job that fails leaves less for the next: what it was doing is missing then. */
static void run_measuring(struct run *run, const struct result *first)
{
  while (job_still_waits(run) && !job_interrupted()) run_job(run, first, flags_of(run, first), run->seconds);
}

/* ---- two kinds of jobs, in turn, backwards every other time: a value is the median of its jobs' ---- */

/* A job that only starts and ends, or as many bare processes. The seconds; not what is missing. */
static double run_start(struct run *run, struct result *result, int ours)
{
  struct job job = {.patience = 60};
  progress_show(run, result);
  if (ours) return run_job(run, result, flags_of(run, result), 0);
  if (ask_bare(run, result, &job) != 0) return 0;
  job_run(&job);
  if (job.code != 0) result_miss(result, "bare processes could not be started, or failed");
  return job.seconds;
}

/* The job with the test's flags, or without. */
static void run_kind(struct run *run, const struct result *first, int ours, double seconds)
{
  const unsigned flags = worker_test(first)->flags | (ours ? first->of->flags : 0);
  run_job(run, first, flags & BENCH_JOB_FLAGS, seconds);
}

/* The k-th sample of each result, of which `s` has those; ours or the others'. The results wait again then;
 * where one is missing, all are. */
static int run_sample(
    struct run *run, struct result *first, int ours, double seconds, struct samples *s, unsigned k)
{
  const char *missing = NULL;
  if (first->of->program == BENCH_CONTROLLER) {
    first->ours.median = run_start(run, first, ours);
    if (first->state == WAITING) first->state = MEASURED;
  } else {
    run_kind(run, first, ours, seconds);
  }
  EACH_OF_JOB (each, run) {
    struct samples *its = &s[each - run->r->result];
    if (each->state == MISSING && !missing) missing = each->missing;
    if (each->state != MEASURED) continue;
    (ours ? its->ours : its->raw)[k] = each->ours.median;
    its->n = k + 1;
    each->ours = each->raw = (struct bench_summary){0};
    each->state = WAITING;
  }
  if (missing) job_miss(run, missing);
  return !missing && !job_interrupted();
}

static unsigned count_pairs(const struct settings *s, const struct result *first)
{
  enum { STARTS = 5, PAIRS = 7, PAIRS_CHECKED = 15 };
  if (s->rounds) return s->rounds < SAMPLES_MOST ? s->rounds : SAMPLES_MOST;
  return first->of->program == BENCH_CONTROLLER ? STARTS : s->check ? PAIRS_CHECKED : PAIRS;
}

static void run_pairs(struct run *run, struct result *first)
{
  const unsigned n = count_pairs(run->s, first);
  const double seconds = fmax(run->seconds / n, 0.05);
  struct samples *s = memory_needed(calloc(run->r->count, sizeof *s));
  unsigned k = 0;
  while (k < 2 * n && run_sample(run, first, k / 2 % 2 != k % 2, seconds, s, k / 2)) k++;
  for (unsigned i = 0; k == 2 * n && i < run->r->count; i++)
    if (s[i].n) samples_take(&run->r->result[i], &s[i]);
  free(s);
}

/* ---- all ---- */

void run_all(struct run *run)
{
  run->start = seconds_now();
  for (run->job = 0; run->job < run->jobs && !job_interrupted(); run->job++) {
    struct result *first = run->r->result;
    while (first->job != run->job) first++;
    progress_show(run, first);
    const enum bench_program by = first->of->program;
    if (by == BENCH_CONTROLLER || by == BENCH_TWO_KINDS) run_pairs(run, first);
    else run_measuring(run, first);
  }
  progress_clear();
}

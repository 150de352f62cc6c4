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

enum { BAR = 24 };
static struct {
  const struct run *run; /* NULL: nothing is shown */
  double start;
  char doing[TEXT_MOST];
} progress;

/* Seconds left, by the time so far; in the first tenth of the run as planned. */
static double seconds_left(unsigned done)
{
  const unsigned points = progress.run->r->count;
  if (done * 10 < points) return progress.run->seconds * (points - done);
  return (seconds_now() - progress.start) / done * (points - done);
}

static void progress_show(void)
{
  static const char full[] = "########################", rest[] = "........................";
  if (!progress.run) return;
  const struct report *r = progress.run->r;
  const unsigned done = report_count(r, MEASURED) + report_count(r, MISSING);
  const int part = (int)(done * BAR / r->count);
  char line[512];
  struct winsize w;
  const int known = ioctl(STDERR_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 20;
  snprintf(line, sizeof line, "[%.*s%s] %3u %%  about %.0f s left  %s", part, full, rest + part,
      done * 100 / r->count, seconds_left(done), progress.doing);
  fprintf(stderr, "\r\033[K%.*s", known ? w.ws_col - 1 : 79, line);
  fflush(stderr);
}

static void progress_doing(const struct result *r)
{
  char point[VALUE_MOST], *text = progress.doing;
  text[0] = '\0';
  text_add(text, "", "%s", r->test);
  if (r->points != BENCH_ONE) text_add(text, " ", "%s", point_text(r, point));
  if (r->points != BENCH_NODES) text_add(text, " ", "on %u nodes", r->nodes);
  text_add(text, " ", "by %s", r->conduit);
  progress_show();
}

/* Something else is to be written: the line is out of the way until the next change. */
static void progress_clear(void)
{
  if (progress.run) fprintf(stderr, "\r\033[K");
}

static void progress_open(const struct run *run)
{
  progress.run = isatty(STDERR_FILENO) ? run : NULL;
  progress.start = seconds_now();
  progress_show();
}

/* ---- the results of a job ---- */

/* As report_next, of the job's results. */
static struct result *job_next(const struct report *r, unsigned number, struct result *last)
{
  do last = report_next(r, last);
  while (last && last->job != number);
  return last;
}

static int job_still_waits(const struct report *r, unsigned number)
{
  for (struct result *each = NULL; (each = job_next(r, number, each)) != NULL;)
    if (each->state == WAITING) return 1;
  return 0;
}

/* Sets all results of the job that still wait. */
static void set_missing(const struct report *r, unsigned number, const char *reason)
{
  for (struct result *each = NULL; (each = job_next(r, number, each)) != NULL;) {
    if (each->state != WAITING) continue;
    each->state = MISSING;
    text_add(each->missing, "", "%s", reason);
  }
}

/* ---- what a job says, and how it ends ---- */

struct listener {
  struct report *r;
  unsigned job;         /* results of this number are its */
  int main;             /* it is the run's own report */
  struct result *doing; /* now; or NULL */
};

static int stats_are_right(const struct bench_summary *s)
{
  return s->n >= 1 && s->n <= 1000000000 && isfinite(s->least) && isfinite(s->p99) && isfinite(s->q1) &&
      isfinite(s->q3) && s->q1 <= s->median && s->median <= s->q3;
}

/* "@about CONDUIT TRANSPORT". A worker that chose its conduit itself says only that it is a network:
 * network_probe knows more. */
static int hear_about(struct listener *l, __attribute__((unused)) struct result *none, const char *rest)
{
  char conduit[CONDUIT_MOST], transport[TRANSPORT_MOST], more;
  if (sscanf(rest, "%7s %95s %c", conduit, transport, &more) != 2) return 0;
  report_plain(conduit);
  report_plain(transport);
  for (struct result *each = NULL; (each = job_next(l->r, l->job, each)) != NULL;) {
    if (settings_conduit(conduit) || strcmp(each->conduit, "?") == 0) strcpy(each->conduit, conduit);
    if (strcmp(transport, "-") != 0) strcpy(each->transport, transport);
  }
  return 1;
}

static int hear_doing(struct listener *l, struct result *which, const char *rest)
{
  if (rest[strspn(rest, " ")]) return 0;
  progress_doing(l->doing = which);
  return 1;
}

/* "@point TEST POINT NODES THREADS", six numbers, and perhaps "raw", as many of the bare transport, the
 * ratio. */
static int hear_point(__attribute__((unused)) struct listener *l, struct result *which, const char *rest)
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

static int hear_missing(__attribute__((unused)) struct listener *l, struct result *which, const char *rest)
{
  rest += strspn(rest, " ");
  snprintf(which->missing, sizeof which->missing, "%s", *rest ? rest : "the worker did not say why");
  report_plain(which->missing);
  which->state = MISSING;
  return 1;
}

/* What a worker says, each in a line that begins with its word; most speak of a test and a point. */
static const struct word {
  const char *word;
  int has_point;
  int (*hear)(struct listener *l, struct result *which, const char *rest);
} words[] = {{"@about", 0, hear_about}, {"@doing", 1, hear_doing}, {"@point", 1, hear_point},
    {"@missing", 1, hear_missing}};

/* The result of the job that the next two words name, behind which *rest is set; or NULL. */
static struct result *result_named(const struct listener *l, const char **rest)
{
  char test[NAME_MOST], point[POINT_MOST];
  int used = 0;
  if (sscanf(*rest, "%31s %23s%n", test, point, &used) != 2) return NULL;
  *rest += used;
  for (struct result *each = NULL; (each = job_next(l->r, l->job, each)) != NULL;)
    if (strcmp(each->point, point) == 0 && strcmp(each->test, test) == 0) return each;
  return NULL;
}

/* 1: it is understood; 0: it is not; -1: no worker's word begins it. */
static int hear_word(struct listener *l, const char *line)
{
  const size_t n = strcspn(line, " ");
  const char *rest = line + n;
  struct result *which = NULL;
  for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
    if (strlen(words[i].word) == n && strncmp(words[i].word, line, n) == 0)
      return (!words[i].has_point || (which = result_named(l, &rest))) && words[i].hear(l, which, rest);
  return -1;
}

/* Lines that are not a worker's own are passed on to standard error, as its complaints are. */
static void hear_line(void *arg, int complaint, const char *line)
{
  struct listener *l = arg;
  const int heard = complaint ? -1 : hear_word(l, line);
  if (heard <= 0) {
    progress_clear();
    fprintf(stderr, "%s%s\n", heard < 0 ? "" : "gasnetbench: a worker said what is not understood: ", line);
  } else if (l->main) {
    progress_show();
  }
}

/* What still waits of a job that has ended is missing, unless it was interrupted. */
static void job_take_end(struct report *r, unsigned number, const struct job *job, const struct job_end *end)
{
  char reason[TEXT_MOST] = "";
  switch (end->code) {
  case JOB_INTERRUPTED: return;
  case JOB_NOT_STARTED:
    text_add(reason, "", "its job could not be started: no more processes or files");
    break;
  case JOB_LATE: text_add(reason, "", "its job said nothing for %.0f s and was ended", job->patience); break;
  case 0: text_add(reason, "", "its job printed no result"); break;
  default: text_add(reason, "", "its job ended with code %d", end->code);
  }
  if (end->code > 0 && *end->complaint) text_add(reason, ": ", "%.200s", end->complaint);
  set_missing(r, number, reason);
}

/* Where a job has ended in the middle, what it was doing is missing, and a further job can do the rest. 0:
 * there is no rest, or no use in it. */
static int is_half_done(struct listener *l, const struct job *job, const struct job_end *end)
{
  struct result *doing = l->doing;
  if (!l->main || !doing || doing->state != WAITING || (end->code <= 0 && end->code != JOB_LATE)) return 0;
  const unsigned number = doing->job;
  doing->job = ~0u; /* alone */
  job_take_end(l->r, ~0u, job, end);
  doing->job = number;
  return job_still_waits(l->r, number);
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
 * each point of the result's number in *r for so long; else it only starts and ends. A result that it leaves
 * without a value is missing then, and says why. 1: the run's own job has failed at one point, and others
 * still wait. */
static int run_job(struct run *run, struct report *r, const struct result *first, unsigned flags,
    double seconds, struct job_end *end)
{
  const unsigned number = first->job;
  const double longer = seconds > 0 ? 20 * seconds + (run->s->rounds ? 600 : 0) : 0;
  struct listener listener = {r, number, seconds > 0 && r == run->r, NULL};
  struct job job = {.patience = 60 + 0.2 * first->nodes + longer, .line = hear_line, .arg = &listener};
  char reason[TEXT_MOST];
  int again = 0;
  *end = (struct job_end){.code = JOB_NOT_STARTED};
  if (ask(run, seconds > 0 ? r : NULL, first, flags, seconds, &job, reason) != 0) {
    set_missing(r, number, reason);
  } else {
    job_tell(run, &job);
    job_run(&job, end);
    again = is_half_done(&listener, &job, end);
    if (!again && (seconds > 0 || end->code != 0)) job_take_end(r, number, &job, end);
  }
  job_free(&job);
  return again;
}

static unsigned flags_of(const struct run *run, const struct result *result)
{
  return result->of->flags | (run->s->par ? BENCH_PAR : 0);
}

static void run_measuring(struct run *run, const struct result *first)
{
  enum { TRIES = 4 };
  struct job_end end;
  char reason[TEXT_MOST] = "";
  unsigned tries = 0;
  while (run_job(run, run->r, first, flags_of(run, first), run->seconds, &end) && ++tries < TRIES) {}
  if (tries < TRIES) return;
  text_add(reason, "", "%d jobs that were to measure it have failed", TRIES);
  set_missing(run->r, first->job, reason);
}

/* ---- what it costs to start a job and to end it, in turn with as many bare processes ---- */

/* Bare: forked and ended, or on a network opening and closing one endpoint. 0: there is nothing to compare
 * with; negative: failed. */
static double run_bare(struct run *run, const struct result *result)
{
  struct job job = {.patience = 60};
  char reason[TEXT_MOST], worker[PATH_MAX], path[PATH_MAX];
  const char *raw = ask_raw(run, result, path);
  const int none = strcmp(raw, "none") == 0 || run->s->hosts.count;
  if (!none && strcmp(raw, "smp") != 0 && ask_worker(run->s, "gasnetbench-seq", worker, reason)) {
    job_add(&job, "%s", worker);
    job_option(&job, "--bare-start", "%s", raw);
    ask_environment(run, result, 0, &job);
  }
  const double seconds = none ? 0 : job_run_bare(&job, result->nodes);
  job_free(&job);
  return seconds;
}

static int is_enough(const struct run *run, const struct samples *s, double start)
{
  enum { LEAST = 3 };
  if (s->n == SAMPLES_MOST || run->s->rounds) return s->n == SAMPLES_MOST || s->n == run->s->rounds;
  return s->n >= LEAST && seconds_now() - start > 3 * run->seconds;
}

static int add_start(struct run *run, const struct result *result, struct samples *s)
{
  struct job_end end;
  char reason[TEXT_MOST] = "";
  s->raw[s->n] = run_bare(run, result);
  if (s->raw[s->n] < 0) {
    text_add(reason, "", "%u bare processes could not be started, or failed", result->nodes);
    set_missing(run->r, result->job, reason);
    return -1;
  }
  run_job(run, run->r, result, flags_of(run, result), 0, &end);
  if (end.code != 0) return -1;
  s->ours[s->n++] = end.seconds;
  return 0;
}

static void run_start(struct run *run, struct result *result)
{
  static struct samples s;
  const double start = seconds_now();
  for (s.n = 0; !is_enough(run, &s, start);) {
    progress_doing(result);
    if (job_interrupted() || add_start(run, result, &s) != 0) return;
  }
  samples_take(result, &s);
}

/* ---- two kinds of jobs, in turn, backwards every other time: a value is the median of its jobs' ---- */

/* What the jobs are to measure: the tests that the results are of. */
static void make_part(struct report *r, unsigned number, struct report *part)
{
  for (struct result *each = NULL; (each = job_next(r, number, each)) != NULL;) {
    struct result *made = memory_needed(report_add(part));
    *made = *each;
    made->of = bench_test_named(each->of->of);
    if (!made->of) fail(1, "the catalogue has no test that %s is of", each->test);
    strcpy(made->test, made->of->name);
  }
}

/* One job, with the test's flags or without; 0, or -1 and the results of the run are missing. */
static int run_kind(struct run *run, const struct result *first, struct report *part, int with,
    double seconds, struct samples *s, unsigned k)
{
  const unsigned flags = part->result[0].of->flags | (with ? first->of->flags : 0);
  struct job_end end;
  for (unsigned i = 0; i < part->count; i++) part->result[i].state = WAITING;
  run_job(run, part, &part->result[0], flags & BENCH_JOB_FLAGS, seconds, &end);
  if (end.code == JOB_INTERRUPTED) return -1;
  for (unsigned i = 0; i < part->count; i++) {
    if (part->result[i].state != MEASURED) {
      set_missing(run->r, first->job, part->result[i].missing);
      return -1;
    }
    *(with ? &s[i].ours[k] : &s[i].raw[k]) = part->result[i].ours.median;
  }
  return 0;
}

static unsigned count_pairs(const struct settings *s)
{
  enum { PAIRS = 7, PAIRS_CHECKED = 15 };
  if (!s->rounds) return s->check ? PAIRS_CHECKED : PAIRS;
  return s->rounds < SAMPLES_MOST ? s->rounds : SAMPLES_MOST;
}

static void run_two_kinds(struct run *run, const struct result *first)
{
  const unsigned n = count_pairs(run->s);
  const double seconds = run->seconds / n > 0.05 ? run->seconds / n : 0.05;
  struct report part = {0};
  unsigned i = 0;
  int failed = 0;
  make_part(run->r, first->job, &part);
  struct samples *s = memory_needed(calloc(part.count, sizeof *s));
  for (unsigned k = 0; k < 2 * n && !failed; k++)
    failed = run_kind(run, first, &part, k / 2 % 2 != k % 2, seconds, s, k / 2);
  for (struct result *each = NULL; (each = job_next(run->r, first->job, each)) != NULL; i++) {
    memcpy(each->conduit, part.result[0].conduit, CONDUIT_MOST); /* as the jobs have named them */
    memcpy(each->transport, part.result[0].transport, TRANSPORT_MOST);
    s[i].n = n;
    if (!failed) samples_take(each, &s[i]);
  }
  free(s);
  report_free(&part);
}

/* ---- all ---- */

void run_all(struct run *run)
{
  progress_open(run);
  for (unsigned j = 0; j < run->jobs && !job_interrupted(); j++) {
    struct result *first = job_next(run->r, j, NULL);
    if (!job_still_waits(run->r, j)) continue;
    progress_doing(first);
    if (first->of->program == BENCH_CONTROLLER) run_start(run, first);
    else if (first->of->program == BENCH_TWO_KINDS) run_two_kinds(run, first);
    else run_measuring(run, first);
    progress_show();
  }
  progress_clear();
  progress.run = NULL;
}

/* Tests that compare two kinds of jobs: these are run in turn, backwards every other time, and a test's value is the median of its jobs'. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/control/listen.h"
#include "bench/control/run.h"
#include "bench/control/stats.h"
#include "launch/options.h"

enum { PAIRS = 7, PAIRS_CHECKED = 15, PAIRS_MOST = 101 };

/* Of one result: medians of its jobs. */
struct pairs {
  double with[PAIRS_MOST], without[PAIRS_MOST], ratio[PAIRS_MOST];
};

/* What the jobs are to measure: the tests that the results are of. */
static void make_part(const struct report *r, unsigned number, struct report *part)
{
  for (unsigned i = 0; i < r->count; i++) {
    if (r->result[i].job != number) continue;
    struct result *made = report_add(part);
    if (!made) fail(1, "out of memory");
    *made = r->result[i];
    made->of = bench_test_named(made->of->of);
    if (!made->of) fail(1, "the catalogue has no test that %s is of", made->test);
    snprintf(made->test, sizeof made->test, "%s", made->of->name);
  }
}

/* One job; 0 and the medians, or -1 and the results of the run are missing. */
static int run_one(struct run *run, unsigned number, struct report *part, int with, double seconds, struct pairs *pairs, unsigned k)
{
  const unsigned flags = part->result[0].of->flags & BENCH_JOB_FLAGS;
  unsigned own = 0, n = 0;
  struct job_end end;
  for (unsigned i = 0; i < part->count; i++) part->result[i].state = WAITING;
  for (unsigned i = 0; i < run->r->count && !own; i++)
    if (run->r->result[i].job == number) own = run->r->result[i].of->flags & BENCH_JOB_FLAGS;
  run_job(run, part, number, with ? flags | own : flags, seconds, &end);
  if (end.code == JOB_INTERRUPTED) return -1;
  for (; n < part->count && part->result[n].state == MEASURED; n++) *(with ? &pairs[n].with[k] : &pairs[n].without[k]) = part->result[n].ours.median;
  if (n == part->count) return 0;
  listen_missing(run->r, number, "%s", part->result[n].missing);
  return -1;
}

static void finish(struct run *run, unsigned number, struct pairs *pairs, unsigned n)
{
  for (unsigned i = 0; i < run->r->count; i++) {
    struct result *each = &run->r->result[i];
    if (each->job != number) continue;
    for (unsigned k = 0; k < n; k++) pairs->ratio[k] = pairs->with[k] / pairs->without[k];
    each->ratio = stats_median(pairs->ratio, n);
    stats_make(&each->ours, pairs->with, n);
    stats_make(&each->raw, pairs->without, n);
    each->state = MEASURED;
    pairs++;
  }
}

/* The conduit and transport that the jobs have named. */
static void copy_names(struct run *run, unsigned number, const struct report *part)
{
  for (unsigned i = 0; i < run->r->count; i++) {
    if (run->r->result[i].job != number) continue;
    memcpy(run->r->result[i].conduit, part->result[0].conduit, CONDUIT_MOST);
    memcpy(run->r->result[i].transport, part->result[0].transport, TRANSPORT_MOST);
  }
}

void run_two_kinds(struct run *run, unsigned number)
{
  const unsigned n = run->s->rounds ? run->s->rounds < PAIRS_MOST ? run->s->rounds : PAIRS_MOST : run->s->check ? PAIRS_CHECKED : PAIRS;
  const double seconds = run->plan.seconds / n > 0.05 ? run->plan.seconds / n : 0.05;
  struct report part = {0};
  make_part(run->r, number, &part);
  struct pairs *pairs = calloc(part.count, sizeof *pairs);
  if (!pairs) fail(1, "out of memory");
  int failed = 0;
  for (unsigned k = 0; k < n && !failed; k++) {
    const int first = k % 2;
    failed = run_one(run, number, &part, first, seconds, pairs, k) != 0 || run_one(run, number, &part, !first, seconds, pairs, k) != 0;
  }
  copy_names(run, number, &part);
  if (!failed) finish(run, number, pairs, n);
  free(pairs);
  report_free(&part);
}

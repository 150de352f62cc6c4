/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Measures a point. Each round measures all ways, so that a disturbance of the machine meets all of them. */
#include "run.h"

#include <stdio.h>
#include <string.h>

enum { ROUNDS_LEAST = 5, ROUNDS_MOST = 10001, STEP = 10, PROBES = 3, HOPELESS = 5 };
static const double SAMPLE_NS = 2e5;

static double times[BENCH_WAYS][ROUNDS_MOST], ratios[ROUNDS_MOST], sorted[ROUNDS_MOST]; /* node 0's */

void bench_sync(void) { bench_layer.sync(); }

/* ---- how many operations ---- */

static long fitting(const struct bench_case *c, double n)
{
  const long multiple = bench_multiple ? bench_multiple : 1;
  long k = n > 1e9 ? 1000000000 : n < 1 ? 1 : (long)n;
  if (c->most && k > c->most) k = c->most;
  if (k < c->least) k = c->least;
  return (k + multiple - 1) / multiple * multiple;
}

/* Is another sample needed? Node 0 decides from the time of a sample of *n operations, tells the others, and
 * all set *n for the next. */
static int another(const struct bench_case *c, const struct bench_way *w, double time, long *n)
{
  struct {
    long n;
    int more;
  } next = {0, 0};
  if (bench_node.me == 0) {
    const double took = time * (double)*n * bench_concurrent(c, w),
                 wish = (double)*n * SAMPLE_NS / (took > 1 ? took : 1);
    const double at_once = (double)*n * STEP;
    next.n = fitting(c, wish < at_once ? wish : at_once);
    next.more = wish > at_once && next.n > *n;
  }
  bench_tell(&next, sizeof next);
  *n = next.n;
  return next.more;
}

/* The best of some times: an interrupted one would make samples far too short. */
static double probe(const struct bench_case *c, const struct bench_way *w)
{
  double best = bench_measure(c, w, w->n);
  for (int i = 1; i < PROBES; i++) {
    const double time = bench_measure(c, w, w->n);
    if (time < best) best = time;
  }
  return best;
}

static void calibrate(const struct bench_case *c, struct bench_way *w)
{
  if (w->kind == BENCH_VALUE) return;
  if (c->warm) bench_measure(c, w, fitting(c, (double)c->warm));
  w->n = fitting(c, 1);
  do w->time = probe(c, w);
  while (another(c, w, w->time, &w->n));
}

/* Drops ways of a bare network program that take many times as long as the best: they cannot become the best,
 * and would leave time for few rounds. */
static unsigned drop_hopeless(struct bench_way *way, unsigned ways)
{
  char hopeless[BENCH_WAYS] = {0};
  double best = 0;
  unsigned left = 0;
  for (unsigned w = 0; w < ways; w++)
    if (way[w].kind == BENCH_NET && (best == 0 || way[w].time < best)) best = way[w].time;
  for (unsigned w = 0; w < ways; w++) hopeless[w] = way[w].kind == BENCH_NET && way[w].time > HOPELESS * best;
  bench_tell(hopeless, sizeof hopeless);
  for (unsigned w = 0; w < ways; w++)
    if (!hopeless[w]) way[left++] = way[w];
  return left;
}

/* ---- rounds ---- */

/* Every other round goes backwards, so that no way always has the same predecessor. */
static void one_round(const struct bench_case *c, const struct bench_way *way, unsigned ways, unsigned r)
{
  for (unsigned i = 0; i < ways; i++) {
    const unsigned w = r % 2 ? ways - 1 - i : i;
    times[w][r] = bench_measure(c, &way[w], way[w].n);
  }
}

static int again(const struct bench_settings *s, double start, unsigned r)
{
  int more = s->rounds ? r < s->rounds
                       : r < ROUNDS_LEAST || (r < ROUNDS_MOST && bench_now_ns() - start < s->seconds * 1e9);
  bench_tell(&more, sizeof more);
  return more;
}

/* A first sample is not counted: it pays for pages, branch predictors, and the library's choice of a way
 * to copy. */
static unsigned rounds(
    const struct bench_case *c, const struct bench_way *way, unsigned ways, const struct bench_settings *s)
{
  const double start = bench_now_ns();
  unsigned r = 0;
  one_round(c, way, ways, 0);
  while (again(s, start, r)) one_round(c, way, ways, r++);
  return r;
}

/* ---- results ---- */

static struct bench_summary summary[BENCH_WAYS];

/* The bare way with the best median; `ours` is the last. */
static unsigned best_of(unsigned ours)
{
  unsigned best = 0;
  for (unsigned w = 1; w < ours; w++)
    if (summary[w].median < summary[best].median) best = w;
  return best;
}

/* Ratios are taken within each round, so that what slows both down does not show. */
static double ratio_to(unsigned reference, unsigned ours, unsigned n)
{
  struct bench_summary ratio;
  for (unsigned r = 0; r < n; r++) ratios[r] = times[ours][r] / times[reference][r];
  bench_summarise(ratios, n, sorted, &ratio);
  return ratio.median;
}

static void report_above(unsigned reference, unsigned ours, unsigned n)
{
  struct bench_summary above;
  for (unsigned r = 0; r < n; r++) ratios[r] = times[ours][r] - times[reference][r];
  bench_summarise(ratios, n, sorted, &above);
  bench_emit(&above, &summary[reference], 0);
}

static void report(const struct bench_case *c, unsigned ways, unsigned n)
{
  static const struct bench_summary none;
  const unsigned ours = ways - 1;
  for (unsigned w = 0; w < ways; w++) bench_summarise(times[w], n, sorted, &summary[w]);
  const unsigned best = best_of(ours);
  if (ours == 0) bench_emit(&summary[ours], &none, 0);
  else if (c->flags & BENCH_ABOVE) report_above(best, ours, n);
  else bench_emit(&summary[ours], &summary[best], ratio_to(best, ours, n));
}

static void verify(const char *(*right)(void))
{
  if (!right) return;
  bench_sync();
  const char *wrong = right();
  if (wrong) bench_die("%s", wrong);
  bench_sync();
}

/* Runs before bare loops write to the memory: right data then come from the library. */
static void case_check(const struct bench_case *c)
{
  const struct bench_way ours = {.kind = BENCH_OURS, .series = c->ours};
  if (!c->check || c->value) return;
  bench_measure(c, &ours, fitting(c, 1));
  verify(c->check);
}

void bench_contest(const struct bench_point *p, const struct bench_settings *s)
{
  const struct bench_case *c = p->test;
  struct bench_way way[BENCH_WAYS];
  bench_doing(p);
  bench_raw_shape = (struct raw_shape){0};
  bench_raw_taken = ~0u;
  bench_multiple = c->multiple;
  bench_passes = 1;
  bench_sync(); /* no node prepares memory that another point still uses */
  if (c->prepare && c->prepare(p->name, p->bytes) != 0) return;
  bench_sync();
  case_check(c);
  unsigned ways = bench_ways(c, way);
  if (ways == 1 && c->flags & BENCH_ABOVE) {
    bench_missing("it is a difference to the bare loop: give --raw");
    return;
  }
  for (unsigned w = 0; w < ways; w++) calibrate(c, &way[w]);
  ways = drop_hopeless(way, ways);
  const unsigned n = rounds(c, way, ways, s);
  verify(c->after);
  if (bench_node.me == 0) report(c, ways, n);
}

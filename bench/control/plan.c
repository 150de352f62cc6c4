/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "bench/control/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/measure.h"
#include "launch/arguments.h"

unsigned processors_here(void)
{
  int core[1024];
  const unsigned n = bench_cores(core, 1024);
  return n ? n : 1;
}

/* ---- points ---- */

/* The i-th size, or count of nodes, of a test in this run; 0 behind the last. */
static size_t size_at(const struct settings *s, const struct bench_test *t, unsigned i)
{
  size_t size = t->from;
  if (s->sizes) return i < s->sizes && (!t->most || s->size[i] <= t->most) ? s->size[i] : 0;
  for (; i > 0 && size <= t->to; i--) size *= 4;
  return size <= t->to ? size : 0;
}

/* Powers of two, and the most itself. */
static size_t nodes_at(const struct settings *s, const struct bench_test *t, unsigned i)
{
  const unsigned here = processors_here();
  size_t most = s->nodes ? s->nodes : here < 8 ? 8 : here > 64 ? 64 : here, n = 2;
  if (t->most && most > t->most) most = t->most;
  for (; i > 0 && n < most; i--) n *= 2;
  return i > 0 ? 0 : n < most ? n : most;
}

/* The i-th point of a test in this run, or NULL. */
static const char *test_point(const struct settings *s, const struct bench_test *t, unsigned i)
{
  static const char *const one[] = {"-", NULL};
  const char *const *name = t->points == BENCH_ONE ? one : t->names;
  if (t->points == BENCH_SIZES || t->points == BENCH_NODES) {
    const size_t value = t->points == BENCH_SIZES ? size_at(s, t, i) : nodes_at(s, t, i);
    return value ? text_of("%zu", value) : NULL;
  }
  while (*name && i-- > 0) name++;
  return *name;
}

/* ---- results that wait ---- */

static int report_has(const struct report *r, const struct result *made)
{
  EACH_RESULT (each, r)
    if (each->of == made->of && each->target == made->target && each->threads == made->threads &&
        strcmp(each->point, made->point) == 0)
      return 1;
  return 0;
}

/* A result like the model; several bounds may be on one point. */
static void add_point(struct run *run, const struct result *model, const char *point)
{
  struct result made = *model;
  const struct bench_test *t = made.of;
  const size_t value = strtoull(point, NULL, 10);
  made.point = point;
  made.nodes = t->points == BENCH_NODES ? (unsigned)value : t->nodes ? t->nodes : run->s->nodes;
  if (!made.nodes) made.nodes = 2;
  made.bytes = t->points == BENCH_SIZES ? value : t->bytes;
  if (run->s->check && report_has(run->r, &made)) return;
  struct result *added = report_add(run->r);
  if (!added) fail(EXIT_USAGE, "more than %d points; choose fewer sizes or tests", RESULTS_MOST);
  *added = made;
}

static void add_usual(struct run *run, const struct result *model)
{
  const char *point;
  for (unsigned i = 0; (point = test_point(run->s, model->of, i)) != NULL; i++) add_point(run, model, point);
}

/* A bound on all points means those that are usual. */
static void add_bounded(struct run *run, const struct result *model)
{
  const struct target *at = &run->s->target[model->target];
  const struct bench_bound *b;
  for (unsigned from = 0; (b = bound_of(model->test, NULL, at->conduit, at->transport, &from)) != NULL;)
    if (b->point) add_point(run, model, b->point);
    else add_usual(run, model);
}

/* Why the test makes no sense there, or NULL. */
static const char *out_of_place(const struct bench_test *t, const struct target *target)
{
  const int smp = target->conduit && strcmp(target->conduit, "smp") == 0;
  if ((t->flags & BENCH_SMP) && !smp)
    return "is measured between nodes that share memory only: --conduit smp";
  if ((t->flags & BENCH_NETWORK) && smp) return "is measured over a network only: --conduit ofi or ucx";
  return NULL;
}

static int test_is_wanted(const struct settings *s, const struct bench_test *t)
{
  if (s->pattern_count) return settings_mean(s, t->name);
  return s->check || (t->flags & BENCH_DEFAULT);
}

static void add_test(struct run *run, const struct bench_test *t)
{
  const struct settings *s = run->s;
  const int meant = test_is_wanted(s, t), threaded = (t->flags & BENCH_THREADED) != 0;
  struct result model = {.test = t->name, .group = t->group, .of = t, .unit = t->unit, .points = t->points};
  for (; meant && model.target < s->targets; model.target++) {
    const struct target *target = &s->target[model.target];
    const char *reason = out_of_place(t, target);
    if (reason && meant == 2) fail(EXIT_USAGE, "%s %s", t->name, reason);
    model.conduit = target->conduit ? target->conduit : "?";
    model.transport = target->transport ? target->transport : "-";
    for (unsigned k = 0; !reason && k < (threaded ? s->threads : 1); k++) {
      model.threads = threaded ? s->thread[k] : 1;
      (s->check ? add_bounded : add_usual)(run, &model);
    }
  }
}

/* ---- jobs ---- */

static int results_share_job(const struct result *a, const struct result *b)
{
  const unsigned differ = (a->of->flags ^ b->of->flags) & BENCH_JOB_FLAGS;
  if (a->of->program != b->of->program || a->of->program == BENCH_CONTROLLER || differ) return 0;
  return a->nodes == b->nodes && a->threads == b->threads && a->target == b->target;
}

/* The last that it could share has room for so many points. */
static void make_jobs(struct run *run)
{
  enum { POINTS_MOST = 500 };
  struct report *r = run->r;
  unsigned *points = memory_needed(calloc(r->count, sizeof *points));
  for (unsigned i = 0; i < r->count; i++) {
    unsigned k = i;
    while (k > 0 && !results_share_job(&r->result[k - 1], &r->result[i])) k--;
    const int shared = k > 0 && points[r->result[k - 1].job] < POINTS_MOST;
    r->result[i].job = shared ? r->result[k - 1].job : run->jobs++;
    points[r->result[i].job]++;
  }
  free(points);
}

/* What is left of the time when the jobs have been started, for each point; not more than a second where
 * nobody said how long. */
static void share_time(struct run *run)
{
  const double start = 0.3, least = run->s->check ? 0.1 : 0.02, time = run->s->time;
  run->seconds = ((time > 0 ? time : 60) - start * run->jobs) / run->r->count;
  if (time == 0 && run->seconds > 1) run->seconds = 1;
  if (run->seconds < least) run->seconds = least;
}

void plan_make(struct run *run)
{
  const struct bench_test *t;
  for (unsigned i = 0; (t = bench_test_at(i)) != NULL; i++) add_test(run, t);
  if (!run->r->count && run->s->check)
    fail(EXIT_USAGE, "none of these tests has a bound here; gasnetbench --check list shows which have one");
  if (!run->r->count)
    fail(EXIT_USAGE, "nothing to measure: none of these tests is for this conduit%s",
        run->s->sizes ? ", or has such a size" : "");
  make_jobs(run);
  share_time(run);
}

/* ---- the list ---- */

enum { INDENT = 22, WIDTH = 120 };

/* "points: 8 B, 32 B, ..." in lines that are not too long. */
static void list_points(const struct settings *s, const struct bench_test *t)
{
  static const char *const what[] = {
      [BENCH_SIZES] = "sizes", [BENCH_NAMES] = "points", [BENCH_NODES] = "nodes"};
  const char *point;
  int column = printf("%*s%s:", INDENT, "", what[t->points]);
  for (unsigned i = 0; (point = test_point(s, t, i)) != NULL; i++) {
    const char *shown = t->points == BENCH_SIZES ? size_text(strtod(point, NULL)) : point;
    if (i) column += printf(",");
    if (column + (int)strlen(shown) + 2 > WIDTH) column = printf("\n%*s", INDENT + 2, "") - 1;
    column += printf(" %s", shown);
  }
  putchar('\n');
}

static void list_bounds(const struct bench_test *t)
{
  const struct bench_bound *b;
  for (unsigned from = 0; (b = bound_of(t->name, NULL, NULL, NULL, &from)) != NULL;) {
    const struct result r = {.unit = t->unit,
        .bytes = t->points == BENCH_SIZES && b->point ? strtoull(b->point, NULL, 10) : t->bytes,
        .bound = b};
    const int named = b->point && strcmp(b->point, "-") != 0;
    printf("%*sbound: %s%s%s%s%s%s%s\n", INDENT, "", named ? b->point : "", named ? ": " : "", bound_text(&r),
        b->conduit ? ", " : "", b->conduit ? b->conduit : "", b->transport ? " " : "",
        b->transport ? b->transport : "");
  }
}

static void list_where(const struct bench_test *t)
{
  if (t->raw) printf("%*sraw, memory: %s\n", INDENT, "", t->raw);
  if (t->raw_network) printf("%*sraw, network: %s\n", INDENT, "", t->raw_network);
  if (t->flags & BENCH_SMP) printf("%*sonly between nodes that share memory\n", INDENT, "");
  if (t->flags & BENCH_NETWORK) printf("%*sonly over a network\n", INDENT, "");
}

static void list_test(const struct settings *s, const struct bench_test *t)
{
  printf("%c %-*s%s (%s%s%s)\n", t->flags & BENCH_DEFAULT ? '*' : ' ', INDENT - 2, t->name, t->what,
      units[t->unit].name, t->flags & BENCH_THREADED ? ", threads" : "",
      t->nodes > 2 ? ", a job of its own count of nodes" : "");
  if (t->points != BENCH_ONE) list_points(s, t);
  list_where(t);
  if (s->check) list_bounds(t);
}

void list_tests(const struct settings *s)
{
  const struct bench_test *t;
  for (const struct bench_group *g = bench_groups; g->name; g++) {
    int any = 0;
    for (unsigned i = 0; (t = bench_test_at(i)) != NULL; i++) {
      unsigned from = 0;
      if (strcmp(t->group, g->name) != 0 || (s->pattern_count && !settings_mean(s, t->name)) ||
          (s->check && !bound_of(t->name, NULL, NULL, NULL, &from)))
        continue;
      if (!any++) printf("%s: %s\n", g->name, g->what);
      list_test(s, t);
    }
    if (any) putchar('\n');
  }
  printf("* measured where no test is named. A group's name stands for all of its tests.\n");
}

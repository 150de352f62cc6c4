/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "bench/control/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/measure.h"
#include "launch/arguments.h"

enum { POINTS_MOST = 160 };

/* Of a test in this run; returns how many. Of nodes powers of two, and the most itself. */
static unsigned points_make(
    const char *name[POINTS_MOST], const struct settings *s, const struct bench_test *t)
{
  const unsigned here = processors_here();
  size_t nodes = s->nodes ? s->nodes : here < 8 ? 8 : here > 64 ? 64 : here;
  unsigned n = 0;
  switch (t->points) {
  case BENCH_ONE: name[n++] = "-"; break;
  case BENCH_NAMES:
    for (; t->names[n] && n < POINTS_MOST; n++) name[n] = t->names[n];
    break;
  case BENCH_NODES:
    if (t->most && nodes > t->most) nodes = t->most;
    for (size_t count = 2; count < nodes; count *= 2) name[n++] = text_of("%zu", count);
    name[n++] = text_of("%zu", nodes);
    break;
  case BENCH_SIZES:
    for (unsigned i = 0; i < s->sizes.count; i++)
      if (!t->most || s->sizes.value[i] <= (double)t->most) name[n++] = text_of("%.0f", s->sizes.value[i]);
    for (size_t size = t->from; !s->sizes.count && size <= t->to; size *= 4) name[n++] = text_of("%zu", size);
  }
  return n;
}

/* ---- results that wait ---- */

/* A result like the model; several bounds may be on one point. */
static void add_point(struct run *run, const struct result *model, const char *point)
{
  const struct bench_test *t = model->of;
  const size_t value = strtoull(point, NULL, 10);
  EACH_RESULT (each, run->r)
    if (run->s->check && each->of == t && each->target == model->target && each->threads == model->threads &&
        strcmp(each->point, point) == 0)
      return;
  struct result *added = report_add(run->r);
  if (!added) fail(EXIT_MISUSE, "more than %d points; choose fewer sizes or tests", RESULTS_MOST);
  *added = *model;
  added->point = point;
  added->nodes = t->points == BENCH_NODES ? (unsigned)value : t->nodes ? t->nodes : run->s->nodes;
  if (!added->nodes) added->nodes = 2;
  added->bytes = t->points == BENCH_SIZES ? value : t->bytes;
}

/* Of a bound on all points those that are usual. */
static void add_points(struct run *run, const struct result *model)
{
  const struct target *at = &run->s->target[model->target];
  const struct bench_bound *b = NULL;
  unsigned from = 0;
  const char *name[POINTS_MOST];
  const unsigned n = points_make(name, run->s, model->of);
  while (!run->s->check || (b = bound_of(model->test, NULL, at->conduit, at->transport, &from)) != NULL) {
    if (b && b->point) add_point(run, model, b->point);
    for (unsigned i = 0; !(b && b->point) && i < n; i++) add_point(run, model, name[i]);
    if (!b) break;
  }
}

static void add_test(struct run *run, const struct bench_test *t, int by_name)
{
  const struct settings *s = run->s;
  const unsigned threads = t->flags & BENCH_THREADED ? s->threads.count : 1;
  struct result model = {.test = t->name, .group = t->group, .of = t, .unit = t->unit, .points = t->points};
  for (; model.target < s->targets; model.target++) {
    const struct target *target = &s->target[model.target];
    const int network = target_is_network(target);
    if (t->flags & (network ? BENCH_SMP : BENCH_NETWORK)) {
      if (by_name)
        fail(EXIT_MISUSE, "%s is measured %s", t->name,
            network ? "between nodes that share memory only: --conduit smp"
                    : "over a network only: --conduit ofi or ucx");
      continue;
    }
    model.conduit = target->conduit ? target->conduit : "?";
    model.transport = target->transport ? text_plain(target->transport) : "-";
    for (unsigned k = 0; k < threads; k++) {
      model.threads = t->flags & BENCH_THREADED ? (unsigned)s->threads.value[k] : 1;
      add_points(run, &model);
    }
  }
}

/* Results of tests with the same needs share a job, the last that has room for so many points. */
static void make_jobs(struct run *run)
{
  enum { JOB_POINTS = 500 };
  unsigned *points = memory_needed(calloc(run->r->count, sizeof *points));
  EACH_RESULT (each, run->r) {
    const struct result *like = NULL;
    for (const struct result *a = run->r->result; a < each && each->of->program != BENCH_CONTROLLER; a++)
      if (a->of->program == each->of->program && !((a->of->flags ^ each->of->flags) & BENCH_JOB_FLAGS) &&
          a->nodes == each->nodes && a->threads == each->threads && a->target == each->target)
        like = a;
    each->job = like && points[like->job] < JOB_POINTS ? like->job : run->jobs++;
    points[each->job]++;
  }
  free(points);
}

void plan_make(struct run *run)
{
  const struct bench_test *t;
  for (unsigned i = 0; (t = bench_test_at(i)) != NULL; i++)
    if (run->s->words ? run->s->meant[i] : run->s->check || (t->flags & BENCH_DEFAULT))
      add_test(run, t, run->s->meant[i] == 2);
  if (!run->r->count && run->s->check)
    fail(EXIT_MISUSE, "none of these tests has a bound here; gasnetbench --check list shows which have one");
  if (!run->r->count)
    fail(EXIT_MISUSE, "nothing to measure: none of these tests is for this conduit%s",
        run->s->sizes.count ? ", or has such a size" : "");
  make_jobs(run);
  /* For each point what starting the jobs leaves; at most a second where nobody said how long. */
  const double start = 0.3, least = run->s->check ? 0.1 : 0.02, time = run->s->time;
  run->seconds = ((time > 0 ? time : 60) - start * run->jobs) / run->r->count;
  if (time == 0 && run->seconds > 1) run->seconds = 1;
  if (run->seconds < least) run->seconds = least;
}

/* ---- the list ---- */

enum { INDENT = 22, WIDTH = 120 };

static void list_line(const char *what, const char *text)
{
  if (text) printf("%*s%s%s\n", INDENT, "", what, text);
}

static void list_bounds(const struct bench_test *t)
{
  const struct bench_bound *b;
  for (unsigned from = 0; (b = bound_of(t->name, NULL, NULL, NULL, &from)) != NULL;) {
    const int named = b->point && strcmp(b->point, "-") != 0;
    const size_t bytes = t->points == BENCH_SIZES && b->point ? strtoull(b->point, NULL, 10) : t->bytes;
    const char *text = bound_text(&(struct result){.unit = t->unit, .bytes = bytes, .bound = b});
    if (named) text = text_of("%s: %s", b->point, text);
    if (b->conduit) text = text_of("%s, %s", text, b->conduit);
    if (b->transport) text = text_of("%s %s", text, b->transport);
    list_line("bound: ", text);
  }
}

/* Its points in lines that are not too long. */
static void list_test(const struct settings *s, const struct bench_test *t)
{
  static const char *const what[] = {
      [BENCH_SIZES] = "sizes:", [BENCH_NAMES] = "points:", [BENCH_NODES] = "nodes:"};
  const char *name[POINTS_MOST];
  const unsigned n = points_make(name, s, t);
  printf("%c %-*s%s (%s%s%s)\n", t->flags & BENCH_DEFAULT ? '*' : ' ', INDENT - 2, t->name, t->what,
      units[t->unit].name, t->flags & BENCH_THREADED ? ", threads" : "",
      t->nodes > 2 ? ", a job of its own count of nodes" : "");
  int column = t->points == BENCH_ONE ? 0 : printf("%*s%s", INDENT, "", what[t->points]);
  for (unsigned i = 0; column && i < n; i++) {
    const char *point = t->points == BENCH_SIZES ? size_text(strtod(name[i], NULL)) : name[i];
    if (column + (int)strlen(point) + 2 > WIDTH) column = printf("\n%*s", INDENT + 2, "") - 1;
    column += printf(" %s%s", point, i + 1 < n ? "," : "");
  }
  if (column) putchar('\n');
  list_line("raw, memory: ", t->raw);
  list_line("raw, network: ", t->raw_network);
  if (t->flags & BENCH_SMP) list_line("only between nodes that share memory", "");
  if (t->flags & BENCH_NETWORK) list_line("only over a network", "");
  if (s->check) list_bounds(t);
}

void list_tests(const struct settings *s)
{
  const struct bench_test *t;
  for (const struct bench_group *g = bench_groups; g->name; g++) {
    int any = 0;
    for (unsigned i = 0; (t = bench_test_at(i)) != NULL; i++) {
      unsigned from = 0;
      if (strcmp(t->group, g->name) != 0 || (s->words && !s->meant[i]) ||
          (s->check && !bound_of(t->name, NULL, NULL, NULL, &from)))
        continue;
      if (!any++) printf("%s: %s\n", g->name, g->what);
      list_test(s, t);
    }
    if (any) putchar('\n');
  }
  printf("* measured where no test is named. A group's name stands for all of its tests.\n");
}

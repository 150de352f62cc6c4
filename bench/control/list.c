/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "bench/control/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/control/judge.h"
#include "bench/control/units.h"

enum { INDENT = 22, WIDTH = 120 };

static void show_point(const struct bench_test *t, const char *point, char text[VALUE_MOST])
{
  if (t->points == BENCH_SIZES) size_text(strtod(point, NULL), text);
  else snprintf(text, VALUE_MOST, "%s", point);
}

/* "points: 8 B, 32 B, ..." in lines that are not too long. */
static void list_points(const struct settings *s, const struct bench_test *t)
{
  char point[POINT_MOST], text[VALUE_MOST];
  int column = printf("%*s%s", INDENT, "",
      t->points == BENCH_NODES       ? "nodes:"
          : t->points == BENCH_SIZES ? "sizes:"
                                     : "points:");
  for (unsigned i = 0; plan_points(s, t, i, point), *point; i++) {
    show_point(t, point, text);
    if (i) column += printf(",");
    if (column + (int)strlen(text) + 2 > WIDTH) column = printf("\n%*s", INDENT + 2, "") - 1;
    column += printf(" %s", text);
  }
  putchar('\n');
}

static void list_bounds(const struct bench_test *t)
{
  const struct bench_bound *b;
  char text[TEXT_MOST];
  for (unsigned from = 0; (b = bound_of(t->name, NULL, NULL, NULL, &from)) != NULL;) {
    const struct result r = {.unit = t->unit,
        .bytes = t->points == BENCH_SIZES && b->point ? strtoull(b->point, NULL, 10) : t->bytes,
        .bound = b};
    bound_text(&r, text);
    const int named = b->point && strcmp(b->point, "-") != 0;
    printf("%*sbound: %s%s%s%s%s%s%s\n", INDENT, "", named ? b->point : "", named ? ": " : "", text,
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
      unit_name(t->unit), t->flags & BENCH_THREADED ? ", threads" : "",
      t->nodes > 2 ? ", a job of its own count of nodes" : "");
  if (t->points != BENCH_ONE) list_points(s, t);
  list_where(t);
  if (s->check) list_bounds(t);
}

static int is_bounded(const struct bench_test *t)
{
  unsigned from = 0;
  return bound_of(t->name, NULL, NULL, NULL, &from) != NULL;
}

void list_tests(const struct settings *s)
{
  const struct bench_test *t;
  for (const struct bench_group *g = bench_groups; g->name; g++) {
    int any = 0;
    for (unsigned i = 0; (t = bench_test_at(i)) != NULL; i++) {
      if (strcmp(t->group, g->name) != 0 || (s->pattern_count && !settings_mean(s, t->name)) ||
          (s->check && !is_bounded(t)))
        continue;
      if (!any++) printf("%s: %s\n", g->name, g->what);
      list_test(s, t);
    }
    if (any) putchar('\n');
  }
  printf("* measured where no test is named. A group's name stands for all of its tests.\n");
}

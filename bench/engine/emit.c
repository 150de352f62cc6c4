/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What node 0 tells the controller: docs/formats.md, "Benchmarks". */
#include "run.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct bench_point *current;

const struct bench_point *bench_current(void) { return current; }

/* The conduit that the environment asks for: no call says which one the job has. */
static const char *conduit(void)
{
  const char *name = getenv("GASNET_CONDUIT");
  unsigned mapped = 0;
  for (unsigned i = 0; i < bench_node.nodes; i++) mapped += bench_node.mapped[i] != NULL;
  return mapped == bench_node.nodes ? "smp" : name && *name ? name : "network";
}

static const char *transport(const char *of)
{
  const char *name = !strcmp(of, "ofi") ? getenv("GASNET_OFI_PROVIDER")
      : !strcmp(of, "ucx")              ? getenv("UCX_TLS")
                                        : NULL;
  return name && *name ? name : "-";
}

void bench_about(void)
{
  if (bench_node.me != 0) return;
  printf("@about %s %s\n", conduit(), transport(conduit()));
  fflush(stdout);
}

void bench_doing(const struct bench_point *p)
{
  current = p;
  if (bench_node.me != 0) return;
  printf("@doing %s %s\n", p->test->test, p->name);
  fflush(stdout);
}

/* ---- ratios, for tests that are made of others ---- */

static struct {
  const struct bench_point *point;
  double ratio;
} known[BENCH_POINTS_MOST];
static unsigned known_count;

double bench_ratio_of(const char *test, const char *point)
{
  for (unsigned i = 0; i < known_count; i++)
    if (!strcmp(known[i].point->test->test, test) && !strcmp(known[i].point->name, point))
      return known[i].ratio;
  return 0;
}

static void remember(double ratio)
{
  known[known_count].point = current;
  known[known_count++].ratio = ratio;
}

/* ---- lines ---- */

static void print_summary(const struct bench_summary *s)
{
  printf(" %u %.6g %.6g %.6g %.6g %.6g", s->n, s->median, s->least, s->p99, s->q1, s->q3);
}

void bench_emit(const struct bench_summary *ours, const struct bench_summary *raw, double ratio)
{
  const unsigned threads = current->test->flags & BENCH_THREADED_CASE ? bench_node.threads : 1;
  printf("@point %s %s %u %u ", current->test->test, current->name, bench_node.nodes, threads);
  print_summary(ours);
  if (raw->n) {
    printf(" raw");
    print_summary(raw);
    printf(" %.6g", ratio);
  }
  printf("\n");
  fflush(stdout);
  remember(ratio);
}

void bench_missing(const char *format, ...)
{
  va_list args;
  va_start(args, format);
  if (bench_node.me == 0) {
    printf("@missing %s %s ", current->test->test, current->name);
    vprintf(format, args);
    printf("\n");
    fflush(stdout);
  }
  va_end(args);
}

/* Prints in one piece: other nodes may fail at the same time. */
void bench_die(const char *format, ...)
{
  char text[600];
  va_list args;
  int n = snprintf(text, sizeof text, "gasnetbench: node %u: ", bench_node.me);
  if (current)
    n += snprintf(text + n, sizeof text - (size_t)n, "%.31s %.23s: ", current->test->test, current->name);
  va_start(args, format);
  vsnprintf(text + n, sizeof text - (size_t)n, format, args);
  va_end(args);
  fprintf(stderr, "%s\n", text);
  bench_layer.close(1);
  __builtin_unreachable();
}

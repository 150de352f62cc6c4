/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The ways in which a point is measured, and one sample of one of them. */
#include "run.h"

#include <stdio.h>

struct raw_shape bench_raw_shape;
unsigned bench_raw_taken;
long bench_multiple, bench_passes;

/* ---- which ways ---- */

/* The bare network program is two processes of one thread: rates of more are not compared with it. */
static int net_compares(const struct bench_case *c)
{
  static int said;
  if (bench_node.raw != BENCH_RAW_NET || !bench_raw_shape.bytes) return 0;
  const int more = (c->flags & BENCH_AGGREGATE && bench_node.nodes > 2) ||
      (c->flags & BENCH_THREADED_CASE && bench_node.threads > 1);
  if (more && !said++ && bench_node.me == 0)
    fprintf(stderr,
        "gasnetbench: the bare program is of two processes of one thread: rates of more are not compared "
        "with it\n");
  return !more;
}

/* What bare loops need. */
static int all_mapped(void)
{
  for (unsigned i = 0; i < bench_node.nodes; i++)
    if (!bench_node.mapped[i]) return 0;
  return 1;
}

static unsigned add_bare(const struct bench_case *c, struct bench_way *way)
{
  unsigned n = 0;
  if (bench_node.raw == BENCH_RAW_SMP && all_mapped())
    for (unsigned i = 0; i < BENCH_SMP_WAYS && c->raw_smp[i]; i++)
      if (bench_raw_taken >> i & 1)
        way[n++] = (struct bench_way){.kind = BENCH_BARE, .series = c->raw_smp[i]};
  if (net_compares(c))
    for (unsigned i = 0; i < BENCH_NET_WAYS && c->raw_net[i]; i++)
      if (bench_bare_has(c->raw_net[i]))
        way[n++] = (struct bench_way){.kind = BENCH_NET, .raw = c->raw_net[i]};
  if (bench_node.raw != BENCH_RAW_NONE)
    for (unsigned i = 0; i < 2 && c->raw_any[i]; i++)
      way[n++] = (struct bench_way){.kind = BENCH_ANY, .series = c->raw_any[i]};
  return n;
}

unsigned bench_ways(const struct bench_case *c, struct bench_way way[BENCH_WAYS])
{
  unsigned n = 0;
  if (!c->value) {
    n = add_bare(c, way);
    way[n++] = (struct bench_way){.kind = BENCH_OURS, .series = c->ours};
    return n;
  }
  if (c->against) way[n++] = (struct bench_way){.kind = BENCH_VALUE, .value = c->against, .n = 1};
  way[n++] = (struct bench_way){.kind = BENCH_VALUE, .value = c->value, .n = 1};
  return n;
}

/* ---- one sample ---- */

static int takes_part(const struct bench_case *c, const struct bench_way *w)
{
  if (w->kind == BENCH_BARE && c->flags & BENCH_BARE_ALL) return 1;
  if (c->flags & BENCH_ALL_NODES) return 1;
  return c->flags & BENCH_HALF ? bench_node.me < bench_node.half : bench_node.me == 0;
}

static long first_free(const struct bench_case *c)
{
  if (!(c->flags & BENCH_FIRST_FREE)) return 0;
  return bench_multiple ? bench_passes * bench_multiple : bench_passes;
}

static double time_of(const struct bench_case *c, bench_series_fn series, long n)
{
  if (first_free(c)) series(first_free(c));
  if (c->flags & BENCH_THREADED_CASE && bench_node.threads > 1) return bench_threads_run(series, n);
  const double start = bench_now_ns();
  series(n);
  return bench_now_ns() - start;
}

double bench_concurrent(const struct bench_case *c, const struct bench_way *w)
{
  if (!(c->flags & BENCH_AGGREGATE) || w->kind == BENCH_VALUE) return 1;
  const double nodes = c->flags & BENCH_ALL_NODES ? bench_node.nodes
      : c->flags & BENCH_HALF                     ? bench_node.half
                                                  : 1;
  return c->flags & BENCH_THREADED_CASE ? nodes * bench_node.threads : nodes;
}

double bench_measure(const struct bench_case *c, const struct bench_way *w, long n)
{
  double time = 0;
  bench_sync();
  if (w->kind == BENCH_VALUE) return w->value();
  if (w->kind == BENCH_NET) time = bench_bare_run(w->raw, n, first_free(c));
  else if (takes_part(c, w)) time = time_of(c, w->series, n);
  if (c->flags & BENCH_AGGREGATE) time = bench_most(time);
  return time / ((double)n * bench_concurrent(c, w));
}

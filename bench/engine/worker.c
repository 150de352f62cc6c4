/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A node of a job that measures. */
#include "run.h"

struct bench_node bench_node;

static void open_job(const struct bench_settings *s, int *argc, char ***argv)
{
  bench_place_job(s);
  bench_layer.open(argc, argv);
  bench_node.half = bench_node.nodes / 2;
  bench_node.peer = bench_node.me < bench_node.half ? bench_node.me + bench_node.half
      : bench_node.me < 2 * bench_node.half         ? bench_node.me - bench_node.half
                                                    : bench_node.me;
  bench_node.threads = s->threads;
  bench_node.raw = s->raw;
  if (bench_node.nodes < 2) bench_die("needs at least two nodes");
  bench_allocate(s);
  if (s->raw == BENCH_RAW_NET) bench_bare_open(s->raw_path);
  bench_place_node(s);
  bench_threads_start(s->threads);
  bench_about();
}

/* A job that is timed from outside. */
static void only_start(int *argc, char ***argv)
{
  bench_layer.open(argc, argv);
  bench_layer.attach(16 << 20);
  bench_layer.close(0);
}

int bench_worker(int argc, char **argv)
{
  static struct bench_settings s = {.seconds = 1, .threads = 1};
  bench_parse(argc, argv, &s);
  if (s.start) only_start(&argc, &argv);
  open_job(&s, &argc, &argv);
  for (unsigned i = 0; i < s.points; i++) bench_contest(&s.point[i], &s);
  bench_sync();
  bench_threads_stop();
  bench_bare_close();
  bench_layer.close(0);
  return 0;
}

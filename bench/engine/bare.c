/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The bare network program, a shared object: node 0 and its peer, or all nodes, have an endpoint of it. */
#include "run.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct raw_program *program;

static const struct raw_program *load(const char *path)
{
  void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!object) return NULL;
  return dlsym(object, RAW_SYMBOL);
}

static const char *transport(void)
{
  const char *t = getenv(program->variable);
  return t ? t : "";
}

static int has_endpoint(void)
{
  return program->everybody || bench_node.me == 0 || bench_node.me == bench_node.half;
}

/* Exchanges the endpoints' data through the segments, before anything is measured there. Only the endpoint
 * that is measured makes progress: the peer of a bare one is then in serve. */
void bench_bare_open(const char *path)
{
  const struct raw_memory m = {bench_node.segment, bench_node.local, bench_node.size};
  struct raw_address mine = {0}, peer;
  if (!bench_layer.fetch) return; /* such tests are compared with loops of the same job */
  program = load(path);
  if (!program) bench_die("--raw %s: %s", path, dlerror());
  if (has_endpoint()) program->open(transport(), &m, &mine);
  if (program->everybody) return;
  memcpy(bench_node.segment, &mine, sizeof mine);
  bench_sync();
  if (has_endpoint()) bench_layer.fetch(&peer, bench_node.peer, 0, sizeof peer);
  bench_sync();
  if (has_endpoint()) program->join(&peer);
}

void bench_bare_close(void)
{
  if (program && has_endpoint()) program->close();
}

int bench_bare_has(enum raw_way way) { return program && program->series[way] != NULL; }

double bench_bare_run(enum raw_way way, long n, long first)
{
  double time = 0;
  if (bench_node.me == 0 || program->everybody) {
    if (first) program->series[way](first, &bench_raw_shape);
    const double start = bench_now_ns();
    program->series[way](n, &bench_raw_shape);
    time = bench_now_ns() - start;
    if (program->stop) program->stop();
  } else if (has_endpoint()) {
    program->serve();
  }
  return time;
}

/* ---- without a job ---- */

static const struct raw_program *load_or_say(const char *path)
{
  const struct raw_program *p = load(path);
  if (!p) fprintf(stderr, "gasnetbench: %s: %s\n", path, dlerror());
  return p;
}

/* What starting the bare network program alone costs. */
int bench_bare_start(const char *path)
{
  static char target[1 << 12], local[1 << 12];
  const struct raw_memory m = {target, local, sizeof target};
  struct raw_address mine = {0};
  if (!(program = load_or_say(path))) return 1;
  program->open(transport(), &m, &mine);
  program->close();
  return 0;
}

int bench_bare_offers(const char *path, const char *name)
{
  const struct raw_program *p = load_or_say(path);
  return p && p->offers(name) ? 0 : 1;
}

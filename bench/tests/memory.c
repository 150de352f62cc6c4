/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Memory that the library has taken when a node has attached, before this program takes any. */
#include "../engine/engine.h"

#include <stdio.h>
#include <string.h>

static double before, after; /* private memory in use, in bytes; below 0: not known */
static double shared;        /* a process's part of what a host's nodes share */

/* Private bytes of all mappings of this process. */
static double private_bytes(void)
{
  char line[256];
  double kb, sum = 0;
  int seen = 0;
  FILE *f = fopen("/proc/self/smaps_rollup", "r");
  if (!f) return -1;
  while (fgets(line, sizeof line, f))
    if (sscanf(line, "Private_Clean: %lf kB", &kb) == 1 || sscanf(line, "Private_Dirty: %lf kB", &kb) == 1) {
      sum += kb * 1024;
      seen = 1;
    }
  fclose(f);
  return seen ? sum : -1;
}

/* Before main: what any program has. */
static __attribute__((constructor)) void look_before(void) { before = private_bytes(); }

static int holds_segment(uintptr_t from, uintptr_t to)
{
  for (unsigned i = 0; i < bench_node.nodes; i++) {
    const uintptr_t a = (uintptr_t)bench_node.mapped[i];
    if (a >= from && a < to) return 1;
  }
  return 0;
}

static unsigned neighbours(void)
{
  unsigned n = 0;
  for (unsigned i = 0; i < bench_node.nodes; i++) n += bench_node.mapped[i] != NULL;
  return n ? n : 1;
}

/* Every shared writable mapping in which no node's segment begins, whole, not only the pages in use, divided
 * by the number of nodes that share it. */
static double shared_bytes(void)
{
  char line[512], perms[8];
  unsigned long from, to;
  double bytes = 0;
  FILE *f = fopen("/proc/self/maps", "r");
  if (!f) return -1;
  while (fgets(line, sizeof line, f))
    if (sscanf(line, "%lx-%lx %7s", &from, &to, perms) == 3 && strchr(perms, 's') && strchr(perms, 'w') &&
        !holds_segment(from, to))
      bytes += (double)(to - from);
  fclose(f);
  return bytes / neighbours();
}

static void attached(void)
{
  after = private_bytes();
  shared = shared_bytes();
}

/* ---- points: the greatest of all nodes ---- */

static double bytes;

static int greatest_take(double mine, const char *file)
{
  const double unknown = bench_most(mine < 0);
  bytes = bench_most(mine);
  if (unknown == 0) return 0;
  bench_missing("a node cannot read /proc/self/%s", file);
  return -1;
}

static int prepare_private(const char *point, size_t unused)
{
  (void)point, (void)unused;
  return greatest_take(before < 0 || after < 0 ? -1 : after > before ? after - before : 0, "smaps_rollup");
}
static int prepare_shared(const char *point, size_t unused)
{
  return (void)point, (void)unused, greatest_take(shared, "maps");
}

static double value(void) { return bytes; }

static const struct bench_case cases[] = {
    {.test = "memory_shared", .prepare = prepare_shared, .value = value},
    {.test = "memory_private", .prepare = prepare_private, .value = value},
    {.test = NULL},
};

const struct bench_suite bench_suite_memory = {.cases = cases, .attached = attached};

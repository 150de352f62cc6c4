/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* On which core a node runs. Left to the kernel, one of two things that are compared may be measured with
 * five processes on a core and the other with four. */
#include "run.h"

#include <stdio.h>

enum { CORES_MOST = 1024 };
static int core[CORES_MOST];
static unsigned cores;

/* Called before the library starts, since it counts the cores. */
void bench_place_job(const struct bench_settings *s)
{
  cores = bench_cores(core, s->cores && s->cores < CORES_MOST ? s->cores : CORES_MOST);
  if (s->cores && cores && bench_pin(core, cores) != 0)
    perror("gasnetbench: cannot bind this process to its cores");
  bench_node.two_cores[0] = core[0];
  bench_node.two_cores[1] = core[cores > 1];
}

/* Round robin; where both nodes of a pair would get the same core, the second gets the next. */
static int core_of_node(void)
{
  const unsigned further = bench_node.half % cores == 0 && bench_node.me >= bench_node.half;
  return core[(bench_node.here + further) % cores];
}

/* Threads that the library or a provider has started by now run where they like; so do those of a node that
 * measures with several. */
void bench_place_node(const struct bench_settings *s)
{
  bench_node.core = -1;
  if (s->unpinned || s->threads > 1 || cores == 0) return;
  bench_node.core = core_of_node();
  if (bench_pin(&bench_node.core, 1) != 0) perror("gasnetbench: cannot bind this process to a core");
}

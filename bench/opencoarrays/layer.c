/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The engine's view of the same coarrays over OpenCoarrays, which mpirun starts. There is nothing bare beside
 * them, so no node knows where others have a variable. */
#include <stdio.h>
#include <stdlib.h>

#include "../caf/fortran.h"

void _gfortran_caf_finalize(void); /* what gfortran calls at the end of a program in Fortran */

int bench_is_mapped(void) { return 1; }

void bench_places_find(struct bench_places *p, const void *mine) { (void)p, (void)mine; }

/* All images are on one host, which the engine sees by what is mapped: nothing goes there. */
static void attach_memory(size_t size)
{
  bench_node.segment = calloc(1, size);
  bench_node.mapped = calloc(bench_node.nodes, sizeof *bench_node.mapped);
  if (!bench_node.segment || !bench_node.mapped) bench_die("no room for %zu MiB", size >> 20);
  for (unsigned i = 0; i < bench_node.nodes; i++) bench_node.mapped[i] = bench_node.segment;
  bench_node.size = size;
  bench_node.here = bench_node.me;
}

static void close_job(int code)
{
  fflush(stdout);
  if (code != 0) bench_caf_fail(code);
  bench_caf_meet();
  _gfortran_caf_finalize();
  exit(0);
}

const struct bench_layer bench_layer = {.open = bench_caf_open,
    .attach = attach_memory,
    .sync = bench_caf_meet,
    .close = close_job,
    .mode = "opencoarrays"};

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The engine's view of coarrays: image k is node k - 1. The job has begun before main. */
#include <stdio.h>

#include "fortran.h"

static void attach_memory(size_t size) { bench_places_attach(bench_caf_memory(size), size); }

static void close_job(int code)
{
  fflush(stdout);
  if (code == 0) bench_caf_leave();
  bench_caf_fail(code);
}

const struct bench_layer bench_layer = {.open = bench_caf_open,
    .attach = attach_memory,
    .sync = bench_caf_meet,
    .close = close_job,
    .mode = "caf"};

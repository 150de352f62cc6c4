/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Measures what was planned: starts its jobs one by one and takes in what they say. */
#ifndef BENCH_CONTROL_RUN_H
#define BENCH_CONTROL_RUN_H
#include "bench/control/job.h"
#include "bench/control/plan.h"

struct run {
  const struct settings *s;
  struct report *r;
  struct plan plan;
};

/* Until all is measured or missing, or a signal has come. */
void run_all(struct run *run);
#endif

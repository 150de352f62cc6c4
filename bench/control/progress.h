/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A line at the foot of a terminal that says how far the run is. */
#ifndef BENCH_CONTROL_PROGRESS_H
#define BENCH_CONTROL_PROGRESS_H
#include "bench/control/report.h"

/* Only where standard error is a terminal. `points` are to come, each of so many seconds. */
void progress_open(unsigned points, double seconds);
/* What is measured now. */
void progress_doing(const struct result *r);
void progress_at(unsigned done);
/* Something is to be written to standard error or output: the line is out of the way until the
 * next change. */
void progress_clear(void);
void progress_close(void);
#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What a worker says: lines that begin with @. */
#ifndef BENCH_CONTROL_COLLECT_H
#define BENCH_CONTROL_COLLECT_H
#include "bench/control/report.h"

enum said { SAID_NOTHING, SAID_WRONG, SAID_ABOUT, SAID_DOING, SAID_RESULT };

/* Takes a line of a job into the report. SAID_NOTHING: it is no such line; SAID_WRONG: it is, but not
 * understood, or of a point that the job was not asked for. *which: the result that a line is about. */
enum said collect(struct report *r, unsigned job, const char *line, struct result **which);
#endif

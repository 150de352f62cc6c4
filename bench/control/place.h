/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#ifndef BENCH_CONTROL_PLACE_H
#define BENCH_CONTROL_PLACE_H
#include "bench/control/settings.h"
#include "bench/control/report.h"

/* This host, now. */
void place_fill(const struct settings *s, struct place *p);
/* What about it spoils the figures: notes in the report. */
void place_warn(const struct settings *s, struct report *r);
#endif

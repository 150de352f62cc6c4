/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A job on several hosts, seen from where gasnetrun was called: a daemon on each starts and supervises the
 * processes there; the launcher decides how the job goes on, and carries output, input, signals and the
 * exchange at the start. */
#ifndef LAUNCH_LAUNCHER_H
#define LAUNCH_LAUNCHER_H
#include "launch/options.h"

int launcher_run(const struct options *o, double exit_timeout); /* the job's exit code */

#endif

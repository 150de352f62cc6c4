/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The performance tools that gasnetrun's options ask for. */
#ifndef LAUNCH_TOOLS_H
#define LAUNCH_TOOLS_H

/* --NAME, with its value: the job is to load that tool. One a job; a second ends the process. output: NULL:
 * the tool's default. */
void tools_take(const char *name, const char *output);
/* Puts what was taken into the environment, and a name for this job that all its processes know, if there is
 * a tool. */
void tools_prepare(void);

#endif

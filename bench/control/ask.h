/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#ifndef BENCH_CONTROL_ASK_H
#define BENCH_CONTROL_ASK_H
#include "bench/control/run.h"

/* The command line and environment of a job with the nodes of `first`, which measures what still waits of its
 * number in *r, or where that is NULL only starts. -1: there is no such worker; *reason says so. job_free in
 * any case. The bounds of --check are for two processors, whatever the machine has. */
int ask(struct run *run, const struct report *r, const struct result *first, unsigned flags, double seconds,
    struct job *job, char reason[TEXT_MOST]);
/* The environment alone. */
void ask_environment(const struct run *run, const struct result *result, unsigned flags, struct job *job);
/* What --raw is for the result: "none", "smp" or the path of a library; for the caller to free. */
char *ask_raw(struct run *run, const struct result *result);

/* gasnetrun; ends the process where there is none. */
const char *ask_launcher(const struct settings *s);
/* "gasnetbench-seq" and so on, for the caller to free; NULL: there is none, and *reason says so. */
char *ask_worker(const struct settings *s, const char *name, char reason[TEXT_MOST]);
#endif

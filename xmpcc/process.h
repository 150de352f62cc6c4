/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Commands that xmpcc runs, and its temporary files, which go however it ends. */
#ifndef XMPCC_PROCESS_H
#define XMPCC_PROCESS_H
#include "xmpcc/options.h"

/* Once, before all else here. */
void process_open(void);
/* Runs a command, or only prints it; its exit code, or 128 + the signal that ended it. */
int process_run(const struct words *w, int show);
/* Runs it, and gives what it wrote to standard output, zero-terminated, which the caller frees. */
char *process_read(const struct words *w, size_t *size, int *code);

/* A path that nothing else has, in a directory of its own; the file is the caller's to make. */
const char *temporary_path(const char *name);

#endif

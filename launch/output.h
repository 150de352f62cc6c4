/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What the processes print, passed on: as it comes, or line by line with "[node] " before each
 * (--tag-output). */
#ifndef LAUNCH_OUTPUT_H
#define LAUNCH_OUTPUT_H
#include <stddef.h>

struct output;

struct output *output_open(unsigned nodes, int tagged);
/* `which`: 0 standard output, 1 standard error. */
void output_take(struct output *o, unsigned node, unsigned which, const char *data, size_t n);
/* A stream has ended: its last line may lack an end. */
void output_end(struct output *o, unsigned node, unsigned which);
/* Writes what is pending, `wait_ms` at most for each piece (-1: as long as it takes). Returns 0 when some is
 * left. */
int output_flush(struct output *o, unsigned which, int wait_ms);
/* Writes last lines without an end, and what the reader was too slow to take. -1: some could not be
 * written though the reader is alive. */
int output_close(struct output *o);

#endif

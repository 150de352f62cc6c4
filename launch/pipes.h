/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Two pipes a process, for its standard output and error, read by the process that has started it. */
#ifndef LAUNCH_PIPES_H
#define LAUNCH_PIPES_H
#include <stddef.h>
#include <sys/resource.h>
#include "bootstrap/loop.h"

struct pipes_reader {
  size_t (*room)(void *arg, unsigned which); /* how much may be read now; `which`: 0 output, 1 error */
  void (*take)(void *arg, unsigned i, unsigned which, const char *data, size_t n);
  void (*end)(void *arg, unsigned i, unsigned which);
  void *arg;
};

struct pipes;

/* Ends the process when it cannot. */
struct pipes *pipes_open(unsigned nodes, const struct pipes_reader *reader);
/* In the child: standard output and error become its pipes. */
void pipes_child(const struct pipes *p, unsigned i);
/* In the parent once all children are started: closes their ends. Returns [2 * nodes] to be watched. */
struct pst_loop_fd *pipes_watch(struct pipes *p);
/* Whether the pipes are looked at. */
void pipes_pause(struct pipes *p, int paused);
/* Reads what is there, as far as there is room. Returns 0 when nothing was left, else 1. */
int pipes_drain(struct pipes *p);
void pipes_close(struct pipes *p);

/* Raises this process's limit of open files to the hard one; *old is for the processes that it starts. */
void pipes_raise_files(struct rlimit *old);

#endif

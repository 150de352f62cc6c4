/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The standard input of a process, given to it through a pipe as it takes it. */
#ifndef LAUNCH_FEED_H
#define LAUNCH_FEED_H
#include <stddef.h>
#include "bootstrap/loop.h"
#include "launch/wire.h"

struct feed {
  struct pst_loop *loop;
  struct pst_loop_fd watch; /* fd -1: closed */
  void (*taken)(void *arg, size_t n);
  void (*closed)(void *arg); /* the process reads no more */
  void *arg;
  char pending[WIRE_WINDOW];
  size_t first, size;
  int ended;
};

/* Returns the end for the process; ends this process when it cannot. SIGPIPE must be blocked or ignored. */
int feed_open(
    struct feed *f, struct pst_loop *loop, void (*taken)(void *, size_t), void (*closed)(void *), void *arg);
/* At most WIRE_WINDOW bytes may be pending; none is the end of the input. */
void feed_take(struct feed *f, const char *data, size_t n);

#endif

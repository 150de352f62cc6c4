/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* This process's standard input, read on behalf of node 0 on another host. */
#ifndef LAUNCH_INPUT_H
#define LAUNCH_INPUT_H
#include <stddef.h>
#include "bootstrap/loop.h"

struct input {
  struct pst_loop_fd watch;
  size_t room;    /* bytes that may be sent now */
  int background; /* the terminal belongs to others: reading would stop this process */
  /* No bytes: the end. */
  void (*came)(void *arg, const char *data, size_t n);
  void *arg;
};

/* `came` and `arg` are set by the caller. Ends the process when it cannot. */
void input_open(struct input *in, struct pst_loop *loop, size_t room);
void input_taken(struct input *in, size_t n);
/* No process reads any more: a writer to this standard input learns of it. */
void input_stop(struct input *in);
/* To be called now and then: the terminal may belong to us again. */
void input_look(struct input *in);

#endif

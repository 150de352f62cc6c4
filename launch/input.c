/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "launch/input.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "launch/options.h"
#include "launch/wire.h"

static int in_background(int fd) { return isatty(fd) && tcgetpgrp(fd) != getpgrp(); }

static void input_set_interest(struct input *in)
{
  in->watch.events = in->watch.fd >= 0 && in->room && !in->background ? POLLIN : 0;
}

static int input_ready(int fd, void *arg)
{
  static char buffer[WIRE_PIECE];
  struct input *in = arg;
  if ((in->background = in_background(fd))) {
    input_set_interest(in);
    return 1;
  }
  ssize_t n = read(fd, buffer, in->room < sizeof buffer ? in->room : sizeof buffer);
  if (n < 0 && (errno == EINTR || errno == EAGAIN)) return 1;
  if (n <= 0) {
    in->watch.fd = -1;
    in->came(in->arg, NULL, 0);
    return 0;
  }
  in->room -= (size_t)n;
  input_set_interest(in);
  in->came(in->arg, buffer, (size_t)n);
  return 1;
}

void input_open(struct input *in, struct pst_loop *loop, size_t room)
{
  in->room = room;
  in->background = 0;
  in->watch = (struct pst_loop_fd){STDIN_FILENO, input_ready, in, POLLIN};
  if (pst_loop_watch(loop, &in->watch) != 0) fail(1, "out of memory");
}

void input_taken(struct input *in, size_t n)
{
  in->room += n;
  input_set_interest(in);
}

void input_stop(struct input *in)
{
  int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
  in->watch.fd = -1;
  in->watch.events = 0;
  if (fd < 0) return;
  dup2(fd, STDIN_FILENO);
  close(fd);
}

void input_look(struct input *in)
{
  if (!in->background || in->watch.fd < 0) return;
  in->background = in_background(in->watch.fd);
  input_set_interest(in);
}

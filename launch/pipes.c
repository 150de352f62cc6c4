/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "launch/pipes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "launch/options.h"

enum { READ_SIZE = 64 * 1024 }; /* what a pipe holds */

struct pipe_end {
  struct pipes *all;
  int child_end;
};

struct pipes {
  struct pipes_reader reader;
  unsigned nodes;
  struct rlimit files;       /* to give back to the children */
  struct pst_loop_fd *watch; /* [2 * nodes]: output and error of process 0, of process 1, ... */
  struct pipe_end end[];     /* likewise */
};

void pipes_raise_files(struct rlimit *old)
{
  if (getrlimit(RLIMIT_NOFILE, old) != 0) return;
  const struct rlimit most = {old->rlim_max, old->rlim_max};
  setrlimit(RLIMIT_NOFILE, &most);
}

/* Returns 0 at the end of the pipe. */
static int pipe_readable(int fd, void *arg)
{
  static char buffer[READ_SIZE];
  struct pipe_end *e = arg;
  struct pipes *p = e->all;
  const unsigned k = (unsigned)(e - p->end);
  const size_t room = p->reader.room(p->reader.arg, k % 2);
  if (!room) return 1;
  ssize_t n = read(fd, buffer, room < sizeof buffer ? room : sizeof buffer);
  if (n < 0) return errno == EINTR || errno == EAGAIN;
  if (n > 0) {
    p->reader.take(p->reader.arg, k / 2, k % 2, buffer, (size_t)n);
    return 1;
  }
  p->reader.end(p->reader.arg, k / 2, k % 2);
  close(fd);
  p->watch[k].fd = -1;
  return 0;
}

static void pipe_open(struct pipes *p, unsigned k)
{
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    fail(1, "cannot make the pipes for the output of %u processes: %s%s", p->nodes, strerror(errno),
        errno == EMFILE ? "; raise the limit of open files (ulimit -n)" : "");
  p->end[k] = (struct pipe_end){p, ends[1]};
  p->watch[k] = (struct pst_loop_fd){ends[0], pipe_readable, &p->end[k], POLLIN};
}

struct pipes *pipes_open(unsigned nodes, const struct pipes_reader *reader)
{
  struct pipes *p = calloc(1, sizeof *p + 2 * (size_t)nodes * sizeof p->end[0]);
  if (!p || !(p->watch = calloc(2 * (size_t)nodes, sizeof *p->watch))) fail(1, "out of memory");
  p->reader = *reader;
  p->nodes = nodes;
  pipes_raise_files(&p->files);
  for (unsigned k = 0; k < 2 * nodes; k++) pipe_open(p, k);
  return p;
}

void pipes_child(const struct pipes *p, unsigned i)
{
  if (dup2(p->end[2 * i].child_end, STDOUT_FILENO) < 0 ||
      dup2(p->end[2 * i + 1].child_end, STDERR_FILENO) < 0)
    _exit(1);
  setrlimit(RLIMIT_NOFILE, &p->files);
}

struct pst_loop_fd *pipes_watch(struct pipes *p)
{
  for (unsigned k = 0; k < 2 * p->nodes; k++) {
    close(p->end[k].child_end);
    fcntl(p->watch[k].fd, F_SETFL, O_NONBLOCK);
  }
  return p->watch;
}

void pipes_pause(struct pipes *p, int paused)
{
  for (unsigned k = 0; k < 2 * p->nodes; k++) p->watch[k].events = paused ? 0 : POLLIN;
}

int pipes_drain(struct pipes *p)
{
  int left = 0;
  for (unsigned k = 0; k < 2 * p->nodes; k++) {
    struct pollfd f = {.fd = p->watch[k].fd, .events = POLLIN};
    if (f.fd < 0 || poll(&f, 1, 0) <= 0) continue;
    left |= pipe_readable(f.fd, &p->end[k]);
  }
  return left;
}

void pipes_close(struct pipes *p)
{
  for (unsigned k = 0; k < 2 * p->nodes; k++)
    if (p->watch[k].fd >= 0) close(p->watch[k].fd);
  free(p->watch);
  free(p);
}

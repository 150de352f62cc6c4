/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "launch/feed.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "launch/options.h"

static void feed_finish(struct feed *f)
{
  pst_loop_forget(f->loop, &f->watch);
  close(f->watch.fd);
  f->watch.fd = -1;
}

/* With nothing pending this only waits for the reader to close its end. */
static void feed_flush(struct feed *f)
{
  const size_t before = f->size;
  while (f->size) {
    ssize_t n = write(f->watch.fd, f->pending + f->first, f->size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) break;
    f->first += (size_t)n;
    f->size -= (size_t)n;
  }
  if (before > f->size) f->taken(f->arg, before - f->size);
  if (!f->size) f->first = 0;
  f->watch.events = f->size ? POLLOUT : POLLERR;
  if (f->ended && !f->size) feed_finish(f);
}

static int feed_ready(int fd, void *arg)
{
  struct feed *f = arg;
  struct pollfd p = {.fd = fd, .events = POLLOUT};
  if (poll(&p, 1, 0) > 0 && p.revents & POLLERR) {
    feed_finish(f);
    f->closed(f->arg);
    return 0;
  }
  feed_flush(f);
  return f->watch.fd >= 0;
}

int feed_open(
    struct feed *f, struct pst_loop *loop, void (*taken)(void *, size_t), void (*closed)(void *), void *arg)
{
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0 || fcntl(ends[1], F_SETFL, O_NONBLOCK) != 0)
    fail(1, "cannot make a pipe for the input: %s", strerror(errno));
  f->loop = loop;
  f->watch = (struct pst_loop_fd){ends[1], feed_ready, f, POLLERR};
  f->taken = taken;
  f->closed = closed;
  f->arg = arg;
  f->first = f->size = 0;
  f->ended = 0;
  if (pst_loop_watch(loop, &f->watch) != 0) fail(1, "out of memory");
  return ends[0];
}

void feed_take(struct feed *f, const char *data, size_t n)
{
  if (f->watch.fd < 0) return;
  if (n == 0) f->ended = 1;
  memmove(f->pending, f->pending + f->first, f->size);
  f->first = 0;
  memcpy(f->pending + f->size, data, n);
  f->size += n;
  feed_flush(f);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "bootstrap/liveness.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bootstrap/loop.h"
#include "support/error.h"

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434 /* on all machines */
#endif

static struct {
  const pid_t *pid;
  unsigned index, local;
  const struct pst_liveness_ops *ops;
} watched;

enum sight { LIVES, ENDED, UNSEEN };

/* A descriptor that is readable when the process has ended. */
static int process_open(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

/* Waits until the process has ended, or the time is `until`. */
static enum sight process_look(pid_t pid, double until)
{
  const int fd = process_open(pid);
  if (fd < 0) return errno == ESRCH ? ENDED : UNSEEN;
  struct pollfd p = {.fd = fd, .events = POLLIN};
  int n;
  do {
    n = poll(&p, 1, pst_loop_milliseconds(until));
  } while ((n == 0 || (n < 0 && errno == EINTR)) && pst_loop_now() < until);
  if (!(p.revents & POLLNVAL)) close(fd);
  return n > 0 ? ENDED : LIVES;
}

/* A client that closes or reuses descriptors that are not its own wakes this thread, too: a fresh descriptor
 * has to tell the same. */
static enum sight process_await_end(pid_t pid, double until)
{
  const enum sight first = process_look(pid, until);
  if (first != ENDED) return first;
  return process_look(pid, 0) == ENDED ? ENDED : UNSEEN;
}

static double earlier(double a, double b) { return a < b ? a : b; }

static void *watch_neighbours(void *unused)
{
  double until = HUGE_VAL;
  (void)unused;
  for (unsigned k = 1; k < watched.local; k++) {
    const unsigned i = (watched.index + k) % watched.local;
    const enum sight s = process_await_end(watched.pid[i], until);
    if (s == UNSEEN) return NULL;
    if (s == LIVES) watched.ops->late();
    else if (!watched.ops->has_left(i))
      until = earlier(until, pst_loop_now() + watched.ops->died(i, watched.pid[i]));
  }
  return NULL;
}

/* Signals are for the client's threads: this one takes none. */
int pst_liveness_watch(const pid_t *pid, unsigned index, unsigned local, const struct pst_liveness_ops *ops)
{
  sigset_t all, before;
  pthread_attr_t detached;
  pthread_t t;
  if (local == 1 || process_look(pid[index], 0) != LIVES) return local == 1 ? PST_OK : PST_ERR_UNSUPPORTED;
  watched.pid = pid, watched.index = index, watched.local = local, watched.ops = ops;
  pthread_attr_init(&detached);
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const int rc = pthread_create(&t, &detached, watch_neighbours, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&detached);
  return rc == 0 ? PST_OK : PST_ERR_SYSTEM;
}

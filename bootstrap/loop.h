/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Sleeping until a signal comes or a descriptor is ready, and serving those that are. */
#ifndef BOOTSTRAP_LOOP_H
#define BOOTSTRAP_LOOP_H
#include <poll.h>

/* The caller owns it, and may change `events` at any time: POLLIN, POLLOUT, 0 for nothing now.
 * The callback returns 0 when the descriptor is at its end and is to be forgotten. */
struct pst_loop_fd {
  int fd;
  int (*ready)(int fd, void *arg);
  void *arg;
  short events;
};

struct pst_loop {
  int signalled;              /* the signal descriptor was readable */
  struct pst_loop_fd **watch; /* NULL where one was forgotten */
  struct pollfd *poll;        /* [0] is the signal descriptor */
  unsigned watches, room, next;
};

/* `signals` is closed with the loop, and where that cannot be opened. 0 or PST_ERR_*. */
int pst_loop_open(struct pst_loop *l, int signals);
int pst_loop_signals(const struct pst_loop *l); /* the descriptor */
int pst_loop_watch(struct pst_loop *l, struct pst_loop_fd *w);
void pst_loop_forget(struct pst_loop *l, const struct pst_loop_fd *w);
/* Sleeps `seconds` at most, HUGE_VAL for any time. */
void pst_loop_wait(struct pst_loop *l, double seconds);
/* Calls back for each descriptor that is ready, in turn, but only for a while: a slow callback must not keep
 * the caller from signals and children. */
void pst_loop_serve(struct pst_loop *l);
int pst_loop_ready(const struct pst_loop *l); /* something is left to be served */
void pst_loop_close(struct pst_loop *l);

double pst_loop_now(void);               /* seconds, on a clock that is never set */
int pst_loop_milliseconds(double until); /* from now, for poll; 0 when it is past; a long time at most */

#endif

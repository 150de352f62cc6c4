/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Progress: reads what the kernel has, writes what the kernel has room for, and then runs messages, without
 * the lock. */
#include <poll.h>
#include <sys/epoll.h>

#include "conduits/net/progress.h"
#include "conduits/template/template.h"

/* A bounded number: the others are first the next time. */
static int epoll_look(void)
{
  enum { BATCH = 32 };
  struct epoll_event e[BATCH];
  const int n = epoll_wait(pst_template.epoll, e, BATCH, 0);
  for (int i = 0; i < n; i++) {
    struct pst_template_socket *s = e[i].data.ptr;
    s->ready(s);
  }
  if (pst_template_is_continuing()) pst_template_continue();
  return n > 0 ? n : 0;
}

static int progress_once(void) { return pst_net_progress(epoll_look); }
int pst_template_serve(void) { return pst_net_serve(epoll_look); }
int pst_template_poll(void) { return pst_net_poll(progress_once); }
int pst_template_poll_replies(void) { return pst_net_poll_replies(progress_once); }

/* Sleeps on epoll's descriptor, and takes no event out of it. */
void pst_template_sleep(int milliseconds)
{
  struct pollfd fd = {.fd = pst_template.epoll, .events = POLLIN};
  poll(&fd, 1, milliseconds);
}

static int is_done(void)
{
  int done;
  if (!pst_net_call_enter()) return 0;
  done = !pst_template_unsent();
  pst_net_call_leave();
  return done;
}

/* When it returns 1 the kernel has all that this process has sent. A peer that reads nothing delays it no
 * longer than `seconds`. */
int pst_template_flush(double seconds)
{
  const double end = pst_net_now() + seconds;
  int done;
  atomic_store_explicit(&pst_net.closing, 1, memory_order_relaxed);
  while (!(done = is_done()) && pst_net_now() < end) progress_once();
  return done;
}

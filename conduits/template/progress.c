/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Progress: reads what the kernel has, writes what the kernel has room for, and then runs messages, without
 * the lock. */
#include <poll.h>
#include <sys/epoll.h>

#include "conduits/template/template.h"

pthread_mutex_t pst_template_lock = PTHREAD_MUTEX_INITIALIZER;

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

/* After each look: returns credit that could not be returned at once; now and then looks at the clock, for
 * lost peers. */
static void after_look(void)
{
  enum { EVERY = 64 };
  static _Thread_local unsigned looks __attribute__((tls_model("initial-exec")));
  pst_credit_pay();
  if (++looks % EVERY == 0) pst_net_watch(pst_net_now());
}

static int progress_once(void)
{
  int n = 0;
  pst_net_count_look();
  if (pst_template_try_enter()) {
    n = epoll_look();
    pst_template_leave();
  }
  after_look();
  return n;
}

/* For the progress thread, which goes away while another thread is in here. */
int pst_template_serve(void)
{
  int n;
  if (!pst_template_try_enter()) return -1;
  n = epoll_look();
  pst_template_leave();
  after_look();
  return n;
}

/* Sleeps on epoll's descriptor, and takes no event out of it. */
void pst_template_sleep(int milliseconds)
{
  struct pollfd fd = {.fd = pst_template.epoll, .events = POLLIN};
  poll(&fd, 1, milliseconds);
}

/* A poll inside a handler comes here, too; then only replies may run. */
int pst_template_poll(void)
{
  int n;
  if (pst_net_replies_only) return pst_template_poll_replies();
  n = progress_once();
  n += pst_net_deliver_waiting(PST_NET_REPLIES);
  return n + pst_net_deliver_waiting(PST_NET_REQUESTS);
}

int pst_template_poll_replies(void)
{
  int n;
  pst_net_replies_only++;
  n = progress_once() + pst_net_deliver_waiting(PST_NET_REPLIES);
  pst_net_replies_only--;
  return n;
}

static int is_done(void)
{
  int done;
  if (!pst_template_enter()) return 0;
  done = !pst_template_unsent();
  pst_template_leave();
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

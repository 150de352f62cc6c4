/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "conduits/net/call.h"

#include <signal.h>
#include <time.h>

struct pst_net pst_net;

void pst_net_open(const struct pst_conduit_job *job)
{
  pst_net_descriptors_open(job->nodes);
  pst_net.node = job->node;
  pst_net.nodes = job->nodes;
  pst_net.has_thread = job->network.thread;
  pst_net.background = job->network.background;
  pst_net.send_old = job->network.send_old;
  pst_net.atomics = job->network.atomics;
  pst_net.par = job->par || pst_net.has_thread;
  pst_net.exchange = job->exchange;
}

/* Calls `close` in a thread of its own and waits for it, `seconds` at most: a library may wait for a peer
 * that is gone, and the process has to end. */
static void close_in_time(void *(*close)(void *unused), double seconds)
{
  struct timespec end;
  sigset_t all, old;
  pthread_t t;
  int rc;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  rc = pthread_create(&t, NULL, close, NULL);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  if (rc) return;
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_nsec += (long)(seconds * 1e9);
  end.tv_sec += end.tv_nsec / 1000000000;
  end.tv_nsec %= 1000000000;
  if (pthread_timedjoin_np(t, NULL, &end)) pthread_detach(t);
}

/* The system closes what is left open, except files by which some libraries share memory. */
void pst_net_close(const struct pst_net_end *end)
{
  static const double flush = 1, calls = 0.2, objects = 0.5;
  static _Atomic int closed;
  int done = 0;
  if (!pst_net.is_open || pst_net_call_interrupted() || atomic_exchange(&closed, 1)) return;
  pst_net_thread_close();
  if (!pst_net_call_deferred()) done = end->flush(flush);
  if (pst_net_call_stop(calls) && (done || end->unflushed)) close_in_time(end->close, objects);
}

void pst_net_outside(gasnet_node_t node, const void *addr, size_t nbytes)
{
  const gasnet_seginfo_t *s = &pst_net.region[0][node];
  pst_fatal("%zu bytes at %p are outside the segment of node %u, which is %zu bytes at %p", nbytes, addr,
      node, (size_t)s->size, s->addr);
}

void pst_net_attach(const struct pst_conduit_segments *segments)
{
  pst_net.region = segments->info;
  pst_net.own = segments->own;
  pst_net.regions = segments->regions;
}

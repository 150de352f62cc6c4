/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The progress thread. Libraries that do one-sided transfers in software move them only while they are
 * called: a node that computes keeps the nodes waiting that read its memory or connect to it. This thread
 * calls the library meanwhile, and keeps messages for the client (deliver.c). It runs no handlers unless the
 * client allows that (gasnetx_handlers_in_background), so a client of any thread mode does not notice it.
 *
 * `looks` counts the client's own looks at the network (relaxed: it is only a hint). While the count changes,
 * the thread keeps away and naps: else each message would wake it, too. While the count stands still, the
 * thread serves, and when it finds nothing it sleeps as the conduit can, on a file descriptor or for a short
 * time. It does not sleep before: not every library's descriptor is readable for what has come already. */
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "conduits/net/net.h"
#include "support/tsan.h"

static struct {
  struct pst_net_thread conduit;
  pthread_t thread;
  _Atomic int running, stopping;
} t;

/* This thread runs for microseconds at a time, and is late where it must wait for the time slice of a thread
 * that computes to end. Linux since 6.12 soon runs a thread that asks for short slices; before, this changes
 * nothing. */
static void ask_for_short_slices(void)
{
  struct {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period; /* ns */
  } a = {.size = sizeof a};             /* struct sched_attr, which the C library may not have */
  if (syscall(SYS_sched_getattr, 0, &a, sizeof a, 0) != 0 || a.policy != SCHED_OTHER) return;
  a.size = sizeof a;
  a.runtime = 100000;
  syscall(SYS_sched_setattr, 0, &a, 0);
}

/* How long to nap after a nap of `before` microseconds during which the client made so many looks. Naps grow
 * longer while the client waits in the library, for each one ends in a timer's interrupt and two switches. */
static unsigned nap_length(unsigned before, unsigned looks)
{
  enum { LEAST = 500, MOST = 4000, LOOK = 20 /* microseconds between two, if it waits */ };
  if (before == 0 || looks < before / LOOK) return LEAST;
  return 2 * before < MOST ? 2 * before : MOST;
}

static int run_handlers(void)
{
  int n;
  if (!pst_net.background) return 0;
  pst_tsan_acquire(&pst_mynode); /* who asks may have learnt in a collective that the data is ready */
  n = pst_net_deliver_waiting(PST_NET_REPLIES) + pst_net_deliver_waiting(PST_NET_REQUESTS);
  /* For whoever waits for a word (front/wait.h), or in a collective (teams/engine.c), which a peer may end
   * when it has had the reply. */
  pst_tsan_release(&pst_mynode);
  return n;
}

/* serve returns -1 while the client is inside the library, where it may have been interrupted: then it makes
 * no looks, and a thread that tried again and again would keep the core from it for milliseconds. */
static void *thread_serve(void *unused)
{
  enum { WAIT_MS = 100, SOON = 50 /* microseconds */ };
  unsigned seen = 0, duration = 0;
  (void)unused;
  ask_for_short_slices();
  while (!atomic_load_explicit(&t.stopping, memory_order_relaxed)) {
    const unsigned looks = atomic_load_explicit(&pst_net.looks, memory_order_relaxed);
    const int done = looks == seen ? t.conduit.serve() : -1;
    if (done < 0) {
      duration = nap_length(duration, looks - seen);
      seen = looks;
      pst_net_nap(duration);
    } else {
      duration = 0;
      const int left = pst_net.send_old();
      if (run_handlers() + done > 0) continue;
      if (left) pst_net_nap(SOON);
      else t.conduit.sleep(WAIT_MS);
    }
  }
  return NULL;
}

void pst_net_nap(unsigned microseconds)
{
  const struct timespec duration = {.tv_nsec = (long)microseconds * 1000};
  nanosleep(&duration, NULL);
}

/* Signals are for the client's threads. */
int pst_net_thread_open(const struct pst_net_thread *conduit)
{
  sigset_t all, before;
  int rc;
  if (!pst_net.has_thread) return PST_OK;
  t.conduit = *conduit;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  rc = pthread_create(&t.thread, NULL, thread_serve, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (rc != 0) {
    pst_warn("GASNET_PROGRESS_THREAD: cannot start a thread: %s", strerror(rc));
    return PST_ERR_SYSTEM;
  }
  atomic_store_explicit(&t.running, 1, memory_order_relaxed);
  return PST_OK;
}

/* The thread notices `stopping` after the longest of its sleeps at most. Inside a handler that waits for a
 * peer that is gone it may never notice. */
void pst_net_thread_close(void)
{
  enum { LONGEST = 1 /* s */ };
  struct timespec end;
  if (!atomic_exchange_explicit(&t.running, 0, memory_order_relaxed)) return;
  atomic_store_explicit(&t.stopping, 1, memory_order_relaxed);
  if (pthread_equal(t.thread, pthread_self())) return;
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_sec += LONGEST;
  if (pthread_timedjoin_np(t.thread, NULL, &end) != 0) pthread_detach(t.thread);
}

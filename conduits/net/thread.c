/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The progress thread. Libraries that do one-sided transfers in software move them only while somebody calls
 * them: a node that computes keeps those who read its memory waiting, and those who greet it. This thread
 * calls the library then, and keeps the messages for the client (deliver.c): it runs no handlers, so a client
 * of any mode sees nothing of it, unless the client lets it (gasnetx_handlers_in_background).
 *
 * Invariant: `looks` counts the client's own calls (relaxed: it is only a hint). While it moves, the thread
 * stays away and naps, for otherwise each message would wake it, too. When it stands still the thread sleeps
 * as the conduit can, on a file descriptor or for a short time. It sleeps when it has found nothing: not
 * every library's descriptor tells of what is there already. */
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

/* It runs for microseconds at a time, and is late where it waits for whoever computes to use up his time
 * slice. Linux since 6.12 gives his turn at once to who asks for short ones; elsewhere this changes nothing.
 */
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

/* How long to stay away from a client that made so many looks during the nap before: longer and longer from
 * one that waits in the library, for each nap ends in a timer's interrupt and two switches of whatever the
 * core does. */
static unsigned nap_length(unsigned before, unsigned looks)
{
  enum { LEAST = 500, MOST = 4000, LOOK = 20 /* microseconds between two, if it waits */ };
  if (before == 0 || looks < before / LOOK) return LEAST;
  return 2 * before < MOST ? 2 * before : MOST;
}

/* A client that was interrupted in the library makes no looks, but is there all the same: without it nothing
 * moves, and a thread that tried again and again would keep the core from it for a time slice of
 * milliseconds. */
static int run_handlers(void)
{
  int n;
  if (!pst_net.background) return 0;
  n = pst_net_deliver_waiting(PST_NET_REPLIES) + pst_net_deliver_waiting(PST_NET_REQUESTS);
  pst_tsan_release(&pst_mynode); /* for whoever waits for a word (shmem/wait.c) that the library stores when a
                                    peer has had the reply */
  return n;
}

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

/* It notices within the longest of its sleeps; inside a handler that waits for a peer which is gone it may
 * never. */
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

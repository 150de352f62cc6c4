/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "core/exit.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

#include "bootstrap/foreign_job.h"
#include "core/job.h"
#include "core/trace.h"
#include "support/env.h"
#include "support/variables.h"

/* The thread that ends the process, by exit or gasnet_exit; 0 while the process runs. */
static _Atomic pid_t leader;
/* A process that the client forks inherits our handlers, but is no node, and must not announce an end. */
static pid_t node_pid;

int pst_exit_is_node(void) { return getpid() == node_pid; }
int pst_exit_leaving(void) { return atomic_load_explicit(&leader, memory_order_relaxed) != 0; }

void pst_exit_announce(int code, int told)
{
  uint32_t running = 0, nobody = 0;
  if (!pst_job.self || !pst_exit_is_node()) return;
  const uint32_t word = PST_LEAVING | (told ? PST_LEAVING_TOLD : 0) | (uint32_t)(code & 255);
  if (!atomic_compare_exchange_strong_explicit(
          &pst_job.self->leaving, &running, word, memory_order_release, memory_order_relaxed))
    return;
  if (!(code & 255)) return;
  atomic_compare_exchange_strong_explicit(&pst_job.place.hm.state->first, &nobody,
      pst_mynode - pst_job.place.first + 1, memory_order_release, memory_order_relaxed);
}

/* MPI in the same process wants to be finalised before the process ends. It is found by name, so that no
 * build needs MPI, and early: gasnet_exit may run in a signal handler, which must not call the dynamic
 * linker. */
static struct {
  int (*initialized)(int *), (*finalized)(int *), (*finalize)(void);
} mpi;

static void mpi_find(void)
{
  *(void **)&mpi.initialized = dlsym(RTLD_DEFAULT, "MPI_Initialized");
  *(void **)&mpi.finalized = dlsym(RTLD_DEFAULT, "MPI_Finalized");
  *(void **)&mpi.finalize = dlsym(RTLD_DEFAULT, "MPI_Finalize");
}

static void finalize_mpi(void)
{
  int is = 0, was = 0;
  if (!mpi.initialized || !mpi.finalized || !mpi.finalize) return;
  if (mpi.initialized(&is) == 0 && is && mpi.finalized(&was) == 0 && !was) mpi.finalize();
}

#define FLUSH_MOST 1.0 /* seconds */
#define CLOSE_MOST \
  4.0                /* beyond what conduits take at most to stop, send what is left, and close (net/net.c) */
#define MPI_MOST 5.0 /* beyond what the other nodes may take to come: MPI_Finalize waits for all of them */
static volatile sig_atomic_t last_code, last_signal;

void pst_exit_by_signal(int sig)
{
  sigset_t set;
  signal(sig, SIG_DFL);
  sigemptyset(&set);
  sigaddset(&set, sig);
  raise(sig);
  sigprocmask(SIG_UNBLOCK, &set, NULL);
  _exit(128 + sig);
}

static void give_up(int sig)
{
  (void)sig;
  if (last_signal) pst_exit_by_signal(last_signal);
  _exit(last_code & 255);
}

/* The process dies with `code` if it is still there in so many seconds. What ends it may have interrupted a
 * thread that holds a lock of stdio or of MPI: then the flush would never end, and the process must. */
static void limit_time(int code, double seconds)
{
  struct sigaction sa = {.sa_handler = give_up};
  sigset_t alarm_only;
  last_code = code;
  last_signal = 0;
  sigaction(SIGALRM, &sa, NULL);
  sigemptyset(&alarm_only);
  sigaddset(&alarm_only, SIGALRM);
  pthread_sigmask(SIG_UNBLOCK, &alarm_only, NULL);
  alarm(seconds < 86400 ? (unsigned)seconds + 1 : 0);
}

void pst_exit_limit(int sig, double seconds)
{
  limit_time(128 + sig, seconds);
  last_signal = sig;
}

void pst_exit_flush_and_die(int sig)
{
  pst_exit_limit(sig, FLUSH_MOST);
  fflush(NULL);
  pst_exit_by_signal(sig);
}

/* One thread, the leader, ends the process; other threads that come wait until it has. The leader may come
 * again: from an exit handler that calls gasnet_exit, or from a signal handler. */
static void lead_out(void)
{
  pid_t nobody = 0, me = gettid();
  if (atomic_compare_exchange_strong_explicit(
          &leader, &nobody, me, memory_order_relaxed, memory_order_relaxed))
    return;
  while (nobody != me) pause();
}

void pst_exit_fail(void)
{
  uint32_t running = 0;
  lead_out();
  limit_time(0, FLUSH_MOST);
  pst_trace_close();
  fflush(NULL);
  atomic_compare_exchange_strong_explicit(&pst_job.self->leaving, &running, PST_LEAVING | PST_LEAVING_LOST,
      memory_order_release, memory_order_relaxed);
  _exit(0);
}

static void close_conduits(void)
{
  if (pst_job.network) pst_job.network->close();
  if (pst_job.conduit) pst_job.conduit->close();
}

/* MPI_Finalize has a limit of its own, and so has what follows: else a slow one would keep the process from
 * taking leave of its launcher. */
static void finalize_mpi_in_time(void)
{
  limit_time(last_code, MPI_MOST);
  finalize_mpi();
  limit_time(last_code, MPI_MOST);
}

/* MPI_Finalize returns when all processes of MPI have called it. Under a foreign launcher the nodes first
 * wait for each other, as long as each way of ending allows; elsewhere the supervisor ends nodes that do not
 * come. */
static int leave_job(int code, int with_mpi)
{
  if (pst_foreign_is_job())
    return pst_foreign_leave(code, limit_time, with_mpi ? finalize_mpi_in_time : NULL);
  if (with_mpi && mpi.finalize) {
    limit_time(code, pst_env_double(&pst_support_env.exittimeout) + MPI_MOST);
    finalize_mpi();
    alarm(0); /* exit handlers of the client's may take their time */
  }
  return code;
}

void gasnet_exit(int exitcode)
{
  if (node_pid && !pst_exit_is_node()) _exit(exitcode & 255);
  lead_out();
  pst_exit_announce(exitcode, 0);
  limit_time(exitcode, FLUSH_MOST);
  pst_trace_close();
  fflush(NULL);
  limit_time(
      exitcode, CLOSE_MOST); /* anew: a flush that took long must not cost what was sent and MPI's end */
  close_conduits();
  _exit(leave_job(exitcode & 255, 1) & 255);
}

/* exit() and return from main. The process has its exit code from there; this tells it to the others. A
 * process that ends with an error may do so inside MPI, and ends MPI's other processes: nothing is
 * finalised. */
static void on_process_exit(int code, void *arg)
{
  (void)arg;
  if (!pst_exit_is_node()) return;
  atomic_store_explicit(&leader, gettid(), memory_order_relaxed);
  pst_exit_announce(code, 0);
  pst_trace_close();
  close_conduits();
  if (pst_foreign_is_job()) fflush(NULL); /* exit() would do it later */
  leave_job(code & 255, code == 0);
}

static void on_fatal(int code)
{
  pst_exit_announce(code, 1);
  if (pst_exit_is_node()) pst_foreign_leave(code, limit_time, NULL);
}

void pst_exit_open(void)
{
  node_pid = getpid();
  mpi_find();
  pst_error_hook = on_fatal;
  on_exit(on_process_exit, NULL);
}

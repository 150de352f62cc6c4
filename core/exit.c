#include "core/exit.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

#include "core/bootstrap/pmi_job.h"
#include "core/job.h"
#include "core/trace.h"
#include "support/env.h"

/* The thread that leads the process out, by exit or gasnet_exit; 0 while it runs. */
static _Atomic pid_t leader;
/* A process that the client forks inherits our handlers, but is no node: it must not speak for one. */
static pid_t node_pid;

int pst_exit_is_node(void) { return getpid() == node_pid; }
int pst_exit_leaving(void) { return atomic_load_explicit(&leader, memory_order_relaxed) != 0; }

void pst_exit_announce(int code, int told)
{
  uint32_t running = 0;
  if (!pst_job.self || !pst_exit_is_node()) return;
  atomic_compare_exchange_strong_explicit(&pst_job.self->leaving, &running,
                                          PST_LEAVING | (told ? PST_LEAVING_TOLD : 0) | (uint32_t)(code & 255),
                                          memory_order_release, memory_order_relaxed);
}

/* MPI in the same process wants to be finalised before it ends. It is found by name: no need of it to build; and
 * early, for gasnet_exit may run in a signal handler, where the dynamic linker may not be asked. */
static struct { int (*initialized)(int *), (*finalized)(int *), (*finalize)(void); } mpi;

static void find_mpi(void)
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
static int exit_code;
static void give_up(int sig)
{
  (void)sig;
  _exit(exit_code & 255);
}

/* gasnet_exit may interrupt a thread that holds a lock of stdio or of MPI: then the flush would never end,
 * and the process must. */
static void limit_time(int code, double seconds)
{
  struct sigaction sa = { .sa_handler = give_up };
  sigset_t alarm_only;
  exit_code = code;
  sigaction(SIGALRM, &sa, NULL);
  sigemptyset(&alarm_only);
  sigaddset(&alarm_only, SIGALRM);
  pthread_sigmask(SIG_UNBLOCK, &alarm_only, NULL);
  alarm(seconds < 86400 ? (unsigned)seconds + 1 : 0);
}

/* One thread leads the process out; others that come wait for its end. The leader may come again: from an exit
 * handler that calls gasnet_exit, or from a signal handler. */
static void lead_out(void)
{
  pid_t nobody = 0, me = gettid();
  if (atomic_compare_exchange_strong_explicit(&leader, &nobody, me, memory_order_relaxed, memory_order_relaxed)) return;
  while (nobody != me) pause();
}

static void close_conduits(void)
{
  if (pst_job.network) pst_job.network->close();
  if (pst_job.conduit) pst_job.conduit->close();
}

void gasnet_exit(int exitcode)
{
  if (node_pid && !pst_exit_is_node()) _exit(exitcode & 255);
  lead_out();
  pst_exit_announce(exitcode, 0);
  limit_time(exitcode, FLUSH_MOST);
  pst_trace_close();
  fflush(NULL);
  finalize_mpi();
  close_conduits();
  _exit(pst_pmi_leave(exitcode & 255, limit_time) & 255);
}

/* exit() and return from main. The code goes its own way; this tells it to the others. */
static void on_process_exit(int code, void *arg)
{
  (void)arg;
  if (!pst_exit_is_node()) return;
  atomic_store_explicit(&leader, gettid(), memory_order_relaxed);
  pst_exit_announce(code, 0);
  pst_trace_close();
  close_conduits();
  if (pst_pmi_is_job()) fflush(NULL); /* exit() would do it later */
  pst_pmi_leave(code & 255, limit_time);
}

static void on_fatal(int code)
{
  pst_exit_announce(code, 1);
  if (pst_exit_is_node()) pst_pmi_leave(code, limit_time);
}

void pst_exit_open(void)
{
  node_pid = getpid();
  find_mpi();
  pst_error_hook = on_fatal;
  on_exit(on_process_exit, NULL);
}

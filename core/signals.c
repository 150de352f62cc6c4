/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Signals that would end this process: say so, flush, and die of them. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "bootstrap/foreign_job.h"
#include "core/exit.h"
#include "core/job.h"
#include "core/variables.h"
#include "support/backtrace.h"
#include "support/env.h"
#include "support/freeze.h"
#include "support/parse.h"
#include "support/variables.h"

static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
static const int requests[] = {SIGTERM, SIGINT, SIGQUIT, SIGHUP};

static void on_crash(int sig)
{
  static volatile sig_atomic_t before;
  if (!before) {
    before = 1;
    if (pst_env_bool(&pst_support_env.backtrace)) pst_backtrace(STDERR_FILENO);
    if (pst_env_bool(&pst_support_env.freeze_on_error)) pst_freeze("after a fatal signal");
  }
  pst_exit_by_signal(sig);
}

static int job_is_ending(void)
{
  return pst_job.place.hm.state &&
      atomic_load_explicit(&pst_job.place.hm.state->ending, memory_order_relaxed);
}

static void end_by(int sig) { gasnet_exit(pst_foreign_is_job() ? pst_foreign_code() : 128 + sig); }

/* ---- the client's handler ----
 *
 * SIGQUIT is the one signal that is left to clients: a handler for it runs in a node when another node
 * exits or crashes, or when a signal asks this one to end. It is to clean up and to call gasnet_exit, whose
 * code is the job's unless another was announced before. It may have interrupted anything, a lock of malloc
 * or stdio held, so that its time is limited here, where the job is not ending, and by whoever ends the job
 * elsewhere. */

static void on_request(int sig), on_backtrace(int sig), on_freeze(int sig);
static double handler_most; /* seconds */

static int client_handles_quit(void)
{
  static void (*const others[])(int) = {SIG_DFL, SIG_IGN, on_request, on_backtrace, on_freeze};
  struct sigaction sa;
  if (pst_job.no_quit || sigaction(SIGQUIT, NULL, &sa) != 0) return 0;
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
    if (sa.sa_handler == others[i]) return 0;
  return 1;
}

/* The client's handler mostly does not return. A thread that has blocked SIGQUIT runs it, too: the process
 * has no time to wait. */
static void run_handler(void)
{
  sigset_t quit;
  atomic_store(&pst_job.self->cleaning, 1);
  sigemptyset(&quit);
  sigaddset(&quit, SIGQUIT);
  raise(SIGQUIT);
  pthread_sigmask(SIG_UNBLOCK, &quit, NULL);
}

static void request_answer(int sig)
{
  if (client_handles_quit()) run_handler();
  if (job_is_ending()) end_by(sig);
  pst_exit_flush_and_die(sig);
}

static int answer_defer(int sig)
{
  return pst_job.network && pst_job.network->net->defer && pst_job.network->net->defer(request_answer, sig);
}

/* The supervisor ends the job with SIGTERM; where there is no supervisor, a node that has left does. A signal
 * to a whole process group reaches a node twice, directly and through its supervisor: only the first one
 * counts. */
static void on_request(int sig)
{
  static atomic_flag answered = ATOMIC_FLAG_INIT;
  if (!pst_exit_is_node()) pst_exit_by_signal(sig);
  if (atomic_flag_test_and_set(&answered)) return;
  if (pst_exit_leaving()) {
    if (job_is_ending()) return; /* what this process flushes is to arrive; SIGKILL is the limit */
    pst_exit_by_signal(sig);
  }
  pst_exit_limit(sig, handler_most);
  if (!answer_defer(sig)) request_answer(sig);
}

static void on_backtrace(int sig)
{
  const int e = errno;
  (void)sig;
  pst_backtrace(STDERR_FILENO);
  errno = e;
}

static void on_freeze(int sig)
{
  const int e = errno;
  (void)sig;
  pst_freeze("on request");
  errno = e;
}

static void catch (int sig, void (*handler)(int), const sigset_t *excepted, int only_default)
{
  struct sigaction old, sa;
  if (sigismember(excepted, sig) == 1) return;
  if (only_default && (sigaction(sig, NULL, &old) != 0 || old.sa_handler != SIG_DFL)) return;
  memset(&sa, 0, sizeof sa);
  sa.sa_handler = handler;
  sa.sa_flags = SA_NODEFER | SA_RESTART;
  sigaction(sig, &sa, NULL);
}

static void catch_named(const struct pst_variable *variable, void (*handler)(int), const sigset_t *excepted)
{
  const char *name = pst_env_string(variable);
  int sig;
  if (name && *name && pst_parse_signal(name, &sig) == PST_OK) catch (sig, handler, excepted, 0);
}

void pst_signals_open(void)
{
  const char *list = pst_env_string(&pst_core_env.no_catch_signal);
  sigset_t excepted;
  handler_most = pst_env_double(&pst_support_env.exittimeout);
  sigemptyset(&excepted);
  if (list && *list) pst_parse_signals(list, &excepted);
  for (size_t i = 0; i < sizeof crashes / sizeof crashes[0]; i++) catch (crashes[i], on_crash, &excepted, 1);
  for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++)
    catch (requests[i], on_request, &excepted, 1);
  catch_named(&pst_core_env.backtrace_signal, on_backtrace, &excepted);
  catch_named(&pst_core_env.freeze_signal, on_freeze, &excepted);
}

/* Signals that would end this process: say so, flush, and die of them. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/bootstrap/pmi_job.h"
#include "core/exit.h"
#include "core/job.h"
#include "support/backtrace.h"
#include "support/env.h"
#include "support/freeze.h"
#include "support/parse.h"

static const int crashes[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
static const int requests[] = { SIGTERM, SIGINT, SIGQUIT, SIGHUP };

static void die_of(int sig)
{
  sigset_t set;
  signal(sig, SIG_DFL);
  sigemptyset(&set);
  sigaddset(&set, sig);
  raise(sig);
  sigprocmask(SIG_UNBLOCK, &set, NULL);
  _exit(128 + sig);
}

static void on_crash(int sig)
{
  static volatile sig_atomic_t before;
  if (!before) {
    before = 1;
    if (pst_env_bool(PST_ENV_BACKTRACE)) pst_backtrace(STDERR_FILENO);
    if (pst_env_bool(PST_ENV_FREEZE_ON_ERROR)) pst_freeze("after a fatal signal");
  }
  die_of(sig);
}

static int job_is_ending(void)
{
  return pst_job.place.hm.state && atomic_load_explicit(&pst_job.place.hm.state->ending, memory_order_relaxed);
}

static void end_by(int sig) { gasnet_exit(pst_pmi_is_job() ? pst_pmi_code() : 128 + sig); }

static int defer(int sig) { return pst_job.network && pst_job.network->defer && pst_job.network->defer(end_by, sig); }

/* The supervisor ends the job with SIGTERM, or a node that has left where there is none: what is in stdio's buffers shall not be lost. */
static void on_request(int sig)
{
  if (pst_exit_is_node() && job_is_ending()) {
    if (pst_exit_leaving()) return; /* what it is flushing shall arrive; SIGKILL is the limit */
    if (defer(sig)) return;
    end_by(sig);
  }
  die_of(sig);
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

static void catch(int sig, void (*handler)(int), const sigset_t *excepted, int only_default)
{
  struct sigaction old, sa;
  if (sigismember(excepted, sig) == 1) return;
  if (only_default && (sigaction(sig, NULL, &old) != 0 || old.sa_handler != SIG_DFL)) return;
  memset(&sa, 0, sizeof sa);
  sa.sa_handler = handler;
  sa.sa_flags = SA_NODEFER | SA_RESTART;
  sigaction(sig, &sa, NULL);
}

static void catch_named(enum pst_env variable, void (*handler)(int), const sigset_t *excepted)
{
  const char *name = pst_env_string(variable);
  int sig;
  if (name && *name && pst_parse_signal(name, &sig) == PST_OK) catch(sig, handler, excepted, 0);
}

void pst_signals_open(void)
{
  const char *list = pst_env_string(PST_ENV_NO_CATCH_SIGNAL);
  sigset_t excepted;
  sigemptyset(&excepted);
  if (list && *list) pst_parse_signals(list, &excepted);
  for (size_t i = 0; i < sizeof crashes / sizeof crashes[0]; i++) catch(crashes[i], on_crash, &excepted, 1);
  for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++) catch(requests[i], on_request, &excepted, 1);
  catch_named(PST_ENV_BACKTRACE_SIGNAL, on_backtrace, &excepted);
  catch_named(PST_ENV_FREEZE_SIGNAL, on_freeze, &excepted);
}

#include "conduits/net/net.h"

#include <signal.h>
#include <time.h>

#include "support/env.h"

struct pst_net pst_net;

void pst_net_open(const struct pst_conduit_job *job)
{
  pst_net.node = job->node;
  pst_net.nodes = job->nodes;
  pst_net.has_thread = pst_env_bool(PST_ENV_PROGRESS_THREAD);
  pst_net.par = job->par || pst_net.has_thread;
  pst_net.exchange = job->exchange;
}

void pst_net_finish(void *(*close)(void *unused), double seconds)
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
  pthread_timedjoin_np(t, NULL, &end);
}

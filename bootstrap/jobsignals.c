/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "bootstrap/jobsignals.h"

#include <sys/signalfd.h>
#include <unistd.h>

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
static const int passed_signals[] = {SIGUSR1, SIGUSR2, SIGWINCH, SIGTSTP, SIGCONT};
#define COUNT(a) (sizeof(a) / sizeof *(a))

static sigset_t handled;             /* blocked, read from the descriptor */
static struct sigaction client_chld; /* what the children get back */

/* A signal that this process was started without (nohup, a shell's background job) stays off:
 * once blocked it would be delivered to the signalfd all the same. */
static void handle_unless_ignored(int sig)
{
  struct sigaction sa;
  if (sigaction(sig, NULL, &sa) == 0 && sa.sa_handler != SIG_IGN) sigaddset(&handled, sig);
}

void pst_jobsignals_block(sigset_t *old)
{
  struct sigaction plain = {.sa_handler = SIG_DFL, .sa_flags = SA_NOCLDSTOP};
  sigaction(SIGCHLD, &plain, &client_chld); /* an inherited SIG_IGN would let children vanish unseen */
  sigemptyset(&handled);
  sigaddset(&handled, SIGCHLD);
  for (unsigned i = 0; i < COUNT(ending_signals); i++) handle_unless_ignored(ending_signals[i]);
  for (unsigned i = 0; i < COUNT(passed_signals); i++) handle_unless_ignored(passed_signals[i]);
  sigprocmask(SIG_BLOCK, &handled, old);
}

void pst_jobsignals_restore(const sigset_t *old)
{
  sigaction(SIGCHLD, &client_chld, NULL);
  sigprocmask(SIG_SETMASK, old, NULL);
}

int pst_jobsignals_open(void) { return signalfd(-1, &handled, SFD_CLOEXEC | SFD_NONBLOCK); }

void pst_jobsignals_read(int fd, void (*signalled)(void *arg, int sig, int from_terminal), void *arg)
{
  struct signalfd_siginfo si[16];
  ssize_t n;
  /* the kernel hands out low numbers first: a terminal's SIGINT before the SIGCHLDs that it caused */
  while ((n = read(fd, si, sizeof si)) > 0)
    for (size_t i = 0; i < (size_t)n / sizeof *si; i++)
      if (si[i].ssi_signo != SIGCHLD) signalled(arg, (int)si[i].ssi_signo, si[i].ssi_code == SI_KERNEL);
}

static int one_of(int sig, const int *list, unsigned n)
{
  for (unsigned i = 0; i < n; i++)
    if (list[i] == sig) return 1;
  return 0;
}

int pst_jobsignals_ends(int sig) { return one_of(sig, ending_signals, COUNT(ending_signals)); }

int pst_jobsignals_known(int sig)
{
  return pst_jobsignals_ends(sig) || one_of(sig, passed_signals, COUNT(passed_signals));
}

void pst_jobsignals_stop(void)
{
  struct sigaction plain = {.sa_handler = SIG_DFL}, old;
  sigset_t tstp;
  sigemptyset(&tstp);
  sigaddset(&tstp, SIGTSTP);
  sigaction(SIGTSTP, &plain, &old);
  raise(SIGTSTP);
  sigprocmask(SIG_UNBLOCK, &tstp, NULL); /* stops here */
  sigprocmask(SIG_BLOCK, &tstp, NULL);
  sigaction(SIGTSTP, &old, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "support/freeze.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "gasnet_tools.h"
#include "support/env.h"
#include "support/error.h"
#include "support/variables.h"

/* A debugger's hook by this name: "set gasnet_frozen = 0" lets the process go on. */
extern volatile int gasnet_frozen;
volatile int gasnet_frozen;

static volatile sig_atomic_t continued;

static void on_continue(int sig)
{
  (void)sig;
  continued = 1;
}

static void freeze_until_cleared(volatile int *flag, const char *flagname, const char *why)
{
  struct sigaction mine, before;
  struct timespec tick = {0, 100 * 1000 * 1000};
  int cause = errno;
  memset(&mine, 0, sizeof mine);
  mine.sa_handler = on_continue;
  sigaction(SIGCONT, &mine, &before);
  continued = 0;
  __atomic_store_n(flag, 1, __ATOMIC_RELAXED);
  pst_say("process %d is frozen %s: attach a debugger and set %s to 0, or send SIGCONT", (int)getpid(), why,
      flagname);
  /* the debugger writes the variable without a signal, so it has to be looked at now and then */
  while (__atomic_load_n(flag, __ATOMIC_RELAXED) && !continued) nanosleep(&tick, NULL);
  __atomic_store_n(flag, 0, __ATOMIC_RELAXED);
  sigaction(SIGCONT, &before, NULL);
  errno = cause;
}

void pst_freeze(const char *why) { freeze_until_cleared(&gasnet_frozen, "gasnet_frozen", why); }

void gasnett_freezeForDebuggerNow(volatile int *flag, const char *flagname)
{
  freeze_until_cleared(flag, flagname, "on request");
}

void gasnett_freezeForDebuggerErr(void)
{
  if (pst_env_is_true(&pst_support_env.freeze_on_error)) pst_freeze("after a fatal error");
}

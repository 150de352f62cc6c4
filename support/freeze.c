#include "support/freeze.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "support/error.h"

/* A debugger's hook by this name: "set gasnet_frozen = 0" lets the process go on. */
extern volatile int gasnet_frozen;
volatile int gasnet_frozen;

static volatile sig_atomic_t continued;

static void on_continue(int sig) {
  (void)sig;
  continued = 1;
}

void pst_freeze(const char *why) {
  struct sigaction mine, before;
  struct timespec tick = {0, 100 * 1000 * 1000};
  int cause = errno;
  memset(&mine, 0, sizeof mine);
  mine.sa_handler = on_continue;
  sigaction(SIGCONT, &mine, &before);
  continued = 0;
  gasnet_frozen = 1;
  pst_warn("process %d is frozen %s: attach a debugger and set gasnet_frozen to 0, or send SIGCONT", (int)getpid(), why);
  /* the debugger writes the variable without a signal, so it has to be looked at now and then */
  while (gasnet_frozen && !continued) nanosleep(&tick, NULL);
  gasnet_frozen = 0;
  sigaction(SIGCONT, &before, NULL);
  errno = cause;
}

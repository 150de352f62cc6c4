/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include <errno.h>
#include <signal.h>
#include <string.h>

#include "gasnet_tools.h"
#include "support/error.h"

gasnett_sighandlerfn_t gasnett_reghandler(int sig, gasnett_sighandlerfn_t handler)
{
  struct sigaction mine, before;
  memset(&mine, 0, sizeof mine);
  mine.sa_handler = handler;
  mine.sa_flags = SA_RESTART;
  sigemptyset(&mine.sa_mask);
  if (sigaction(sig, &mine, &before) != 0) pst_fatal("cannot set a handler for signal %d: %m", sig);
  return before.sa_handler;
}

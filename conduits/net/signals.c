/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Networks' libraries load others that install handlers for deadly signals. A process would then die of a
 * signal with their text and exit code in place of the message that names the node, and a client would lose
 * its own handlers. */
#include <signal.h>

#include "conduits/net/net.h"

static const int deadly[] = {SIGABRT, SIGBUS, SIGFPE, SIGHUP, SIGILL, SIGINT, SIGQUIT, SIGSEGV, SIGTERM};
enum { COUNT = sizeof deadly / sizeof deadly[0] };

static struct sigaction kept[COUNT];

void pst_net_signals_keep(void)
{
  for (int i = 0; i < COUNT; i++) sigaction(deadly[i], NULL, &kept[i]);
}

void pst_net_signals_restore(void)
{
  for (int i = 0; i < COUNT; i++) sigaction(deadly[i], &kept[i], NULL);
}

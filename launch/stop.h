/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Stopping processes the way a terminal's SIGTSTP does, where the kernel would not. */
#ifndef LAUNCH_STOP_H
#define LAUNCH_STOP_H
#include <sys/types.h>

/* SIGTSTP has been sent to these `n` processes (0: gone): stops those that neither catch nor ignore it. The
 * kernel discards it for processes in whose group nobody has a parent in the same session, as under a remote
 * shell. */
void stop_default(const pid_t *pid, unsigned n);

#endif

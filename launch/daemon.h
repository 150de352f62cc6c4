/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* gasnetrun --daemon: starts the processes of one host for a launcher on another, and stays as their
 * supervisor. What to do comes over a connection, and what happened goes back; without the connection it ends
 * its processes. */
#ifndef LAUNCH_DAEMON_H
#define LAUNCH_DAEMON_H

int daemon_run(void); /* the exit code */

#endif

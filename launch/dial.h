/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The daemon's way to its launcher. */
#ifndef LAUNCH_DIAL_H
#define LAUNCH_DIAL_H

/* Reads from standard input where the launcher is and what the job's secret is, connects, and both prove that
 * they know it. Returns the connected socket, and this host's number in the job; ends the process when there
 * is no way. */
int dial_launcher(unsigned *host);
/* What dial_launcher reads, by the launcher: "PENSTOCK 1 secret host seconds address,port ..." and
 * a newline. */
#define DIAL_FORMAT "PENSTOCK 1 %s %u %u %s\n"

#endif

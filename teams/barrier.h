/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Barriers: the split-phase interface, in shared memory or by messages. */
#ifndef TEAMS_BARRIER_H
#define TEAMS_BARRIER_H

/* After the team of all nodes. */
void pst_barrier_open(void);

#endif

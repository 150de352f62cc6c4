/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#ifndef CORE_CORES_H
#define CORE_CORES_H

/* How many cores the processes of this host may run on, all together. Collective: a launcher may bind each
 * process to other cores, and all processes must know the same number, on which waits and barriers depend. */
unsigned pst_cores_of_host(void);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#ifndef CORE_CORES_H
#define CORE_CORES_H

/* How many cores the processes of this host may run on, all together. Collective: each has its own where a
 * launcher binds them, and all must come to the same number, for how they wait and meet depends on it. */
unsigned pst_cores_of_host(void);

#endif

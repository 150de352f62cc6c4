/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Faults that tests inject. Only libraries that were configured with --enable-fault-injection have them;
 * conduits/ofi/faults.h and conduits/ucx/faults.h have those of one conduit. */
#ifndef CONDUITS_NET_FAULTS_H
#define CONDUITS_NET_FAULTS_H

#ifdef PST_FAULT_INJECTION
extern unsigned pst_net_room; /* about one in so many calls finds no room; 0: tests ask for nothing */
int pst_net_room_is_refused(void);
#else
static inline int pst_net_room_is_refused(void) { return 0; }
#endif

#endif

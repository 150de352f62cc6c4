/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Chooses the network of a job on several hosts, where GASNET_CONDUIT names none. */
#ifndef CORE_CHOOSE_H
#define CORE_CHOOSE_H
#include "core/conduit.h"

/* Collective. NULL: no network was built, or none finds anything on all nodes. */
const struct pst_conduit *pst_choose_network(const struct pst_conduit_job *job);
/* Whether a network was built that can be chosen. */
int pst_choose_has_networks(void);

#endif

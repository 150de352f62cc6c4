/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The network of a job on several hosts, where GASNET_CONDUIT names none. */
#ifndef CORE_CHOOSE_H
#define CORE_CHOOSE_H
#include "core/conduit.h"

/* Collective. NULL: no network was built, or none finds anything on all nodes. */
const struct pst_conduit *pst_choose_network(const struct pst_conduit_job *job);
/* Whether any network was built that it can choose. */
int pst_choose_has_networks(void);

#endif

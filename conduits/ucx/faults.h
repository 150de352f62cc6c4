/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What tests take from UCX: GASNET_UCX_WITHOUT. Only libraries that were configured with
 * --enable-fault-injection read it; in others nothing is taken, and the compiler leaves out what depends on
 * it. */
#ifndef CONDUITS_UCX_FAULTS_H
#define CONDUITS_UCX_FAULTS_H
#include "conduits/ucx/variables.h"

#ifdef PST_FAULT_INJECTION
extern struct pst_ucx_without pst_ucx_without;
void pst_ucx_faults_read(void);
#else
static const struct pst_ucx_without pst_ucx_without = {0};
static inline void pst_ucx_faults_read(void) {}
#endif

#endif

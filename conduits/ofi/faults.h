/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What tests take from the provider, and what they ask for in its name: GASNET_OFI_WITHOUT, GASNET_OFI_MR.
 * Only libraries that were configured with --enable-fault-injection read them; in others all is 0, and the
 * compiler leaves out what depends on it. */
#ifndef CONDUITS_OFI_FAULTS_H
#define CONDUITS_OFI_FAULTS_H
#include "conduits/ofi/variables.h"

#ifdef PST_FAULT_INJECTION
extern struct pst_ofi_without pst_ofi_without;
extern struct pst_ofi_mr pst_ofi_mr_forced; /* modes that tests ask for and the provider does not */
void pst_ofi_faults_read(void);
void pst_ofi_faults_force_modes(void); /* adds them to those of pst_ofi.info */
#else
static const struct pst_ofi_without pst_ofi_without = {0};
static const struct pst_ofi_mr pst_ofi_mr_forced = {0};
static inline void pst_ofi_faults_read(void) {}
static inline void pst_ofi_faults_force_modes(void) {}
#endif

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Settings of libfabric's layer ofi_rxm, for the conduit and for the bare program that it is measured
 * against. */
#ifndef CONDUITS_OFI_RXM_H
#define CONDUITS_OFI_RXM_H
#include <stdint.h>

/* They are there between the two if `provider` names this layer over tcp. NULL: it names none. */
void pst_ofi_rxm_set(const char *provider);
void pst_ofi_rxm_unset(void);

/* Bytes: what goes in one piece; 0 where none was said. */
uint32_t pst_ofi_rxm_limit(void);

#endif

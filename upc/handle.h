/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Handles. Those of single transfers are the extended interface's; what takes several steps is one of ours,
 * marked by its lowest bit. */
#ifndef UPC_HANDLE_H
#define UPC_HANDLE_H

#include "upc/third.h"

static inline upc_handle_t pst_upc_handle(gasnet_handle_t h) { return (upc_handle_t)h; }
upc_handle_t pst_upc_handle_third(const char *call, struct pst_upc_third *t);
/* Among the implicit ones of the thread, or of its access region. */
void pst_upc_handle_implicit(const char *call, struct pst_upc_third *t);

/* What tools are told of the next implicit one. */
void *pst_upc_handle_told(void);

/* Without events. */
void pst_upc_handle_wait(upc_handle_t h);

#endif

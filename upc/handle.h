/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Handles. A single transfer has the handle of the extended interface; a transfer of several steps has a
 * handle of ours, marked by the lowest bit. */
#ifndef UPC_HANDLE_H
#define UPC_HANDLE_H

#include "upc/third.h"

static inline upc_handle_t pst_upc_handle(gasnet_handle_t h) { return (upc_handle_t)h; }
upc_handle_t pst_upc_handle_third(const char *call, struct pst_upc_third *t);
/* Puts it among the implicit transfers of the thread, or of its access region. */
void pst_upc_handle_implicit(const char *call, struct pst_upc_third *t);

/* The handle that tools are told for an implicit transfer that begins now. */
void *pst_upc_handle_told(void);

/* Without events. */
void pst_upc_handle_wait(upc_handle_t h);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Addresses of other threads' memory here. */
#include "upc/upc.h"

void *upc_cast(upc_const_pts_t p) { return pst_upc_is_null(p) ? NULL : pst_upc_here(p); }
int upc_castable(upc_const_pts_t p) { return upc_cast(p) != NULL; }

#if defined(GASNET_DEBUG)
void pst_upc_check(const char *call, upc_const_pts_t p, size_t n)
{
  const uint64_t bytes = 2 * (uint64_t)pst_upc.heap;
  pst_upc_need_open(call);
  if (n == 0) return;
  if (p.thread >= (unsigned)THREADS) pst_upc_fatal(call, "the pointer's thread is %u", p.thread);
  if (pst_upc_is_null(p)) pst_upc_fatal(call, "the pointer is NULL");
  if (p.address > bytes || n > bytes - p.address)
    pst_upc_fatal(call,
        "%zu bytes from address %#llx on are not in shared memory, which has %#llx bytes a thread", n,
        (unsigned long long)p.address, (unsigned long long)bytes);
}
#endif

PST_UPC_ALIAS(cast);
PST_UPC_ALIAS(castable);

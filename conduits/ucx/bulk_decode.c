/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "conduits/ucx/bulk.h"

#include <string.h>

int pst_ucx_bulk_decode(
    const struct pst_net_receiver *r, const void *bytes, size_t nbytes, size_t data, struct pst_ucx_bulk *b)
{
  if (nbytes != sizeof *b) return PST_ERR_INVALID;
  memcpy(b, bytes, sizeof *b);
  if (b->src >= r->nodes || b->src == r->node) return PST_ERR_INVALID;
  switch (b->kind) {
  case PST_UCX_BULK_PUT:
    return data == b->nbytes && pst_net_reachable(r, b->addr, b->nbytes) ? PST_OK : PST_ERR_INVALID;
  case PST_UCX_BULK_GET:
    return data == 0 && pst_net_reachable(r, b->addr, b->nbytes) ? PST_OK : PST_ERR_INVALID;
  case PST_UCX_BULK_DONE: return data == 0 ? PST_OK : PST_ERR_INVALID;
  case PST_UCX_BULK_DATA: return data == b->nbytes ? PST_OK : PST_ERR_INVALID;
  default: return PST_ERR_INVALID;
  }
}

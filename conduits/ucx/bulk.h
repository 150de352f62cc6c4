/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The head of a transfer by messages, as it goes over the wire; docs/formats.md draws it. */
#ifndef CONDUITS_UCX_BULK_H
#define CONDUITS_UCX_BULK_H
#include "conduits/net/message.h"

/* PUT and DATA carry their bytes. */
enum pst_ucx_bulk_kind {
  PST_UCX_BULK_PUT = 1,
  PST_UCX_BULK_DONE,
  PST_UCX_BULK_GET,
  PST_UCX_BULK_DATA,
  PST_UCX_BULK_KINDS
};

struct pst_ucx_bulk {
  uint32_t src, kind;
  uint64_t addr, nbytes; /* PUT, GET: in the target's segment */
  uint64_t cookie;       /* of PUT and GET, which DONE and DATA name */
};

/* Trusts none of the bytes: PST_OK, or PST_ERR_INVALID. `data`: how many bytes came with the head. */
int pst_ucx_bulk_decode(
    const struct pst_net_receiver *r, const void *bytes, size_t nbytes, size_t data, struct pst_ucx_bulk *b);

#endif

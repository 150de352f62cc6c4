/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The conduit's variables. GASNET_UCX_WITHOUT, for tests, lists what the conduit is to do without. */
#ifndef CONDUITS_UCX_VARIABLES_H
#define CONDUITS_UCX_VARIABLES_H
#include <stdint.h>

#include "support/env.h"

struct pst_ucx_env {
  struct pst_variable tls, devices;
#ifdef PST_FAULT_INJECTION
  struct pst_variable without;
#endif
};
extern const struct pst_ucx_env pst_ucx_env;

enum {
  PST_UCX_WITHOUT_DIRECT = 1,
  PST_UCX_WITHOUT_BULK = 2,
  PST_UCX_WITHOUT_RMA = 4,
  PST_UCX_WITHOUT_PEER_ERRORS = 8
};
struct pst_ucx_without {
  uint32_t what; /* PST_UCX_WITHOUT_... */
  uint32_t room; /* each so many-th call finds none; 0: as many as do */
};
enum { PST_UCX_ROOM_LEAST = 2 };
#define PST_UCX_WITHOUT_LEGAL "names separated by commas: direct, bulk, rma, peer_errors, room:N (2 or more)"

/* PST_OK, or an error with nothing changed. NULL is an empty list. */
int pst_ucx_without_parse(const char *text, struct pst_ucx_without *w);

#endif

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

struct pst_ucx_without {
  uint32_t direct, bulk, rma, peer_errors;
  uint32_t room; /* each so many-th call finds none; 0: as many as do */
};

/* PST_OK, or an error with nothing changed. NULL is an empty list. Without a result the text is checked. */
int pst_ucx_without_parse(const char *text, struct pst_ucx_without *w);

#endif

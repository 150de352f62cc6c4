/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The conduit's variables. Two of them are lists, for tests: what the conduit is to register memory for
 * although the provider does not ask for it, and what it is to do without although the provider has it. */
#ifndef CONDUITS_OFI_VARIABLES_H
#define CONDUITS_OFI_VARIABLES_H
#include <stdint.h>

#include "support/env.h"

struct pst_ofi_env {
  struct pst_variable provider, device;
#ifdef PST_FAULT_INJECTION
  struct pst_variable mr, without;
#endif
};
extern const struct pst_ofi_env pst_ofi_env;

/* GASNET_OFI_MR: modes of libfabric. */
struct pst_ofi_mr {
  uint32_t local, virt_addr, allocated, prov_key, endpoint, raw;
};

/* GASNET_OFI_WITHOUT */
struct pst_ofi_without {
  uint32_t multi_recv, delivery_complete, inject, auto_progress, resource_mgmt;
  uint32_t room;  /* each so many-th call finds none; 0: as many as do */
  uint32_t size;  /* the most bytes of one transfer; 0: as many as the provider takes */
  uint32_t queue; /* the most completions that the queue holds; 0: as many as may come */
};

/* PST_OK, or an error with nothing changed. NULL is an empty list. Without a result the text is checked. */
int pst_ofi_mr_parse(const char *text, struct pst_ofi_mr *modes);
int pst_ofi_without_parse(const char *text, struct pst_ofi_without *w);

#endif

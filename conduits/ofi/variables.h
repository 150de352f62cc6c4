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

/* GASNET_OFI_MR */
enum {
  PST_OFI_MR_LOCAL = 1,
  PST_OFI_MR_VIRT_ADDR = 2,
  PST_OFI_MR_ALLOCATED = 4,
  PST_OFI_MR_PROV_KEY = 8,
  PST_OFI_MR_ENDPOINT = 16,
  PST_OFI_MR_RAW = 32
};
#define PST_OFI_MR_LEGAL "names separated by commas: local, virt_addr, allocated, prov_key, endpoint, raw"

/* GASNET_OFI_WITHOUT */
enum {
  PST_OFI_WITHOUT_MULTI_RECV = 1,
  PST_OFI_WITHOUT_DELIVERY_COMPLETE = 2,
  PST_OFI_WITHOUT_INJECT = 4,
  PST_OFI_WITHOUT_AUTO_PROGRESS = 8,
  PST_OFI_WITHOUT_RESOURCE_MGMT = 16
};
struct pst_ofi_without {
  uint32_t what;  /* PST_OFI_WITHOUT_... */
  uint32_t room;  /* each so many-th call finds none; 0: as many as do */
  uint32_t size;  /* the most bytes of one transfer; 0: as many as the provider takes */
  uint32_t queue; /* the most completions that the queue holds; 0: as many as may come */
};
enum { PST_OFI_ROOM_LEAST = 2, PST_OFI_SIZE_LEAST = 64, PST_OFI_QUEUE_LEAST = 64 };
#define PST_OFI_WITHOUT_LEGAL \
  "names separated by commas: multi_recv, delivery_complete, inject, auto_progress, resource_mgmt, room:N " \
  "(2 or more), " \
  "size:N (64 or more) and queue:N (64 or more)"

/* PST_OK, or an error with nothing changed. NULL is an empty list. */
int pst_ofi_mr_parse(const char *text, uint32_t *modes);
int pst_ofi_without_parse(const char *text, struct pst_ofi_without *w);

#endif

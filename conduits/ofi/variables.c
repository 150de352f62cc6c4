/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "conduits/ofi/variables.h"

#include "support/namelist.h"

#ifdef PST_FAULT_INJECTION
int pst_ofi_mr_parse(const char *text, struct pst_ofi_mr *modes)
{
#define MODE(name) PST_NAME(struct pst_ofi_mr, name)
  static const struct pst_name known[] = {{MODE(local)}, {MODE(virt_addr)}, {MODE(allocated)},
      {MODE(prov_key)}, {MODE(endpoint)}, {MODE(raw)}, {NULL, 0, 0}};
  return pst_namelist_parse(known, text, modes, sizeof *modes);
}

int pst_ofi_without_parse(const char *text, struct pst_ofi_without *w)
{
#define ABILITY(name) PST_NAME(struct pst_ofi_without, name)
  static const struct pst_name known[] = {{ABILITY(multi_recv)}, {ABILITY(delivery_complete)},
      {ABILITY(inject)}, {ABILITY(auto_progress)}, {ABILITY(resource_mgmt)}, {ABILITY(room), .least = 2},
      {ABILITY(size), .least = 64}, {ABILITY(queue), .least = 64}, {NULL, 0, 0}};
  return pst_namelist_parse(known, text, w, sizeof *w);
}

static int check_ofi_mr(const char *text) { return pst_ofi_mr_parse(text, NULL); }
static int check_ofi_without(const char *text) { return pst_ofi_without_parse(text, NULL); }
#endif

const struct pst_ofi_env pst_ofi_env = {
    .provider = {"GASNET_OFI_PROVIDER", PST_STRING(NULL),
        .help = "Conduit ofi: the libfabric provider, such as net or tcp;ofi_rxm; unset, the first of "
                "libfabric's own order that spans the job's hosts and that all nodes have."},
    .device = {"GASNET_OFI_DEVICE", PST_STRING(NULL),
        .help = "Conduit ofi: the device, by libfabric's domain name, such as eth0."},
#ifdef PST_FAULT_INJECTION
    .mr = {"GASNET_OFI_MR",
        PST_SPECIAL(NULL, check_ofi_mr,
            "names separated by commas: local, virt_addr, allocated, prov_key, endpoint, raw"),
        .help = "Conduit ofi: register memory as if the provider asked for these modes of libfabric, too; "
                "for testing."},
    .without = {"GASNET_OFI_WITHOUT",
        PST_SPECIAL(NULL, check_ofi_without,
            "names separated by commas: multi_recv, delivery_complete, inject, auto_progress, resource_mgmt, "
            "room:N (2 or more), size:N (64 or more) and queue:N (64 or more)"),
        .help = "Conduit ofi: do without these abilities of the provider; for testing. room:N lets each N-th "
                "call find no room, size:N bounds the bytes of one transfer, queue:N the completions that "
                "may be outstanding."},
#endif
};

PST_ENV_TABLE(ofi);

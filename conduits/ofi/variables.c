/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "conduits/ofi/variables.h"

#include <stddef.h>

#include "support/error.h"
#include "support/namelist.h"

#ifdef PST_FAULT_INJECTION
static const struct pst_name modes_known[] = {
    {"local", PST_OFI_MR_LOCAL, 0, 0},
    {"virt_addr", PST_OFI_MR_VIRT_ADDR, 0, 0},
    {"allocated", PST_OFI_MR_ALLOCATED, 0, 0},
    {"prov_key", PST_OFI_MR_PROV_KEY, 0, 0},
    {"endpoint", PST_OFI_MR_ENDPOINT, 0, 0},
    {"raw", PST_OFI_MR_RAW, 0, 0},
    {NULL, 0, 0, 0},
};

static const struct pst_name without_known[] = {
    {"multi_recv", PST_OFI_WITHOUT_MULTI_RECV, 0, 0},
    {"delivery_complete", PST_OFI_WITHOUT_DELIVERY_COMPLETE, 0, 0},
    {"inject", PST_OFI_WITHOUT_INJECT, 0, 0},
    {"auto_progress", PST_OFI_WITHOUT_AUTO_PROGRESS, 0, 0},
    {"resource_mgmt", PST_OFI_WITHOUT_RESOURCE_MGMT, 0, 0},
    {"room", 0, offsetof(struct pst_ofi_without, room), PST_OFI_ROOM_LEAST},
    {"size", 0, offsetof(struct pst_ofi_without, size), PST_OFI_SIZE_LEAST},
    {"queue", 0, offsetof(struct pst_ofi_without, queue), PST_OFI_QUEUE_LEAST},
    {NULL, 0, 0, 0},
};

int pst_ofi_mr_parse(const char *text, uint32_t *modes)
{
  uint32_t bits = 0;
  const int err = text ? pst_namelist_parse(modes_known, text, &bits, NULL) : PST_OK;
  if (err == PST_OK) *modes = bits;
  return err;
}

int pst_ofi_without_parse(const char *text, struct pst_ofi_without *w)
{
  struct pst_ofi_without new = {0};
  const int err = text ? pst_namelist_parse(without_known, text, &new.what, &new) : PST_OK;
  if (err == PST_OK) *w = new;
  return err;
}

static int check_ofi_mr(const char *text)
{
  uint32_t ignored;
  return pst_ofi_mr_parse(text, &ignored);
}

static int check_ofi_without(const char *text)
{
  struct pst_ofi_without ignored;
  return pst_ofi_without_parse(text, &ignored);
}
#endif

const struct pst_ofi_env pst_ofi_env = {
    .provider = {"GASNET_OFI_PROVIDER", PST_STRING(NULL),
        .help = "Conduit ofi: the libfabric provider, such as net or tcp;ofi_rxm; unset, the first of "
                "libfabric's own order that spans the job's hosts and that all nodes have."},
    .device = {"GASNET_OFI_DEVICE", PST_STRING(NULL),
        .help = "Conduit ofi: the device, by libfabric's domain name, such as eth0."},
#ifdef PST_FAULT_INJECTION
    .mr = {"GASNET_OFI_MR", PST_SPECIAL(NULL, check_ofi_mr, PST_OFI_MR_LEGAL),
        .help = "Conduit ofi: register memory as if the provider asked for these modes of libfabric, too; "
                "for testing."},
    .without = {"GASNET_OFI_WITHOUT", PST_SPECIAL(NULL, check_ofi_without, PST_OFI_WITHOUT_LEGAL),
        .help = "Conduit ofi: do without these abilities of the provider; for testing. room:N lets each N-th "
                "call find no room, size:N bounds the bytes of one transfer, queue:N the completions that "
                "may be outstanding."},
#endif
};

PST_ENV_TABLE(ofi);

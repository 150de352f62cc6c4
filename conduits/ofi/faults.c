/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "conduits/ofi/faults.h"

#include <string.h>

#include "conduits/net/faults.h"
#include "conduits/ofi/ofi.h"
#include "support/env.h"

struct pst_ofi_without pst_ofi_without;
uint32_t pst_ofi_mr_forced;

void pst_ofi_faults_read(void)
{
  pst_ofi_mr_parse(pst_env_string(&pst_ofi_env.mr), &pst_ofi_mr_forced); /* both have been checked */
  pst_ofi_without_parse(pst_env_string(&pst_ofi_env.without), &pst_ofi_without);
  pst_net_room = pst_ofi_without.room;
}

/* A layer over connected endpoints hands remote addresses on to a provider below, which has not been told of
 * the mode. */
static int mode_can_be_forced(int mode)
{
  return mode != FI_MR_VIRT_ADDR || !strstr(pst_ofi.info->fabric_attr->prov_name, ";ofi_rxm");
}

void pst_ofi_faults_force_modes(void)
{
  static const struct {
    uint32_t forced;
    int mode;
  } modes[] = {
      {PST_OFI_MR_LOCAL, FI_MR_LOCAL},
      {PST_OFI_MR_VIRT_ADDR, FI_MR_VIRT_ADDR},
      {PST_OFI_MR_ALLOCATED, FI_MR_ALLOCATED},
      {PST_OFI_MR_PROV_KEY, FI_MR_PROV_KEY},
      {PST_OFI_MR_ENDPOINT, FI_MR_ENDPOINT},
      {PST_OFI_MR_RAW, FI_MR_RAW},
  };
  int *mode = &pst_ofi.info->domain_attr->mr_mode;
  for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
    if ((*mode & modes[i].mode) || !mode_can_be_forced(modes[i].mode)) pst_ofi_mr_forced &= ~modes[i].forced;
    else if (pst_ofi_mr_forced & modes[i].forced) *mode |= modes[i].mode;
  }
}

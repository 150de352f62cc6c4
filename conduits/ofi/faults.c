/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "conduits/ofi/faults.h"

#include <string.h>

#include "conduits/net/faults.h"
#include "conduits/ofi/ofi.h"
#include "support/env.h"

struct pst_ofi_without pst_ofi_without;
struct pst_ofi_mr pst_ofi_mr_forced;

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
    uint32_t *forced;
    int mode;
  } modes[] = {
      {&pst_ofi_mr_forced.local, FI_MR_LOCAL},
      {&pst_ofi_mr_forced.virt_addr, FI_MR_VIRT_ADDR},
      {&pst_ofi_mr_forced.allocated, FI_MR_ALLOCATED},
      {&pst_ofi_mr_forced.prov_key, FI_MR_PROV_KEY},
      {&pst_ofi_mr_forced.endpoint, FI_MR_ENDPOINT},
      {&pst_ofi_mr_forced.raw, FI_MR_RAW},
  };
  int *mode = &pst_ofi.info->domain_attr->mr_mode;
  for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
    if ((*mode & modes[i].mode) || !mode_can_be_forced(modes[i].mode)) *modes[i].forced = 0;
    else if (*modes[i].forced) *mode |= modes[i].mode;
  }
}

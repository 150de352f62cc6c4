/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "conduits/ucx/faults.h"

#include "conduits/net/faults.h"
#include "support/env.h"

struct pst_ucx_without pst_ucx_without;

void pst_ucx_faults_read(void)
{
  pst_ucx_without_parse(pst_env_string(&pst_ucx_env.without), &pst_ucx_without); /* it has been checked */
  pst_net_room = pst_ucx_without.room;
}

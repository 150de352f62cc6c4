/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "core/job.h"
#include "extended/atomic.h"
#include "extended/barrier.h"
#include "extended/team.h"
#include "vis/coalesce.h"
#include "vis/remote.h"

void pst_layers_open(void)
{
  pst_reference_open();
  pst_atomic_open();
  pst_barrier_open();
  pst_team_open();
  pst_notify_open();
  pst_remote_open();
  pst_coalesce_open();
}

void pst_layers_forked(void) { pst_barrier_open(); }

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "core/scratch.h"

#include "bootstrap/control.h"
#include "core/job.h"
#include "core/neighbourhood.h"

void *pst_scratch(gasnet_node_t node)
{
  if (!pst_neighbour_shared(node)) return NULL;
  return (char *)pst_control_scratch(pst_job.place.hm.state) +
      (size_t)(node - pst_job.place.first) * PST_SCRATCH;
}

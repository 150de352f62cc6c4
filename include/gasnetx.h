/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What goes beyond GASNet: non-contiguous transfers in any order and shape, to several nodes, with
 * notification or as plans; memory outside the segment; lost nodes; atomic operations; groups; teams and
 * collectives.
 * Each transfer has the three forms of gasnet_vis.h: _bulk returns when it is complete, _nb_bulk returns a
 * handle, _nbi_bulk is implicit. */
#ifndef _GASNETX_H
#define _GASNETX_H
#include "gasnet_vis.h"
#include "penstock/x_notify.h"
#include "penstock/x_any.h"
#include "penstock/x_block.h"
#include "penstock/x_multi.h"
#include "penstock/x_reblock.h"
#include "penstock/x_plan.h"
#include "penstock/x_region.h"
#include "penstock/x_serve.h"
#include "penstock/x_loss.h"
#include "penstock/x_atomic.h"
#include "penstock/x_group.h"
#include "penstock/x_team.h"
#include "penstock/x_reduction.h"
#include "penstock/x_nodes.h"
#include "penstock/x_coll.h"

#endif

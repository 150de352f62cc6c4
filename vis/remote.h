/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Transfers to and from a node whose segment is not mapped here. */
#ifndef VIS_REMOTE_H
#define VIS_REMOTE_H
#include "extended/rma.h"
#include "vis/notify.h"
#include "vis/side.h"

/* Starts a transfer. Its parts in flight count on *completion, which outlives them. The descriptions may be
 * reused on return; a put's source stays as it is until all parts are complete. notify: what the target does
 * when all has arrived, or NULL; of puts only. op: PST_OP_GET or 0. */
void pst_remote_start(unsigned op, gasnet_node_t node, const struct pst_side *remote,
    const struct pst_side *local, const gasnetx_notify_t *notify, struct pst_completion *completion);

/* Registers the handlers of such transfers. */
void pst_remote_open(void);

#endif

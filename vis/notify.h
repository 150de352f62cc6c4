/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What a put does at its target once its data is visible there. */
#ifndef VIS_NOTIFY_H
#define VIS_NOTIFY_H
#include "gasnetx.h"

/* At the target, in a message's handler; src: the initiator. */
void pst_notify_run(const gasnetx_notify_t *n, gasnet_node_t src);
/* Can `node` carry it out: is the kind known, the word aligned and inside the segment, the handler index a
 * client's? A notification that came in a message is checked before it runs. */
int pst_notify_valid(const gasnetx_notify_t *n, gasnet_node_t node);
/* At the initiator, after the stores of the data; the target's segment is mapped here, `delta` away. */
void pst_notify_mapped(gasnet_node_t node, ptrdiff_t delta, const gasnetx_notify_t *n);

void pst_notify_open(void);

#endif

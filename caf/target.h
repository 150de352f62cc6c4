/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What a pointer of another image points to, where it lies in no segment: only its owner reaches it, and is
 * asked for it (caf/ask.h). */
#ifndef CAF_TARGET_H
#define CAF_TARGET_H

#include "caf/convert.h"
#include "caf/parts.h"

static inline int pst_caf_target_is_far(gasnet_node_t node, const void *at)
{
  return node != pst_caf_job.me && !pst_caf_is_in_segment(node, at);
}

/* dst = src. put: dst is the node's; else src is. Where the node is lost nothing happens. */
void pst_caf_target_move(const char *call, gasnet_node_t node, int put, const struct pst_caf_side *dst,
    const struct pst_caf_side *src);

/* The first word of such a question, and what answers it. */
enum { PST_CAF_TARGET = 100 };
struct pst_caf_parts pst_caf_target_answer(struct pst_caf_parts question);

#endif

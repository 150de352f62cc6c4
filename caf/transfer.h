/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Assignments of which one side lies on a node, this one or another. */
#ifndef CAF_TRANSFER_H
#define CAF_TRANSFER_H

#include "caf/convert.h"

/* dst = src. put: dst is the node's; else src is. may_overlap: both may be one array. */
void pst_caf_move(const char *call, gasnet_node_t node, int put, const struct pst_caf_side *dst,
    const struct pst_caf_side *src, int may_overlap);
/* Between two nodes: all of src is read before dst is written. */
void pst_caf_put_get(const char *call, gasnet_node_t dst_node, const struct pst_caf_side *dst,
    gasnet_node_t src_node, const struct pst_caf_side *src);
/* nbytes of the node's memory. */
void pst_caf_fetch(gasnet_node_t node, void *dst, const char *there, size_t nbytes);
/* The stat of an assignment: whether the image is lost. */
void pst_caf_put_status(const char *call, gasnet_node_t node, int *stat);

#endif

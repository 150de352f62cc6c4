/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Assignments of which one side lies on a node, this one or another. */
#ifndef CAF_TRANSFER_H
#define CAF_TRANSFER_H

#include "caf/convert.h"
#include "caf/tool.h"

/* dst = src. put: dst is the node's; else src is. may_overlap: both may be one array. */
void pst_caf_move(const char *call, gasnet_node_t node, int put, const struct pst_caf_side *dst,
    const struct pst_caf_side *src, int may_overlap);
/* Between two nodes: all of src is read before dst is written. */
void pst_caf_put_get(const char *call, gasnet_node_t dst_node, const struct pst_caf_side *dst,
    gasnet_node_t src_node, const struct pst_caf_side *src);
/* nbytes of the node's memory. */
void pst_caf_fetch(gasnet_node_t node, void *dst, const char *there, size_t nbytes);
/* The stat of an assignment: whether the image is lost. */
void pst_caf_loss_status(const char *call, gasnet_node_t node, int *stat) __attribute__((cold));
static inline void pst_caf_put_status(const char *call, gasnet_node_t node, int *stat)
{
  if (__builtin_expect(pst_caf_job.losses, 0)) pst_caf_loss_status(call, node, stat);
  else pst_caf_status_ok(stat);
}

/* Where a word of a coarray on an image lies here, if there is nothing else to think of. NULL: there is. map:
 * pst_map, or pst_atomic_map for atomic operations. It makes no call, so what begins with it needs no stack.
 */
static inline void *pst_caf_word_here(
    const ptrdiff_t *map, const struct pst_caf_token *token, size_t offset, int image, size_t nbytes)
{
  const gasnet_node_t node = (gasnet_node_t)image - 1;
  if (PST_CAF_TOOL || pst_caf_job.losses || pst_caf_team != &pst_caf_initial) return NULL;
  if (node >= (gasnet_node_t)pst_caf_initial.images || map[node] == PST_UNMAPPED) return NULL;
  if (!token || nbytes > token->nbytes || offset > token->nbytes - nbytes) return NULL;
  return pst_caf_at(token, node, offset);
}

#endif

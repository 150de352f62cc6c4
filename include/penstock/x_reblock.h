/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Moves a range between two block-cyclic distributions, by one call on any node. Extension proposal,
 * appendix, item 1. */
#ifndef PENSTOCK_X_REBLOCK_H
#define PENSTOCK_X_REBLOCK_H
#ifdef __cplusplus
extern "C" {
#endif

/* An array in blocks that lie on nodes in turn: element e is in block number b = e / block, which lies on the
 * node of index i = b % nodes, at base[i] + ((b / nodes) * block + e % block) * elemsz. With one node the
 * array is contiguous. */
typedef struct {
  size_t block;              /* elements of a block, at least 1 */
  size_t nodes;              /* how many share it, at least 1 */
  gasnet_node_t const *node; /* [nodes] their numbers; NULL: 0, 1, ... */
  void *const *base;         /* [nodes] where the blocks of each begin, as that node sees it */
} gasnetx_distribution_t;

/* Elements srcfirst, srcfirst + 1, ... of src become dstfirst, ... of dst; elemsz in bytes. Block sizes and
 * nodes may differ; source and destination do not overlap. The memory of other nodes lies in their segments,
 * this node's anywhere. Elements that other nodes hold on both sides pass through a buffer of 1 MiB here,
 * while the call waits; the rest moves until the sync. The implicit form counts as puts and as gets. The
 * caller may reuse both descriptions on return. With nelems or elemsz 0 nothing is looked at. */
void gasnetx_reblock_bulk(const gasnetx_distribution_t *dst, size_t dstfirst,
    const gasnetx_distribution_t *src, size_t srcfirst, size_t nelems, size_t elemsz);
gasnet_handle_t gasnetx_reblock_nb_bulk(const gasnetx_distribution_t *dst, size_t dstfirst,
    const gasnetx_distribution_t *src, size_t srcfirst, size_t nelems, size_t elemsz);
void gasnetx_reblock_nbi_bulk(const gasnetx_distribution_t *dst, size_t dstfirst,
    const gasnetx_distribution_t *src, size_t srcfirst, size_t nelems, size_t elemsz);

#ifdef __cplusplus
}
#endif
#endif

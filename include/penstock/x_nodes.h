/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Collectives of the nodes on a list. All nodes on a list call the collectives on it in the same order; a
 * node on several lists calls theirs in an order that agrees with the other nodes', as if the whole job made
 * one call after the other. One thread of a node at a time. The nodes check that call, list and length are
 * the same: a mismatch ends the job.
 *
 * Rank is the index on the list. All addresses are the caller's own and lie anywhere; nodes that share memory
 * reach data in the segment without an extra copy. When a call returns, its results are complete, and the
 * caller may change its source. Other nodes may still be in the call, or may not have begun it; the next call
 * may be made at once. */
#ifndef PENSTOCK_X_NODES_H
#define PENSTOCK_X_NODES_H
#ifdef __cplusplus
extern "C" {
#endif

/* The nodes first, first + stride, ..., count of them. */
typedef struct {
  gasnet_node_t first, stride, count;
} gasnetx_nodes_t;

/* Returns when all nodes have called it. What they stored before in memory that is mapped here is visible
 * then. It does not wait for puts that are not complete. */
void gasnetx_team_barrier(const gasnetx_nodes_t *n);

/* Copies nbytes at the src of rank root_rank to dst at all ranks, at the root only if at_root is not 0. The
 * other ranks' src is not looked at. */
void gasnetx_team_broadcast(
    const gasnetx_nodes_t *n, unsigned root_rank, void *dst, const void *src, size_t nbytes, int at_root);

/* Each rank gives nbytes bytes at src; nbytes may differ between ranks. All get all bytes at dst, in rank
 * order. */
void gasnetx_team_collect(const gasnetx_nodes_t *n, void *dst, const void *src, size_t nbytes);
/* The same where nbytes is the same at all ranks. */
void gasnetx_team_fcollect(const gasnetx_nodes_t *n, void *dst, const void *src, size_t nbytes);

/* inout[i] = inout[i] OP in[i] for i < count. OP is associative; it need not be commutative. */
typedef void (*gasnetx_combine_fn)(void *inout, const void *in, size_t count);
/* dst[i] = src[i] of rank 0 OP src[i] of rank 1 ... for i < count, at all ranks, and the same bits
 * everywhere. Elements have `size` bytes; what combine gets is aligned as src and dst are, or to 16. dst may
 * be src, at all ranks or at some, but may not overlap it otherwise. count, size and what combine does are
 * the same at all ranks. */
void gasnetx_team_reduce(const gasnetx_nodes_t *n, void *dst, const void *src, size_t count, size_t size,
    gasnetx_combine_fn combine);

/* The same by a type and an operation, or by a function with a context: penstock/x_reduction.h. The nodes
 * check that they are the same, too. */
void gasnetx_team_allreduce(
    const gasnetx_nodes_t *n, void *dst, const void *src, size_t count, const gasnetx_reduction_t *reduction);

#ifdef __cplusplus
}
#endif
#endif

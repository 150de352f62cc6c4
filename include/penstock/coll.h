/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The collectives of GASNet-1. Ours have more kinds, and teams of any shape: x_team.h, x_coll.h. */
#ifndef PENSTOCK_COLL_H
#define PENSTOCK_COLL_H
#ifdef __cplusplus
extern "C" {
#endif

typedef uint32_t gasnet_image_t; /* a rank: each node has one image */
typedef struct pst_team *gasnet_team_handle_t;
typedef gasnet_team_handle_t gasnete_coll_team_t;
extern gasnet_team_handle_t pst_team_all;
#define GASNET_TEAM_ALL (pst_team_all)

typedef gasnet_handle_t gasnet_coll_handle_t;
#define GASNET_COLL_INVALID_HANDLE ((gasnet_coll_handle_t)0)

/* A function of reductions: combines the operand on the left with the one on the right, elem_size bytes each,
 * into results. It is called for each element, with counts of 1; results may be left_operands. The struct is
 * its entry in gasnet_coll_init's table, gasnet_coll_fn_handle_t the index of the entry. */
typedef void (*gasnet_coll_reduce_fn_t)(void *results, size_t result_count, const void *left_operands,
    size_t left_count, const void *right_operands, size_t elem_size, int flags, int arg);
typedef struct {
  gasnet_coll_reduce_fn_t fnptr;
  unsigned int flags;
} gasnet_coll_fn_entry_t;
typedef gasnet_handlerarg_t gasnet_coll_fn_handle_t;
#define GASNET_COLL_AMSAFE  1u
#define GASNET_COLL_NONCOMM 2u /* the function does not commute */

/* Synchronisation. ALLSYNC: no member begins before all have called, or none ends before all are done. The
 * others ask for no more than each collective does by itself. */
#define GASNET_COLL_IN_NOSYNC   (1 << 0)
#define GASNET_COLL_IN_MYSYNC   (1 << 1)
#define GASNET_COLL_IN_ALLSYNC  (1 << 2)
#define GASNET_COLL_OUT_NOSYNC  (1 << 3)
#define GASNET_COLL_OUT_MYSYNC  (1 << 4)
#define GASNET_COLL_OUT_ALLSYNC (1 << 5)
/* Of the forms with lists of addresses. SINGLE: the list has an address for each rank; else its first entry
 * is the caller's. */
#define GASNET_COLL_SINGLE (1 << 6)
#define GASNET_COLL_LOCAL  (1 << 7)
/* Hints. */
#define GASNET_COLL_AGGREGATE      (1 << 8)
#define GASNET_COLL_NO_IMAGES      (1 << 9)
#define GASNET_COLL_DST_IN_SEGMENT (1 << 10)
#define GASNET_COLL_SRC_IN_SEGMENT (1 << 11)

/* Called once, after gasnet_attach. A node has one image: images must be NULL or all ones; anything else is
 * fatal, and the message says so. fn_tbl: the functions of gasnet_coll_reduce; it is copied. */
void gasnet_coll_init(const gasnet_image_t images[], gasnet_image_t my_image, gasnet_coll_fn_entry_t fn_tbl[],
    size_t fn_count, int init_flags);

/* Collective on the team. dst and src are each node's own addresses, and may lie anywhere; nbytes is the
 * length of one node's share. Those of the members that a call does not need are not looked at. */
void gasnet_coll_broadcast(
    gasnet_team_handle_t team, void *dst, gasnet_image_t srcimage, void *src, size_t nbytes, int flags);
void gasnet_coll_scatter(
    gasnet_team_handle_t team, void *dst, gasnet_image_t srcimage, void *src, size_t nbytes, int flags);
void gasnet_coll_gather(
    gasnet_team_handle_t team, gasnet_image_t dstimage, void *dst, void *src, size_t nbytes, int flags);
void gasnet_coll_gather_all(gasnet_team_handle_t team, void *dst, void *src, size_t nbytes, int flags);
void gasnet_coll_exchange(gasnet_team_handle_t team, void *dst, void *src, size_t nbytes, int flags);
/* dst[i] = src[i] of rank 0 OP src[i] of rank 1 OP ..., i < elem_count, at dstimage. src_blksz is 0 or the
 * length of all elements, src_offset is 0. */
void gasnet_coll_reduce(gasnet_team_handle_t team, gasnet_image_t dstimage, void *dst, void *src,
    size_t src_blksz, size_t src_offset, size_t elem_size, size_t elem_count, gasnet_coll_fn_handle_t func,
    int func_arg, int flags);

/* The same, non-blocking. */
gasnet_coll_handle_t gasnet_coll_broadcast_nb(
    gasnet_team_handle_t team, void *dst, gasnet_image_t srcimage, void *src, size_t nbytes, int flags);
gasnet_coll_handle_t gasnet_coll_scatter_nb(
    gasnet_team_handle_t team, void *dst, gasnet_image_t srcimage, void *src, size_t nbytes, int flags);
gasnet_coll_handle_t gasnet_coll_gather_nb(
    gasnet_team_handle_t team, gasnet_image_t dstimage, void *dst, void *src, size_t nbytes, int flags);
gasnet_coll_handle_t gasnet_coll_gather_all_nb(
    gasnet_team_handle_t team, void *dst, void *src, size_t nbytes, int flags);
gasnet_coll_handle_t gasnet_coll_exchange_nb(
    gasnet_team_handle_t team, void *dst, void *src, size_t nbytes, int flags);
gasnet_coll_handle_t gasnet_coll_reduce_nb(gasnet_team_handle_t team, gasnet_image_t dstimage, void *dst,
    void *src, size_t src_blksz, size_t src_offset, size_t elem_size, size_t elem_count,
    gasnet_coll_fn_handle_t func, int func_arg, int flags);

/* With lists of addresses. */
void gasnet_coll_broadcastM(gasnet_team_handle_t team, void *const dstlist[], gasnet_image_t srcimage,
    void *src, size_t nbytes, int flags);
void gasnet_coll_scatterM(gasnet_team_handle_t team, void *const dstlist[], gasnet_image_t srcimage,
    void *src, size_t nbytes, int flags);
void gasnet_coll_gatherM(gasnet_team_handle_t team, gasnet_image_t dstimage, void *dst, void *const srclist[],
    size_t nbytes, int flags);
void gasnet_coll_gather_allM(
    gasnet_team_handle_t team, void *const dstlist[], void *const srclist[], size_t nbytes, int flags);
void gasnet_coll_exchangeM(
    gasnet_team_handle_t team, void *const dstlist[], void *const srclist[], size_t nbytes, int flags);
void gasnet_coll_reduceM(gasnet_team_handle_t team, gasnet_image_t dstimage, void *dst, void *const srclist[],
    size_t src_blksz, size_t src_offset, size_t elem_size, size_t elem_count, gasnet_coll_fn_handle_t func,
    int func_arg, int flags);
gasnet_coll_handle_t gasnet_coll_broadcastM_nb(gasnet_team_handle_t team, void *const dstlist[],
    gasnet_image_t srcimage, void *src, size_t nbytes, int flags);
gasnet_coll_handle_t gasnet_coll_scatterM_nb(gasnet_team_handle_t team, void *const dstlist[],
    gasnet_image_t srcimage, void *src, size_t nbytes, int flags);
gasnet_coll_handle_t gasnet_coll_gatherM_nb(gasnet_team_handle_t team, gasnet_image_t dstimage, void *dst,
    void *const srclist[], size_t nbytes, int flags);
gasnet_coll_handle_t gasnet_coll_gather_allM_nb(
    gasnet_team_handle_t team, void *const dstlist[], void *const srclist[], size_t nbytes, int flags);
gasnet_coll_handle_t gasnet_coll_exchangeM_nb(
    gasnet_team_handle_t team, void *const dstlist[], void *const srclist[], size_t nbytes, int flags);
gasnet_coll_handle_t gasnet_coll_reduceM_nb(gasnet_team_handle_t team, gasnet_image_t dstimage, void *dst,
    void *const srclist[], size_t src_blksz, size_t src_offset, size_t elem_size, size_t elem_count,
    gasnet_coll_fn_handle_t func, int func_arg, int flags);

/* GASNET_OK, or GASNET_ERR_NOT_READY. Handles that are complete become GASNET_COLL_INVALID_HANDLE in lists.
 */
int gasnet_coll_try_sync(gasnet_coll_handle_t handle);
int gasnet_coll_try_sync_some(gasnet_coll_handle_t *phandle, size_t numhandles);
int gasnet_coll_try_sync_all(gasnet_coll_handle_t *phandle, size_t numhandles);
void gasnet_coll_wait_sync(gasnet_coll_handle_t handle);
void gasnet_coll_wait_sync_some(gasnet_coll_handle_t *phandle, size_t numhandles);
void gasnet_coll_wait_sync_all(gasnet_coll_handle_t *phandle, size_t numhandles);

/* As gasnet_barrier_notify and so on, on a team. */
void gasnet_coll_barrier_notify(gasnet_team_handle_t team, int id, int flags);
int gasnet_coll_barrier_try(gasnet_team_handle_t team, int id, int flags);
int gasnet_coll_barrier_wait(gasnet_team_handle_t team, int id, int flags);
int gasnet_coll_barrier(gasnet_team_handle_t team, int id, int flags);

/* Collective on the team: those that give the same colour are a new team, in the order of myrelrank.
 * clientdata is not used. */
gasnet_team_handle_t gasnete_coll_team_split(
    gasnet_team_handle_t team, gasnet_node_t mycolor, gasnet_node_t myrelrank, void *clientdata);
void gasnete_coll_team_free(gasnet_team_handle_t team);
gasnet_node_t gasnete_coll_team_size(gasnet_team_handle_t team);
gasnet_node_t gasnete_coll_team_rank2node(gasnet_team_handle_t team, int rank);
gasnet_node_t gasnete_coll_team_node2rank(gasnet_team_handle_t team, gasnet_node_t node);
#define gasnet_coll_team_split     gasnete_coll_team_split
#define gasnet_coll_team_free      gasnete_coll_team_free
#define gasnet_coll_team_size      gasnete_coll_team_size
#define gasnet_coll_team_rank2node gasnete_coll_team_rank2node
#define gasnet_coll_team_node2rank gasnete_coll_team_node2rank

#ifdef __cplusplus
}
#endif
#endif

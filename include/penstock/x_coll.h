/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Collectives on teams.
 *
 * All members of a team call the same collectives in the same order, with the same kind, root, nbytes, count
 * and reduction. A mismatch ends the job, and the text says who called what: when a message shows it, else
 * when a member has waited for a second and the member for which it waits serves messages. On different teams
 * a process may begin calls with handles in any order; a blocking call may wait for all members, so
 * blocking calls on several teams come in an order in which all of them can be completed. One thread at a
 * time begins collectives on a team; under GASNET_PAR different threads may use different teams at once.
 *
 * The _nb forms return a handle, which any wait or test of GASNet's explicit handles takes, in any order,
 * with any number of calls in flight. They make progress in all calls that serve messages. Addresses are the
 * caller's own and lie anywhere; members that share memory reach data in the segment without a further copy.
 * The source may be changed, and the arrays of lengths and offsets may go, when the call is complete at the
 * caller; other members may still be in it. dst may be src where the comments say so, and may not overlap it
 * otherwise. Nothing of this is allowed in handlers. */
#ifndef PENSTOCK_X_COLL_H
#define PENSTOCK_X_COLL_H
#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  GASNETX_BARRIER,   /* complete when all members have begun it */
  GASNETX_BROADCAST, /* nbytes at the root's src to dst of all; at the root dst may be src, or NULL */
  GASNETX_SCATTER,   /* share r of the root's src, nbytes each, to dst of rank r */
  GASNETX_GATHER,    /* nbytes at each src become share r of the root's dst */
  GASNETX_ALLGATHER, /* likewise at all members */
  GASNETX_COLLECT,   /* likewise where nbytes may differ, and nobody knows the others' */
  GASNETX_ALLTOALL,  /* share r of src to rank r, where it becomes share (the sender's rank) of dst */
  GASNETX_REDUCE,    /* dst[i] = src[i] of rank 0 OP src[i] of rank 1 OP ..., i < count, at the root */
  GASNETX_ALLREDUCE, /* likewise at all members, with the same bits everywhere */
  GASNETX_SCAN,      /* likewise, from rank 0 to the caller's */
  GASNETX_EXSCAN,    /* likewise, to the rank before the caller's; dst of rank 0 is not written */
  GASNETX_SCATTERV,  /* a scatter where the lengths of shares may differ; the root alone knows all of them */
  GASNETX_GATHERV    /* likewise a gather */
} gasnetx_coll_kind_t;

/* Members that a kind does not need are 0. In reductions dst may be src. In gather, allgather and scatter
 * src, or dst, may be the place of the caller's own share in the other one. */
typedef struct {
  uint32_t kind; /* gasnetx_coll_kind_t */
  gasnet_node_t root;
  void *dst;
  const void *src;
  size_t nbytes; /* of a share */
  size_t count;  /* elements */
  const gasnetx_reduction_t *reduction;
  /* Where not NULL: share r has lengths[r] bytes at offsets[r] instead of nbytes at r * nbytes. dst_: of
   * gatherv at the root, allgather, alltoall; src_: of scatterv at the root, alltoall. */
  const size_t *dst_lengths, *dst_offsets, *src_lengths, *src_offsets;
  /* Where not 0: data consist of elements of elem_size bytes, and element k lies at dst + k * dst_stride, or
   * src + k * src_stride; of data that are shares, k goes on through all of them. A stride of 0: elem_size.
   * Not of collect. */
  size_t elem_size;
  ptrdiff_t dst_stride, src_stride;
} gasnetx_collective_t;

void gasnetx_coll_run(gasnetx_team_t team, const gasnetx_collective_t *call);
gasnet_handle_t gasnetx_coll_start(gasnetx_team_t team, const gasnetx_collective_t *call);

/* Each kind as a function. */
void gasnetx_coll_barrier(gasnetx_team_t team);
void gasnetx_coll_broadcast(
    gasnetx_team_t team, void *dst, gasnet_node_t root, const void *src, size_t nbytes);
void gasnetx_coll_scatter(gasnetx_team_t team, void *dst, gasnet_node_t root, const void *src, size_t nbytes);
void gasnetx_coll_gather(gasnetx_team_t team, gasnet_node_t root, void *dst, const void *src, size_t nbytes);
void gasnetx_coll_allgather(gasnetx_team_t team, void *dst, const void *src, size_t nbytes);
void gasnetx_coll_collect(gasnetx_team_t team, void *dst, const void *src, size_t nbytes);
void gasnetx_coll_alltoall(gasnetx_team_t team, void *dst, const void *src, size_t nbytes);
void gasnetx_coll_reduce(gasnetx_team_t team, gasnet_node_t root, void *dst, const void *src, size_t count,
    const gasnetx_reduction_t *reduction);
void gasnetx_coll_allreduce(
    gasnetx_team_t team, void *dst, const void *src, size_t count, const gasnetx_reduction_t *reduction);
void gasnetx_coll_scan(
    gasnetx_team_t team, void *dst, const void *src, size_t count, const gasnetx_reduction_t *reduction);
void gasnetx_coll_exscan(
    gasnetx_team_t team, void *dst, const void *src, size_t count, const gasnetx_reduction_t *reduction);

/* The calling node begins no more collectives but on `only`. Where another node waits for it in one on a team
 * of both, for more than a second, and this node is in the library, it calls `missed` with that node's
 * number, in a handler: the client says in its own words what has happened, and ends the job. missed NULL:
 * the node begins collectives again. Teams of a list alone (gasnetx_nodes_t) are not noticed. */
void gasnetx_coll_leave(gasnetx_team_t only, void (*missed)(gasnet_node_t node));

/* Likewise, but for good, and the job goes on. A call of another member that waits for this node, or for a
 * member whose call ends so, ends after a second with GASNETX_ERR_NODE_LEFT (gasnetx_status_take), and what
 * dst holds is undefined. It ends when all members of the team that are not lost have served messages: no
 * other one uses its memory any more then. Later calls on the team end at once; those that make teams return
 * NULL. A call that all members have begun completes. One that this node has not begun may still complete at
 * members that do not wait for it, as a broadcast's root does not. */
void gasnetx_coll_retire(gasnetx_team_t only);

/* Differing lengths. scatterv: the root alone looks at lengths and offsets; nbytes is the length of the
 * caller's own share. gatherv likewise. */
void gasnetx_coll_scatterv(gasnetx_team_t team, void *dst, size_t nbytes, gasnet_node_t root, const void *src,
    const size_t *lengths, const size_t *offsets);
void gasnetx_coll_gatherv(gasnetx_team_t team, gasnet_node_t root, void *dst, const size_t *lengths,
    const size_t *offsets, const void *src, size_t nbytes);
void gasnetx_coll_allgatherv(
    gasnetx_team_t team, void *dst, const size_t *lengths, const size_t *offsets, const void *src);
void gasnetx_coll_alltoallv(gasnetx_team_t team, void *dst, const size_t *dst_lengths,
    const size_t *dst_offsets, const void *src, const size_t *src_lengths, const size_t *src_offsets);

/* The same, non-blocking. */
gasnet_handle_t gasnetx_coll_barrier_nb(gasnetx_team_t team);
gasnet_handle_t gasnetx_coll_broadcast_nb(
    gasnetx_team_t team, void *dst, gasnet_node_t root, const void *src, size_t nbytes);
gasnet_handle_t gasnetx_coll_scatter_nb(
    gasnetx_team_t team, void *dst, gasnet_node_t root, const void *src, size_t nbytes);
gasnet_handle_t gasnetx_coll_gather_nb(
    gasnetx_team_t team, gasnet_node_t root, void *dst, const void *src, size_t nbytes);
gasnet_handle_t gasnetx_coll_allgather_nb(gasnetx_team_t team, void *dst, const void *src, size_t nbytes);
gasnet_handle_t gasnetx_coll_collect_nb(gasnetx_team_t team, void *dst, const void *src, size_t nbytes);
gasnet_handle_t gasnetx_coll_alltoall_nb(gasnetx_team_t team, void *dst, const void *src, size_t nbytes);
gasnet_handle_t gasnetx_coll_reduce_nb(gasnetx_team_t team, gasnet_node_t root, void *dst, const void *src,
    size_t count, const gasnetx_reduction_t *reduction);
gasnet_handle_t gasnetx_coll_allreduce_nb(
    gasnetx_team_t team, void *dst, const void *src, size_t count, const gasnetx_reduction_t *reduction);
gasnet_handle_t gasnetx_coll_scan_nb(
    gasnetx_team_t team, void *dst, const void *src, size_t count, const gasnetx_reduction_t *reduction);
gasnet_handle_t gasnetx_coll_exscan_nb(
    gasnetx_team_t team, void *dst, const void *src, size_t count, const gasnetx_reduction_t *reduction);

gasnet_handle_t gasnetx_coll_scatterv_nb(gasnetx_team_t team, void *dst, size_t nbytes, gasnet_node_t root,
    const void *src, const size_t *lengths, const size_t *offsets);
gasnet_handle_t gasnetx_coll_gatherv_nb(gasnetx_team_t team, gasnet_node_t root, void *dst,
    const size_t *lengths, const size_t *offsets, const void *src, size_t nbytes);
gasnet_handle_t gasnetx_coll_allgatherv_nb(
    gasnetx_team_t team, void *dst, const size_t *lengths, const size_t *offsets, const void *src);
gasnet_handle_t gasnetx_coll_alltoallv_nb(gasnetx_team_t team, void *dst, const size_t *dst_lengths,
    const size_t *dst_offsets, const void *src, const size_t *src_lengths, const size_t *src_offsets);

#ifdef __cplusplus
}
#endif
#endif

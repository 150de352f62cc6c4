/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Nodes that are lost, reported instead of fatal. */
#ifndef PENSTOCK_X_LOSS_H
#define PENSTOCK_X_LOSS_H
#ifdef __cplusplus
extern "C" {
#endif

/* Before gasnet_attach, on all nodes: a node that is killed, that ends without gasnet_exit, exit or return
 * from main, or that calls gasnetx_node_fail, does not end the job, once all have attached. The others go on
 * without it, and the launcher prints a line. The job ends when they have left, with their code. The end of a
 * whole host, or of the launcher's connection to it, still ends the job.
 *
 * This serves jobs that gasnetrun or GASNET_PSHM_NODES starts, by shared memory and the conduits ofi and ucx,
 * where their library reports the end of a peer. Elsewhere gasnet_attach ends the job with a message.
 * Messages cost a little more then. Over a network all transfers and atomic operations are messages, and from
 * gasnet_attach on gasnet_AMMaxLongRequest and gasnet_AMMaxLongReply are less.
 *
 * Collectives on a team with a lost member end, with the status below, as soon as a member learns of the
 * loss: blocking or not, also those that are in flight, and at a member that has done its part. What dst
 * holds is undefined. Later ones end at once. Others may have completed the same call. gasnet_barrier is a
 * collective of all nodes.
 *
 * Calls that make a team return NULL where they end so. The nodes that are left make a team of them by
 * gasnetx_team_create, until it is not NULL: they may not know of the same losses yet. A gasnetx_team_split
 * during which a member is lost may leave members of a new team waiting for those that got NULL.
 *
 * Active messages to a lost node are dropped. Of those that it has sent, some may still come.
 *
 * Puts, gets, atomic operations and transfers with a lost node go on where its memory is mapped, and see what
 * it has left there. Those that need a message end with the status; what a get has written is undefined.
 *
 * A wait for a word, or GASNET_BLOCKUNTIL, ends when its condition is true: a condition that a lost node
 * would have made true should also look at gasnetx_lost_count. A lock that a lost node has, or waits for, is
 * lost. */
void gasnetx_report_losses(void);

/* How many nodes are lost, as far as this one knows: it learns of a loss here, when it serves messages, and
 * when it waits, some milliseconds after its host has learnt of it. 0 where losses are not reported. Does not
 * serve messages.
 */
gasnet_node_t gasnetx_lost_count(void);
/* 1 if the node is one of them. */
int gasnetx_node_is_lost(gasnet_node_t node);
/* Stores the lost nodes in ascending order, `most` of them at most; returns how many are lost. */
gasnet_node_t gasnetx_lost_nodes(gasnet_node_t nodes[], gasnet_node_t most);

/* The calling node is lost from now on. Its process flushes its streams and ends, without exit handlers.
 * Where losses are not reported this is gasnet_exit(1). */
void gasnetx_node_fail(void) __attribute__((noreturn));

/* GASNETX_ERR_NODE_LOST where a call or the sync of an operation by this thread has ended because of a loss
 * since the thread asked last; GASNETX_ERR_NODE_LEFT where a collective has ended because a node has left its
 * team (gasnetx_coll_retire); of both, the later; else GASNET_OK. */
#define GASNETX_ERR_NODE_LOST 10101
#define GASNETX_ERR_NODE_LEFT 10102
int gasnetx_status_take(void);

#ifdef __cplusplus
}
#endif
#endif

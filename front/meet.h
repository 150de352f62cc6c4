/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Nodes that synchronise with each other, of which some may have come to the end of their program, or be
 * lost.
 *
 * Each node has a counter for each other node, to which that one adds 1 when it meets it. Meeting number k
 * with a node ends when its counter has come to k. So nodes need no agreement on who else takes part.
 *
 * A node that has come to the end of its program says so in a word that others look at while they wait. All
 * nodes meet by an all-reduction, which counts those that have stopped: these take part in it until all have.
 * The nodes of a smaller set tell each other in log2 rounds, by counters of another kind, that all have come
 * so far, or that one of them has stopped or is lost.
 *
 * Where losses are reported all nodes meet as a set does. Rounds end where a node is lost, at some nodes
 * sooner than at others, and at some not at all. So each node that learns of it tells all others that it has
 * come, and waits for each: for its word, or for a count in the other one's memory, which that one leaves
 * there when it comes. No node has to know what another one knows.
 *
 * Order: a counter or word is changed by a notification (gasnetx_put_notify), which releases, and read with
 * acquire. A node completes its puts before it calls, so who has met it sees them. Only the node that a
 * counter or word is from changes it, and only the node that it is for reads it; but the counts that a node
 * leaves behind, and the values of an agreement, are its own, and others get them. One thread calls these. */
#ifndef FRONT_MEET_H
#define FRONT_MEET_H

#include <gasnetx.h>

/* What a meeting answers: the bits of what has happened to a node that would have taken part. */
enum { PST_FRONT_MET = 0, PST_FRONT_MEET_STOPPED = 1, PST_FRONT_MEET_LOST = 2 };

/* The bytes that each node needs for its counters, in its segment, at a multiple of 8. */
size_t pst_front_meet_bytes(void);
/* area: as pst_front_meet_bytes says; it is cleared. shift: [nodes] what is added to its address to give that
 * of another node's, as that node sees it; it stays. losses: they are reported. Before the job's first
 * barrier. -1: out of memory. */
int pst_front_meet_open(void *area, const ptrdiff_t *shift, int losses);

/* The node that has number i in a list. */
typedef gasnet_node_t (*pst_front_node_fn)(const void *list, int i);

/* Each two of the caller and the n nodes of its list. Who stands there twice is met once, the caller never.
 */
int pst_front_meet_nodes(int n, pst_front_node_fn node, const void *list);
/* All n nodes of a list, which they call alike; the caller has the number `own`. A node that is lost after
 * all have come is no matter. All that are neither lost nor stopped have come when it returns, unless one has
 * stopped: then it may return earlier. */
int pst_front_meet_set(int n, int own, pst_front_node_fn node, const void *list);
/* All nodes of the job. Not where losses are reported. */
int pst_front_meet_all(void);
/* Where losses are reported. Each node of such a list has a value, not 0. All that are not lost in the call
 * get the same values: those of all that are left, and 0 or its value for each other one. */
void pst_front_meet_agree(
    int n, int own, pst_front_node_fn node, const void *list, uint32_t value, uint32_t values[]);

/* At the end of the caller's program: waits until all nodes that are not lost are here, and lets others know
 * meanwhile. missed: as of gasnetx_coll_leave; NULL: collectives of others that wait for the caller end
 * (gasnetx_coll_retire). */
void pst_front_meet_leave(void (*missed)(gasnet_node_t node));
/* 1: the node is in pst_front_meet_leave, or has left it. */
int pst_front_meet_has_stopped(gasnet_node_t node);

#endif

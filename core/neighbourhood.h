/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Which nodes share memory with this one, and what the public interface may know of it. */
#ifndef CORE_NEIGHBOURHOOD_H
#define CORE_NEIGHBOURHOOD_H
#include "gasnet.h"

/* Collective: which nodes are on which host. */
void pst_neighbour_open_table(void);
/* A host is named by its first node. */
gasnet_node_t pst_neighbour_host(gasnet_node_t node);
/* First node of its group of GASNET_SUPERNODE_MAXSIZE consecutive nodes of a host. */
gasnet_node_t pst_neighbour_supernode(gasnet_node_t node);
/* Whether the job has more than one supernode. */
int pst_neighbour_any_far(void);
/* How many nodes are in this one's supernode, with itself. */
unsigned pst_neighbour_near(void);
/* Whether each node of the job is alone in its supernode. */
int pst_neighbour_all_alone(void);
/* [nodes] 1 where a node is in another supernode, thus served by the network of a job that has one. */
uint8_t *pst_neighbour_far(void);
/* Shares memory with this node as far as the client may know: same supernode. */
int pst_neighbour_shared(gasnet_node_t node);
/* Loads and stores may bypass the library. */
int pst_neighbour_open(gasnet_node_t node);

#endif

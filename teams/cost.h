/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Which algorithm a collective takes between groups: a model with a few constants. A choice depends on the
 * constants and on what all members know alike, and on nothing else, so all members choose alike. The
 * constants are the same on all nodes: GASNET_COLLECTIVE_COST is compared when the job starts
 * (core/segment.c). */
#ifndef TEAMS_COST_H
#define TEAMS_COST_H
#include <stddef.h>

#include "teams/variables.h"

/* Of this job. */
extern struct pst_collcost pst_collcost;

/* The constants of a job whose groups reach each other over a network, or by messages in shared memory, as
 * GASNET_COLLECTIVE_COST changes them. */
void pst_collcost_constants(int network, struct pst_collcost *k);
void pst_collcost_open(void);

/* What the choices look at of a team. */
struct pst_shape_of_team {
  unsigned size, groups, most; /* most: members of the largest group */
};

/* Gather and scatter of n bytes of each: 1 when heads collect those of their groups, 0 when each member talks
 * to the root. */
int pst_collcost_gather_by_heads(const struct pst_collcost *k, const struct pst_shape_of_team *t, size_t n);
/* The most bytes of a group's shares then: what a message carries over most networks. */
enum { PST_COLL_BLOCK = 64 << 10 };

/* All-to-all of n bytes from each to each: 1 when heads carry the shares of their groups in rounds, 0 when
 * each member sends to each. */
int pst_collcost_alltoall_by_heads(const struct pst_collcost *k, const struct pst_shape_of_team *t, size_t n);
/* The most bytes that a head then keeps. */
enum { PST_COLL_GRID = 2 << 20 };

/* All-reduction of n bytes by 2^rounds heads: 1 when they exchange halves, 0 when they exchange all. */
int pst_collcost_halves(const struct pst_collcost *k, unsigned rounds, size_t n);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Teams: ordered lists of distinct nodes. A member's rank is its place on the list. GASNET_TEAM_ALL has all
 * nodes, and rank is node there.
 *
 * A team is made by all members of another team together, or by its own members alone
 * (gasnetx_team_create). The calls that make teams are collective and blocking. The members make them in an
 * order that agrees, as for all collectives of one team. A process may have any number of teams. */
#ifndef PENSTOCK_X_TEAM_H
#define PENSTOCK_X_TEAM_H
#ifdef __cplusplus
extern "C" {
#endif

typedef gasnet_team_handle_t gasnetx_team_t;

#define GASNETX_NO_TEAM   ((gasnetx_team_t)0)
#define GASNETX_NO_COLOUR UINT32_MAX /* of gasnetx_team_split: in none of the new teams */
#define GASNETX_NO_RANK   UINT32_MAX /* of gasnetx_team_rank_of: not a member */

gasnet_node_t gasnetx_team_size(gasnetx_team_t team);
gasnet_node_t gasnetx_team_rank(gasnetx_team_t team); /* the caller's */
/* In constant time both ways. A rank that does not exist ends the job. */
gasnet_node_t gasnetx_team_node(gasnetx_team_t team, gasnet_node_t rank);
gasnet_node_t gasnetx_team_rank_of(gasnetx_team_t team, gasnet_node_t node);

/* Collective on `parent`. The members that give the same colour are a new team, in the order of their keys,
 * and of their ranks where keys are equal. Returns the caller's team, or GASNETX_NO_TEAM where its colour is
 * GASNETX_NO_COLOUR. */
gasnetx_team_t gasnetx_team_split(gasnetx_team_t parent, uint32_t colour, uint32_t key);
gasnetx_team_t gasnetx_team_duplicate(gasnetx_team_t parent);
/* The ranks first, first + stride, ..., count of them; the stride may be negative. Returns GASNETX_NO_TEAM to
 * the other members. */
gasnetx_team_t gasnetx_team_stride(
    gasnetx_team_t parent, gasnet_node_t first, ptrdiff_t stride, gasnet_node_t count);

/* The parent's ranks as an arrangement of `dims` dimensions, dimension 0 fastest; extent[0] * extent[1] * ...
 * is the parent's size, or the last extent is 0 and follows from it: then the last layer may be incomplete.
 * axis: the caller's team has the members whose indices differ from the caller's in dimension `axis` alone.
 * box: the members whose index in each dimension d is in [low[d], low[d] + count[d]), in the parent's order;
 * GASNETX_NO_TEAM for the others. */
gasnetx_team_t gasnetx_team_axis(gasnetx_team_t parent, const size_t extent[], size_t dims, size_t axis);
gasnetx_team_t gasnetx_team_box(
    gasnetx_team_t parent, const size_t extent[], size_t dims, const size_t low[], const size_t count[]);

/* Collective on the `count` nodes of the list alone, whose first member is rank 0. The nodes are distinct,
 * and all members pass the same list. Several disjoint teams may be made at once; two threads of a process
 * may not make teams of the same list at once. */
gasnetx_team_t gasnetx_team_create(const gasnet_node_t nodes[], size_t count);

/* Each member calls it when its collectives on the team are complete; it waits for nobody. GASNET_TEAM_ALL
 * cannot be destroyed. */
void gasnetx_team_destroy(gasnetx_team_t team);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Plans within a group, whose members share memory.
 *
 * Trees have up to 7 children a level, so up to 8 members are one level: where processes outnumber cores a
 * level costs a turn of the scheduler. A member at a distance of v from the root (modulo the members) has
 * children v + k * 8^l, k = 1..7, on each level l where v is a multiple of 8^(l + 1). */
#ifndef TEAMS_GROUP_H
#define TEAMS_GROUP_H
#include "teams/board.h"
#include "teams/call.h"
#include "teams/lane.h"

enum { PST_GROUP_FLAT = 8 }; /* in a group of at most so many, each member may talk to each */

static inline unsigned pst_group_rank(const struct pst_call *c, unsigned place)
{
  return c->team->near_rank[place];
}
/* Each member tells each n bytes, in one step. */
static inline int pst_group_is_flat(const struct pst_call *c, size_t n)
{
  return c->team->near <= PST_GROUP_FLAT || pst_board_serves(c, n);
}
/* n bytes fit into one message to a member of the group. */
static inline int pst_group_fits(size_t n) { return n <= pst_lanes.room; }

/* One level of a tree up to the head: the call's stage is the level. Each child's n bytes are combined into
 * those at `inout`; n may be 0. buffer: of n bytes, or NULL where n fits into a message. 0: no level is left.
 */
int pst_group_up(struct pst_call *c, void *inout, size_t n, char *buffer);
/* Data from the member at place `root` to all. The call's stage is 0 or 1; 0 when both are over. At the root
 * `data` is what is sent. */
int pst_group_down(struct pst_call *c, unsigned root, void *data, size_t n);

/* Adds the plans of a barrier of the group. */
void pst_plan_group_barrier(struct pst_call *c);

/* Each member's n bytes to all, into all[members * n], where the caller's are already. In each stage all
 * members call it with the same n. 0 when all have come. n fits into a message. */
int pst_group_share(struct pst_call *c, void *all, size_t n);

#endif

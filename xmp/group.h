/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A set of nodes of which this one is a member, with its team, which is made when a construct first needs it.
 *
 * A team is kept for ever if all members agree when it is made: each has room for PST_XMP_TEAMS of them. Then
 * whoever opens a group of the same set, by whatever name, has the team, so that of a task that is run again
 * is there. Else it ends with the last reference to the group that made it, and no other group has it. So
 * members never differ on whether a team has to be made, though their histories differ. */
#ifndef XMP_GROUP_H
#define XMP_GROUP_H

#include "xmp/set.h"

enum { PST_XMP_TEAMS = 512 };

struct pst_xmp_group {
  struct pst_xmp_set set;
  int size, rank;      /* this node's rank */
  gasnetx_team_t team; /* GASNETX_NO_TEAM: not made yet */
  int kept, borrowed;  /* for ever; of another group, where that is kept */
  int refs;
  struct pst_xmp_group *next; /* of the kept ones with the same hash; of the free ones */
};

/* The group of all nodes, whose team is GASNET_TEAM_ALL. */
extern struct pst_xmp_group *pst_xmp_group_all;
void pst_xmp_groups_open(void); /* at the start */

/* A reference to the group of a set that this node belongs to. It waits for nobody. */
struct pst_xmp_group *pst_xmp_group_open(const struct pst_xmp_set *s);
struct pst_xmp_group *pst_xmp_group_again(struct pst_xmp_group *g); /* one more reference */
void pst_xmp_group_close(struct pst_xmp_group *g);

/* The team: collective on the group where it has none yet. Groups of one node have one as well, though
 * callers had better not need it. Operations that are under way hold a reference to the group. */
gasnetx_team_t pst_xmp_group_make_team(struct pst_xmp_group *g);
static inline gasnetx_team_t pst_xmp_group_team(struct pst_xmp_group *g)
{
  return g->team != GASNETX_NO_TEAM ? g->team : pst_xmp_group_make_team(g);
}

/* A barrier of the members, nothing where there is one member. It does not complete puts. */
void pst_xmp_group_barrier(struct pst_xmp_group *g);

#endif

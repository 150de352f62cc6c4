/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A set of nodes of which this one is a member, with its team, which is made when a construct first needs it.
 *
 * Members find the same group again for the same set, whatever names it, so that the team of a task that is
 * run again is there. A team is kept for ever only if all members agree when it is made: each has room for
 * PST_XMP_TEAMS of them. Else it ends with the last reference to its group, and no later call finds it. So
 * members never differ on whether a set has a team, though their histories differ. */
#ifndef XMP_GROUP_H
#define XMP_GROUP_H

#include "xmp/set.h"

enum { PST_XMP_TEAMS = 512 };

struct pst_xmp_group {
  struct pst_xmp_set set;
  int size, rank;      /* this node's rank */
  gasnetx_team_t team; /* GASNETX_NO_TEAM: not made yet */
  int kept;            /* the team lives for ever */
  int refs;
  struct pst_xmp_group *next; /* of those with the same hash */
};

/* The group of all nodes, whose team is GASNET_TEAM_ALL. */
extern struct pst_xmp_group *pst_xmp_group_all;

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

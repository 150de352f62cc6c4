/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Teams: who is in them, and which members share memory. gasnet_team_handle_t points to one.
 *
 * Members of one block (teams/lane.h) are a group, whose first member is its head. The members of a group
 * talk through shared memory, the heads over the network. Groups are numbered in the order of their heads. */
#ifndef TEAMS_TEAM_H
#define TEAMS_TEAM_H
#include <stddef.h>
#include <stdint.h>

#include "gasnetx.h"

/* This process's view of a group's board: teams/board.h. */
struct pst_board {
  char *base;                    /* the slots of the member at place 0; NULL: there is no board */
  uint64_t begun, written, done; /* exchanges: numbers that were given to calls, and how far this member is */
};

/* And of its feed: teams/feed.h. */
struct pst_feed {
  _Atomic uint64_t *told; /* [near] the part that each member is in; NULL: there is no feed */
  char *parts;
  uint64_t begun, done;  /* broadcasts: numbers that were given to calls, and how far this member is */
  uint64_t part;         /* of the last one begun */
  uint32_t slots, bytes; /* of that part, given to calls */
  uint64_t here, open;   /* the part that this member has told, and the last one that it knows to be free */
};

struct pst_team {
  uint64_t id;      /* teams/head.h */
  uint16_t calls;   /* that were begun */
  uint16_t history; /* a hash of what they are */
  uint32_t in_flight;
  uint64_t ended_length, ended_call; /* of the head of the call that has ended last */
  unsigned size, me;                 /* me: this node's rank */
  /* Rank r is node first + r * stride, or table[r] where table is not NULL. */
  int64_t stride;
  gasnet_node_t first;
  gasnet_node_t *table;
  uint32_t *ranks; /* with a table: hash table by node, of rank + 1; a power of two of entries */
  uint32_t ranks_mask;
  unsigned near, here; /* members of this node's group, and its place among them */
  unsigned *near_rank; /* [near] in the order of ranks */
  struct pst_board board;
  struct pst_feed feed;
  unsigned group, groups;
  unsigned most;      /* members of the largest group; 0 where the team is not ordered */
  unsigned *heads;    /* [groups] ranks */
  unsigned *group_of; /* by rank, where not `ordered`; NULL where there is one group */
  int ordered;        /* each group has consecutive ranks */
  void *shared;       /* NULL, or a mapping that table, ranks, heads and group_of lie in: teams/tables.h */
  uint32_t losses;    /* of the job, that were compared with the members */
  int lost;           /* a member is: calls end at once */
  /* A split-phase barrier by messages: teams/barrier.c. */
  int notified;
  uint64_t consensus;
  gasnet_handle_t barrier;
  struct pst_team *next; /* in the engine's list of teams */
};

static inline gasnet_node_t pst_team_node(const struct pst_team *t, unsigned rank)
{
  return t->table ? t->table[rank] : (gasnet_node_t)(t->first + rank * t->stride);
}
/* The member of this node's group at a place. */
static inline gasnet_node_t pst_team_near_node(const struct pst_team *t, unsigned place)
{
  return pst_team_node(t, t->near_rank[place]);
}
static inline int pst_team_is_head(const struct pst_team *t) { return t->here == 0; }

/* The rank of a node; GASNETX_NO_RANK where it is no member. */
gasnet_node_t pst_team_rank_of(const struct pst_team *t, gasnet_node_t node);
/* The group of a rank, and its place and the number of ranks where the team is ordered. */
unsigned pst_team_group_of(const struct pst_team *t, unsigned rank);
unsigned pst_team_group_end(const struct pst_team *t, unsigned group);

/* Fills in a team whose members are known: this node's rank, and the groups. `who` is the calling function.
 */
void pst_team_set_nodes(struct pst_team *t, gasnet_node_t first, int64_t stride, unsigned size);
void pst_team_set_table(const char *who, struct pst_team *t, gasnet_node_t *table, unsigned size);
void pst_team_divide(const char *who, struct pst_team *t);
/* Collective on the team: makes what its members share, unless losses are reported. */
void pst_team_complete(const char *who, struct pst_team *t);
/* Frees what the struct owns. */
void pst_team_release(struct pst_team *t);

/* Checks what a client passes. */
struct pst_team *pst_team_check(const char *who, gasnet_team_handle_t team);

/* The id of a new team with that node as rank 0, which has made so many. */
uint64_t pst_team_made_id(gasnet_node_t leader, uint64_t made);

/* teams/lost.c: is a member of the team lost? One thread at a time asks for a team. */
int pst_team_is_lost(struct pst_team *t);
/* A call on a team with a lost member has ended: what comes for the team is not kept any more. */
void pst_team_give_up(const struct pst_team *t);
/* Is this a message of a team of which that is known, or of a list with a lost node, or of a call that ends
 * because a member has left the team (teams/left.h)? */
struct pst_head;
int pst_head_is_left_over(const struct pst_head *h);

/* teams/nodes.c: the members of a list, from its id; not its groups. */
struct pst_team pst_team_of_list(uint64_t id);
/* The list of all nodes. Collective. */
void pst_nodes_open(void);

/* All nodes. */
void pst_team_open(void);

#endif

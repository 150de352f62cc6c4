/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Teams: what the files of the collectives know of each other.
 *
 * A team is an ordered list of nodes that call collectives together; a node's rank is its place on the list.
 * Members that share memory are a group, whose first member is its head. The members of a group talk through
 * slots in shared memory (team_slots.h), and read and write each other's segments; heads talk by messages
 * (team_messages.c). Both are channels between two nodes that keep the order of what is sent. Two members
 * call the same collectives in the same order, so what one sends in a collective, the other takes in the same
 * collective. */
#ifndef EXTENDED_TEAM_H
#define EXTENDED_TEAM_H
#include <stddef.h>
#include <stdint.h>

#include "extended/op.h"
#include "gasnetx.h"

enum pst_team_op {
  PST_TEAM_BARRIER,
  PST_TEAM_BROADCAST,
  PST_TEAM_COLLECT,
  PST_TEAM_FCOLLECT,
  PST_TEAM_REDUCE,
  PST_TEAM_COLL_BROADCAST,
  PST_TEAM_OPS
};

/* A team as this member sees it. gasnet_team_handle_t points to one. */
struct pst_team {
  gasnetx_nodes_t nodes;
  unsigned me;         /* this member's rank */
  unsigned first, end; /* ranks of its group */
  unsigned group, groups;
  unsigned *heads;     /* [groups] ranks */
  uint32_t hash;       /* of the list */
  uint32_t tag;        /* hash of list, call, length and root of the call under way */
  enum pst_team_op op; /* the call under way */
};

void pst_team_open(void);

/* Begins a call: checks the arguments, finds the team. `length` and `root` are the same at all ranks. */
struct pst_team *pst_team_enter(enum pst_team_op op, const gasnetx_nodes_t *n, size_t length, unsigned root);
/* Ends it. */
void pst_team_leave(void);
const char *pst_team_name(enum pst_team_op op);
_Noreturn void pst_team_mismatch(const struct pst_team *t, gasnet_node_t other);

static inline gasnet_node_t pst_team_node(const struct pst_team *t, unsigned rank)
{
  return t->nodes.first + rank * t->nodes.stride;
}
static inline unsigned pst_team_near(const struct pst_team *t) { return t->end - t->first; }
static inline int pst_team_is_head(const struct pst_team *t) { return t->me == t->first; }

/* A block is up to 64 consecutive nodes that share memory. This node's begins with pst_team_block. */
extern gasnet_node_t pst_team_block;
extern unsigned pst_team_in_block;

enum { PST_TEAM_FLAT = 8 }; /* in a group of at most so many, each member talks to each */

/* ---- channels: team_channel.c ---- */

/* To and from another rank; n may be 0. */
void pst_team_send(struct pst_team *t, unsigned rank, const void *data, size_t n);
void pst_team_receive(struct pst_team *t, unsigned rank, void *to, size_t n);
/* Receives n bytes and returns where they are until pst_team_drop: in their slot, if they came through one,
 * else in `buffer`. Aligned to 16 if `buffer` is. */
const void *pst_team_take(struct pst_team *t, unsigned rank, void *buffer, size_t n);
void pst_team_drop(struct pst_team *t, unsigned rank, const void *taken, const void *buffer);

/* Where processes outnumber cores: waits for a while until all others of a group of at most PST_TEAM_FLAT
 * have sent to this member, which has sent to them. To give the core away helps only if a member whose
 * message is missing needs it; the last message of each says on which core it ran. */
void pst_team_expect(const struct pst_team *t);

/* Bytes on their way to a rank or from it; all of them have moved when `left` is 0. The members below are 0
 * at first. */
struct pst_stream {
  unsigned rank;
  char *at;
  size_t left;
  int state;                  /* enum in team_channel.c */
  uint64_t address;           /* of the sender's data */
  uint32_t reads;             /* the count of the receiver's reads after this one */
  struct pst_completion read; /* the receiver's get */
};
/* Moves all streams at once: a node receives while it waits for room, so a ring of nodes that all send makes
 * progress. The streams of one rank lie side by side, and move in their order. */
void pst_team_exchange(
    struct pst_team *t, struct pst_stream *out, unsigned outs, struct pst_stream *in, unsigned ins);

/* The most bytes that go to members of the group in one piece. */
size_t pst_team_near_room(void);

/* ---- within a group: team_group.c ---- */

void pst_group_sync(struct pst_team *t);
/* Each member's n bytes to all, itself included: all[members * n]. */
void pst_group_share(struct pst_team *t, const void *mine, size_t n, void *all);
/* Sends data down a tree from rank `root`; sends empty messages up to it. */
void pst_group_spread(struct pst_team *t, unsigned root, void *data, size_t n);
void pst_group_gather(struct pst_team *t, unsigned root);
/* Sends root's `src` to the others' `dst`. src may be changed on return. */
void pst_group_broadcast(struct pst_team *t, unsigned root, void *dst, const void *src, size_t n);

/* An address of this node's for the others of its group: 0 where they cannot reach all of [addr, addr+n). */
uint64_t pst_team_shared(const void *addr, size_t n);
/* Where this node reaches such an address of another member's. */
void *pst_team_here(const struct pst_team *t, unsigned rank, uint64_t address);

/* ---- the whole team ---- */

void pst_team_sync(struct pst_team *t);
void pst_team_broadcast(struct pst_team *t, unsigned root, void *dst, const void *src, size_t n, int at_root);

/* ---- among heads: team_allgather.c, team_fold.c ---- */

/* Items of `count` ranks, one behind the other. Item k is of rank ranks[k], or first + k where ranks is NULL;
 * item `me` is this node's. */
struct pst_items {
  unsigned count, me, first;
  const unsigned *ranks;
  char *base;
  size_t each; /* bytes of an item; where `at` is not NULL, item k is [at[k], at[k + 1]) */
  const size_t *at;
};
/* Each rank has its own item in its place; afterwards all ranks have all items. */
void pst_team_allgather(struct pst_team *t, const struct pst_items *items);

/* Called by heads: combines the `data` of all heads in their order, into the `data` of all. */
void pst_team_fold(struct pst_team *t, void *data, size_t count, size_t size, gasnetx_combine_fn combine);

/* Memory that stays until the next call of this function, aligned to 64. */
void *pst_team_buffer(size_t n);

#endif

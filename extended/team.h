/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Collectives on lists of nodes: what their files know of each other.
 *
 * Those on a list who share memory are a group; the first of each is its head. Within a group processes talk
 * through slots in shared memory (team_slots.h), and read and write each other's segments; heads talk by
 * messages (team_messages.c). Both are channels between two nodes that keep their order, so what a node sends
 * in one collective is taken in the same one: every pair takes part in the same collectives in the same
 * order. */
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

/* Those on a list, as this node sees them. */
struct pst_party {
  gasnetx_nodes_t nodes;
  unsigned me;         /* this node's rank */
  unsigned first, end; /* ranks of this node's group */
  unsigned group, groups;
  unsigned *heads;     /* [groups] rank of each one's first */
  uint32_t hash;       /* of the list */
  uint32_t tag;        /* of the call under way: hash of list, call, length and root */
  enum pst_team_op op; /* the call under way */
};

void pst_team_open(void);

/* Begins a call: checks the arguments, finds the party. `length` and `root` are the same at all ranks. */
struct pst_party *pst_team_enter(enum pst_team_op op, const gasnetx_nodes_t *n, size_t length, unsigned root);
/* Ends it. */
void pst_team_leave(void);
const char *pst_team_name(enum pst_team_op op);
_Noreturn void pst_team_mismatch(const struct pst_party *p, gasnet_node_t other);

static inline gasnet_node_t pst_party_node(const struct pst_party *p, unsigned rank)
{
  return p->nodes.first + rank * p->nodes.stride;
}
static inline unsigned pst_party_near(const struct pst_party *p) { return p->end - p->first; }
static inline int pst_party_is_head(const struct pst_party *p) { return p->me == p->first; }

/* The first node of this one's block and how many there are in it: consecutive nodes that share memory, all
 * of them or 64. */
extern gasnet_node_t pst_team_block;
extern unsigned pst_team_in_block;

enum { PST_TEAM_FLAT = 8 }; /* up to so many each talks to each */

/* ---- channels: team_channel.c ---- */

/* To another rank and from it. n may be 0. */
void pst_team_send(struct pst_party *p, unsigned rank, const void *data, size_t n);
void pst_team_receive(struct pst_party *p, unsigned rank, void *to, size_t n);
/* Where it lies, if it came through one slot, else in `buffer`; in either case until pst_team_drop. Aligned
 * to 16 if `buffer` is. */
const void *pst_team_take(struct pst_party *p, unsigned rank, void *buffer, size_t n);
void pst_team_drop(struct pst_party *p, unsigned rank, const void *taken, const void *buffer);

/* All others of a group of at most PST_TEAM_FLAT are about to send, and this node has sent to them. Where
 * processes outnumber cores: until all have, or for a while. Giving the core away helps only if one of those
 * who are missing needs it; which core each of them ran on is known from its last message. */
void pst_team_expect(const struct pst_party *p);

/* A run of bytes that goes to a rank or comes from one: nothing does where `left` is 0. The rest is 0 at
 * first. */
struct pst_stream {
  unsigned rank;
  char *at;
  size_t left;
  int state;             /* enum in team_channel.c */
  uint64_t address;      /* of the sender's data */
  uint32_t reads;        /* what the count of a receiver's reads will be when it has read that */
  pst_pending_t pending; /* the receiver's get */
};
/* All at once: whoever waits for room takes meanwhile, so that a ring of nodes that all send moves on. Those
 * of one rank lie side by side, and go in their order. */
void pst_team_exchange(
    struct pst_party *p, struct pst_stream *out, unsigned outs, struct pst_stream *in, unsigned ins);

/* The most bytes that go to members of the group in one piece. */
size_t pst_team_near_room(void);

/* ---- within a group: team_group.c ---- */

void pst_group_sync(struct pst_party *p);
/* Each member's n bytes to all: all[members * n], the own ones, too. */
void pst_group_share(struct pst_party *p, const void *mine, size_t n, void *all);
/* Down a tree from the member `root` (a rank), and empty messages up to it. */
void pst_group_spread(struct pst_party *p, unsigned root, void *data, size_t n);
void pst_group_gather(struct pst_party *p, unsigned root);
/* The root's `src` to the others' `dst`. src may be changed on return. */
void pst_group_broadcast(struct pst_party *p, unsigned root, void *dst, const void *src, size_t n);

/* An address of this node's as others of its group may use it: 0 where they cannot reach all of [addr,
 * addr+n). */
uint64_t pst_team_shared(const void *addr, size_t n);
/* Such an address of another one's, here. */
void *pst_team_here(const struct pst_party *p, unsigned rank, uint64_t address);

/* ---- the whole list ---- */

void pst_team_sync(struct pst_party *p);
void pst_team_broadcast(
    struct pst_party *p, unsigned root, void *dst, const void *src, size_t n, int at_root);

/* ---- among several: team_allgather.c, team_fold.c ---- */

/* Items, one behind the other, of `count` ranks: [k] is rank ranks[k], or first + k where ranks is NULL. This
 * node's is item `me`. */
struct pst_items {
  unsigned count, me, first;
  const unsigned *ranks;
  char *base;
  size_t each; /* bytes of an item; where `at` is not NULL, item k is [at[k], at[k + 1]) */
  const size_t *at;
};
/* Every one has its own item in its place; afterwards all have all. */
void pst_team_allgather(struct pst_party *p, const struct pst_items *items);

/* Heads only: what each has in `data` (of its group, combined), combined over all groups in their order, in
 * the `data` of all. */
void pst_team_fold(struct pst_party *p, void *data, size_t count, size_t size, gasnetx_combine_fn combine);

/* Memory that stays until the next call of this, aligned to 64. */
void *pst_team_buffer(size_t n);

#endif

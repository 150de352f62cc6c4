/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Locks of a language in which a node may have many: those that it has, or waits for, each with its place in
 * the queue (front/lock.h), a word of 8 bytes in its segment. Where losses are reported a lock is a claim
 * instead (front/claim.h). One thread calls these. */
#ifndef FRONT_HELD_H
#define FRONT_HELD_H

#include <gasnetx.h>

struct pst_front_held;
struct pst_front_locks {
  gasnet_node_t me;
  char *origin;                 /* of this node's segment */
  const ptrdiff_t *shift;       /* [nodes] from it to the other ones' */
  uint64_t *(*place_new)(void); /* at a multiple of 64 in the segment, for good; NULL: out of memory */
  int losses;
  struct pst_front_held *held, *unused; /* NULL at first */
};

enum pst_front_locks_code {
  PST_FRONT_LOCKS_NO_MEMORY = -5,
  PST_FRONT_LOCKS_HOMELESS = -4, /* the lock's home is lost */
  PST_FRONT_LOCKS_SPOILT = -3,   /* it is no lock, or something else has been stored in it */
  PST_FRONT_LOCKS_MINE = -2,     /* take: this node has it already */
  PST_FRONT_LOCKS_BUSY = -1,     /* another node has it: take without waiting, and release */
  PST_FRONT_LOCKS_DONE = 0,
  PST_FRONT_LOCKS_FREE = 1 /* release: no node has it */
};

/* word: as its home sees it, in its segment or a region; 0 at first. */
int pst_front_locks_take(struct pst_front_locks *l, gasnet_node_t home, uint64_t *word, int wait);
/* This node has completed its puts. */
int pst_front_locks_release(struct pst_front_locks *l, gasnet_node_t home, uint64_t *word);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Locks of all nodes, first come, first served, in memory that has the same place on all nodes: one word of
 * two halves a node, all zero when the lock is free. */
#ifndef FRONT_LOCK_H
#define FRONT_LOCK_H

#include <gasnetx.h>

struct pst_front_lock {
  gasnet_node_t home;     /* whose first half counts: the same for all nodes */
  gasnet_node_t me;       /* this node */
  unsigned half;          /* bytes, 2 or 4: a word is aligned to twice as many */
  char *own;              /* this node's word, in the segment or a region */
  const ptrdiff_t *shift; /* [nodes]: what leads from its address to a node's word as that node sees it */
};

/* How many nodes a lock with such halves serves. */
uint32_t pst_front_lock_most(unsigned half);
/* Whether this node has the lock or waits for it. */
int pst_front_lock_is_mine(const struct pst_front_lock *l);
/* What take and release answer. */
enum pst_front_lock_code {
  PST_FRONT_LOCK_WRONG = -1, /* take: this node has it already; release: it has not */
  PST_FRONT_LOCK_DONE = 0,
  PST_FRONT_LOCK_PUT = 1 /* done, and an implicit put has begun */
};
/* Waits for the lock. What other nodes completed under it is visible then. */
int pst_front_lock_take(const struct pst_front_lock *l);
/* The same without waiting; returns whether this node, which did not have it, has it now. */
int pst_front_lock_try(const struct pst_front_lock *l);
/* This node has completed its puts. */
int pst_front_lock_release(const struct pst_front_lock *l);

#endif

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
/* Waits for the lock, which must not be this node's. Returns whether an implicit put has begun. What other
 * nodes completed under the lock is visible then. */
int pst_front_lock_take(const struct pst_front_lock *l);
/* The same without waiting; returns whether this node has it now. */
int pst_front_lock_try(const struct pst_front_lock *l);
/* This node has the lock, and has completed its puts. Returns whether an implicit put has begun. */
int pst_front_lock_release(const struct pst_front_lock *l);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Locks of jobs that go on without lost nodes (gasnetx_report_losses).
 *
 * The queue of front/lock.h lies in the memory of those that wait: a node that is lost takes the place of
 * the next one with it. A claim is one word of 8 bytes at its home, which has the name (node + 1) of the
 * node that has the lock, or 0. Who wants it swaps its own name in for 0, or for the name of a lost node,
 * and tries again now and then, after some milliseconds where it sleeps. So a loss never leaves others
 * waiting, but nobody has a turn: where losses are not reported the queue is better.
 *
 * A lost node's operations may be carried out after others know of its loss. A late claim leaves a lost
 * node's name in the word, which the next node replaces; a late release swaps that name alone. Puts that it
 * had not completed may still change what the lock guards.
 *
 * Order: as for gasnetx's atomic operations. */
#ifndef FRONT_CLAIM_H
#define FRONT_CLAIM_H

#include <gasnetx.h>

enum pst_front_claim_code {
  PST_FRONT_CLAIM_HOMELESS = -3, /* the home is lost, and the lock with it; gasnetx_status_take tells, too */
  PST_FRONT_CLAIM_BUSY = -2,     /* try: another node has it */
  PST_FRONT_CLAIM_WRONG = -1, /* take, try: this node has it already, or it is no lock; release: it has not */
  PST_FRONT_CLAIM_DONE = 0,
  PST_FRONT_CLAIM_INHERITED = 1 /* taken from a node that is lost: what the lock guards may be half done */
};

/* word: as its home sees it, in its segment or a region; 0 at first. Waits while another node has the lock.
 */
int pst_front_claim_take(gasnet_node_t home, uint64_t *word);
/* The same without waiting. */
int pst_front_claim_try(gasnet_node_t home, uint64_t *word);
/* This node has completed its puts. */
int pst_front_claim_release(gasnet_node_t home, uint64_t *word);

#endif

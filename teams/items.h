/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Each of several ranks has an item, and all get all items, in ceil(log2 count) rounds. Before the round of
 * distance d each rank has the d items that end with its own; it sends them to the rank d places further on
 * and receives those of the rank d places behind. The last round moves only what is missing. Items lie at
 * their final places, so a run of them is one stretch of memory, or two where it passes the end. */
#ifndef TEAMS_ITEMS_H
#define TEAMS_ITEMS_H
#include "teams/call.h"

/* Item k is of rank ranks[k], or k where ranks is NULL; item `me` is this node's. */
struct pst_items {
  unsigned count, me;
  const unsigned *ranks;
  char *base;
  size_t each;      /* bytes of an item */
  const size_t *at; /* where not NULL, item k is [at[k], at[k + 1]) */
};

/* The round whose number is the call's stage; 0 when none is left. */
int pst_items_round(struct pst_call *c, const struct pst_items *items);

#endif

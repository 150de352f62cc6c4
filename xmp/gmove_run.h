/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A gmove that has been worked out, and can be run any number of times. */
#ifndef XMP_GMOVE_RUN_H
#define XMP_GMOVE_RUN_H

#include "xmp/gmove.h"

struct pst_xmp_schedule {
  struct pst_xmp_schedule *next;
  struct pst_xmp_gmove_key key;
  int puts; /* whoever has an element of the right side puts it; otherwise nodes get what they assign */
  struct pst_xmp_gmove_pieces pieces;
  char *near, *far; /* where local memory was when the plan was made; NULL on a global side */
  /* DIRECT: from one side to the other. STAGED: by way of `stage`, because all has to be read before anything
   * is written, or elements change their type, or one of them becomes many. COPY: the far side is local
   * memory, so that nothing is transferred. MULTICAST: all nodes want what one node has, and there is a
   * network, where a broadcast takes fewer steps than a get by each. */
  enum pst_xmp_schedule_way { PST_XMP_DIRECT, PST_XMP_STAGED, PST_XMP_COPY, PST_XMP_MULTICAST } way;
  int root;            /* of MULTICAST: its rank in the group */
  int overlap;         /* nothing may be written before all have read */
  gasnetx_plan_t plan; /* of DIRECT and STAGED: a transfer for each piece; of a scalar the first one */
  char *stage;
  int busy; /* an operation with an id uses it */
};

struct pst_xmp_schedule *pst_xmp_schedule_make(
    const char *where, const struct pst_xmp_gmove_key *key, void *left, void *right);
void pst_xmp_schedule_free(struct pst_xmp_schedule *s);
/* The local memory of this call: addresses of local sides. */
void pst_xmp_schedule_place(struct pst_xmp_schedule *s, void *left, void *right);

/* The parts of a run, in their order: before the transfers, the transfers, and after them, when it is allowed
 * to write. _nb: with a team of the group. */
void pst_xmp_schedule_before(struct pst_xmp_schedule *s);
void pst_xmp_schedule_transfer(struct pst_xmp_schedule *s);
gasnet_handle_t pst_xmp_schedule_transfer_nb(struct pst_xmp_schedule *s, gasnetx_team_t team);
void pst_xmp_schedule_after(struct pst_xmp_schedule *s);

/* Which barriers of the executing nodes a run needs: before the transfers, since the right side may not be
 * complete yet or the left side is still read; and at the end, or, where they overlap, between reading and
 * writing. */
int pst_xmp_schedule_meets_first(const struct pst_xmp_schedule *s);
int pst_xmp_schedule_meets_last(const struct pst_xmp_schedule *s);
/* Whether the last barrier comes before pst_xmp_schedule_after. */
static inline int pst_xmp_schedule_reads_first(const struct pst_xmp_schedule *s)
{
  return s->overlap && !s->puts;
}

#endif

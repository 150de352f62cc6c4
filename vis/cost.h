/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Packed messages or one native transfer a piece: a model with a few constants for each conduit. */
#ifndef VIS_COST_H
#define VIS_COST_H
#include <stddef.h>

#include "core/job.h"
#include "vis/variables.h"

/* What follows from the constants. */
struct pst_cost {
  struct pst_viscost constant;
  size_t message;     /* bytes: the largest packed message, data and description */
  unsigned single;    /* ns of a piece that goes natively; under GASNET_AM_ONLY that is a message, too */
  size_t native_row;  /* pieces of so many bytes and more go natively; SIZE_MAX: none */
  size_t message_row; /* the same where all must go by messages: long ones */
};
/* For the nodes near this one, and for those that a network reaches. */
extern struct pst_cost pst_cost_near, pst_cost_far;

static inline const struct pst_cost *pst_cost_to(gasnet_node_t node)
{
  return pst_conduit_to(node) == pst_job.network ? &pst_cost_far : &pst_cost_near;
}

/* A conduit's constants, or those of an ordinary network where it has none, as GASNET_VIS_COST changes them.
 * Fatal where that is not valid. */
void pst_cost_constants(const struct pst_conduit *conduit, struct pst_viscost *c);
/* From how many bytes on a piece is better sent by itself, for `single` ns, than within full messages. */
size_t pst_cost_row(const struct pst_viscost *c, unsigned single);
/* Is one message with all pieces cheaper than each by itself? */
int pst_cost_packs(const struct pst_cost *c, size_t pieces, size_t nbytes);

/* Once the conduits are known. */
void pst_cost_open(void);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What a plan is made of. */
#ifndef VIS_PLAN_H
#define VIS_PLAN_H
#include "vis/kernel.h"
#include "vis/side.h"
#include "gasnetx.h"

/* A strided member is a normalised shape, of which only the levels in use are kept. */
struct pst_member {
  pst_kernel_fn kernel; /* strided, and the remote side is mapped; else NULL */
  char *dst, *src;      /* strided: the shape's first rows, where they are mapped as addresses here */
  size_t row;           /* 0: there is nothing to move */
  size_t levels;
  size_t *count; /* [levels], behind it the strides: one allocation */
  ptrdiff_t *dststride, *srcstride;
  ptrdiff_t dstshift, srcshift; /* from the client's base addresses to the first rows */
  struct pst_side *lists;       /* of list members: destination and source; the plan owns their arrays */
  unsigned op;                  /* PST_OP_GET or 0 */
  gasnet_node_t node;
  int mapped;
  ptrdiff_t delta;          /* mapped: what to add to the node's addresses */
  gasnetx_notify_t *notify; /* or NULL */
};

enum { PST_PLAN_ALIVE = 0x504c414e };

struct gasnetx_plan {
  size_t members, room;
  struct pst_member *member;
  unsigned alive;            /* PST_PLAN_ALIVE, for debug builds */
  struct gasnetx_plan *next; /* debug builds: among the destroyed plans */
};

/* Not in a forked child. Debug builds: this is a plan, and the call is allowed now. */
void pst_plan_check(const char *call, const struct gasnetx_plan *plan);
/* A member's addresses from the client's. */
void pst_plan_place(struct pst_member *m, void *dstaddr, void *srcaddr);

#endif

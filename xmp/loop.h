/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What a loop keeps between its beginning and its end, for its reduction clause. */
#ifndef XMP_LOOP_H
#define XMP_LOOP_H

#include "xmp/context.h"
#include "xmp/template.h"

struct pst_xmp_loop_state {
  struct pst_xmp_loop_state *next; /* of the free ones */
  const char *where;
  struct pst_xmp_context *context; /* NULL: this node runs no iteration */
  struct pst_xmp_nodes *nodes;
  struct pst_xmp_template *template_; /* NULL: on nodes */
  int variables, dims;
  int of_thread;                                /* of a loop in a parallel region: not kept */
  int variable[PST_XMP_DIMENSIONS];             /* of each dimension of `on`: its control variable, or -1 */
  pst_xmp_index_t shift[PST_XMP_DIMENSIONS];    /* what is added to it */
  struct pst_xmp_range own[PST_XMP_DIMENSIONS]; /* of each variable: what pst_xmp_loop_enter has found */
};

/* The nodes that share the iterations with this one: those that differ from it in dimensions with control
 * variables alone. NULL: this node takes no part. A reference that the caller closes. Between enter and
 * leave. */
struct pst_xmp_group *pst_xmp_loop_partners(const pst_xmp_loop_t *l);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#ifndef XMP_TEMPLATE_H
#define XMP_TEMPLATE_H

#include "xmp/nodes.h"

struct pst_xmp_array_full;

struct pst_xmp_template {
  struct pst_xmp_object head;
  int dims;
  int base; /* 0 or 1: of square or of round brackets */
  int has_bounds;
  int fixed;                   /* bounds and distribution are known: `axis` has them */
  struct pst_xmp_nodes *nodes; /* NULL: not distributed yet */
  struct pst_xmp_axis axis[PST_XMP_DIMENSIONS];
  struct pst_xmp_format format[PST_XMP_DIMENSIONS]; /* as declared; the map is not kept */
  pst_xmp_index_t *map[PST_XMP_DIMENSIONS]; /* of gblock: what axis.start shows; NULL: not known yet */
  int node_dim[PST_XMP_DIMENSIONS];         /* onto which dimension of the nodes; -1: it is not distributed */
  int template_dim[PST_XMP_DIMENSIONS];     /* for each dimension of the nodes, its own */
  struct pst_xmp_array_full *waiting;       /* arrays that are allocated when it is fixed, in their order */
};

/* Ends the job where desc names something else. */
struct pst_xmp_template *pst_xmp_template_of(const char *where, void *desc);
/* The same, and it must be fixed and distributed. */
struct pst_xmp_template *pst_xmp_template_need_fixed(const char *where, void *desc);
struct pst_xmp_template *pst_xmp_template_again(struct pst_xmp_template *t); /* one more reference */
void pst_xmp_template_drop(struct pst_xmp_template *t);

/* The coordinate of this node in the dimension of nodes that a dimension of the template is distributed onto:
 * 0 where it is not distributed. This node is a member of the template's nodes. */
static inline int pst_xmp_template_mine(const struct pst_xmp_template *t, int dim)
{
  return t->node_dim[dim] < 0 ? 0 : t->nodes->coordinate[t->node_dim[dim]];
}

#endif

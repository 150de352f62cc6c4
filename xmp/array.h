/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Global arrays. */
#ifndef XMP_ARRAY_H
#define XMP_ARRAY_H

#include "xmp/template.h"

struct pst_xmp_dimension {
  pst_xmp_index_t extent;
  /* Whose index has element i: the array's own numbers, 0..extent-1. Collapsed dimensions, and those aligned
   * with dimensions that are not distributed, have one node, 0. Valid once the template is fixed. */
  struct pst_xmp_axis axis;
  int template_dim; /* or PST_XMP_COLLAPSED */
  int node_dim;     /* of the template's nodes; -1: not distributed */
  pst_xmp_index_t offset;
  pst_xmp_index_t shadow_lower, shadow_upper; /* 0 where it is full */
  int full; /* full shadow: each node has room for all indices, and local subscripts are global ones */
};

/* Where a node's part lies in one dimension. The element of local number l (pst_xmp_axis_local) has the
 * local subscript l + origin; `ld` elements lie there in all, with the shadow. */
struct pst_xmp_extent {
  pst_xmp_index_t first, last; /* the node's indices; all between, unless it is cyclic. last < first: none */
  pst_xmp_index_t count;       /* of them */
  pst_xmp_index_t origin;      /* the local subscript of the first one */
  pst_xmp_index_t ld;          /* at least 1 */
};

/* What other constructs keep with an array (reflect.c, gmove.c). Each kind of plan has such a head. */
struct pst_xmp_plan {
  struct pst_xmp_plan *next;
  void (*free)(struct pst_xmp_plan *plan); /* not collective: called when the array ends */
};

/* What the descriptor of an array points to. */
struct pst_xmp_array_full {
  pst_xmp_array_t seen; /* what translated programs read */
  const char *name, *where;
  void *tool_data;
  int refs; /* of the declaration and of parameters */
  struct pst_xmp_template *template_;
  size_t size; /* of an element */
  enum pst_xmp_type type;
  int dims;
  int cleared;                                  /* before it is used */
  pst_xmp_index_t declared[PST_XMP_DIMENSIONS]; /* lengths, 0 where xmp_malloc gives them */
  int pointer;                                  /* xmp_malloc allocates it */
  int allocated;                                /* what follows, and `seen`, is valid */
  int member;                                   /* this node is one of the template's nodes and has a part */
  struct pst_xmp_dimension dim[PST_XMP_DIMENSIONS];
  struct pst_xmp_extent mine[PST_XMP_DIMENSIONS]; /* this node's part */
  int coordinate[PST_XMP_DIMENSIONS]; /* this node's, in each of the array's dimensions: axis's nodes */
  int array_dim[PST_XMP_DIMENSIONS];  /* of each dimension of the nodes the array's own; -1: replicated */
  size_t bytes;                       /* of a part, the same on all nodes: that of the largest one */
  /* Where parts lie: as distances from the beginning of a node's segment. */
  size_t place;               /* of all nodes, where `places` is NULL */
  size_t *places;             /* [size of knowers] by rank */
  struct pst_xmp_set knowers; /* the nodes that executed the allocation, and know */
  struct pst_xmp_plan *plans;
  struct pst_xmp_array_full *next;    /* of those that have the same hash of their bases */
  struct pst_xmp_array_full *waiting; /* on the template, for its bounds */
};

/* Of the calls below, `a` is allocated. */

static inline struct pst_xmp_array_full *pst_xmp_array_of(pst_xmp_array_t *a)
{
  return (struct pst_xmp_array_full *)a;
}
/* Ends the job unless desc is an array, and is allocated. */
struct pst_xmp_array_full *pst_xmp_array_need(const char *where, void *desc);

/* Where the part of a node lies in dimension k, which has the coordinate c in the dimension's axis: a
 * formula. */
struct pst_xmp_extent pst_xmp_array_extent(const struct pst_xmp_array_full *a, int k, pst_xmp_index_t c);
/* The local subscript, in dimension k, of index g at its owner, or, with a shadow, at a node with the
 * coordinate c where g lies in the shadow or in the node's part. Indices of shadows may be below 0. */
pst_xmp_index_t pst_xmp_array_subscript(
    const struct pst_xmp_array_full *a, int k, pst_xmp_index_t c, pst_xmp_index_t g);

/* The address of a node's part with its shadow, as that node sees it. The node is one of the template's. Ends
 * the job where this node did not execute the declaration, and so does not know. */
void *pst_xmp_array_at(const char *where, const struct pst_xmp_array_full *a, int node);
/* Of the template's nodes the one with these coordinates in the array's dimensions (those of collapsed ones
 * are not looked at), and of the replicas the one that is nearest: this node's own coordinates in the other
 * dimensions of the nodes, or 0 where this node is no member. */
int pst_xmp_array_node(const struct pst_xmp_array_full *a, const pst_xmp_index_t coordinate[]);
/* Have several nodes the same elements? */
int pst_xmp_array_is_replicated(const struct pst_xmp_array_full *a);

/* ---- between array.c and array_memory.c ---- */

/* The template is fixed: each dimension gets its formulas. Ends the job where the array goes beyond it. */
void pst_xmp_array_map(const char *where, struct pst_xmp_array_full *a);
/* Collective on the executing nodes, which include those of the template. */
void pst_xmp_array_allocate(const char *where, struct pst_xmp_array_full *a);
void pst_xmp_array_release(struct pst_xmp_array_full *a); /* nothing where it has no memory */
/* The array whose part here begins at an address; NULL: there is none. */
struct pst_xmp_array_full *pst_xmp_array_find(const void *base);

/* ---- what other files keep ---- */

/* Keeps a plan until the array ends or its memory is allocated anew. */
void pst_xmp_array_keep(struct pst_xmp_array_full *a, struct pst_xmp_plan *plan);

/* Allocates the arrays that wait for the template, which is fixed now. Collective on the executing nodes. */
void pst_xmp_arrays_allocate(const char *where, struct pst_xmp_template *t);

#endif

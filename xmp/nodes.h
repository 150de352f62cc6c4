/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Node arrays, and references to nodes and templates, which select nodes. */
#ifndef XMP_NODES_H
#define XMP_NODES_H

#include "xmp/distribution.h"
#include "xmp/group.h"

struct pst_xmp_nodes {
  struct pst_xmp_object head;
  int dims;
  int size[PST_XMP_DIMENSIONS];
  int count; /* of all nodes */
  /* The members in the array's order. Of a reference with "*" each node has the set that contains it; one
   * that is in none of them has `known` 0, and no set. */
  struct pst_xmp_set set;
  int known;
  int own;  /* selected by each node's own coordinates: the nodes may have different sets */
  int rank; /* of this node; -1: not a member */
  int coordinate[PST_XMP_DIMENSIONS]; /* of a member */
  /* How it was declared, for inquiries. of: what it was made of, which it refers to; NULL: all nodes, or the
   * executing ones. */
  enum pst_xmp_parent parent;
  struct pst_xmp_nodes *of;
  struct pst_xmp_pick equivalent[PST_XMP_DIMENSIONS]; /* coordinates of `of` */
};

/* pst_xmp_nodes, which no tool is told. */
struct pst_xmp_nodes *pst_xmp_nodes_make(const char *where, const char *name, int dims,
    const pst_xmp_index_t size[], enum pst_xmp_parent parent, const struct pst_xmp_on *of);
/* Ends the job where desc names something else. */
struct pst_xmp_nodes *pst_xmp_nodes_of(const char *where, void *desc);
struct pst_xmp_nodes *pst_xmp_nodes_again(struct pst_xmp_nodes *n); /* one more reference */
void pst_xmp_nodes_drop(struct pst_xmp_nodes *n);
/* Whether two arrays have the same shape and the same nodes. */
int pst_xmp_nodes_equal(const struct pst_xmp_nodes *a, const struct pst_xmp_nodes *b);

/* The node with these coordinates. n->known. */
int pst_xmp_nodes_at(const struct pst_xmp_nodes *n, const int coordinate[]);
/* The coordinates of the member of a rank. */
void pst_xmp_nodes_coordinates(const struct pst_xmp_nodes *n, int rank, int coordinate[]);

/* ---- references ---- */

/* What a reference selects: a box of coordinates of a node array. */
struct pst_xmp_selection {
  struct pst_xmp_nodes *nodes; /* whose descriptor lives longer. NULL: the executing nodes, all of them */
  struct pst_xmp_pick pick[PST_XMP_DIMENSIONS];
  int empty;  /* no node, as of p[0:0], or of "*" on a node that is no member */
  int member; /* this node is selected */
};

/* A reference. Of a template those nodes are selected that own an index of the section, and all of a
 * dimension for ":" or no subscripts. Of a loop those that run this node's iterations: a LOOP is like "*".
 * Ends the job where it is wrong. */
void pst_xmp_select(const char *where, const struct pst_xmp_on *on, struct pst_xmp_selection *s);
void pst_xmp_selection_free(struct pst_xmp_selection *s);

/* How many nodes are selected. */
int pst_xmp_selection_size(const struct pst_xmp_selection *s);
/* The selected nodes as a set, which the caller frees. Not of an empty selection. */
struct pst_xmp_set pst_xmp_selection_set(const char *where, const struct pst_xmp_selection *s);

/* The group of a selection, as a reference that the caller closes; NULL: this node is not in it. Ends the job
 * where a node is selected that is not in `within`, the executing nodes. */
struct pst_xmp_group *pst_xmp_selection_open(
    const char *where, const struct pst_xmp_selection *s, const struct pst_xmp_group *within);

/* The group of an on clause, as a reference that the caller closes: of the executing nodes where none was
 * written (on NULL, or its desc NULL). NULL: this node is not in it. Ends the job where a node is named that
 * does not execute the construct. */
struct pst_xmp_group *pst_xmp_on_open(const char *where, const struct pst_xmp_on *on);
/* The one node that a reference names, as of bcast's from clause. */
int pst_xmp_on_one(const char *where, const struct pst_xmp_on *on);

/* One subscript as a section of lower..upper, of ALL, ONE, COUNT, REST and BOUNDS. Ends the job where it goes
 * beyond the bounds. name, dim (from 0): for the message. */
struct pst_xmp_section pst_xmp_subscript_section(const char *where, const char *name, int dim,
    const struct pst_xmp_subscript *u, pst_xmp_index_t lower, pst_xmp_index_t upper);

#endif

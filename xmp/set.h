/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Ordered sets of the job's nodes. Almost all are boxes: the rank is a number of several digits, and each
 * digit adds its stride to the node. The other ones, as a part of an array of nodes that is arranged anew,
 * are tables. A set has one description, so equal sets have equal ones. */
#ifndef XMP_SET_H
#define XMP_SET_H

#include "xmp/internal.h"

struct pst_xmp_set_table {
  int refs;
  struct pst_xmp_set_place {
    int node, rank;
  } * place;  /* [size] in the order of nodes */
  int node[]; /* [size] by rank */
};

/* A set without dimensions has one node. */
struct pst_xmp_set {
  int size;
  int first; /* the node of rank 0 */
  int dims;  /* the last digit is the fastest; no count is 1 */
  int count[PST_XMP_DIMENSIONS];
  int stride[PST_XMP_DIMENSIONS];  /* absolute values descend, and each is more than those behind it reach */
  struct pst_xmp_set_table *table; /* NULL: a box */
};

/* Coordinates in one dimension: first, first + step, ..., count of them, or a list in their order. */
struct pst_xmp_pick {
  int first, count, step;
  int *list; /* NULL, or [count], of malloc */
};

struct pst_xmp_set pst_xmp_set_all(void);
struct pst_xmp_set pst_xmp_set_one(int node);

/* The ranks of `of` are arranged in an array of the shape, the last dimension the fastest; of these the ones
 * with the coordinates in pick[], in the same order. At least one. The caller frees the set. */
struct pst_xmp_set pst_xmp_set_pick(const char *where, const struct pst_xmp_set *of, int dims,
    const int shape[], const struct pst_xmp_pick pick[]);
/* Another reference to the same set, which is freed by itself. */
struct pst_xmp_set pst_xmp_set_copy(const struct pst_xmp_set *s);
void pst_xmp_set_free(struct pst_xmp_set *s);

int pst_xmp_set_node(const struct pst_xmp_set *s, int rank);
/* -1: not a member. */
int pst_xmp_set_rank(const struct pst_xmp_set *s, int node);
int pst_xmp_set_equal(const struct pst_xmp_set *a, const struct pst_xmp_set *b);
/* Whether all nodes of a are in b: at once for equal sets and the set of all nodes, else one step a node. */
int pst_xmp_set_within(const struct pst_xmp_set *a, const struct pst_xmp_set *b);
uint64_t pst_xmp_set_hash(const struct pst_xmp_set *s);

#endif

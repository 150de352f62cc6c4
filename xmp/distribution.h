/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* One dimension of a template or of an array, and which node has which index. All answers are formulas in the
 * index and the node. This file knows nothing of the job; the nodes here are coordinates in the dimension of
 * the node array onto which this dimension is distributed, from 0 on. */
#ifndef XMP_DISTRIBUTION_H
#define XMP_DISTRIBUTION_H

#include <xmp_translated.h>

/* The indices lower..upper are dealt out. Of these only from..to count: all of a template's, and of an
 * array's those that it has, in the array's own numbers. A node's indices, in ascending order, have the local
 * numbers 0, 1, ..., without shadow. */
struct pst_xmp_axis {
  enum pst_xmp_distribution kind; /* NOT_DISTRIBUTED: nodes is 1, and node 0 has all */
  pst_xmp_index_t lower, upper;
  pst_xmp_index_t from, to;
  pst_xmp_index_t nodes;
  pst_xmp_index_t width;        /* of BLOCK and CYCLIC; of NOT_DISTRIBUTED the whole length, at least 1 */
  const pst_xmp_index_t *start; /* of GBLOCK: [nodes + 1] the first index of each node, less `lower` */
};

/* The width of blocks for a length: ceil(length / nodes), at least 1. */
pst_xmp_index_t pst_xmp_axis_default_width(pst_xmp_index_t length, pst_xmp_index_t nodes);

/* An array's dimension whose element i, 0 <= i < extent, lies where t's index i + offset does. The map of a
 * GBLOCK remains t's. */
struct pst_xmp_axis pst_xmp_axis_align(
    const struct pst_xmp_axis *t, pst_xmp_index_t extent, pst_xmp_index_t offset);
/* A dimension of `extent` indices from `lower` on that is not distributed. */
struct pst_xmp_axis pst_xmp_axis_whole(pst_xmp_index_t lower, pst_xmp_index_t extent);

static inline int pst_xmp_axis_is_cyclic(const struct pst_xmp_axis *a) { return a->kind == PST_XMP_CYCLIC; }

/* The owner of g, which is in lower..upper. In a GBLOCK log2(nodes) steps. */
pst_xmp_index_t pst_xmp_axis_owner(const struct pst_xmp_axis *a, pst_xmp_index_t g);

/* The first and the last of the indices of a node; of a dimension that is not cyclic all between are the
 * node's. Where it has none *last is *first - 1. */
void pst_xmp_axis_bounds(
    const struct pst_xmp_axis *a, pst_xmp_index_t node, pst_xmp_index_t *first, pst_xmp_index_t *last);
pst_xmp_index_t pst_xmp_axis_count(const struct pst_xmp_axis *a, pst_xmp_index_t node);
/* The largest count of a node. */
pst_xmp_index_t pst_xmp_axis_most(const struct pst_xmp_axis *a);

/* The local number of g at its owner, and the index that has a local number at a node. */
pst_xmp_index_t pst_xmp_axis_local(const struct pst_xmp_axis *a, pst_xmp_index_t g);
pst_xmp_index_t pst_xmp_axis_global(const struct pst_xmp_axis *a, pst_xmp_index_t node, pst_xmp_index_t l);
/* Of a cyclic dimension: what pst_xmp_cyclic yields for the node's first index: the number that its local 0
 * has among all that are dealt out to it. */
pst_xmp_index_t pst_xmp_axis_skipped(const struct pst_xmp_axis *a, pst_xmp_index_t node);

/* A node's indices are runs: one, or those of a cyclic dimension. Run n: *first..*last, clipped to from..to.
 */
pst_xmp_index_t pst_xmp_axis_runs(const struct pst_xmp_axis *a, pst_xmp_index_t node);
void pst_xmp_axis_run(const struct pst_xmp_axis *a, pst_xmp_index_t node, pst_xmp_index_t n,
    pst_xmp_index_t *first, pst_xmp_index_t *last);

/* ---- sections ---- */

/* first, first + step, ..., count of them; step is not 0. */
struct pst_xmp_section {
  pst_xmp_index_t first, count, step;
};

/* What a node has of a section, as regular pieces: its elements are those at the places k, k + k_step, ...,
 * count of them, of the section (from 0), and have the local numbers local, local + local_step, ... */
struct pst_xmp_piece {
  pst_xmp_index_t k, count, k_step;
  pst_xmp_index_t local, local_step;
};
struct pst_xmp_pieces {
  struct pst_xmp_axis axis;
  struct pst_xmp_section section;
  pst_xmp_index_t node;
  int by_residue;                           /* pieces are residues of `round`; else runs */
  pst_xmp_index_t next, end;                /* numbers of pieces that are still to come */
  pst_xmp_index_t period, inverse, divisor; /* by_residue */
};

/* There is one piece at most where the dimension is not cyclic or has width 1; else as few as there are runs
 * or residues in the section, whichever are fewer. All indices of the section must be in from..to. */
void pst_xmp_pieces_begin(struct pst_xmp_pieces *p, const struct pst_xmp_axis *a, pst_xmp_index_t node,
    struct pst_xmp_section section);
/* 0: there are no more. Pieces are never empty. */
int pst_xmp_pieces_next(struct pst_xmp_pieces *p, struct pst_xmp_piece *piece);

/* Whether a node has any of a section. */
int pst_xmp_axis_meets(const struct pst_xmp_axis *a, pst_xmp_index_t node, struct pst_xmp_section section);

/* The least k >= 0 with low <= (first + k * step) mod modulus <= high, where 0 <= low <= high < modulus; -1:
 * there is none. In steps that are as many as the modulus has digits. */
pst_xmp_index_t pst_xmp_first_hit(pst_xmp_index_t first, pst_xmp_index_t step, pst_xmp_index_t modulus,
    pst_xmp_index_t low, pst_xmp_index_t high);

/* The remainder and the quotient towards minus infinity, for b > 0. */
static inline pst_xmp_index_t pst_xmp_mod(pst_xmp_index_t a, pst_xmp_index_t b)
{
  const pst_xmp_index_t r = a % b;
  return r < 0 ? r + b : r;
}
static inline pst_xmp_index_t pst_xmp_floor_div(pst_xmp_index_t a, pst_xmp_index_t b)
{
  return (a - pst_xmp_mod(a, b)) / b;
}

#endif

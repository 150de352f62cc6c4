/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Which elements of a section of one dimension lie where, and which two nodes exchange which of them, in
 * closed form. Pure functions.
 *
 * Element k of a section, 0 <= k < count, lies at position first + k * step of a distribution, whose
 * positions count from 0. A step of 0 is one element that stands for all. */
#ifndef XMP_SECTION_H
#define XMP_SECTION_H

#include <penstock-xmp/xmp_translated.h>

enum pst_xmp_line_kind {
  PST_XMP_LINE_WHOLE,  /* every node has all positions */
  PST_XMP_LINE_BLOCK,  /* node c has positions c * width to (c + 1) * width - 1 */
  PST_XMP_LINE_CYCLIC, /* blocks of width positions lie on the nodes in turn */
  PST_XMP_LINE_GBLOCK  /* node c has positions bound[c] to bound[c + 1] - 1 */
};
struct pst_xmp_line {
  enum pst_xmp_line_kind kind;
  pst_xmp_index_t first, step;
  pst_xmp_index_t width, nodes;
  const pst_xmp_index_t *bound; /* [nodes + 1] */
};

/* The node that has a position; 0 of WHOLE. */
int pst_xmp_line_owner(const struct pst_xmp_line *l, pst_xmp_index_t position);
/* The place of a position among those of its owner, whose blocks lie one behind the other. */
pst_xmp_index_t pst_xmp_line_place(const struct pst_xmp_line *l, pst_xmp_index_t position);
/* By how much the place differs between elements k and k + period, both of one owner. */
pst_xmp_index_t pst_xmp_line_shift(const struct pst_xmp_line *l, pst_xmp_index_t period);

/* Elements k + i + j * period, i < run, j < repeats. On either side the places of the elements of a run have
 * the distance `step`, and those of runs have the distance of pst_xmp_line_shift(period). */
struct pst_xmp_meeting {
  pst_xmp_index_t k, run, period, repeats;
  int other; /* the node of the other side */
};
struct pst_xmp_meetings {
  int long_runs; /* set by the caller: a period may begin behind the first element, so that it cuts no run */
  int n, room;
  struct pst_xmp_meeting *piece; /* from malloc */
};

/* Adds the pieces that node `me` has on the side `mine`, where the nodes of the other side change. The cost
 * grows with the pieces, and not with the elements, nor with the nodes that have none of them. Returns -1
 * without memory. */
int pst_xmp_line_meet(const struct pst_xmp_line *mine, int me, const struct pst_xmp_line *other,
    pst_xmp_index_t count, struct pst_xmp_meetings *pieces);

#endif

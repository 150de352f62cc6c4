/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The elements of a section of one dimension that a node owns, in the section's order: number j of them is
 * element k of the section. Both ways are formulas; what is kept are the runs of one period. */
#ifndef XMP_OWN_H
#define XMP_OWN_H

#include "xmp/distribution.h"

struct pst_xmp_own {
  struct pst_xmp_section section;
  pst_xmp_index_t owned;  /* elements of it */
  pst_xmp_index_t period; /* elements k and k + period lie on the same node */
  pst_xmp_index_t in_period;
  int n;
  struct pst_xmp_own_run {
    pst_xmp_index_t k, length, before; /* before: owned elements of the period that precede it */
  } * run;                             /* [n] from malloc, in the order of k */
};

/* -1: no memory. All indices of the section are the dimension's. */
int pst_xmp_own_open(struct pst_xmp_own *o, const struct pst_xmp_axis *a, pst_xmp_index_t node,
    const struct pst_xmp_section *s);
void pst_xmp_own_close(struct pst_xmp_own *o);
/* The section's element that is number j at the node, j < owned. *more: how many follow each other from there
 * on, in the section as in the node's memory, where they have the distance of the section's step. */
pst_xmp_index_t pst_xmp_own_element(const struct pst_xmp_own *o, pst_xmp_index_t j, pst_xmp_index_t *more);

#endif

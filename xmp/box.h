/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Parts of global arrays as memory of this node without gaps: transfers that one node makes alone. Elements
 * have the array's order. */
#ifndef XMP_BOX_H
#define XMP_BOX_H

#include "xmp/array.h"

/* A section of each dimension. put writes all replicas of an element. Both are complete on return. */
void pst_xmp_box_get(
    const char *call, struct pst_xmp_array_full *a, const struct pst_xmp_section section[], void *to);
void pst_xmp_box_put(
    const char *call, struct pst_xmp_array_full *a, const struct pst_xmp_section section[], void *from);

/* Elements number first, first + 1, ..., count of them, of a part of the array, in its order. */
void pst_xmp_part_get(const char *call, struct pst_xmp_array_full *a, const struct pst_xmp_section part[],
    pst_xmp_index_t first, pst_xmp_index_t count, void *to);
void pst_xmp_part_put(const char *call, struct pst_xmp_array_full *a, const struct pst_xmp_section part[],
    pst_xmp_index_t first, pst_xmp_index_t count, void *from);
/* The same of the whole array. */
void pst_xmp_run_get(
    const char *call, struct pst_xmp_array_full *a, pst_xmp_index_t first, pst_xmp_index_t count, void *to);
void pst_xmp_run_put(
    const char *call, struct pst_xmp_array_full *a, pst_xmp_index_t first, pst_xmp_index_t count, void *from);

/* Where an element lies: the nearest replica, as its node sees it. Indices that do not exist end the job. */
void *pst_xmp_element_at(
    const char *call, const struct pst_xmp_array_full *a, const pst_xmp_index_t index[], gasnet_node_t *node);

static inline pst_xmp_index_t pst_xmp_array_elements(const struct pst_xmp_array_full *a)
{
  pst_xmp_index_t n = 1;
  for (int k = 0; k < a->dims; k++) n *= a->dim[k].extent;
  return n;
}

#endif

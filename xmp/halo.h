/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Which boxes of a shadow belong to which nodes. The holder of a box has it in its shadow, the owner has the
 * elements. All of it follows from the array's descriptor, so both find the same boxes without a message. The
 * cost grows with the boxes, and not with the nodes. */
#ifndef XMP_HALO_H
#define XMP_HALO_H

#include "xmp/array.h"

struct pst_xmp_box {
  int node;                         /* the other end's */
  int slot;                         /* the number of the box at its holder */
  size_t bytes;                     /* of all elements */
  size_t count[PST_XMP_DIMENSIONS]; /* [0] the bytes of a row, then how many there are in each dimension; the
                                       rightmost dimension comes first, as gasnet_puts wants it */
  size_t holder_offset, owner_offset; /* bytes from the beginning of each one's part */
  size_t holder_stride[PST_XMP_DIMENSIONS], owner_stride[PST_XMP_DIMENSIONS]; /* [dims - 1] */
};
struct pst_xmp_boxes {
  int n, room;
  int slots;               /* of held boxes: more than all numbers */
  struct pst_xmp_box *box; /* from malloc */
};

/* What part of the shadow is meant; the widths are those of the program, or the whole shadow's. */
struct pst_xmp_halo {
  const struct pst_xmp_array_full *array;
  int orthogonal;
  struct pst_xmp_width width[PST_XMP_DIMENSIONS];
  int all[PST_XMP_DIMENSIONS]; /* a full shadow, all of it */
};

/* The boxes in this node's shadow, among them those of its own elements. The array is allocated, and this
 * node has a part. */
void pst_xmp_halo_held(const char *where, const struct pst_xmp_halo *h, struct pst_xmp_boxes *boxes);
/* The boxes of this node's elements in other nodes' shadows. */
void pst_xmp_halo_owned(const char *where, const struct pst_xmp_halo *h, struct pst_xmp_boxes *boxes);

#endif

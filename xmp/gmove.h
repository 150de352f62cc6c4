/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What the files of the gmove construct share. A gmove is a list of pieces, each of which is a regular part
 * of what this node exchanges with one node. */
#ifndef XMP_GMOVE_H
#define XMP_GMOVE_H

#include "xmp/array.h"
#include "xmp/section.h"

/* ---- a side of the assignment (gmove_side.c) ---- */

struct pst_xmp_gmove_side {
  struct pst_xmp_array_full *array; /* NULL: local */
  uint64_t id;                      /* of the array: no other array ever has the same */
  size_t size;
  enum pst_xmp_type type;
  int dims;
  pst_xmp_index_t extent[PST_XMP_DIMENSIONS];
  struct pst_xmp_section section[PST_XMP_DIMENSIONS];
  int rank;                    /* dimensions that are no elements; 0: a scalar */
  int dim[PST_XMP_DIMENSIONS]; /* [rank] which of the array's they are */
};

/* What stays the same in repeated calls. Of arrays only what is counted is set. */
struct pst_xmp_gmove_key {
  struct pst_xmp_gmove_side left, right;
  struct pst_xmp_group *group; /* that executes it */
  enum pst_xmp_gmove_mode mode;
};

/* Checks both sides, and that they fit together. Sets *k but for the group and the arrays' ids, which are 0.
 */
void pst_xmp_gmove_key(const char *where, struct pst_xmp_gmove_key *k, const struct pst_xmp_side *left,
    const struct pst_xmp_side *right, enum pst_xmp_gmove_mode mode);
int pst_xmp_gmove_keys_equal(const struct pst_xmp_gmove_key *a, const struct pst_xmp_gmove_key *b);
/* Ends the job where the side has elements on nodes that do not execute the construct. */
void pst_xmp_gmove_check_executes(
    const char *where, const struct pst_xmp_gmove_side *s, const struct pst_xmp_group *g, const char *which);

/* One dimension of the section, in the positions of its distribution. r: its number in the section. */
struct pst_xmp_line pst_xmp_gmove_line(const struct pst_xmp_gmove_side *s, int r);
/* Which nodes' coordinates the element of a dropped dimension k has; 0 of local memory. */
int pst_xmp_gmove_fixed_owner(const struct pst_xmp_gmove_side *s, int k);
/* The rank, in a group, of the first member that has all elements of the side's section, a global array's;
 * -1: they lie on several coordinates, or no member has them. All nodes find the same. */
int pst_xmp_gmove_single_owner(const struct pst_xmp_gmove_side *s, const struct pst_xmp_group *g);
/* Whether both are sections of one array that may have a common element. */
int pst_xmp_gmove_overlap(const struct pst_xmp_gmove_side *a, const struct pst_xmp_gmove_side *b);

/* ---- pieces (gmove_pieces.c) ---- */

enum { PST_XMP_PIECE_DIMS = 2 * PST_XMP_DIMENSIONS };
struct pst_xmp_gmove_piece {
  int node;                /* that has the far elements */
  ptrdiff_t near, far;     /* bytes from the beginning of the part, or of local memory, on either side */
  size_t elements, before; /* before: elements of the pieces before it */
  int dims;
  size_t count[PST_XMP_PIECE_DIMS];
  ptrdiff_t near_stride[PST_XMP_PIECE_DIMS], far_stride[PST_XMP_PIECE_DIMS];
  ptrdiff_t packed[PST_XMP_PIECE_DIMS]; /* in elements: strides of a copy without gaps */
};
struct pst_xmp_gmove_pieces {
  int n, room;
  size_t elements;
  struct pst_xmp_gmove_piece *piece; /* from malloc */
};

/* What this node exchanges: near is its own side, the right one where nodes put, the left one where they get.
 */
void pst_xmp_gmove_pieces(
    const char *where, const struct pst_xmp_gmove_key *k, int puts, struct pst_xmp_gmove_pieces *p);

/* ---- copies within this node (gmove_copy.c) ---- */

struct pst_xmp_gmove_view {
  char *at;
  const ptrdiff_t *stride; /* bytes */
  enum pst_xmp_type type;
  size_t size;
};
/* Assigns elements one by one, with a conversion where the types differ. They do not overlap. A stride of the
 * source may be 0. */
void pst_xmp_gmove_copy(const struct pst_xmp_gmove_view *to, const struct pst_xmp_gmove_view *from, int dims,
    const size_t count[]);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Coarrays: objects of static storage, which every node has at an address of its own. */
#ifndef XMP_COARRAY_H
#define XMP_COARRAY_H

#include "front/put.h"
#include "xmp/images.h"

struct pst_xmp_coarray_full {
  struct pst_xmp_coarray seen; /* what inline functions read */
  const char *name;
  char *object; /* this image's own */
  size_t size, element;
  int gid;    /* the same on all nodes: coarrays count from 0, as they are registered */
  int codims; /* with the last one */
  pst_xmp_index_t codim[PST_XMP_DIMENSIONS];
  const struct pst_xmp_images *own; /* of its own nodes; NULL: images are those of the executing set */
  const ptrdiff_t *shift;           /* [nodes] added to an address here, gives a node's own for it */
};

/* Ends the job where the descriptor is NULL, or there is no job. */
struct pst_xmp_coarray_full *pst_xmp_coarray_need(const char *where, void *coarray);
/* The node that has image `image`, or this one of -1. */
gasnet_node_t pst_xmp_coarray_node(const char *where, const struct pst_xmp_coarray_full *c, int image);

/* An object of another image, or of this one. */
struct pst_xmp_place {
  gasnet_node_t node;
  char *here;  /* for loads and stores; NULL where it is not mapped */
  char *there; /* as the node sees it */
};
/* Ends the job unless the image exists, and the coarray has all nbytes from `at` on. */
struct pst_xmp_place pst_xmp_coarray_place(
    const char *where, void *coarray, int image, const void *at, size_t nbytes);

#endif

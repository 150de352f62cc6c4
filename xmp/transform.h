/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What transformations of arrays share. Where the order of elements counts each node of the executing set
 * takes a share of them, a run of equal length, whatever the arrays' mappings are. */
#ifndef XMP_TRANSFORM_H
#define XMP_TRANSFORM_H

#include "xmp/box.h"
#include "xmp/context.h"

/* An argument: a descriptor, or the address of the local part. dims: how many it must have; 0: any number. */
struct pst_xmp_array_full *pst_xmp_transform_array(const char *call, void *argument, int dims);
void pst_xmp_transform_same_type(
    const char *call, const struct pst_xmp_array_full *a, const struct pst_xmp_array_full *b);
void pst_xmp_transform_different(
    const char *call, const struct pst_xmp_array_full *a, const struct pst_xmp_array_full *b);

/* All nodes are here, and have completed their puts: at the beginning and at the end of each call. */
void pst_xmp_transform_meet(struct pst_xmp_group *g);

/* This node's share of n elements: *first and *count. */
void pst_xmp_transform_share(
    const struct pst_xmp_group *g, pst_xmp_index_t n, pst_xmp_index_t *first, pst_xmp_index_t *count);
/* The sum of the values of the nodes before this one in the group; *all: of all. */
pst_xmp_index_t pst_xmp_transform_before(
    struct pst_xmp_group *g, pst_xmp_index_t value, pst_xmp_index_t *all);

#endif

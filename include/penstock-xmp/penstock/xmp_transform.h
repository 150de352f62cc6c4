/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Transformations of global arrays. XcalableMP 1.4, section on transformational procedures.
 *
 * An argument is an array's descriptor, or the array itself, which is the address of this node's part. All
 * nodes of the executing set call them with the same arrays, whose elements lie on these nodes, with any
 * mappings. Elements have the order of C, the last dimension the fastest; index arrays consist of integers
 * that count from 0. The results are complete on return. Results and operands are different arrays of one
 * type; anything else ends the job. */
#ifndef PENSTOCK_XMP_TRANSFORM_H
#define PENSTOCK_XMP_TRANSFORM_H
#ifdef __cplusplus
extern "C" {
#endif

/* x[idx1[i]][idx2[i]].. = a[i] for each element i of a, whose shape the index arrays have, one for each
 * dimension of x. Two elements of a for one of x: it becomes one of them. */
void xmp_scatter(void *x, void *a, ...);
/* x[i] = a[idx1[i]][idx2[i]].. for each element i of x, whose shape the index arrays have, one for each
 * dimension of a. */
void xmp_gather(void *x, void *a, ...);

/* v[0], v[1], .. become the elements of a where mask, an array of a's shape, is not 0; mask NULL: all of
 * them. v has one dimension. */
void xmp_pack(void *v, void *a, void *mask);
/* The other way. Elements of a where mask is 0 stay. */
void xmp_unpack(void *a, void *v, void *mask);

/* x[i][j] = a[j][i]. opt 1: a may have any value afterwards. */
void xmp_transpose(void *x, void *a, int opt);
/* x[i][j] = the sum over k of a[i][k] * b[k][j]. */
void xmp_matmul(void *x, void *a, void *b);

/* v2 becomes the elements of v1 in ascending or descending order. One dimension, real numbers. */
void xmp_sort_up(void *v1, void *v2);
void xmp_sort_down(void *v1, void *v2);

#ifdef __cplusplus
}
#endif
#endif

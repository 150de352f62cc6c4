/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The library of XcalableMP for C, version 1.4.
 *
 * A descriptor is what xmp_desc_of(name) yields, where name is a node array, a template or a global array:
 * xmpcc knows this operator. Inquiry functions that return int give 0, or XMP_FAILURE where the descriptor is
 * of another kind or the dimension does not exist; those whose result is their value give XMP_FAILURE, too.
 *
 * Dimensions count from 1. Dimension 1 of node arrays and templates is the last square bracket, or the first
 * place of round brackets; dimension 1 of arrays is the first bracket. */
#ifndef PENSTOCK_XMP_H
#define PENSTOCK_XMP_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef void *xmp_desc_t;

/* ---- constants ---- */

#define XMP_ENTIRE_NODES      2000
#define XMP_EXECUTING_NODES   2001
#define XMP_PRIMARY_NODES     2002
#define XMP_EQUIVALENCE_NODES 2003
#define XMP_NOT_DISTRIBUTED   2100
#define XMP_BLOCK             2101
#define XMP_CYCLIC            2102
#define XMP_GBLOCK            2103
#define XMP_DESC_NODES        2200
#define XMP_DESC_TEMPLATE     2201
#define XMP_DESC_ARRAY        2202
#define XMP_SUCCESS           0
#define XMP_FAILURE           (-2000)
#define XMP_UNDEFINED         (-2001)

/* ---- the executing nodes ---- */

int xmp_num_nodes(void);
int xmp_node_num(void);  /* from 1 */
int xmpc_node_num(void); /* from 0 */
int xmp_all_num_nodes(void);
int xmp_all_node_num(void);
int xmpc_all_node_num(void);
int xmp_num_images(void);
int xmpc_this_image(void); /* from 0 */

double xmp_wtime(void); /* seconds since a moment in the past that is the same while the program runs */
double xmp_wtick(void); /* the resolution of xmp_wtime */

void xmp_barrier(void);
/* Ends the program on all nodes. A status other than 0 does not wait for the others. */
void xmp_exit(int status) __attribute__((noreturn));

/* ---- memory ---- */

/* Allocates a pointer's global array; the extents are of type size_t. Collective. */
void *xmp_malloc(xmp_desc_t d, ...);
void xmp_free(xmp_desc_t d);

/* ---- inquiries: node arrays ---- */

int xmp_desc_kind(xmp_desc_t d, int *kind);
int xmp_nodes_ndims(xmp_desc_t d, int *ndims);
/* This node's own index; XMP_FAILURE where it is no member. */
int xmp_nodes_index(xmp_desc_t d, int dim, int *index);  /* from 1 */
int xmpc_nodes_index(xmp_desc_t d, int dim, int *index); /* from 0 */
int xmp_nodes_size(xmp_desc_t d, int dim, int *size);
int xmp_nodes_attr(xmp_desc_t d, int *attr); /* XMP_ENTIRE_NODES, ... */
/* Of an array that was made of part of another: that one, and the part in each of its dimensions, from 1. */
int xmp_nodes_equiv(xmp_desc_t d, xmp_desc_t *dn, int lb[], int ub[], int st[]);
int xmp_nodes_rank(xmp_desc_t d, int *rank); /* this node's place in the array's order, from 0 */

/* ---- inquiries: templates ---- */

int xmp_template_fixed(xmp_desc_t d, int *fixed);
int xmp_template_ndims(xmp_desc_t d, int *ndims);
/* In the numbers of the declaration. */
int xmp_template_lbound(xmp_desc_t d, int dim, int *lbound);
int xmp_template_ubound(xmp_desc_t d, int dim, int *ubound);
int xmp_template_gsize(xmp_desc_t d, int dim);           /* the length */
int xmp_template_lsize(xmp_desc_t d, int dim);           /* how many this node owns */
int xmp_dist_format(xmp_desc_t d, int dim, int *format); /* XMP_BLOCK, ... */
int xmp_dist_blocksize(xmp_desc_t d, int dim, int *blocksize);
int xmp_dist_gblockmap(xmp_desc_t d, int dim, int map[]);
int xmp_dist_nodes(xmp_desc_t d, xmp_desc_t *dn);
int xmp_dist_axis(xmp_desc_t d, int dim, int *axis); /* the dimension of the nodes */
int xmp_dist_stride(xmp_desc_t d, int dim); /* from a node's index to its next one outside its block */

/* The indices first, first + step, ..., up to the last, in dimension dim0 (from 0) of a template, that this
 * node owns: from *local_first to *local_last, which is less where there are none. Not for dimensions that
 * are cyclic with a width above 1. */
void xmp_sched_template_index(
    int *local_first, int *local_last, int first, int last, int step, xmp_desc_t d, int dim0);

/* ---- inquiries: arrays ---- */

int xmp_align_axis(xmp_desc_t d, int dim, int *axis); /* XMP_UNDEFINED where it is collapsed */
int xmp_align_offset(xmp_desc_t d, int dim, int *offset);
int xmp_align_replicated(xmp_desc_t d, int dim, int *replicated); /* over a dimension of its template */
int xmp_align_template(xmp_desc_t d, xmp_desc_t *dt);
int xmp_array_ndims(xmp_desc_t d, int *ndims);
int xmp_array_lshadow(xmp_desc_t d, int dim, int *lshadow);
int xmp_array_ushadow(xmp_desc_t d, int dim, int *ushadow);
int xmp_array_lbound(xmp_desc_t d, int dim, int *lbound);
int xmp_array_ubound(xmp_desc_t d, int dim, int *ubound);
int xmp_array_lbound_global(xmp_desc_t d, int dim);
int xmp_array_ubound_global(xmp_desc_t d, int dim);
size_t xmp_array_type_size(xmp_desc_t d);
int xmp_array_gsize(xmp_desc_t d, int dim);
int xmp_array_lsize(xmp_desc_t d, int dim, int *lsize); /* of this node's part, with its shadow */
int xmp_array_laddr(xmp_desc_t d, void **laddr);        /* of this node's part, with its shadow */
/* The distance, in elements, from an index of each dimension to the next. */
int xmp_array_lda(xmp_desc_t d, int lda[]);
int xmp_array_lead_dim(xmp_desc_t d, int size[]);
/* The local index, with the shadow, of an index that this node owns or has in its shadow. */
int xmp_array_gtol(xmp_desc_t d, int dim, int g_index, int *l_index);
/* The coordinate, from 1, in dimension dim of the nodes, of the owner of an element; XMP_UNDEFINED where all
 * nodes of the dimension have it. */
int xmp_array_owner(xmp_desc_t d, int ndims, int index[], int dim);
/* Bounds of this node's part (gcl), also in local indices (lcl), and of the whole array (gcg). */
int xmp_array_gcllbound(xmp_desc_t d, int dim);
int xmp_array_gclubound(xmp_desc_t d, int dim);
int xmp_array_lcllbound(xmp_desc_t d, int dim);
int xmp_array_lclubound(xmp_desc_t d, int dim);
int xmp_array_gcglbound(xmp_desc_t d, int dim);
int xmp_array_gcgubound(xmp_desc_t d, int dim);

/* ---- asynchronous communication ---- */

/* 1 where the operations with this id are complete; it does not wait. */
int xmp_test_async(int id);

#ifdef __cplusplus
}
#endif

#include "penstock/xmp_coarray.h"
#include "penstock/xmp_transform.h"
#if defined(PENSTOCK_XMP_MPI) || defined(MPI_VERSION)
#include "xmp_mpi.h"
#endif

#endif

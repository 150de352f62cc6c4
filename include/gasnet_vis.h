/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Vector, indexed and strided transfers of the GASNet extension proposal 2.0 (sections 5.2.1, 5.3.1, 6.2.1).
 * The caller may reuse the arrays that describe a transfer on return; it must not change a put's source data
 * before the sync. Remote addresses lie in the node's segment. Addresses need no alignment. Destinations
 * overlap neither each other nor sources; sources may overlap each other. */
#ifndef _GASNET_VIS_H
#define _GASNET_VIS_H
#include "gasnet.h"
#ifdef __cplusplus
extern "C" {
#endif

/* Lists of regions of any lengths. The bytes of srclist's regions, in order, go to dstlist's, in order: the
 * totals are equal, counts and lengths may differ. Regions may be empty; with a count of 0 on both sides the
 * call looks at no list. */
void gasnet_putv_bulk(gasnet_node_t dstnode, size_t dstcount, gasnet_memvec_t const dstlist[],
    size_t srccount, gasnet_memvec_t const srclist[]);
gasnet_handle_t gasnet_putv_nb_bulk(gasnet_node_t dstnode, size_t dstcount, gasnet_memvec_t const dstlist[],
    size_t srccount, gasnet_memvec_t const srclist[]);
void gasnet_putv_nbi_bulk(gasnet_node_t dstnode, size_t dstcount, gasnet_memvec_t const dstlist[],
    size_t srccount, gasnet_memvec_t const srclist[]);
void gasnet_getv_bulk(size_t dstcount, gasnet_memvec_t const dstlist[], gasnet_node_t srcnode,
    size_t srccount, gasnet_memvec_t const srclist[]);
gasnet_handle_t gasnet_getv_nb_bulk(size_t dstcount, gasnet_memvec_t const dstlist[], gasnet_node_t srcnode,
    size_t srccount, gasnet_memvec_t const srclist[]);
void gasnet_getv_nbi_bulk(size_t dstcount, gasnet_memvec_t const dstlist[], gasnet_node_t srcnode,
    size_t srccount, gasnet_memvec_t const srclist[]);

/* All regions of a side have the same length: dstcount * dstlen is srccount * srclen. With a count or a
 * length of 0 the call looks at no list. */
void gasnet_puti_bulk(gasnet_node_t dstnode, size_t dstcount, void *const dstlist[], size_t dstlen,
    size_t srccount, void *const srclist[], size_t srclen);
gasnet_handle_t gasnet_puti_nb_bulk(gasnet_node_t dstnode, size_t dstcount, void *const dstlist[],
    size_t dstlen, size_t srccount, void *const srclist[], size_t srclen);
void gasnet_puti_nbi_bulk(gasnet_node_t dstnode, size_t dstcount, void *const dstlist[], size_t dstlen,
    size_t srccount, void *const srclist[], size_t srclen);
void gasnet_geti_bulk(size_t dstcount, void *const dstlist[], size_t dstlen, gasnet_node_t srcnode,
    size_t srccount, void *const srclist[], size_t srclen);
gasnet_handle_t gasnet_geti_nb_bulk(size_t dstcount, void *const dstlist[], size_t dstlen,
    gasnet_node_t srcnode, size_t srccount, void *const srclist[], size_t srclen);
void gasnet_geti_nbi_bulk(size_t dstcount, void *const dstlist[], size_t dstlen, gasnet_node_t srcnode,
    size_t srccount, void *const srclist[], size_t srclen);

/* A rectangular block: count[0] contiguous bytes, and count[i] repetitions at level i (1..stridelevels).
 * Strides are in bytes; they do not decrease, and nothing overlaps: strides[0] >= count[0], strides[i] >=
 * count[i] * strides[i-1]. With 0 levels the strides are not looked at; with a count of 0 nothing is. */
void gasnet_puts_bulk(gasnet_node_t dstnode, void *dstaddr, const size_t dststrides[], void *srcaddr,
    const size_t srcstrides[], const size_t count[], size_t stridelevels);
gasnet_handle_t gasnet_puts_nb_bulk(gasnet_node_t dstnode, void *dstaddr, const size_t dststrides[],
    void *srcaddr, const size_t srcstrides[], const size_t count[], size_t stridelevels);
void gasnet_puts_nbi_bulk(gasnet_node_t dstnode, void *dstaddr, const size_t dststrides[], void *srcaddr,
    const size_t srcstrides[], const size_t count[], size_t stridelevels);
void gasnet_gets_bulk(void *dstaddr, const size_t dststrides[], gasnet_node_t srcnode, void *srcaddr,
    const size_t srcstrides[], const size_t count[], size_t stridelevels);
gasnet_handle_t gasnet_gets_nb_bulk(void *dstaddr, const size_t dststrides[], gasnet_node_t srcnode,
    void *srcaddr, const size_t srcstrides[], const size_t count[], size_t stridelevels);
void gasnet_gets_nbi_bulk(void *dstaddr, const size_t dststrides[], gasnet_node_t srcnode, void *srcaddr,
    const size_t srcstrides[], const size_t count[], size_t stridelevels);

#ifdef __cplusplus
}
#endif
#endif

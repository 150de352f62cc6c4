/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Strided transfers of any order, direction and shape. Extension proposal, appendix, items 3 and 8. Strides
 * are in bytes and signed, elemsz is the size of an element in bytes; an address is that of the element whose
 * indices are all 0. Destination elements overlap neither each other nor sources. The arrays may be reused on
 * return; a put's source must not change before the sync. The remote side lies in its node's segment; any
 * alignment. With a count or an elemsz of 0 nothing moves, and addresses and strides are not looked at. */
#ifndef PENSTOCK_X_ANY_H
#define PENSTOCK_X_ANY_H
#ifdef __cplusplus
extern "C" {
#endif

/* Transpose, reflect, copy: element (i0, i1, ...) lies at address + i0*strides[0] + i1*strides[1] + ... on
 * either side. The dimensions come in any order; at most 64 of them have a count above 1. No dimensions: one
 * element. */
void gasnetx_puts_any_bulk(gasnet_node_t dstnode, void *dstaddr, const ptrdiff_t dststrides[], void *srcaddr,
    const ptrdiff_t srcstrides[], size_t elemsz, const size_t count[], size_t dims);
gasnet_handle_t gasnetx_puts_any_nb_bulk(gasnet_node_t dstnode, void *dstaddr, const ptrdiff_t dststrides[],
    void *srcaddr, const ptrdiff_t srcstrides[], size_t elemsz, const size_t count[], size_t dims);
void gasnetx_puts_any_nbi_bulk(gasnet_node_t dstnode, void *dstaddr, const ptrdiff_t dststrides[],
    void *srcaddr, const ptrdiff_t srcstrides[], size_t elemsz, const size_t count[], size_t dims);
void gasnetx_gets_any_bulk(void *dstaddr, const ptrdiff_t dststrides[], gasnet_node_t srcnode, void *srcaddr,
    const ptrdiff_t srcstrides[], size_t elemsz, const size_t count[], size_t dims);
gasnet_handle_t gasnetx_gets_any_nb_bulk(void *dstaddr, const ptrdiff_t dststrides[], gasnet_node_t srcnode,
    void *srcaddr, const ptrdiff_t srcstrides[], size_t elemsz, const size_t count[], size_t dims);
void gasnetx_gets_any_nbi_bulk(void *dstaddr, const ptrdiff_t dststrides[], gasnet_node_t srcnode,
    void *srcaddr, const ptrdiff_t srcstrides[], size_t elemsz, const size_t count[], size_t dims);

/* Reshape: each side has its own counts and strides, and as many elements as the other. The n-th element of
 * one goes to the n-th of the other, in the order of their indices, dimension 0 fastest. At most 64
 * dimensions a side have a count above 1. */
void gasnetx_puts_reshape_bulk(gasnet_node_t dstnode, void *dstaddr, const ptrdiff_t dststrides[],
    const size_t dstcount[], size_t dstdims, void *srcaddr, const ptrdiff_t srcstrides[],
    const size_t srccount[], size_t srcdims, size_t elemsz);
gasnet_handle_t gasnetx_puts_reshape_nb_bulk(gasnet_node_t dstnode, void *dstaddr,
    const ptrdiff_t dststrides[], const size_t dstcount[], size_t dstdims, void *srcaddr,
    const ptrdiff_t srcstrides[], const size_t srccount[], size_t srcdims, size_t elemsz);
void gasnetx_puts_reshape_nbi_bulk(gasnet_node_t dstnode, void *dstaddr, const ptrdiff_t dststrides[],
    const size_t dstcount[], size_t dstdims, void *srcaddr, const ptrdiff_t srcstrides[],
    const size_t srccount[], size_t srcdims, size_t elemsz);
void gasnetx_gets_reshape_bulk(void *dstaddr, const ptrdiff_t dststrides[], const size_t dstcount[],
    size_t dstdims, gasnet_node_t srcnode, void *srcaddr, const ptrdiff_t srcstrides[],
    const size_t srccount[], size_t srcdims, size_t elemsz);
gasnet_handle_t gasnetx_gets_reshape_nb_bulk(void *dstaddr, const ptrdiff_t dststrides[],
    const size_t dstcount[], size_t dstdims, gasnet_node_t srcnode, void *srcaddr,
    const ptrdiff_t srcstrides[], const size_t srccount[], size_t srcdims, size_t elemsz);
void gasnetx_gets_reshape_nbi_bulk(void *dstaddr, const ptrdiff_t dststrides[], const size_t dstcount[],
    size_t dstdims, gasnet_node_t srcnode, void *srcaddr, const ptrdiff_t srcstrides[],
    const size_t srccount[], size_t srcdims, size_t elemsz);

#ifdef __cplusplus
}
#endif
#endif

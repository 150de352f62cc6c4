/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Transfers of regions that are not contiguous. Proposal, sections 5 and 6. A region lies in the memory of
 * one thread, byte after byte, as of shared []. Destinations overlap neither each other nor sources. The
 * _async forms return a handle; arrays and data must not be changed until it is synchronised. */
#ifndef PENSTOCK_UPC_LISTS_H
#define PENSTOCK_UPC_LISTS_H
#ifdef __cplusplus
extern "C" {
#endif

/* Lists of regions of any lengths, each of any thread: the bytes of all of srclist go, in order, to those of
 * dstlist. Both lists have the same number of bytes. Section 5.2. */
PST_UPC(void, memcpy_vlist,
    (size_t dstcount, upc_smemvec_t const dstlist[], size_t srccount, upc_smemvec_t const srclist[]));
PST_UPC(upc_handle_t, memcpy_vlist_async,
    (size_t dstcount, upc_smemvec_t const dstlist[], size_t srccount, upc_smemvec_t const srclist[]));
PST_UPC(void, memput_vlist,
    (size_t dstcount, upc_smemvec_t const dstlist[], size_t srccount, upc_pmemvec_t const srclist[]));
PST_UPC(upc_handle_t, memput_vlist_async,
    (size_t dstcount, upc_smemvec_t const dstlist[], size_t srccount, upc_pmemvec_t const srclist[]));
PST_UPC(void, memget_vlist,
    (size_t dstcount, upc_pmemvec_t const dstlist[], size_t srccount, upc_smemvec_t const srclist[]));
PST_UPC(upc_handle_t, memget_vlist_async,
    (size_t dstcount, upc_pmemvec_t const dstlist[], size_t srccount, upc_smemvec_t const srclist[]));

/* The same for regions of dstlen and of srclen bytes, which may differ: dstcount * dstlen is srccount *
 * srclen. Section 5.3. */
PST_UPC(void, memcpy_ilist,
    (size_t dstcount, upc_pts_t const dstlist[], size_t dstlen, size_t srccount,
        upc_const_pts_t const srclist[], size_t srclen));
PST_UPC(upc_handle_t, memcpy_ilist_async,
    (size_t dstcount, upc_pts_t const dstlist[], size_t dstlen, size_t srccount,
        upc_const_pts_t const srclist[], size_t srclen));
PST_UPC(void, memput_ilist,
    (size_t dstcount, upc_pts_t const dstlist[], size_t dstlen, size_t srccount, const void *const srclist[],
        size_t srclen));
PST_UPC(upc_handle_t, memput_ilist_async,
    (size_t dstcount, upc_pts_t const dstlist[], size_t dstlen, size_t srccount, const void *const srclist[],
        size_t srclen));
PST_UPC(void, memget_ilist,
    (size_t dstcount, void *const dstlist[], size_t dstlen, size_t srccount, upc_const_pts_t const srclist[],
        size_t srclen));
PST_UPC(upc_handle_t, memget_ilist_async,
    (size_t dstcount, void *const dstlist[], size_t dstlen, size_t srccount, upc_const_pts_t const srclist[],
        size_t srclen));

/* Chunks of chunklen bytes, one every chunkstride bytes, at least chunklen. Both sides have the same number
 * of bytes. Section 6.1. */
PST_UPC(void, memcpy_fstrided,
    (upc_pts_t dstaddr, size_t dstchunklen, size_t dstchunkstride, size_t dstchunkcount,
        upc_const_pts_t srcaddr, size_t srcchunklen, size_t srcchunkstride, size_t srcchunkcount));
PST_UPC(upc_handle_t, memcpy_fstrided_async,
    (upc_pts_t dstaddr, size_t dstchunklen, size_t dstchunkstride, size_t dstchunkcount,
        upc_const_pts_t srcaddr, size_t srcchunklen, size_t srcchunkstride, size_t srcchunkcount));
PST_UPC(void, memput_fstrided,
    (upc_pts_t dstaddr, size_t dstchunklen, size_t dstchunkstride, size_t dstchunkcount, const void *srcaddr,
        size_t srcchunklen, size_t srcchunkstride, size_t srcchunkcount));
PST_UPC(upc_handle_t, memput_fstrided_async,
    (upc_pts_t dstaddr, size_t dstchunklen, size_t dstchunkstride, size_t dstchunkcount, const void *srcaddr,
        size_t srcchunklen, size_t srcchunkstride, size_t srcchunkcount));
PST_UPC(void, memget_fstrided,
    (void *dstaddr, size_t dstchunklen, size_t dstchunkstride, size_t dstchunkcount, upc_const_pts_t srcaddr,
        size_t srcchunklen, size_t srcchunkstride, size_t srcchunkcount));
PST_UPC(upc_handle_t, memget_fstrided_async,
    (void *dstaddr, size_t dstchunklen, size_t dstchunkstride, size_t dstchunkcount, upc_const_pts_t srcaddr,
        size_t srcchunklen, size_t srcchunkstride, size_t srcchunkcount));

/* Rectangular sections of arrays: count[0] contiguous bytes; on level i, from 1 to stridelevels, count[i]
 * items of the level below, one every strides[i - 1] bytes. Section 6.2; the destination of memget is
 * private, though the document prints it as shared. */
PST_UPC(void, memcpy_strided,
    (upc_pts_t dstaddr, const size_t dststrides[], upc_const_pts_t srcaddr, const size_t srcstrides[],
        const size_t count[], size_t stridelevels));
PST_UPC(upc_handle_t, memcpy_strided_async,
    (upc_pts_t dstaddr, const size_t dststrides[], upc_const_pts_t srcaddr, const size_t srcstrides[],
        const size_t count[], size_t stridelevels));
PST_UPC(void, memput_strided,
    (upc_pts_t dstaddr, const size_t dststrides[], const void *srcaddr, const size_t srcstrides[],
        const size_t count[], size_t stridelevels));
PST_UPC(upc_handle_t, memput_strided_async,
    (upc_pts_t dstaddr, const size_t dststrides[], const void *srcaddr, const size_t srcstrides[],
        const size_t count[], size_t stridelevels));
PST_UPC(void, memget_strided,
    (void *dstaddr, const size_t dststrides[], upc_const_pts_t srcaddr, const size_t srcstrides[],
        const size_t count[], size_t stridelevels));
PST_UPC(upc_handle_t, memget_strided_async,
    (void *dstaddr, const size_t dststrides[], upc_const_pts_t srcaddr, const size_t srcstrides[],
        const size_t count[], size_t stridelevels));

/* Other spellings in the document. */
PST_UPC(void, mempu_vlist,
    (size_t dstcount, upc_smemvec_t const dstlist[], size_t srccount, upc_pmemvec_t const srclist[]));
PST_UPC(upc_handle_t, mempu_vlist_async,
    (size_t dstcount, upc_smemvec_t const dstlist[], size_t srccount, upc_pmemvec_t const srclist[]));
PST_UPC(void, memcpy_ilst,
    (size_t dstcount, upc_pts_t const dstlist[], size_t dstlen, size_t srccount,
        upc_const_pts_t const srclist[], size_t srclen));
PST_UPC(upc_handle_t, memcpy_ilst_async,
    (size_t dstcount, upc_pts_t const dstlist[], size_t dstlen, size_t srccount,
        upc_const_pts_t const srclist[], size_t srclen));
PST_UPC(void, memput_ilst,
    (size_t dstcount, upc_pts_t const dstlist[], size_t dstlen, size_t srccount, const void *const srclist[],
        size_t srclen));
PST_UPC(upc_handle_t, memput_ilst_async,
    (size_t dstcount, upc_pts_t const dstlist[], size_t dstlen, size_t srccount, const void *const srclist[],
        size_t srclen));
PST_UPC(void, memget_ilst,
    (size_t dstcount, void *const dstlist[], size_t dstlen, size_t srccount, upc_const_pts_t const srclist[],
        size_t srclen));
PST_UPC(upc_handle_t, memget_ilst_async,
    (size_t dstcount, void *const dstlist[], size_t dstlen, size_t srccount, upc_const_pts_t const srclist[],
        size_t srclen));

#ifdef __cplusplus
}
#endif
#endif

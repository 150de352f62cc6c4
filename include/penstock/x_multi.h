/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Vector and indexed transfers whose remote regions lie on any nodes, also on this one. Extension proposal,
 * appendix, item 10. The rules are those of gasnet_putv and gasnet_puti: bytes in the order of the lists,
 * equal totals, empty regions allowed, lists reusable on return, a put's source unchanged until the sync. One
 * handle stands for all nodes. */
#ifndef PENSTOCK_X_MULTI_H
#define PENSTOCK_X_MULTI_H
#ifdef __cplusplus
extern "C" {
#endif

/* A region of `len` bytes in the segment of `node`, as that node sees it. */
typedef struct {
  gasnet_node_t node;
  void *addr;
  size_t len;
} gasnetx_memvec_t;

void gasnetx_putv_multi_bulk(
    size_t dstcount, gasnetx_memvec_t const dstlist[], size_t srccount, gasnet_memvec_t const srclist[]);
gasnet_handle_t gasnetx_putv_multi_nb_bulk(
    size_t dstcount, gasnetx_memvec_t const dstlist[], size_t srccount, gasnet_memvec_t const srclist[]);
void gasnetx_putv_multi_nbi_bulk(
    size_t dstcount, gasnetx_memvec_t const dstlist[], size_t srccount, gasnet_memvec_t const srclist[]);
void gasnetx_getv_multi_bulk(
    size_t dstcount, gasnet_memvec_t const dstlist[], size_t srccount, gasnetx_memvec_t const srclist[]);
gasnet_handle_t gasnetx_getv_multi_nb_bulk(
    size_t dstcount, gasnet_memvec_t const dstlist[], size_t srccount, gasnetx_memvec_t const srclist[]);
void gasnetx_getv_multi_nbi_bulk(
    size_t dstcount, gasnet_memvec_t const dstlist[], size_t srccount, gasnetx_memvec_t const srclist[]);

/* The region at dstlist[i] or srclist[i] lies on dstnodes[i] or srcnodes[i]. */
void gasnetx_puti_multi_bulk(size_t dstcount, gasnet_node_t const dstnodes[], void *const dstlist[],
    size_t dstlen, size_t srccount, void *const srclist[], size_t srclen);
gasnet_handle_t gasnetx_puti_multi_nb_bulk(size_t dstcount, gasnet_node_t const dstnodes[],
    void *const dstlist[], size_t dstlen, size_t srccount, void *const srclist[], size_t srclen);
void gasnetx_puti_multi_nbi_bulk(size_t dstcount, gasnet_node_t const dstnodes[], void *const dstlist[],
    size_t dstlen, size_t srccount, void *const srclist[], size_t srclen);
void gasnetx_geti_multi_bulk(size_t dstcount, void *const dstlist[], size_t dstlen, size_t srccount,
    gasnet_node_t const srcnodes[], void *const srclist[], size_t srclen);
gasnet_handle_t gasnetx_geti_multi_nb_bulk(size_t dstcount, void *const dstlist[], size_t dstlen,
    size_t srccount, gasnet_node_t const srcnodes[], void *const srclist[], size_t srclen);
void gasnetx_geti_multi_nbi_bulk(size_t dstcount, void *const dstlist[], size_t dstlen, size_t srccount,
    gasnet_node_t const srcnodes[], void *const srclist[], size_t srclen);

#ifdef __cplusplus
}
#endif
#endif

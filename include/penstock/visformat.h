/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Descriptions of strided, indexed and vector transfers in text, for messages and traces. Each function has a
 * companion _bufsz that returns the size of the buffer that it needs. Of a long list the text shows both
 * ends. */
#ifndef PENSTOCK_VISFORMAT_H
#define PENSTOCK_VISFORMAT_H
#include "penstock/platform.h"
PST_BEGIN_C

typedef struct {
  size_t minsz, maxsz; /* of the entries */
  uintptr_t totalsz;
  void *minaddr, *maxaddr; /* first byte, and the last byte of the highest entry */
} gasnett_memveclist_stats_t;

typedef struct {
  void *minaddr, *maxaddr;
} gasnett_addrlist_stats_t;

size_t gasnett_format_addrlist_bufsz(size_t count);
gasnett_addrlist_stats_t gasnett_format_addrlist(char *buf, size_t count, void *const *list, size_t len);

size_t gasnett_format_strides_bufsz(size_t count);
char *gasnett_format_strides(char *buf, size_t count, const size_t *strides);

/* Those of puts and gets return how many bytes the transfer moves. pstats is unused and may be NULL. node is
 * a gasnet_node_t. */
size_t gasnett_format_putigeti_bufsz(size_t dstcount, size_t srccount);
size_t gasnett_format_putigeti(char *buf, uint32_t node, size_t dstcount, void *const dstlist[],
    size_t dstlen, size_t srccount, void *const srclist[], size_t srclen);
size_t gasnett_format_putsgets_bufsz(size_t stridelevels);
size_t gasnett_format_putsgets(char *buf, void *pstats, uint32_t node, void *dstaddr,
    const size_t dststrides[], void *srcaddr, const size_t srcstrides[], const size_t count[],
    size_t stridelevels);

size_t gasnett_format_memveclist_bufsz(size_t count);
size_t gasnett_format_putvgetv_bufsz(size_t dstcount, size_t srccount);
PST_END_C
#endif

/* These are declared once gasnet.h, which has gasnet_memvec_t, has been included. */
#if defined(PENSTOCK_TYPES_H) && !defined(PENSTOCK_VISFORMAT_MEMVEC_H)
#define PENSTOCK_VISFORMAT_MEMVEC_H
PST_BEGIN_C
gasnett_memveclist_stats_t gasnett_format_memveclist(char *buf, size_t count, gasnet_memvec_t const *list);
size_t gasnett_format_putvgetv(char *buf, uint32_t node, size_t dstcount, gasnet_memvec_t const dstlist[],
    size_t srccount, gasnet_memvec_t const srclist[]);
PST_END_C
#endif

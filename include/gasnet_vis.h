/* Strided transfers of the GASNet extension proposal 2.0 (section 6.2.1). */
#ifndef _GASNET_VIS_H
#define _GASNET_VIS_H
#include "gasnet.h"
#ifdef __cplusplus
extern "C" {
#endif

/* A rectangular block: count[0] contiguous bytes, count[i] repetitions of level i (1..stridelevels), strides in bytes,
 * non-decreasing and not overlapping: strides[0] >= count[0], strides[i] >= count[i] * strides[i-1]. With 0 levels the strides
 * are not looked at; with any count of 0 nothing is. dststrides, srcstrides and count may be reused on return.
 * Remote addresses lie in the segment; any alignment. */
void gasnet_puts_bulk(gasnet_node_t dstnode, void *dstaddr, const size_t dststrides[], void *srcaddr,
                      const size_t srcstrides[], const size_t count[], size_t stridelevels);
gasnet_handle_t gasnet_puts_nb_bulk(gasnet_node_t dstnode, void *dstaddr, const size_t dststrides[], void *srcaddr,
                                    const size_t srcstrides[], const size_t count[], size_t stridelevels);
void gasnet_puts_nbi_bulk(gasnet_node_t dstnode, void *dstaddr, const size_t dststrides[], void *srcaddr,
                          const size_t srcstrides[], const size_t count[], size_t stridelevels);
void gasnet_gets_bulk(void *dstaddr, const size_t dststrides[], gasnet_node_t srcnode, void *srcaddr,
                      const size_t srcstrides[], const size_t count[], size_t stridelevels);
gasnet_handle_t gasnet_gets_nb_bulk(void *dstaddr, const size_t dststrides[], gasnet_node_t srcnode, void *srcaddr,
                                    const size_t srcstrides[], const size_t count[], size_t stridelevels);
void gasnet_gets_nbi_bulk(void *dstaddr, const size_t dststrides[], gasnet_node_t srcnode, void *srcaddr,
                          const size_t srcstrides[], const size_t count[], size_t stridelevels);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Rectangles and boxes: gasnet_puts and gasnet_gets without arrays. Extension proposal, appendix, item 9.
 * height counts rows, depth counts planes; all else is in bytes. A pitch is from one row to the next, at
 * least width; a plane argument is from one plane to the next, at least height * pitch. With a width, height
 * or depth of 0 nothing moves. */
#ifndef PENSTOCK_X_BLOCK_H
#define PENSTOCK_X_BLOCK_H
#ifdef __cplusplus
extern "C" {
#endif

PST_INLINE void gasnetx_puts_2d_bulk(gasnet_node_t dstnode, void *dst, size_t dstpitch, void *src,
    size_t srcpitch, size_t width, size_t height)
{
  const size_t dststrides[] = {dstpitch}, srcstrides[] = {srcpitch}, count[] = {width, height};
  gasnet_puts_bulk(dstnode, dst, dststrides, src, srcstrides, count, 1);
}

PST_INLINE gasnet_handle_t gasnetx_puts_2d_nb_bulk(gasnet_node_t dstnode, void *dst, size_t dstpitch,
    void *src, size_t srcpitch, size_t width, size_t height)
{
  const size_t dststrides[] = {dstpitch}, srcstrides[] = {srcpitch}, count[] = {width, height};
  return gasnet_puts_nb_bulk(dstnode, dst, dststrides, src, srcstrides, count, 1);
}

PST_INLINE void gasnetx_puts_2d_nbi_bulk(gasnet_node_t dstnode, void *dst, size_t dstpitch, void *src,
    size_t srcpitch, size_t width, size_t height)
{
  const size_t dststrides[] = {dstpitch}, srcstrides[] = {srcpitch}, count[] = {width, height};
  gasnet_puts_nbi_bulk(dstnode, dst, dststrides, src, srcstrides, count, 1);
}

PST_INLINE void gasnetx_gets_2d_bulk(void *dst, size_t dstpitch, gasnet_node_t srcnode, void *src,
    size_t srcpitch, size_t width, size_t height)
{
  const size_t dststrides[] = {dstpitch}, srcstrides[] = {srcpitch}, count[] = {width, height};
  gasnet_gets_bulk(dst, dststrides, srcnode, src, srcstrides, count, 1);
}

PST_INLINE gasnet_handle_t gasnetx_gets_2d_nb_bulk(void *dst, size_t dstpitch, gasnet_node_t srcnode,
    void *src, size_t srcpitch, size_t width, size_t height)
{
  const size_t dststrides[] = {dstpitch}, srcstrides[] = {srcpitch}, count[] = {width, height};
  return gasnet_gets_nb_bulk(dst, dststrides, srcnode, src, srcstrides, count, 1);
}

PST_INLINE void gasnetx_gets_2d_nbi_bulk(void *dst, size_t dstpitch, gasnet_node_t srcnode, void *src,
    size_t srcpitch, size_t width, size_t height)
{
  const size_t dststrides[] = {dstpitch}, srcstrides[] = {srcpitch}, count[] = {width, height};
  gasnet_gets_nbi_bulk(dst, dststrides, srcnode, src, srcstrides, count, 1);
}

PST_INLINE void gasnetx_puts_3d_bulk(gasnet_node_t dstnode, void *dst, size_t dstpitch, size_t dstplane,
    void *src, size_t srcpitch, size_t srcplane, size_t width, size_t height, size_t depth)
{
  const size_t dststrides[] = {dstpitch, dstplane}, srcstrides[] = {srcpitch, srcplane},
               count[] = {width, height, depth};
  gasnet_puts_bulk(dstnode, dst, dststrides, src, srcstrides, count, 2);
}

PST_INLINE gasnet_handle_t gasnetx_puts_3d_nb_bulk(gasnet_node_t dstnode, void *dst, size_t dstpitch,
    size_t dstplane, void *src, size_t srcpitch, size_t srcplane, size_t width, size_t height, size_t depth)
{
  const size_t dststrides[] = {dstpitch, dstplane}, srcstrides[] = {srcpitch, srcplane},
               count[] = {width, height, depth};
  return gasnet_puts_nb_bulk(dstnode, dst, dststrides, src, srcstrides, count, 2);
}

PST_INLINE void gasnetx_puts_3d_nbi_bulk(gasnet_node_t dstnode, void *dst, size_t dstpitch, size_t dstplane,
    void *src, size_t srcpitch, size_t srcplane, size_t width, size_t height, size_t depth)
{
  const size_t dststrides[] = {dstpitch, dstplane}, srcstrides[] = {srcpitch, srcplane},
               count[] = {width, height, depth};
  gasnet_puts_nbi_bulk(dstnode, dst, dststrides, src, srcstrides, count, 2);
}

PST_INLINE void gasnetx_gets_3d_bulk(void *dst, size_t dstpitch, size_t dstplane, gasnet_node_t srcnode,
    void *src, size_t srcpitch, size_t srcplane, size_t width, size_t height, size_t depth)
{
  const size_t dststrides[] = {dstpitch, dstplane}, srcstrides[] = {srcpitch, srcplane},
               count[] = {width, height, depth};
  gasnet_gets_bulk(dst, dststrides, srcnode, src, srcstrides, count, 2);
}

PST_INLINE gasnet_handle_t gasnetx_gets_3d_nb_bulk(void *dst, size_t dstpitch, size_t dstplane,
    gasnet_node_t srcnode, void *src, size_t srcpitch, size_t srcplane, size_t width, size_t height,
    size_t depth)
{
  const size_t dststrides[] = {dstpitch, dstplane}, srcstrides[] = {srcpitch, srcplane},
               count[] = {width, height, depth};
  return gasnet_gets_nb_bulk(dst, dststrides, srcnode, src, srcstrides, count, 2);
}

PST_INLINE void gasnetx_gets_3d_nbi_bulk(void *dst, size_t dstpitch, size_t dstplane, gasnet_node_t srcnode,
    void *src, size_t srcpitch, size_t srcplane, size_t width, size_t height, size_t depth)
{
  const size_t dststrides[] = {dstpitch, dstplane}, srcstrides[] = {srcpitch, srcplane},
               count[] = {width, height, depth};
  gasnet_gets_nbi_bulk(dst, dststrides, srcnode, src, srcstrides, count, 2);
}

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Block copies. Of two shared sides, one that is mapped here serves as the private side of a get or put;
 * where neither is mapped, the copy goes through a buffer (third.c). */
#include "upc/handle.h"

/* ---- without events ---- */

static struct pst_upc_third *third_begin(const char *call, upc_pts_t dst, upc_const_pts_t src, size_t n)
{
  const struct pst_upc_side to = pst_upc_side_block(dst, n), from = pst_upc_side_block(src, n);
  return pst_upc_third_begin(call, &to, &from, n);
}

static upc_handle_t copy_nb(const char *call, upc_pts_t dst, upc_const_pts_t src, size_t n)
{
  void *here;
  pst_upc_check(call, dst, n);
  pst_upc_check(call, src, n);
  if ((here = pst_upc_here(dst)))
    return pst_upc_handle(gasnet_get_nb_bulk(here, src.thread, pst_upc_address(src), n));
  if ((here = pst_upc_here(src)))
    return pst_upc_handle(gasnet_put_nb_bulk(dst.thread, pst_upc_address(dst), here, n));
  return pst_upc_handle_third(call, third_begin(call, dst, src, n));
}

static void copy_nbi(const char *call, upc_pts_t dst, upc_const_pts_t src, size_t n)
{
  void *here;
  pst_upc_check(call, dst, n);
  pst_upc_check(call, src, n);
  if ((here = pst_upc_here(dst))) gasnet_get_nbi_bulk(here, src.thread, pst_upc_address(src), n);
  else if ((here = pst_upc_here(src))) gasnet_put_nbi_bulk(dst.thread, pst_upc_address(dst), here, n);
  else pst_upc_handle_implicit(call, third_begin(call, dst, src, n));
}

/* ---- blocking ---- */

void upc_memcpy(upc_pts_t dst, upc_const_pts_t src, size_t n)
{
  GASP_BEGIN(UPC, GASP_UPC_MEMCPY, &dst, &src, n);
  pst_upc_handle_wait(copy_nb("upc_memcpy", dst, src, n));
  GASP_FINISH(UPC, GASP_UPC_MEMCPY, &dst, &src, n);
}

void upc_memget(void *dst, upc_const_pts_t src, size_t n)
{
  pst_upc_check("upc_memget", src, n);
  GASP_BEGIN(UPC, GASP_UPC_MEMGET, dst, &src, n);
  gasnet_get_bulk(dst, src.thread, pst_upc_address(src), n);
  GASP_FINISH(UPC, GASP_UPC_MEMGET, dst, &src, n);
}

void upc_memput(upc_pts_t dst, const void *src, size_t n)
{
  pst_upc_check("upc_memput", dst, n);
  GASP_BEGIN(UPC, GASP_UPC_MEMPUT, &dst, src, n);
  gasnet_put_bulk(dst.thread, pst_upc_address(dst), src, n);
  GASP_FINISH(UPC, GASP_UPC_MEMPUT, &dst, src, n);
}

void upc_memset(upc_pts_t dst, int c, size_t n)
{
  pst_upc_check("upc_memset", dst, n);
  GASP_BEGIN(UPC, GASP_UPC_MEMSET, &dst, c, n);
  gasnet_memset(dst.thread, pst_upc_address(dst), c, n);
  GASP_FINISH(UPC, GASP_UPC_MEMSET, &dst, c, n);
}

/* ---- explicit handles ---- */

upc_handle_t upc_memcpy_async(upc_pts_t dst, upc_const_pts_t src, size_t n)
{
  upc_handle_t h;
  GASP_BEGIN(UPC, GASP_PENSTOCK_NB_MEMCPY, &dst, &src, n);
  h = copy_nb("upc_memcpy_async", dst, src, n);
  GASP_FINISH(UPC, GASP_PENSTOCK_NB_MEMCPY, &dst, &src, n, h);
  return h;
}

upc_handle_t upc_memget_async(void *dst, upc_const_pts_t src, size_t n)
{
  upc_handle_t h;
  pst_upc_check("upc_memget_async", src, n);
  GASP_BEGIN(UPC, GASP_UPC_NB_GET_INIT, 1, dst, &src, n);
  h = pst_upc_handle(gasnet_get_nb_bulk(dst, src.thread, pst_upc_address(src), n));
  GASP_FINISH(UPC, GASP_UPC_NB_GET_INIT, 1, dst, &src, n, h);
  return h;
}

upc_handle_t upc_memput_async(upc_pts_t dst, const void *src, size_t n)
{
  upc_handle_t h;
  pst_upc_check("upc_memput_async", dst, n);
  GASP_BEGIN(UPC, GASP_UPC_NB_PUT_INIT, 1, &dst, src, n);
  h = pst_upc_handle(gasnet_put_nb_bulk(dst.thread, pst_upc_address(dst), src, n));
  GASP_FINISH(UPC, GASP_UPC_NB_PUT_INIT, 1, &dst, src, n, h);
  return h;
}

upc_handle_t upc_memset_async(upc_pts_t dst, int c, size_t n)
{
  upc_handle_t h;
  pst_upc_check("upc_memset_async", dst, n);
  GASP_BEGIN(UPC, GASP_PENSTOCK_NB_MEMSET, &dst, c, n);
  h = pst_upc_handle(gasnet_memset_nb(dst.thread, pst_upc_address(dst), c, n));
  GASP_FINISH(UPC, GASP_PENSTOCK_NB_MEMSET, &dst, c, n, h);
  return h;
}

/* ---- implicit handles ---- */

void upc_memcpy_asynci(upc_pts_t dst, upc_const_pts_t src, size_t n)
{
  GASP_BEGIN(UPC, GASP_PENSTOCK_NB_MEMCPY, &dst, &src, n);
  copy_nbi("upc_memcpy_asynci", dst, src, n);
  GASP_FINISH(UPC, GASP_PENSTOCK_NB_MEMCPY, &dst, &src, n, pst_upc_handle_told());
}

void upc_memget_asynci(void *dst, upc_const_pts_t src, size_t n)
{
  pst_upc_check("upc_memget_asynci", src, n);
  GASP_BEGIN(UPC, GASP_UPC_NB_GET_INIT, 1, dst, &src, n);
  gasnet_get_nbi_bulk(dst, src.thread, pst_upc_address(src), n);
  GASP_FINISH(UPC, GASP_UPC_NB_GET_INIT, 1, dst, &src, n, pst_upc_handle_told());
}

void upc_memput_asynci(upc_pts_t dst, const void *src, size_t n)
{
  pst_upc_check("upc_memput_asynci", dst, n);
  GASP_BEGIN(UPC, GASP_UPC_NB_PUT_INIT, 1, &dst, src, n);
  gasnet_put_nbi_bulk(dst.thread, pst_upc_address(dst), src, n);
  GASP_FINISH(UPC, GASP_UPC_NB_PUT_INIT, 1, &dst, src, n, pst_upc_handle_told());
}

void upc_memset_asynci(upc_pts_t dst, int c, size_t n)
{
  pst_upc_check("upc_memset_asynci", dst, n);
  GASP_BEGIN(UPC, GASP_PENSTOCK_NB_MEMSET, &dst, c, n);
  gasnet_memset_nbi(dst.thread, pst_upc_address(dst), c, n);
  GASP_FINISH(UPC, GASP_PENSTOCK_NB_MEMSET, &dst, c, n, pst_upc_handle_told());
}

PST_UPC_ALIAS(memcpy);
PST_UPC_ALIAS(memget);
PST_UPC_ALIAS(memput);
PST_UPC_ALIAS(memset);
PST_UPC_ALIAS(memcpy_async);
PST_UPC_ALIAS(memget_async);
PST_UPC_ALIAS(memput_async);
PST_UPC_ALIAS(memset_async);
PST_UPC_ALIAS(memcpy_asynci);
PST_UPC_ALIAS(memget_asynci);
PST_UPC_ALIAS(memput_asynci);
PST_UPC_ALIAS(memset_asynci);

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Vectors and indexed lists, translated into those of gasnetx_*_multi. Of two shared sides, one that is all
 * mapped here serves as the private side. */
#include "upc/lists.h"

#include <stdlib.h>

void *pst_upc_room(const char *call, size_t n, size_t size)
{
  void *p = n <= SIZE_MAX / size ? malloc(n * size) : NULL;
  if (!p) pst_upc_fatal(call, "out of memory for a list of %zu", n);
  return p;
}

/* ---- vectors ---- */

static size_t vector_bytes(size_t n, const upc_smemvec_t list[])
{
  size_t bytes = 0;
  for (size_t i = 0; i < n; i++) bytes += list[i].len;
  return bytes;
}

static size_t private_vector_bytes(size_t n, const upc_pmemvec_t list[])
{
  size_t bytes = 0;
  for (size_t i = 0; i < n; i++) bytes += list[i].len;
  return bytes;
}

static void bytes_must_equal(const char *call, size_t dst, size_t src)
{
  if (dst != src) pst_upc_fatal(call, "dstlist has %zu bytes, srclist %zu; they must be equal", dst, src);
}

static void vector_translate(const char *call, gasnetx_memvec_t to[], size_t n, const upc_smemvec_t list[])
{
  for (size_t i = 0; i < n; i++) {
    if (list[i].len == 0) {
      to[i] = (gasnetx_memvec_t){0, NULL, 0};
      continue;
    }
    pst_upc_check(call, list[i].addr, list[i].len);
    to[i] = (gasnetx_memvec_t){list[i].addr.thread, pst_upc_address(list[i].addr), list[i].len};
  }
}

/* 0, and the addresses, where all of it is mapped here; else -1. */
static int vector_localize(gasnet_memvec_t to[], size_t n, const upc_smemvec_t list[])
{
  for (size_t i = 0; i < n; i++) {
    to[i] = (gasnet_memvec_t){NULL, list[i].len};
    if (list[i].len && !(to[i].addr = pst_upc_here(list[i].addr))) return -1;
  }
  return 0;
}

/* Both types are an address and a length. */
static const gasnet_memvec_t *vector_plain(const upc_pmemvec_t list[])
{
  return (const gasnet_memvec_t *)(const void *)list;
}
_Static_assert(sizeof(gasnet_memvec_t) == sizeof(upc_pmemvec_t) &&
        offsetof(gasnet_memvec_t, len) == offsetof(upc_pmemvec_t, len),
    "");

static int vector_thread(size_t n, const upc_smemvec_t list[]) { return n ? (int)list[0].addr.thread : -1; }

static upc_handle_t vector_put(const char *call, int nb, size_t dstcount, const upc_smemvec_t dstlist[],
    size_t srccount, const gasnet_memvec_t src[])
{
  gasnetx_memvec_t few[PST_UPC_FEW], *dst = PST_UPC_ROOM(call, few, dstcount);
  upc_handle_t h;
  vector_translate(call, dst, dstcount, dstlist);
  h = PST_UPC_CALL(nb, gasnetx_putv_multi, dstcount, dst, srccount, src);
  PST_UPC_ROOM_END(few, dst);
  return h;
}

static upc_handle_t vector_get(const char *call, int nb, size_t dstcount, const gasnet_memvec_t dst[],
    size_t srccount, const upc_smemvec_t srclist[])
{
  gasnetx_memvec_t few[PST_UPC_FEW], *src = PST_UPC_ROOM(call, few, srccount);
  upc_handle_t h;
  vector_translate(call, src, srccount, srclist);
  h = PST_UPC_CALL(nb, gasnetx_getv_multi, dstcount, dst, srccount, src);
  PST_UPC_ROOM_END(few, src);
  return h;
}

static upc_handle_t put_vlist(const char *call, int nb, unsigned tag, size_t dstcount,
    const upc_smemvec_t dstlist[], size_t srccount, const upc_pmemvec_t srclist[])
{
  const struct pst_upc_vis v = {tag, GASP_PENSTOCK_VLIST, dstcount, srccount, vector_bytes(dstcount, dstlist),
      vector_thread(dstcount, dstlist)};
  upc_handle_t h;
  PST_UPC_VIS_BEGIN(v);
  bytes_must_equal(call, v.nbytes, private_vector_bytes(srccount, srclist));
  h = vector_put(call, nb, dstcount, dstlist, srccount, vector_plain(srclist));
  PST_UPC_VIS_FINISH(v, h);
  return h;
}

static upc_handle_t get_vlist(const char *call, int nb, unsigned tag, size_t dstcount,
    const upc_pmemvec_t dstlist[], size_t srccount, const upc_smemvec_t srclist[])
{
  const struct pst_upc_vis v = {tag, GASP_PENSTOCK_VLIST, dstcount, srccount, vector_bytes(srccount, srclist),
      vector_thread(srccount, srclist)};
  upc_handle_t h;
  PST_UPC_VIS_BEGIN(v);
  bytes_must_equal(call, private_vector_bytes(dstcount, dstlist), v.nbytes);
  h = vector_get(call, nb, dstcount, vector_plain(dstlist), srccount, srclist);
  PST_UPC_VIS_FINISH(v, h);
  return h;
}

static void vector_check(const char *call, size_t n, const upc_smemvec_t list[])
{
  for (size_t i = 0; i < n; i++) pst_upc_check(call, list[i].addr, list[i].len);
}

static upc_handle_t copy_vlist(const char *call, int nb, unsigned tag, size_t dstcount,
    const upc_smemvec_t dstlist[], size_t srccount, const upc_smemvec_t srclist[])
{
  const struct pst_upc_vis v = {tag, GASP_PENSTOCK_VLIST, dstcount, srccount, vector_bytes(dstcount, dstlist),
      vector_thread(dstcount, dstlist)};
  const size_t most = dstcount > srccount ? dstcount : srccount;
  gasnet_memvec_t few[PST_UPC_FEW], *here = PST_UPC_ROOM(call, few, most);
  upc_handle_t h;
  PST_UPC_VIS_BEGIN(v);
  bytes_must_equal(call, v.nbytes, vector_bytes(srccount, srclist));
  vector_check(call, dstcount, dstlist);
  vector_check(call, srccount, srclist);
  if (vector_localize(here, dstcount, dstlist) == 0)
    h = vector_get(call, nb, dstcount, here, srccount, srclist);
  else if (vector_localize(here, srccount, srclist) == 0)
    h = vector_put(call, nb, dstcount, dstlist, srccount, here);
  else
    h = pst_upc_copy_third(call, nb, (struct pst_upc_side){.vector = dstlist},
        (struct pst_upc_side){.vector = srclist}, v.nbytes);
  PST_UPC_ROOM_END(few, here);
  PST_UPC_VIS_FINISH(v, h);
  return h;
}

/* ---- indexed lists ---- */

/* Bytes of both sides. */
static size_t list_bytes(const char *call, size_t dstcount, size_t dstlen, size_t srccount, size_t srclen)
{
  size_t dst, src;
  if (__builtin_mul_overflow(dstcount, dstlen, &dst) || __builtin_mul_overflow(srccount, srclen, &src))
    pst_upc_fatal(call, "%zu * %zu or %zu * %zu bytes are too much", dstcount, dstlen, srccount, srclen);
  bytes_must_equal(call, dst, src);
  return dst;
}

/* A translated list: nodes and addresses, or addresses here. */
struct places {
  gasnet_node_t *node, few_nodes[PST_UPC_FEW];
  void **addr, *few_addrs[PST_UPC_FEW];
};

static void places_open(const char *call, struct places *p, size_t n, const upc_pts_t list[], size_t len)
{
  p->node = PST_UPC_ROOM(call, p->few_nodes, n);
  p->addr = PST_UPC_ROOM(call, p->few_addrs, n);
  for (size_t i = 0; i < n; i++) {
    pst_upc_check(call, list[i], len);
    p->node[i] = list[i].thread;
    p->addr[i] = pst_upc_address(list[i]);
  }
}

static void places_close(struct places *p)
{
  PST_UPC_ROOM_END(p->few_nodes, p->node);
  PST_UPC_ROOM_END(p->few_addrs, p->addr);
}

/* 0, and the addresses here, where all of it is mapped; else -1. */
static int places_localize(struct places *p, size_t n, const upc_pts_t list[])
{
  for (size_t i = 0; i < n; i++)
    if (!pst_upc_here(list[i])) return -1;
  for (size_t i = 0; i < n; i++) p->addr[i] = pst_upc_here(list[i]);
  return 0;
}

static void *const *unconst(const void *const list[]) { return (void *const *)(uintptr_t)list; }
static int list_thread(size_t n, const upc_pts_t list[]) { return n ? (int)list[0].thread : -1; }

static upc_handle_t put_ilist(const char *call, int nb, unsigned tag, size_t dstcount,
    const upc_pts_t dstlist[], size_t dstlen, size_t srccount, const void *const srclist[], size_t srclen)
{
  const struct pst_upc_vis v = {tag, GASP_PENSTOCK_ILIST, dstcount, srccount,
      list_bytes(call, dstcount, dstlen, srccount, srclen), list_thread(dstcount, dstlist)};
  upc_handle_t h = UPC_COMPLETE_HANDLE;
  struct places dst;
  PST_UPC_VIS_BEGIN(v);
  if (v.nbytes) {
    places_open(call, &dst, dstcount, dstlist, dstlen);
    h = PST_UPC_CALL(
        nb, gasnetx_puti_multi, dstcount, dst.node, dst.addr, dstlen, srccount, unconst(srclist), srclen);
    places_close(&dst);
  }
  PST_UPC_VIS_FINISH(v, h);
  return h;
}

static upc_handle_t get_ilist(const char *call, int nb, unsigned tag, size_t dstcount, void *const dstlist[],
    size_t dstlen, size_t srccount, const upc_pts_t srclist[], size_t srclen)
{
  const struct pst_upc_vis v = {tag, GASP_PENSTOCK_ILIST, dstcount, srccount,
      list_bytes(call, dstcount, dstlen, srccount, srclen), list_thread(srccount, srclist)};
  upc_handle_t h = UPC_COMPLETE_HANDLE;
  struct places src;
  PST_UPC_VIS_BEGIN(v);
  if (v.nbytes) {
    places_open(call, &src, srccount, srclist, srclen);
    h = PST_UPC_CALL(nb, gasnetx_geti_multi, dstcount, dstlist, dstlen, srccount, src.node, src.addr, srclen);
    places_close(&src);
  }
  PST_UPC_VIS_FINISH(v, h);
  return h;
}

struct indexed {
  size_t n;
  const upc_pts_t *list;
  size_t len;
};

static upc_handle_t copy_indexed(
    const char *call, int nb, const struct indexed *dst, const struct indexed *src, size_t nbytes)
{
  struct places d, s;
  upc_handle_t h;
  places_open(call, &d, dst->n, dst->list, dst->len);
  places_open(call, &s, src->n, src->list, src->len);
  if (places_localize(&d, dst->n, dst->list) == 0)
    h = PST_UPC_CALL(nb, gasnetx_geti_multi, dst->n, d.addr, dst->len, src->n, s.node, s.addr, src->len);
  else if (places_localize(&s, src->n, src->list) == 0)
    h = PST_UPC_CALL(nb, gasnetx_puti_multi, dst->n, d.node, d.addr, dst->len, src->n, s.addr, src->len);
  else
    h = pst_upc_copy_third(call, nb, (struct pst_upc_side){.list = dst->list, .len = dst->len},
        (struct pst_upc_side){.list = src->list, .len = src->len}, nbytes);
  places_close(&d);
  places_close(&s);
  return h;
}

static upc_handle_t copy_ilist(const char *call, int nb, unsigned tag, size_t dstcount,
    const upc_pts_t dstlist[], size_t dstlen, size_t srccount, const upc_pts_t srclist[], size_t srclen)
{
  const struct pst_upc_vis v = {tag, GASP_PENSTOCK_ILIST, dstcount, srccount,
      list_bytes(call, dstcount, dstlen, srccount, srclen), list_thread(dstcount, dstlist)};
  const struct indexed dst = {dstcount, dstlist, dstlen}, src = {srccount, srclist, srclen};
  upc_handle_t h = UPC_COMPLETE_HANDLE;
  PST_UPC_VIS_BEGIN(v);
  if (v.nbytes) h = copy_indexed(call, nb, &dst, &src, v.nbytes);
  PST_UPC_VIS_FINISH(v, h);
  return h;
}

/* ---- the interface: each in two forms, and under the document's other spellings ---- */

#define VECTOR_FORMS(name, of, way, d, s) \
  PST_UPC_FORMS(name, of, way, (size_t dstcount, d const dstlist[], size_t srccount, s const srclist[]), \
      dstcount, dstlist, srccount, srclist)
VECTOR_FORMS(memcpy_vlist, copy_vlist, COPY, upc_smemvec_t, upc_smemvec_t);
VECTOR_FORMS(memput_vlist, put_vlist, PUT, upc_smemvec_t, upc_pmemvec_t);
VECTOR_FORMS(mempu_vlist, put_vlist, PUT, upc_smemvec_t, upc_pmemvec_t);
VECTOR_FORMS(memget_vlist, get_vlist, GET, upc_pmemvec_t, upc_smemvec_t);

#define LIST_FORMS(name, of, way, d, s) \
  PST_UPC_FORMS(name, of, way, \
      (size_t dstcount, d const dstlist[], size_t dstlen, size_t srccount, s const srclist[], \
          size_t srclen), \
      dstcount, dstlist, dstlen, srccount, srclist, srclen)
LIST_FORMS(memcpy_ilist, copy_ilist, COPY, upc_pts_t, upc_const_pts_t);
LIST_FORMS(memcpy_ilst, copy_ilist, COPY, upc_pts_t, upc_const_pts_t);
LIST_FORMS(memput_ilist, put_ilist, PUT, upc_pts_t, const void *);
LIST_FORMS(memput_ilst, put_ilist, PUT, upc_pts_t, const void *);
LIST_FORMS(memget_ilist, get_ilist, GET, void *, upc_const_pts_t);
LIST_FORMS(memget_ilst, get_ilist, GET, void *, upc_const_pts_t);

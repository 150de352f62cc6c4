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

static void bytes_must_equal(const char *call, size_t dst, size_t src)
{
  if (dst != src) pst_upc_fatal(call, "dstlist has %zu bytes, srclist %zu; they must be equal", dst, src);
}

/* ---- vectors ---- */

/* One side: shared, or private, or shared and mapped here, which then is as private. */
struct vector {
  size_t n;
  const upc_smemvec_t *shared;
  const gasnet_memvec_t *private;
};

static struct vector vector_shared(size_t n, const upc_smemvec_t list[])
{
  return (struct vector){.n = n, .shared = list};
}

/* Both types are an address and a length. */
static struct vector vector_private(size_t n, const upc_pmemvec_t list[])
{
  return (struct vector){.n = n, .private = (const gasnet_memvec_t *)(const void *)list};
}
_Static_assert(sizeof(gasnet_memvec_t) == sizeof(upc_pmemvec_t) &&
        offsetof(gasnet_memvec_t, len) == offsetof(upc_pmemvec_t, len),
    "");

static size_t vector_bytes(const struct vector *v)
{
  size_t bytes = 0;
  for (size_t i = 0; i < v->n; i++) bytes += v->shared ? v->shared[i].len : v->private[i].len;
  return bytes;
}

static int vector_thread(const struct vector *v) { return v->n ? (int)v->shared[0].addr.thread : -1; }

static void vector_translate(const char *call, gasnetx_memvec_t to[], const struct vector *v)
{
  for (size_t i = 0; i < v->n; i++) {
    const upc_smemvec_t from = v->shared[i];
    to[i] = (gasnetx_memvec_t){0, NULL, 0};
    if (from.len == 0) continue;
    pst_upc_check(call, from.addr, from.len);
    to[i] = (gasnetx_memvec_t){from.addr.thread, pst_upc_address(from.addr), from.len};
  }
}

/* 0, and the addresses, where all of it is mapped here; else -1. */
static int vector_localize(gasnet_memvec_t to[], const struct vector *v)
{
  for (size_t i = 0; i < v->n; i++) {
    to[i] = (gasnet_memvec_t){NULL, v->shared[i].len};
    if (to[i].len && !(to[i].addr = pst_upc_here(v->shared[i].addr))) return -1;
  }
  return 0;
}

static upc_handle_t vector_put(
    const char *call, int nb, const struct vector *dst, size_t srcn, const gasnet_memvec_t src[])
{
  gasnetx_memvec_t few[PST_UPC_FEW], *there = PST_UPC_ROOM(call, few, dst->n);
  upc_handle_t h;
  vector_translate(call, there, dst);
  h = PST_UPC_CALL(nb, gasnetx_putv_multi, dst->n, there, srcn, src);
  PST_UPC_ROOM_END(few, there);
  return h;
}

static upc_handle_t vector_get(
    const char *call, int nb, size_t dstn, const gasnet_memvec_t dst[], const struct vector *src)
{
  gasnetx_memvec_t few[PST_UPC_FEW], *there = PST_UPC_ROOM(call, few, src->n);
  upc_handle_t h;
  vector_translate(call, there, src);
  h = PST_UPC_CALL(nb, gasnetx_getv_multi, dstn, dst, src->n, there);
  PST_UPC_ROOM_END(few, there);
  return h;
}

static void vector_check(const char *call, const struct vector *v)
{
  for (size_t i = 0; i < v->n; i++) pst_upc_check(call, v->shared[i].addr, v->shared[i].len);
}

static upc_handle_t vector_copy(
    const char *call, int nb, const struct vector *dst, const struct vector *src, size_t nbytes)
{
  gasnet_memvec_t few[PST_UPC_FEW], *here = PST_UPC_ROOM(call, few, dst->n > src->n ? dst->n : src->n);
  upc_handle_t h;
  vector_check(call, dst);
  vector_check(call, src);
  if (vector_localize(here, dst) == 0) h = vector_get(call, nb, dst->n, here, src);
  else if (vector_localize(here, src) == 0) h = vector_put(call, nb, dst, src->n, here);
  else
    h = pst_upc_copy_third(call, nb, (struct pst_upc_side){.vector = dst->shared},
        (struct pst_upc_side){.vector = src->shared}, nbytes);
  PST_UPC_ROOM_END(few, here);
  return h;
}

static upc_handle_t vector_transfer(
    const char *call, int nb, unsigned tag, struct vector dst, struct vector src)
{
  const struct pst_upc_vis v = {
      tag, GASP_PENSTOCK_VLIST, dst.n, src.n, vector_bytes(&dst), vector_thread(dst.private ? &src : &dst)};
  upc_handle_t h;
  PST_UPC_VIS_BEGIN(v);
  bytes_must_equal(call, v.nbytes, vector_bytes(&src));
  if (dst.private) h = vector_get(call, nb, dst.n, dst.private, &src);
  else if (src.private) h = vector_put(call, nb, &dst, src.n, src.private);
  else h = vector_copy(call, nb, &dst, &src, v.nbytes);
  PST_UPC_VIS_FINISH(v, h);
  return h;
}

/* ---- indexed lists ---- */

struct indexed {
  size_t n, len;
  const upc_pts_t *shared;
  void *const *private;
};

static struct indexed indexed_shared(size_t n, const upc_pts_t list[], size_t len)
{
  return (struct indexed){.n = n, .len = len, .shared = list};
}

/* list: of `void *` or `const void *`. */
static struct indexed indexed_private(size_t n, const void *list, size_t len)
{
  return (struct indexed){.n = n, .len = len, .private = (void *const *)list};
}

static int indexed_thread(const struct indexed *x) { return x->n ? (int)x->shared[0].thread : -1; }

/* Bytes of both sides. */
static size_t indexed_bytes(const char *call, const struct indexed *dst, const struct indexed *src)
{
  size_t to, from;
  if (__builtin_mul_overflow(dst->n, dst->len, &to) || __builtin_mul_overflow(src->n, src->len, &from))
    pst_upc_fatal(call, "%zu * %zu or %zu * %zu bytes are too much", dst->n, dst->len, src->n, src->len);
  bytes_must_equal(call, to, from);
  return to;
}

/* A translated list: nodes and addresses, or addresses here. */
struct places {
  gasnet_node_t *node, few_nodes[PST_UPC_FEW];
  void **addr, *few_addrs[PST_UPC_FEW];
};

static void places_open(const char *call, struct places *p, const struct indexed *x)
{
  p->node = PST_UPC_ROOM(call, p->few_nodes, x->n);
  p->addr = PST_UPC_ROOM(call, p->few_addrs, x->n);
  for (size_t i = 0; i < x->n; i++) {
    pst_upc_check(call, x->shared[i], x->len);
    p->node[i] = x->shared[i].thread;
    p->addr[i] = pst_upc_address(x->shared[i]);
  }
}

static void places_close(struct places *p)
{
  PST_UPC_ROOM_END(p->few_nodes, p->node);
  PST_UPC_ROOM_END(p->few_addrs, p->addr);
}

/* 0, and the addresses here, where all of it is mapped; else -1. */
static int places_localize(struct places *p, const struct indexed *x)
{
  for (size_t i = 0; i < x->n; i++)
    if (!pst_upc_here(x->shared[i])) return -1;
  for (size_t i = 0; i < x->n; i++) p->addr[i] = pst_upc_here(x->shared[i]);
  return 0;
}

static upc_handle_t places_put(
    int nb, const struct places *to, const struct indexed *dst, void *const here[], const struct indexed *src)
{
  return PST_UPC_CALL(nb, gasnetx_puti_multi, dst->n, to->node, to->addr, dst->len, src->n, here, src->len);
}

static upc_handle_t places_get(int nb, void *const here[], const struct indexed *dst,
    const struct places *from, const struct indexed *src)
{
  return PST_UPC_CALL(
      nb, gasnetx_geti_multi, dst->n, here, dst->len, src->n, from->node, from->addr, src->len);
}

static upc_handle_t indexed_copy(
    const char *call, int nb, const struct indexed *dst, const struct indexed *src, size_t nbytes)
{
  struct places d, s;
  upc_handle_t h;
  places_open(call, &d, dst);
  places_open(call, &s, src);
  if (places_localize(&d, dst) == 0) h = places_get(nb, d.addr, dst, &s, src);
  else if (places_localize(&s, src) == 0) h = places_put(nb, &d, dst, s.addr, src);
  else
    h = pst_upc_copy_third(call, nb, (struct pst_upc_side){.list = dst->shared, .len = dst->len},
        (struct pst_upc_side){.list = src->shared, .len = src->len}, nbytes);
  places_close(&d);
  places_close(&s);
  return h;
}

static upc_handle_t indexed_move(
    const char *call, int nb, const struct indexed *dst, const struct indexed *src, size_t nbytes)
{
  struct places there;
  upc_handle_t h;
  if (dst->shared && src->shared) return indexed_copy(call, nb, dst, src, nbytes);
  places_open(call, &there, dst->shared ? dst : src);
  if (dst->shared) h = places_put(nb, &there, dst, src->private, src);
  else h = places_get(nb, dst->private, dst, &there, src);
  places_close(&there);
  return h;
}

static upc_handle_t indexed_transfer(
    const char *call, int nb, unsigned tag, struct indexed dst, struct indexed src)
{
  const struct pst_upc_vis v = {tag, GASP_PENSTOCK_ILIST, dst.n, src.n, indexed_bytes(call, &dst, &src),
      indexed_thread(dst.private ? &src : &dst)};
  upc_handle_t h = UPC_COMPLETE_HANDLE;
  PST_UPC_VIS_BEGIN(v);
  if (v.nbytes) h = indexed_move(call, nb, &dst, &src, v.nbytes);
  PST_UPC_VIS_FINISH(v, h);
  return h;
}

/* ---- the interface: each in two forms, and under the document's other spellings ---- */

#define VECTORS(name, way, d, dst, s, src) \
  PST_UPC_FORMS(name, vector_transfer, way, \
      (size_t dstcount, d const dstlist[], size_t srccount, s const srclist[]), \
      vector_##dst(dstcount, dstlist), vector_##src(srccount, srclist))
VECTORS(memcpy_vlist, COPY, upc_smemvec_t, shared, upc_smemvec_t, shared);
VECTORS(memput_vlist, PUT, upc_smemvec_t, shared, upc_pmemvec_t, private);
VECTORS(mempu_vlist, PUT, upc_smemvec_t, shared, upc_pmemvec_t, private);
VECTORS(memget_vlist, GET, upc_pmemvec_t, private, upc_smemvec_t, shared);

#define LISTS(name, way, d, dst, s, src) \
  PST_UPC_FORMS(name, indexed_transfer, way, \
      (size_t dstcount, d const dstlist[], size_t dstlen, size_t srccount, s const srclist[], \
          size_t srclen), \
      indexed_##dst(dstcount, dstlist, dstlen), indexed_##src(srccount, srclist, srclen))
LISTS(memcpy_ilist, COPY, upc_pts_t, shared, upc_const_pts_t, shared);
LISTS(memcpy_ilst, COPY, upc_pts_t, shared, upc_const_pts_t, shared);
LISTS(memput_ilist, PUT, upc_pts_t, shared, const void *, private);
LISTS(memput_ilst, PUT, upc_pts_t, shared, const void *, private);
LISTS(memget_ilist, GET, void *, private, upc_const_pts_t, shared);
LISTS(memget_ilst, GET, void *, private, upc_const_pts_t, shared);

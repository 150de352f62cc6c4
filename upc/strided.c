/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Strided transfers. Of two shared sides, one that is mapped here serves as the private side. */
#include <stdlib.h>

#include "support/integers.h"
#include "upc/lists.h"

/* One side as the calls below pass it: in the memory of a thread, or private. */
struct end {
  int shared;
  upc_pts_t p;
  char *private;
};

static struct end end_shared(upc_const_pts_t p) { return (struct end){1, p, NULL}; }
static struct end end_private(const void *p) { return (struct end){0, UPC_PTS_NULL, (char *)(uintptr_t)p}; }
/* Its address here, or NULL. */
static char *end_here(const struct end *e) { return e->shared ? pst_upc_here(e->p) : e->private; }

/* ---- N dimensions ---- */

struct box {
  const size_t *dststrides, *srcstrides, *count;
  size_t levels;
};

static size_t box_bytes(const struct box *b)
{
  size_t bytes = b->count[0];
  for (size_t i = 1; i <= b->levels; i++) bytes *= b->count[i];
  return bytes;
}

/* Bytes from the first to the last, for checks. */
static size_t box_extent(const struct box *b, const size_t strides[])
{
  size_t extent = b->count[0];
  for (size_t i = 0; i < b->levels; i++) extent += (b->count[i + 1] - 1) * strides[i];
  return extent;
}

static struct pst_upc_side box_side(const struct box *b, upc_const_pts_t p, const size_t strides[])
{
  return (struct pst_upc_side){.base = p,
      .len = b->count[0],
      .dims = b->levels,
      .count = b->count + 1,
      .strides = (const ptrdiff_t *)strides};
}

static upc_handle_t box_move(const char *call, int nb, const struct box *b, const struct end *dst,
    const struct end *src, size_t nbytes)
{
  char *to, *from;
  if (dst->shared) pst_upc_check(call, dst->p, box_extent(b, b->dststrides));
  if (src->shared) pst_upc_check(call, src->p, box_extent(b, b->srcstrides));
  to = end_here(dst);
  from = end_here(src);
  if (src->shared && to)
    return PST_UPC_CALL(nb, gasnet_gets, to, b->dststrides, src->p.thread, pst_upc_address(src->p),
        b->srcstrides, b->count, b->levels);
  if (from)
    return PST_UPC_CALL(nb, gasnet_puts, dst->p.thread, pst_upc_address(dst->p), b->dststrides, from,
        b->srcstrides, b->count, b->levels);
  return pst_upc_copy_third(
      call, nb, box_side(b, dst->p, b->dststrides), box_side(b, src->p, b->srcstrides), nbytes);
}

static upc_handle_t box_transfer(const char *call, int nb, unsigned tag, struct end dst,
    const size_t dststrides[], struct end src, const size_t srcstrides[], const size_t count[], size_t levels)
{
  const struct box b = {dststrides, srcstrides, count, levels};
  const size_t nbytes = box_bytes(&b), rows = count[0] ? nbytes / count[0] : 0;
  const struct pst_upc_vis v = {
      tag, GASP_PENSTOCK_STRIDED, rows, rows, nbytes, (int)(dst.shared ? dst.p : src.p).thread};
  upc_handle_t h = UPC_COMPLETE_HANDLE;
  PST_UPC_VIS_BEGIN(v);
  if (nbytes) h = box_move(call, nb, &b, &dst, &src, nbytes);
  PST_UPC_VIS_FINISH(v, h);
  return h;
}

/* ---- chunks, whose lengths may differ ---- */

struct chunks {
  size_t len, stride, count;
};

static struct pst_upc_side chunks_side(upc_const_pts_t p, const struct chunks *c)
{
  return (struct pst_upc_side){
      .base = p, .len = c->len, .dims = 1, .own_count = c->count, .own_stride = (ptrdiff_t)c->stride};
}

/* Elements as large as both lengths allow; each side has two dimensions of them. */
static upc_handle_t chunks_move(const char *call, int nb, const struct end *dst, const struct chunks *d,
    const struct end *src, const struct chunks *s, size_t nbytes)
{
  char *to, *from;
  const size_t elem = pst_common_divisor(d->len, s->len);
  const size_t dcount[] = {d->len / elem, d->count}, scount[] = {s->len / elem, s->count};
  const ptrdiff_t dstrides[] = {(ptrdiff_t)elem, (ptrdiff_t)d->stride},
                  sstrides[] = {(ptrdiff_t)elem, (ptrdiff_t)s->stride};
  if (dst->shared) pst_upc_check(call, dst->p, (d->count - 1) * d->stride + d->len);
  if (src->shared) pst_upc_check(call, src->p, (s->count - 1) * s->stride + s->len);
  to = end_here(dst);
  from = end_here(src);
  if (src->shared && to)
    return PST_UPC_CALL(nb, gasnetx_gets_reshape, to, dstrides, dcount, 2, src->p.thread,
        pst_upc_address(src->p), sstrides, scount, 2, elem);
  if (from)
    return PST_UPC_CALL(nb, gasnetx_puts_reshape, dst->p.thread, pst_upc_address(dst->p), dstrides, dcount, 2,
        from, sstrides, scount, 2, elem);
  return pst_upc_copy_third(call, nb, chunks_side(dst->p, d), chunks_side(src->p, s), nbytes);
}

static size_t chunks_bytes(const char *call, const char *side, const struct chunks *c)
{
  size_t bytes;
  if (__builtin_mul_overflow(c->len, c->count, &bytes))
    pst_upc_fatal(call, "%zu %s chunks of %zu bytes are too much", c->count, side, c->len);
  if (bytes && c->stride < c->len)
    pst_upc_fatal(
        call, "%schunkstride is %zu; it must be at least %schunklen, %zu", side, c->stride, side, c->len);
  return bytes;
}

static upc_handle_t chunks_transfer(const char *call, int nb, unsigned tag, struct end dst, size_t dstlen,
    size_t dststride, size_t dstcount, struct end src, size_t srclen, size_t srcstride, size_t srccount)
{
  const struct chunks d = {dstlen, dststride, dstcount}, s = {srclen, srcstride, srccount};
  const size_t nbytes = chunks_bytes(call, "dst", &d), from = chunks_bytes(call, "src", &s);
  const struct pst_upc_vis v = {
      tag, GASP_PENSTOCK_FSTRIDED, dstcount, srccount, nbytes, (int)(dst.shared ? dst.p : src.p).thread};
  upc_handle_t h = UPC_COMPLETE_HANDLE;
  if (nbytes != from)
    pst_upc_fatal(
        call, "the destination's chunks have %zu bytes, the source's %zu; they must be equal", nbytes, from);
  PST_UPC_VIS_BEGIN(v);
  if (nbytes) h = chunks_move(call, nb, &dst, &d, &src, &s, nbytes);
  PST_UPC_VIS_FINISH(v, h);
  return h;
}

/* ---- any order and direction of elements ---- */

struct any {
  const ptrdiff_t *dststrides, *srcstrides;
  size_t elemsz;
  const size_t *count;
  size_t dims;
};

static size_t any_elements(const struct any *a)
{
  size_t n = a->elemsz != 0;
  for (size_t i = 0; i < a->dims; i++) n *= a->count[i];
  return n;
}

static struct pst_upc_side any_side(const struct any *a, upc_const_pts_t p, const ptrdiff_t strides[])
{
  return (struct pst_upc_side){
      .base = p, .len = a->elemsz, .dims = a->dims, .count = a->count, .strides = strides};
}

static upc_handle_t any_move(const char *call, int nb, const struct any *a, const struct end *dst,
    const struct end *src, size_t nbytes)
{
  char *to, *from;
  if (dst->shared) pst_upc_check(call, dst->p, a->elemsz);
  if (src->shared) pst_upc_check(call, src->p, a->elemsz);
  to = end_here(dst);
  from = end_here(src);
  if (src->shared && to)
    return PST_UPC_CALL(nb, gasnetx_gets_any, to, a->dststrides, src->p.thread, pst_upc_address(src->p),
        a->srcstrides, a->elemsz, a->count, a->dims);
  if (from)
    return PST_UPC_CALL(nb, gasnetx_puts_any, dst->p.thread, pst_upc_address(dst->p), a->dststrides, from,
        a->srcstrides, a->elemsz, a->count, a->dims);
  return pst_upc_copy_third(
      call, nb, any_side(a, dst->p, a->dststrides), any_side(a, src->p, a->srcstrides), nbytes);
}

static upc_handle_t any_transfer(const char *call, int nb, unsigned tag, struct end dst,
    const ptrdiff_t dststrides[], struct end src, const ptrdiff_t srcstrides[], size_t elemsz,
    const size_t count[], size_t dims)
{
  const struct any a = {dststrides, srcstrides, elemsz, count, dims};
  const size_t n = any_elements(&a);
  const struct pst_upc_vis v = {
      tag, GASP_PENSTOCK_ANY, n, n, n * elemsz, (int)(dst.shared ? dst.p : src.p).thread};
  upc_handle_t h = UPC_COMPLETE_HANDLE;
  PST_UPC_VIS_BEGIN(v);
  if (n) h = any_move(call, nb, &a, &dst, &src, v.nbytes);
  PST_UPC_VIS_FINISH(v, h);
  return h;
}

/* ---- the interface ---- */

/* Copy, put and get of one kind, each in two forms. PARAMETERS(d, s) are those of a call whose two ends are
 * declared so; PASS(d, s) hands them on. */
#define EACH_WAY(kind, of, PARAMETERS, PASS) \
  PST_UPC_FORMS(memcpy_##kind, of, COPY, PARAMETERS(upc_pts_t dst, upc_const_pts_t src), \
      PASS(end_shared(dst), end_shared(src))); \
  PST_UPC_FORMS(memput_##kind, of, PUT, PARAMETERS(upc_pts_t dst, const void *src), \
      PASS(end_shared(dst), end_private(src))); \
  PST_UPC_FORMS(memget_##kind, of, GET, PARAMETERS(void *dst, upc_const_pts_t src), \
      PASS(end_private(dst), end_shared(src)))

#define BOX(d, s) \
  (d, const size_t dststrides[], s, const size_t srcstrides[], const size_t count[], size_t stridelevels)
#define PASS_BOX(d, s) d, dststrides, s, srcstrides, count, stridelevels
EACH_WAY(strided, box_transfer, BOX, PASS_BOX);

#define CHUNKS(d, s) \
  (d, size_t dstlen, size_t dststride, size_t dstcount, s, size_t srclen, size_t srcstride, size_t srccount)
#define PASS_CHUNKS(d, s) d, dstlen, dststride, dstcount, s, srclen, srcstride, srccount
EACH_WAY(fstrided, chunks_transfer, CHUNKS, PASS_CHUNKS);

#define ANY(d, s) \
  (d, const ptrdiff_t dststrides[], s, const ptrdiff_t srcstrides[], size_t elemsz, const size_t count[], \
      size_t dims)
#define PASS_ANY(d, s) d, dststrides, s, srcstrides, elemsz, count, dims
EACH_WAY(any, any_transfer, ANY, PASS_ANY);

/* The strides and counts of rectangles and boxes live until the call returns. A transfer through a buffer
 * (third.c) reads them until its end, so it is blocking. */
static upc_handle_t box_transfer_at_once(const char *call, int nb, unsigned tag, struct end dst,
    size_t dstpitch, size_t dstplane, struct end src, size_t srcpitch, size_t srcplane, size_t width,
    size_t height, size_t depth)
{
  const size_t dststrides[] = {dstpitch, dstplane}, srcstrides[] = {srcpitch, srcplane},
               count[] = {width, height, depth};
  if (nb && dst.shared && src.shared && width && height && depth && !end_here(&dst) && !end_here(&src)) {
    box_transfer(call, PST_UPC_BLOCKING, tag, dst, dststrides, src, srcstrides, count, 2);
    return UPC_COMPLETE_HANDLE;
  }
  return box_transfer(call, nb, tag, dst, dststrides, src, srcstrides, count, 2);
}

#define RECTANGLE(d, s)      (d, size_t dstpitch, s, size_t srcpitch, size_t width, size_t height)
#define PASS_RECTANGLE(d, s) d, dstpitch, height *dstpitch, s, srcpitch, height *srcpitch, width, height, 1
EACH_WAY(2d, box_transfer_at_once, RECTANGLE, PASS_RECTANGLE);

#define CUBOID(d, s) \
  (d, size_t dstpitch, size_t dstplane, s, size_t srcpitch, size_t srcplane, size_t width, size_t height, \
      size_t depth)
#define PASS_CUBOID(d, s) d, dstpitch, dstplane, s, srcpitch, srcplane, width, height, depth
EACH_WAY(3d, box_transfer_at_once, CUBOID, PASS_CUBOID);

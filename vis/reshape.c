/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* gasnetx_puts/gets_reshape: counts of their own on either side. */
#include "core/job.h"
#include "vis/check.h"

/* One side of a call as its node sees it. */
struct grid {
  char *addr;
  const ptrdiff_t *strides;
  const size_t *count;
  size_t dims;
};

/* The dimensions of one side. Those that continue each other are merged, also with the element. The order
 * stays: it numbers the elements. */
struct levels {
  size_t row, n;
  size_t count[PST_SHAPE_LEVELS];
  ptrdiff_t stride[PST_SHAPE_LEVELS];
};

static size_t grid_elements(const struct grid *g)
{
  size_t n = 1;
  for (size_t i = 0; i < g->dims; i++) n *= g->count[i];
  return n;
}

static void levels_add(struct levels *l, const char *call, const char *side, size_t count, ptrdiff_t stride)
{
  const size_t n = l->n;
  if (count == 1) return;
  if (n == 0 && stride == (ptrdiff_t)l->row) {
    l->row *= count;
    return;
  }
  if (n > 0 && stride == l->stride[n - 1] * (ptrdiff_t)l->count[n - 1]) {
    l->count[n - 1] *= count;
    return;
  }
  if (n == PST_SHAPE_LEVELS)
    pst_fatal("%s: %s has more than %d dimensions with a count above 1", call, side, PST_SHAPE_LEVELS);
  l->count[n] = count;
  l->stride[n] = stride;
  l->n++;
}

static void levels_make(
    struct levels *l, const char *call, const char *side, const struct grid *g, size_t elemsz)
{
  l->row = elemsz;
  l->n = 0;
  for (size_t i = 0; i < g->dims; i++) levels_add(l, call, side, g->count[i], g->strides[i]);
}

/* ---- a shape for both ---- */

/* The part of a side that no common level has taken yet. */
struct rest {
  const struct levels *of;
  size_t next, count; /* of the level before `next` this many are left; 1: none */
  ptrdiff_t stride;
};

static void rest_refill(struct rest *r)
{
  if (r->count > 1 || r->next == r->of->n) return;
  r->count = r->of->count[r->next];
  r->stride = r->of->stride[r->next++];
}

static void rest_take(struct rest *r, size_t count)
{
  r->count /= count;
  r->stride *= (ptrdiff_t)count;
}

/* Where the rows differ in length, the longer one is a level of shorter rows. */
static struct rest rest_begin(const struct levels *l, size_t row)
{
  return (struct rest){.of = l, .count = l->row / row, .stride = (ptrdiff_t)row};
}

/* Levels that both sides have. */
struct common {
  size_t row, n;
  size_t count[PST_SHAPE_LEVELS];
  ptrdiff_t dst[PST_SHAPE_LEVELS], src[PST_SHAPE_LEVELS];
};

/* Splits the levels of each side where the other has a boundary. 0: a boundary falls within a repetition. */
static int levels_match(struct common *c, const struct levels *dst, const struct levels *src)
{
  struct rest d, s;
  c->row = dst->row < src->row ? dst->row : src->row;
  if (dst->row % c->row || src->row % c->row) return 0;
  d = rest_begin(dst, c->row);
  s = rest_begin(src, c->row);
  for (c->n = 0; rest_refill(&d), rest_refill(&s), d.count > 1; c->n++) {
    const size_t n = d.count < s.count ? d.count : s.count;
    if (c->n == PST_SHAPE_LEVELS || d.count % n || s.count % n) return 0;
    c->count[c->n] = n;
    c->dst[c->n] = d.stride;
    c->src[c->n] = s.stride;
    rest_take(&d, n);
    rest_take(&s, n);
  }
  return 1;
}

/* ---- */

static gasnet_handle_t reshape_common(
    const struct pst_transfer *t, const struct common *c, char *dst, char *src)
{
  struct pst_shape s;
  ptrdiff_t dstshift, srcshift;
  pst_shape_any(&s, t->call, c->row, c->dst, c->src, c->count, c->n, &dstshift, &srcshift);
  return pst_transfer_shape(t, &s, dst + dstshift, src + srcshift);
}

static void check_grids(
    const struct pst_transfer *t, const struct grid *dst, const struct grid *src, size_t elemsz)
{
  const size_t d = grid_elements(dst), s = grid_elements(src);
  pst_check_call(t->call, t->node);
  if (elemsz && d != s)
    pst_fatal("%s: dstcount has %zu elements, srccount %zu; they must be equal", t->call, d, s);
}

static gasnet_handle_t reshape(const char *call, unsigned op, gasnet_node_t node, const struct grid *dst,
    const struct grid *src, size_t elemsz)
{
  const struct pst_transfer t = {.op = op, .node = node, .call = call};
  const int get = op & PST_OP_GET;
  struct levels d, s;
  struct common c;
  struct pst_side to, from;
  if (PST_DEBUG) check_grids(&t, dst, src, elemsz);
  if (elemsz == 0 || grid_elements(dst) == 0 || grid_elements(src) == 0) return GASNET_INVALID_HANDLE;
  levels_make(&d, call, "dstcount", dst, elemsz);
  levels_make(&s, call, "srccount", src, elemsz);
  pst_side_strided(&to, dst->addr, d.row, d.n, d.count, d.stride);
  pst_side_strided(&from, src->addr, s.row, s.n, s.count, s.stride);
  if (PST_DEBUG) pst_check_side(call, get ? "srcaddr" : "dstaddr", node, get ? &from : &to);
  if (levels_match(&c, &d, &s)) return reshape_common(&t, &c, dst->addr, src->addr);
  return pst_transfer_sides(&t, get ? &from : &to, get ? &to : &from);
}

#define DST ((struct grid){dstaddr, dststrides, dstcount, dstdims})
#define SRC ((struct grid){srcaddr, srcstrides, srccount, srcdims})

PST_VIS_FORMS(gasnetx_puts_reshape,
    (gasnet_node_t dstnode, void *dstaddr, const ptrdiff_t dststrides[], const size_t dstcount[],
        size_t dstdims, void *srcaddr, const ptrdiff_t srcstrides[], const size_t srccount[], size_t srcdims,
        size_t elemsz),
    0, reshape(__func__, op, dstnode, &DST, &SRC, elemsz))

PST_VIS_FORMS(gasnetx_gets_reshape,
    (void *dstaddr, const ptrdiff_t dststrides[], const size_t dstcount[], size_t dstdims,
        gasnet_node_t srcnode, void *srcaddr, const ptrdiff_t srcstrides[], const size_t srccount[],
        size_t srcdims, size_t elemsz),
    PST_OP_GET, reshape(__func__, op, srcnode, &DST, &SRC, elemsz))

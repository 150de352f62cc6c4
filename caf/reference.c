/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Objects of another image that a chain of references names, with components that are allocatable or
 * pointers. The chain is followed from here: the descriptor of each such component is read from the image,
 * then the data. */
#include <stdlib.h>

#include "caf/target.h"
#include "caf/tool.h"
#include "caf/transfer.h"

/* How far a chain has been followed. */
struct chain {
  const char *call;
  gasnet_node_t node;
  const struct pst_caf_token *token;
  struct pst_caf_side side; /* base: where we are; the dimensions so far */
  int rank;                 /* of `dim`, the bounds of the array there */
  struct pst_caf_dim dim[PST_CAF_RANKS];
  ptrdiff_t span;
};

/* ---- components ---- */

static int subscripts_count(const caf_reference_t *r)
{
  int n = 0;
  while (n < PST_CAF_RANKS && r->of.array.mode[n] != PST_CAF_SUBSCRIPTS_END) n++;
  return n;
}

/* A pointer may point to memory that is in no coarray. */
static void memory_fetch(const struct chain *c, void *dst, const char *at, size_t nbytes)
{
  const struct pst_caf_side side = {.element = nbytes, .type = PST_CAF_DERIVED, .count = 1};
  struct pst_caf_side here = side, there = side;
  if (!pst_caf_target_is_far(c->node, at)) {
    pst_caf_fetch(c->node, dst, at, nbytes);
    return;
  }
  here.base = dst;
  there.base = (char *)(uintptr_t)at;
  pst_caf_target_move(c->call, c->node, 0, &here, &there);
}

/* 0: it is not allocated, or a null pointer. */
static int target_follow(struct chain *c, const caf_reference_t *next)
{
  union pst_caf_whole_descriptor target = {.room = {0}}; /* it stays so where the image is lost */
  const gfc_descriptor_t *const desc = &target.desc;
  const int array = next && next->type == PST_CAF_REF_ARRAY;
  const char *const at = c->side.base;
  c->rank = array ? subscripts_count(next) : 0;
  memory_fetch(c, &target, at,
      array ? offsetof(gfc_descriptor_t, dim) + (size_t)c->rank * sizeof desc->dim[0] : sizeof desc->base);
  c->side.base = desc->base;
  if (!c->side.base) return 0;
  if (array) c->span = desc->span ? desc->span : (ptrdiff_t)desc->element;
  for (int k = 0; k < c->rank; k++) c->dim[k] = desc->dim[k];
  return 1;
}

/* ---- subscripts ---- */

static void dim_add(struct chain *c, struct pst_caf_extent e)
{
  if (c->side.rank == PST_CAF_RANKS)
    pst_caf_fatal(c->call, "an array of more than %d dimensions", PST_CAF_RANKS);
  c->side.dim[c->side.rank++] = e;
  c->side.count *= e.count;
}

static void range_add(
    struct chain *c, ptrdiff_t first, ptrdiff_t last, ptrdiff_t step, ptrdiff_t lower, ptrdiff_t bytes)
{
  const ptrdiff_t n = step ? (last - first + step) / step : 0;
  c->side.base += (first - lower) * bytes;
  dim_add(c, (struct pst_caf_extent){.count = n > 0 ? (size_t)n : 0, .stride = step * bytes});
}

/* A subscript in the bounds lower to upper of a dimension whose elements lie `bytes` apart. */
static void subscript_add(struct chain *c, enum pst_caf_subscript mode, const union pst_caf_ref_dim *d,
    ptrdiff_t lower, ptrdiff_t upper, ptrdiff_t bytes)
{
  const ptrdiff_t start = d->range.start, end = d->range.end, step = d->range.stride;
  switch (mode) {
  case PST_CAF_VECTOR:
    dim_add(c, (struct pst_caf_extent){d->list.count, bytes, d->list.subscript, d->list.kind, lower});
    break;
  case PST_CAF_SINGLE: c->side.base += (start - lower) * bytes; break;
  case PST_CAF_FULL:
    range_add(c, step < 0 ? upper : lower, step < 0 ? lower : upper, step, lower, bytes);
    break;
  case PST_CAF_RANGE: range_add(c, start, end, step, lower, bytes); break;
  case PST_CAF_OPEN_END: range_add(c, start, step < 0 ? lower : upper, step, lower, bytes); break;
  case PST_CAF_OPEN_START: range_add(c, step < 0 ? upper : lower, end, step, lower, bytes); break;
  default: pst_caf_fatal(c->call, "a subscript of an unknown form %d", mode);
  }
}

/* The bounds are those of a component's descriptor, or of an allocatable coarray. */
static void array_index(struct chain *c, const caf_reference_t *r)
{
  const int n = subscripts_count(r);
  if (n != c->rank) pst_caf_fatal(c->call, "%d subscripts of an array of %d dimensions", n, c->rank);
  for (int k = 0; k < n; k++)
    subscript_add(c, r->of.array.mode[k], &r->of.array.dim[k], c->dim[k].lower, c->dim[k].upper,
        c->dim[k].stride * c->span);
}

/* Subscripts count elements from the array's beginning, and so do the strides. */
static void static_array_index(struct chain *c, const caf_reference_t *r)
{
  const int n = subscripts_count(r);
  for (int k = 0; k < n; k++) {
    const int whole = r->of.array.mode[k] == PST_CAF_FULL;
    subscript_add(
        c, whole ? PST_CAF_RANGE : r->of.array.mode[k], &r->of.array.dim[k], 0, 0, (ptrdiff_t)r->item_size);
  }
}

static void coarray_bounds(struct chain *c, const caf_reference_t *first)
{
  const struct pst_caf_token *const t = c->token;
  if (first->type != PST_CAF_REF_ARRAY) return;
  pst_caf_tokens_settle();
  if (!t->dim) pst_caf_fatal(c->call, "the bounds of the coarray are not known");
  c->rank = t->rank;
  c->span = (ptrdiff_t)first->item_size;
  for (int k = 0; k < t->rank; k++) c->dim[k] = t->dim[k];
}

/* Follows it to the end: c->side is what it names. 0: something on the way is not there. */
static int chain_follow(struct chain *c, const char *call, const struct pst_caf_token *token, int image,
    const caf_reference_t *refs, int type, int kind)
{
  *c = (struct chain){.call = call, .node = pst_caf_node(call, image), .token = token};
  c->side = (struct pst_caf_side){
      .base = pst_caf_at(token, c->node, 0), .type = type, .kind = kind, .count = 1};
  coarray_bounds(c, refs);
  for (const caf_reference_t *r = refs; r; r = r->next) {
    c->side.element = r->item_size;
    if (r->type == PST_CAF_REF_ARRAY) array_index(c, r);
    else if (r->type == PST_CAF_REF_STATIC_ARRAY) static_array_index(c, r);
    else {
      c->side.base += r->of.component.offset;
      if (r->of.component.token_offset && !target_follow(c, r->next)) return 0;
    }
  }
  return 1;
}

/* 0: the image has failed, so nothing is known of its components; its status is set. */
static int chain_need(struct chain *c, const char *call, const struct pst_caf_token *token, int image,
    const caf_reference_t *refs, int type, int kind, int *stat)
{
  if (chain_follow(c, call, token, image, refs, type, kind)) return 1;
  if (!gasnetx_node_is_lost(c->node))
    pst_caf_fatal(call, "a component of image %d is not allocated, or a null pointer", image);
  pst_caf_put_status(call, c->node, stat);
  return 0;
}

/* ---- the local side ---- */

static int has_shape(const gfc_descriptor_t *d, const struct pst_caf_side *s)
{
  for (int k = 0; k < d->rank && k < s->rank; k++)
    if (d->dim[k].upper - d->dim[k].lower + 1 != (ptrdiff_t)s->dim[k].count) return 0;
  return d->base && d->rank == s->rank;
}

/* The variable to the left of = gets the shape of what is assigned. */
static void variable_shape(struct chain *c, gfc_descriptor_t *d)
{
  ptrdiff_t stride = 1;
  const size_t nbytes = c->side.count * d->element;
  void *const memory = realloc(d->base, nbytes ? nbytes : 1);
  if (!memory || d->rank != c->side.rank) pst_caf_fatal(c->call, "out of memory, or the ranks differ");
  d->base = memory;
  d->span = (ptrdiff_t)d->element;
  d->offset = 0;
  for (int k = 0; k < d->rank; k++) {
    d->dim[k] = (struct pst_caf_dim){stride, 1, (ptrdiff_t)c->side.dim[k].count};
    d->offset -= (size_t)stride;
    stride *= (ptrdiff_t)c->side.dim[k].count;
  }
}

/* ---- the calls ---- */

/* What the chain names is the destination, or the source. */
static void chain_put(const struct chain *c, const struct pst_caf_side *src, int may_overlap)
{
  if (pst_caf_target_is_far(c->node, c->side.base)) pst_caf_target_move(c->call, c->node, 1, &c->side, src);
  else pst_caf_move(c->call, c->node, 1, &c->side, src, may_overlap);
}
static void chain_get(const struct chain *c, const struct pst_caf_side *dst, int may_overlap)
{
  if (pst_caf_target_is_far(c->node, c->side.base)) pst_caf_target_move(c->call, c->node, 0, dst, &c->side);
  else pst_caf_move(c->call, c->node, 0, dst, &c->side, may_overlap);
}

/* What a tool is told, which is not known before the chain has been followed. */
static size_t chain_bytes(const char *call, const struct pst_caf_token *token, int image,
    const caf_reference_t *refs, int type, int kind)
{
  struct chain c;
  int failed;
  if (!chain_need(&c, call, token, image, refs, type, kind, &failed)) return 0;
  return c.side.count * c.side.element;
}

static const char call_get[] = "reference to another image's component",
                  call_put[] = "assignment to another image's component";

void _gfortran_caf_get_by_ref(caf_token_t token, int image, gfc_descriptor_t *dst, caf_reference_t *refs,
    int dst_kind, int src_kind, bool may_overlap, bool reallocatable, int *stat, int src_type)
{
  struct chain c;
  struct pst_caf_side d;
  PST_CAF_TOLD(GASP_CAF_GET, chain_bytes(call_get, token, image, refs, src_type, src_kind), image,
      _gfortran_caf_get_by_ref(
          token, image, dst, refs, dst_kind, src_kind, may_overlap, reallocatable, stat, src_type));
  if (!chain_need(&c, call_get, token, image, refs, src_type, src_kind, stat)) return;
  if (reallocatable && !has_shape(dst, &c.side)) variable_shape(&c, dst);
  pst_caf_side_read(&d, dst, NULL, dst_kind, dst->base);
  chain_get(&c, &d, may_overlap);
  pst_caf_put_status(call_get, c.node, stat);
}

void _gfortran_caf_send_by_ref(caf_token_t token, int image, gfc_descriptor_t *src, caf_reference_t *refs,
    int dst_kind, int src_kind, bool may_overlap, bool reallocatable, int *stat, int dst_type)
{
  struct chain c;
  struct pst_caf_side s;
  PST_CAF_TOLD(GASP_CAF_PUT, chain_bytes(call_put, token, image, refs, dst_type, dst_kind), image,
      _gfortran_caf_send_by_ref(
          token, image, src, refs, dst_kind, src_kind, may_overlap, reallocatable, stat, dst_type));
  if (!chain_need(&c, call_put, token, image, refs, dst_type, dst_kind, stat)) return;
  pst_caf_side_read(&s, src, NULL, src_kind, src->base);
  if (reallocatable && s.rank && s.count != c.side.count)
    pst_caf_fatal(call_put, "%zu elements are assigned to a component of image %d that has %zu", s.count,
        image, c.side.count);
  chain_put(&c, &s, may_overlap);
  pst_caf_put_status(call_put, c.node, stat);
}

void _gfortran_caf_sendget_by_ref(caf_token_t dst_token, int dst_image, caf_reference_t *dst_refs,
    caf_token_t src_token, int src_image, caf_reference_t *src_refs, int dst_kind, int src_kind,
    bool may_overlap, int *dst_stat, int *src_stat, int dst_type, int src_type)
{
  struct chain to, from;
  struct pst_caf_side packed;
  PST_CAF_TOLD(GASP_CAF_COPY, chain_bytes(call_put, dst_token, dst_image, dst_refs, dst_type, dst_kind),
      dst_image,
      _gfortran_caf_sendget_by_ref(dst_token, dst_image, dst_refs, src_token, src_image, src_refs, dst_kind,
          src_kind, may_overlap, dst_stat, src_stat, dst_type, src_type));
  (void)may_overlap;
  if (!chain_need(&from, call_get, src_token, src_image, src_refs, src_type, src_kind, src_stat) ||
      !chain_need(&to, call_put, dst_token, dst_image, dst_refs, dst_type, dst_kind, dst_stat))
    return;
  char *const copy = pst_caf_own_take(from.side.count * from.side.element);
  pst_caf_side_pack(&packed, &from.side, &from.side, copy);
  chain_get(&from, &packed, 0);
  chain_put(&to, &packed, 0);
  free(copy);
  pst_caf_put_status(call_get, from.node, src_stat);
  pst_caf_put_status(call_put, to.node, dst_stat);
}

int _gfortran_caf_is_present(caf_token_t token, int image, caf_reference_t *refs)
{
  struct chain c;
  int is;
  PST_CAF_TOLD(GASP_CAF_ALLOCATED, 0, image, is = _gfortran_caf_is_present(token, image, refs), is);
  return chain_follow(&c, "allocated", token, image, refs, 0, 0);
}

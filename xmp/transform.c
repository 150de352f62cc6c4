/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* scatter, gather, pack, unpack, transpose. */
#include "xmp/transform.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "xmp/alone.h"
#include "xmp/coarray.h"
#include "xmp/gmove_run.h"
#include "xmp/operation.h"

typedef pst_xmp_index_t index_t;
typedef struct pst_xmp_array_full array_t;
enum { PIECE = 1 << 14 }; /* elements that are on the way at a time */

/* ---- arguments ---- */

array_t *pst_xmp_transform_array(const char *call, void *argument, int dims)
{
  array_t *a;
  pst_xmp_need_open(call);
  if (!(a = argument ? pst_xmp_array_find(argument) : NULL)) a = pst_xmp_array_need(call, argument);
  if (dims && a->dims != dims)
    pst_xmp_fatal(
        call, "%s must have %d dimension%s, and has %d", a->name, dims, dims == 1 ? "" : "s", a->dims);
  return a;
}

void pst_xmp_transform_same_type(const char *call, const array_t *a, const array_t *b)
{
  if (a->type != b->type || a->size != b->size)
    pst_xmp_fatal(call, "%s and %s have elements of different types", a->name, b->name);
}

void pst_xmp_transform_different(const char *call, const array_t *a, const array_t *b)
{
  if (a == b) pst_xmp_fatal(call, "the result %s is an operand, too", a->name);
}

static void shapes_check(const char *call, const array_t *a, const array_t *b)
{
  if (a->dims != b->dims)
    pst_xmp_fatal(call, "%s and %s have different numbers of dimensions, %d and %d", a->name, b->name,
        a->dims, b->dims);
  for (int k = 0; k < a->dims; k++)
    if (a->dim[k].extent != b->dim[k].extent)
      pst_xmp_fatal(call, "dimension %d of %s has %lld elements, and that of %s has %lld", k + 1, a->name,
          a->dim[k].extent, b->name, b->dim[k].extent);
}

static array_t *mask_array(const char *call, void *mask, const array_t *like)
{
  array_t *m;
  if (!mask) return NULL;
  m = pst_xmp_transform_array(call, mask, 0);
  shapes_check(call, m, like);
  return m;
}

/* ---- shares ---- */

void pst_xmp_transform_meet(struct pst_xmp_group *g)
{
  pst_front_put_complete();
  pst_xmp_group_barrier(g);
}

void pst_xmp_transform_share(const struct pst_xmp_group *g, index_t n, index_t *first, index_t *count)
{
  const index_t share = (n + g->size - 1) / g->size, from = share * g->rank;
  *first = from < n ? from : n;
  *count = share < n - *first ? share : n - *first;
}

index_t pst_xmp_transform_before(struct pst_xmp_group *g, index_t value, index_t *all)
{
  const gasnetx_reduction_t sum = {.type = GASNETX_TYPE_INT64, .op = GASNETX_OP_SUM, .size = sizeof(int64_t)};
  int64_t mine = value, before = 0, last = value;
  if (g->size > 1) {
    gasnetx_coll_scan(pst_xmp_group_team(g), &before, &mine, 1, &sum);
    last = before;
    before -= mine;
    gasnetx_coll_broadcast(pst_xmp_group_team(g), &last, (gasnet_node_t)(g->size - 1), &last, sizeof last);
  }
  *all = last;
  return before;
}

/* ---- index arrays ---- */

/* Elements by their indices: the places of a piece of them, and the indices as they come. */
struct lookup {
  const char *call;
  array_t *target;
  array_t *index[PST_XMP_DIMENSIONS];
  void *raw;        /* indices of one dimension, as their array has them */
  long long *value; /* [dims][PIECE] */
  void *place[PIECE];
  gasnet_node_t node[PIECE];
};

static struct lookup *lookup_open(const char *call, array_t *target, const array_t *like, va_list args)
{
  struct lookup *const l = pst_xmp_own_take(call, sizeof *l);
  size_t widest = 1;
  l->call = call;
  l->target = target;
  for (int k = 0; k < target->dims; k++) {
    array_t *const i = l->index[k] = pst_xmp_transform_array(call, va_arg(args, void *), 0);
    shapes_check(call, i, like);
    if (i->type < PST_XMP_BOOL || i->type > PST_XMP_ULLONG)
      pst_xmp_fatal(call, "index array %s has no integers", i->name);
    if (i->size > widest) widest = i->size;
  }
  l->raw = pst_xmp_own_take(call, widest * PIECE);
  l->value = pst_xmp_own_take(call, (size_t)target->dims * PIECE * sizeof *l->value);
  return l;
}

static void lookup_close(struct lookup *l)
{
  free(l->raw);
  free(l->value);
  free(l);
}

/* The places that elements first, ..., count of them, of the index arrays name. */
static void lookup_find(struct lookup *l, index_t first, index_t count)
{
  const int dims = l->target->dims;
  for (int k = 0; k < dims; k++) {
    pst_xmp_run_get(l->call, l->index[k], first, count, l->raw);
    pst_xmp_type_convert(
        PST_XMP_LLONG, l->value + k * PIECE, l->index[k]->type, l->raw, (unsigned long)count);
  }
  for (index_t i = 0; i < count; i++) {
    index_t index[PST_XMP_DIMENSIONS];
    for (int k = 0; k < dims; k++) index[k] = l->value[k * PIECE + i];
    l->place[i] = pst_xmp_element_at(l->call, l->target, index, &l->node[i]);
  }
}

/* ---- replicas ---- */

/* The first of the nodes that have the elements of these coordinates in the array's dimensions. */
static gasnet_node_t replica_first(const array_t *a, const index_t coordinate[])
{
  const struct pst_xmp_nodes *const n = a->template_->nodes;
  int at[PST_XMP_DIMENSIONS];
  for (int d = 0; d < n->dims; d++) at[d] = a->array_dim[d] < 0 ? 0 : (int)coordinate[a->array_dim[d]];
  return (gasnet_node_t)pst_xmp_nodes_at(n, at);
}

/* Where elements are written one by one they go to the first replica, from which the others then get all. Two
 * values for one element would else leave replicas that differ. */
static void lookup_take_first(struct lookup *l, index_t count)
{
  const array_t *const a = l->target;
  for (index_t i = 0; i < count; i++) {
    index_t coordinate[PST_XMP_DIMENSIONS];
    for (int k = 0; k < a->dims; k++)
      coordinate[k] = pst_xmp_axis_owner(&a->dim[k].axis, l->value[k * PIECE + i]);
    const gasnet_node_t first = replica_first(a, coordinate);
    char *const part = pst_xmp_array_at(l->call, a, (int)l->node[i]);
    l->place[i] = (char *)pst_xmp_array_at(l->call, a, (int)first) + ((char *)l->place[i] - part);
    l->node[i] = first;
  }
}

/* This node's part, without its shadow, from the first replica's. */
static void replica_get(const char *call, const array_t *a)
{
  index_t coordinate[PST_XMP_DIMENSIONS];
  size_t count[PST_XMP_DIMENSIONS], offset = 0;
  ptrdiff_t stride[PST_XMP_DIMENSIONS], step = (ptrdiff_t)a->size;
  gasnet_node_t first;
  if (!a->member) return;
  for (int k = 0; k < a->dims; k++) coordinate[k] = a->coordinate[k];
  if ((first = replica_first(a, coordinate)) == (gasnet_node_t)pst_xmp_job.me) return;
  for (int k = a->dims - 1, i = 0; k >= 0; k--, i++) {
    count[i] = (size_t)a->mine[k].count;
    stride[i] = step;
    offset += (size_t)(a->mine[k].origin * step);
    step *= (ptrdiff_t)a->mine[k].ld;
  }
  gasnetx_gets_any_bulk(a->seen.base + offset, stride, first,
      (char *)pst_xmp_array_at(call, a, (int)first) + offset, stride, a->size, count, (size_t)a->dims);
}

/* ---- scatter and gather ---- */

static index_t piece_of(index_t left) { return left < PIECE ? left : PIECE; }

/* Elements first, ..., count of them, of an array, by way of a buffer for PIECE elements: to or from the
 * places that `l` has found for them. */
typedef void (*piece_fn)(struct lookup *l, array_t *a, index_t first, index_t count, char *buffer);

/* All elements of an array, of which each executing node takes a share. */
static void pieces_run(struct lookup *l, array_t *a, piece_fn run)
{
  struct pst_xmp_group *const g = pst_xmp_executing();
  char *const buffer = pst_xmp_own_take(l->call, PIECE * a->size);
  index_t first, count;
  pst_xmp_transform_meet(g);
  pst_xmp_transform_share(g, pst_xmp_array_elements(a), &first, &count);
  for (index_t some; count; first += some, count -= some) {
    some = piece_of(count);
    lookup_find(l, first, some);
    run(l, a, first, some, buffer);
  }
  pst_xmp_transform_meet(g);
  free(buffer);
}

static void pair_open(const char *call, void *x, void *a, array_t **to, array_t **from)
{
  *to = pst_xmp_transform_array(call, x, 0);
  *from = pst_xmp_transform_array(call, a, 0);
  pst_xmp_transform_same_type(call, *to, *from);
  pst_xmp_transform_different(call, *to, *from);
}

static void piece_gather(struct lookup *l, array_t *to, index_t first, index_t count, char *buffer)
{
  void *whole = buffer;
  gasnetx_geti_multi_bulk(1, &whole, (size_t)count * to->size, (size_t)count, l->node, l->place, to->size);
  pst_xmp_run_put(l->call, to, first, count, buffer);
}

void xmp_gather(void *x, void *a, ...)
{
  PST_XMP_ALONE("xmp_gather");
  static const char call[] = "xmp_gather";
  array_t *to, *from;
  va_list args;
  pair_open(call, x, a, &to, &from);
  va_start(args, a);
  struct lookup *const l = lookup_open(call, from, to, args);
  va_end(args);
  pieces_run(l, to, piece_gather);
  lookup_close(l);
}

static void piece_scatter(struct lookup *l, array_t *from, index_t first, index_t count, char *buffer)
{
  void *whole = buffer;
  if (pst_xmp_array_is_replicated(l->target)) lookup_take_first(l, count);
  pst_xmp_run_get(l->call, from, first, count, buffer);
  gasnetx_puti_multi_bulk(
      (size_t)count, l->node, l->place, from->size, 1, &whole, (size_t)count * from->size);
}

void xmp_scatter(void *x, void *a, ...)
{
  PST_XMP_ALONE("xmp_scatter");
  static const char call[] = "xmp_scatter";
  array_t *to, *from;
  va_list args;
  pair_open(call, x, a, &to, &from);
  va_start(args, a);
  struct lookup *const l = lookup_open(call, to, from, args);
  va_end(args);
  pieces_run(l, from, piece_scatter);
  if (pst_xmp_array_is_replicated(to)) {
    replica_get(call, to);
    pst_xmp_transform_meet(pst_xmp_executing());
  }
  lookup_close(l);
}

/* ---- pack and unpack ---- */

/* Where the mask is set in this node's share; one byte for each element. NULL: everywhere. */
static unsigned char *mask_get(const char *call, array_t *mask, index_t first, index_t count, index_t *set)
{
  unsigned char *is_set;
  char *raw;
  *set = count;
  if (!mask) return NULL;
  *set = 0;
  is_set = pst_xmp_own_take(call, (size_t)count);
  raw = pst_xmp_own_take(call, (size_t)count * mask->size);
  pst_xmp_run_get(call, mask, first, count, raw);
  for (index_t i = 0; i < count; i++) {
    unsigned char any = 0;
    for (size_t b = 0; b < mask->size; b++) any |= (unsigned char)raw[(size_t)i * mask->size + b];
    *set += is_set[i] = any != 0;
  }
  free(raw);
  return is_set;
}

static void vector_check(const char *call, const array_t *v, index_t all)
{
  if (v->dim[0].extent < all)
    pst_xmp_fatal(call, "%s has %lld elements, and %lld are wanted", v->name, v->dim[0].extent, all);
}

/* packed: the elements that are set, without gaps. */
static void elements_pack(char *packed, const char *from, const unsigned char *is_set, index_t n, size_t size)
{
  for (index_t i = 0; i < n; i++) {
    if (!is_set[i]) continue;
    memmove(packed, from + (size_t)i * size, size);
    packed += size;
  }
}

static void elements_unpack(char *to, const char *packed, const unsigned char *is_set, index_t n, size_t size)
{
  for (index_t i = 0; i < n; i++) {
    if (!is_set[i]) continue;
    memcpy(to + (size_t)i * size, packed, size);
    packed += size;
  }
}

void xmp_pack(void *v, void *a, void *mask)
{
  PST_XMP_ALONE("xmp_pack");
  static const char call[] = "xmp_pack";
  array_t *const to = pst_xmp_transform_array(call, v, 1), *const from = pst_xmp_transform_array(call, a, 0),
                 *const m = mask_array(call, mask, from);
  struct pst_xmp_group *const g = pst_xmp_executing();
  index_t first, count, set, all, before;
  unsigned char *is_set;
  char *share;
  pst_xmp_transform_same_type(call, to, from);
  pst_xmp_transform_different(call, to, from);
  pst_xmp_transform_meet(g);
  pst_xmp_transform_share(g, pst_xmp_array_elements(from), &first, &count);
  is_set = mask_get(call, m, first, count, &set);
  before = pst_xmp_transform_before(g, set, &all);
  vector_check(call, to, all);
  share = pst_xmp_own_take(call, (size_t)count * from->size);
  pst_xmp_run_get(call, from, first, count, share);
  if (is_set) elements_pack(share, share, is_set, count, from->size);
  pst_xmp_run_put(call, to, before, set, share);
  pst_xmp_transform_meet(g);
  free(share);
  free(is_set);
}

void xmp_unpack(void *a, void *v, void *mask)
{
  PST_XMP_ALONE("xmp_unpack");
  static const char call[] = "xmp_unpack";
  array_t *const to = pst_xmp_transform_array(call, a, 0), *const from = pst_xmp_transform_array(call, v, 1),
                 *const m = mask_array(call, mask, to);
  struct pst_xmp_group *const g = pst_xmp_executing();
  index_t first, count, set, all, before;
  unsigned char *is_set;
  char *share, *packed;
  pst_xmp_transform_same_type(call, to, from);
  pst_xmp_transform_different(call, to, from);
  pst_xmp_transform_meet(g);
  pst_xmp_transform_share(g, pst_xmp_array_elements(to), &first, &count);
  is_set = mask_get(call, m, first, count, &set);
  before = pst_xmp_transform_before(g, set, &all);
  vector_check(call, from, all);
  share = pst_xmp_own_take(call, (size_t)count * to->size);
  packed = is_set ? pst_xmp_own_take(call, (size_t)set * to->size) : share;
  pst_xmp_run_get(call, from, before, set, packed);
  if (is_set) {
    pst_xmp_run_get(call, to, first, count, share);
    elements_unpack(share, packed, is_set, count, to->size);
    free(packed);
  }
  pst_xmp_run_put(call, to, first, count, share);
  pst_xmp_transform_meet(g);
  free(share);
  free(is_set);
}

/* ---- transpose ---- */

/* A gmove whose right side has its dimensions in the other order: each node gets what it has of x. */
static void side_whole(struct pst_xmp_gmove_side *s, array_t *a)
{
  s->array = a;
  s->size = a->size;
  s->type = a->type;
  s->dims = s->rank = a->dims;
  for (int k = 0; k < a->dims; k++) {
    s->extent[k] = a->dim[k].extent;
    s->section[k] = (struct pst_xmp_section){0, a->dim[k].extent, 1};
    s->dim[k] = k;
  }
}

void xmp_transpose(void *x, void *a, int opt)
{
  PST_XMP_ALONE("xmp_transpose");
  static const char call[] = "xmp_transpose";
  array_t *const to = pst_xmp_transform_array(call, x, 2), *const from = pst_xmp_transform_array(call, a, 2);
  struct pst_xmp_group *const g = pst_xmp_executing();
  struct pst_xmp_gmove_key key;
  struct pst_xmp_schedule *s;
  (void)opt; /* no memory is needed that a might give */
  pst_xmp_transform_same_type(call, to, from);
  pst_xmp_transform_different(call, to, from);
  for (int k = 0; k < 2; k++)
    if (to->dim[k].extent != from->dim[1 - k].extent)
      pst_xmp_fatal(call, "dimension %d of %s has %lld elements, and dimension %d of %s has %lld", k + 1,
          to->name, to->dim[k].extent, 2 - k, from->name, from->dim[1 - k].extent);
  memset(&key, 0, sizeof key);
  key.group = g;
  key.mode = PST_XMP_COLLECTIVE;
  side_whole(&key.left, to);
  side_whole(&key.right, from);
  key.right.dim[0] = 1;
  key.right.dim[1] = 0;
  s = pst_xmp_schedule_make(call, &key, NULL, NULL);
  pst_xmp_transform_meet(g);
  if (s->plan) gasnetx_plan_run(s->plan);
  pst_xmp_transform_meet(g);
  pst_xmp_schedule_free(s);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Random legal operations. All threads make the same ones. */
#ifndef TESTS_UPC_GENERATE_H
#define TESTS_UPC_GENERATE_H

#include "operation.h"

static size_t below(struct world *w, size_t n) { return (size_t)rng_below(&w->r, n); }

static int is_private(const struct op *o, const struct end *e)
{
  return e == &o->dst ? o->direction == GET : o->direction == PUT;
}

/* A place for the whole of an end; its number, or 0 when there is none. */
static int find_end(struct world *w, struct op *o, struct end *e, size_t extent, size_t *base)
{
  struct spot s;
  if (!world_find(w, &s, e == &o->dst, is_private(o, e), o->thread, extent)) return 0;
  e->shared = s.shared;
  e->private = s.private;
  *base = s.base;
  return 1;
}

/* ---- one piece ---- */

static int make_block(struct world *w, struct op *o)
{
  struct end *ends[] = {&o->dst, &o->src};
  size_t base;
  o->n = rng_size(&w->r, w->room / 4);
  for (int i = 0; i < (o->kind == SET ? 1 : 2); i++) {
    if (!find_end(w, o, ends[i], o->n, &base)) return 0;
    push(&ends[i]->bytes, base, o->n);
  }
  o->c = (int)below(w, 1000);
  return 1;
}

/* ---- lists ---- */

static int find_region(struct world *w, struct op *o, struct end *e, size_t n)
{
  size_t base;
  if (!find_end(w, o, e, n, &base)) return 0;
  push(&e->bytes, base, n);
  return 1;
}

static int make_vector(struct world *w, struct op *o, struct end *e, size_t total)
{
  enum { MOST = 40 };
  upc_smemvec_t shared[MOST];
  upc_pmemvec_t private[MOST];
  size_t n = 0, pieces = below(w, MOST);
  for (; total || n < pieces / 8; n++) {
    size_t length = n + 1 >= MOST - 1 || n + 1 >= pieces ? total : rng_size(&w->r, total);
    if (!find_region(w, o, e, length)) return 0;
    shared[n].addr = e->shared;
    private[n].addr = e->private;
    shared[n].len = private[n].len = length;
    total -= length;
  }
  e->entries = n;
  e->shared_vector = (upc_smemvec_t *)memcpy(op_keep(o, n * sizeof *shared), shared, n * sizeof *shared);
  e->private_vector = (upc_pmemvec_t *)memcpy(op_keep(o, n * sizeof *private), private, n * sizeof *private);
  return 1;
}

static int make_vlist(struct world *w, struct op *o)
{
  size_t total = rng_size(&w->r, w->room / 4);
  return make_vector(w, o, &o->dst, total) && make_vector(w, o, &o->src, total);
}

/* Equal bytes on both sides, in pieces of different sizes. */
static void random_lengths(struct world *w, struct op *o)
{
  size_t unit = 1 + rng_size(&w->r, 40), a = 1 + below(w, 4), b = 1 + below(w, 4),
         times = rng_size(&w->r, 40);
  o->dst.length = unit * a;
  o->src.length = unit * b;
  o->dst.entries = times * b;
  o->src.entries = times * a;
}

static int make_indices(struct world *w, struct op *o, struct end *e)
{
  e->shared_list = (upc_pts_t *)op_keep(o, e->entries * sizeof *e->shared_list);
  e->private_list = (void **)op_keep(o, e->entries * sizeof *e->private_list);
  for (size_t i = 0; i < e->entries; i++) {
    if (!find_region(w, o, e, e->length)) return 0;
    e->shared_list[i] = e->shared;
    e->private_list[i] = e->private;
  }
  return 1;
}

static int make_ilist(struct world *w, struct op *o)
{
  random_lengths(w, o);
  return make_indices(w, o, &o->dst) && make_indices(w, o, &o->src);
}

/* ---- strides ---- */

static int make_chunks(struct world *w, struct op *o, struct end *e)
{
  size_t base, n = e->entries;
  e->stride = e->length + (below(w, 2) ? rng_size(&w->r, 40) : 0);
  if (!find_end(w, o, e, n ? (n - 1) * e->stride + e->length : 0, &base)) return 0;
  for (size_t i = 0; i < n; i++) push(&e->bytes, base + i * e->stride, e->length);
  return 1;
}

static int make_fstrided(struct world *w, struct op *o)
{
  random_lengths(w, o);
  if (below(w, 20) == 0) o->dst.length = 0, o->src.entries = 0; /* nothing, said in two ways */
  return make_chunks(w, o, &o->dst) && make_chunks(w, o, &o->src);
}

static int no_count(const size_t *count, size_t dims)
{
  for (size_t i = 0; i < dims; i++)
    if (count[i] == 0) return 1;
  return 0;
}

/* Elements of elemsz bytes at counts and strides, dimension 0 fastest. */
static void push_elements(
    struct list *l, size_t base, size_t elemsz, const size_t *count, const ptrdiff_t *stride, size_t dims)
{
  if (dims == 0) {
    push(l, base, elemsz);
    return;
  }
  for (size_t i = 0; i < count[dims - 1]; i++)
    push_elements(l, base + (size_t)((ptrdiff_t)i * stride[dims - 1]), elemsz, count, stride, dims - 1);
}

/* count[0] is bytes. */
static int make_section(struct world *w, struct op *o, struct end *e)
{
  ptrdiff_t stride[LEVELS];
  size_t room = o->count[0], extent = room, base;
  e->strides = (size_t *)op_keep(o, o->dims * sizeof *e->strides);
  for (size_t i = 0; i < o->dims; i++) {
    size_t step = room + (below(w, 2) ? rng_size(&w->r, 20) : 0);
    e->strides[i] = step;
    stride[i] = (ptrdiff_t)step;
    if (o->count[i + 1]) extent += step * (o->count[i + 1] - 1);
    room = step * o->count[i + 1];
  }
  if (no_count(o->count, o->dims + 1)) return 1;
  if (!find_end(w, o, e, extent, &base)) return 0;
  push_elements(&e->bytes, base, o->count[0], o->count + 1, stride, o->dims);
  return 1;
}

static int make_strided(struct world *w, struct op *o)
{
  o->dims = o->kind == RECTANGLE ? 1 : o->kind == BOX ? 2 : below(w, LEVELS);
  o->count = (size_t *)op_keep(o, (o->dims + 1) * sizeof *o->count);
  size_t left = 1 + rng_size(&w->r, w->room / 8);
  for (size_t i = 0; i <= o->dims; i++) {
    o->count[i] = below(w, 60) ? 1 + rng_size(&w->r, left - 1) : 0;
    left = left / (o->count[i] + 1) + 1;
  }
  return make_section(w, o, &o->dst) && make_section(w, o, &o->src);
}

/* ---- any order and direction ---- */

/* Memory that is only read may overlap or have stride 0. */
static int make_directions(struct world *w, struct op *o, struct end *e)
{
  size_t order[LEVELS] = {0}, room = o->elemsz, extent = room, first = 0, base;
  int crowd = e == &o->src && below(w, 8) == 0;
  e->any_strides = (ptrdiff_t *)op_keep(o, o->dims * sizeof *e->any_strides);
  for (size_t i = 0; i < o->dims; i++) {
    size_t k = below(w, i + 1);
    order[i] = order[k];
    order[k] = i;
  }
  for (size_t i = 0; i < o->dims; i++) {
    size_t d = order[i], step = crowd ? below(w, 10) : room + (below(w, 2) ? rng_size(&w->r, 20) : 0);
    size_t reach = o->count[d] ? step * (o->count[d] - 1) : 0;
    int backwards = below(w, 3) == 0;
    e->any_strides[d] = backwards ? -(ptrdiff_t)step : (ptrdiff_t)step;
    if (backwards) first += reach;
    extent += reach;
    room = step * o->count[d];
  }
  if (no_count(o->count, o->dims)) return 1;
  if (!find_end(w, o, e, extent, &base)) return 0;
  if (is_private(o, e)) e->private = (char *)e->private + first;
  else e->shared = pts_bytes(e->shared, first);
  push_elements(&e->bytes, base + first, o->elemsz, o->count, e->any_strides, o->dims);
  return 1;
}

static int make_any(struct world *w, struct op *o)
{
  o->dims = below(w, LEVELS);
  o->elemsz = 1 + rng_size(&w->r, 30);
  o->count = (size_t *)op_keep(o, o->dims * sizeof *o->count);
  size_t left = 1 + rng_size(&w->r, w->room / 16 / o->elemsz + 1);
  for (size_t i = 0; i < o->dims; i++) {
    o->count[i] = below(w, 60) ? 1 + rng_size(&w->r, left - 1) : 0;
    left = left / (o->count[i] + 1) + 1;
  }
  return make_directions(w, o, &o->dst) && make_directions(w, o, &o->src);
}

/* ---- arrays in blocks ---- */

/* A size of elements that makes whole blocks of both arrays. */
static size_t common_element(struct world *w)
{
  size_t found = 1, most = 1 + below(w, 100);
  for (size_t e = 2; e <= most; e++)
    if (w->array[0].block % e == 0 && w->array[1].block % e == 0 && below(w, 3)) found = e;
  return found;
}

/* n elements from a random one of the array, each step-th. */
static int make_range(struct world *w, struct op *o, struct end *e)
{
  int side = e == &o->dst ? w->to : !w->to;
  const struct array *a = &w->array[side];
  size_t elements = a->bytes / o->elemsz, span = o->n ? (o->n - 1) * o->step + 1 : 0;
  if (span > elements) return 0;
  size_t first = below(w, elements - span + (span > 0));
  e->block = a->block / o->elemsz;
  e->shared = upc_pts_add(a->base, (ptrdiff_t)first, e->block, o->elemsz);
  for (size_t i = 0; i < o->n; i++)
    push(&e->bytes, byte_of_array(w, side, (first + i * o->step) * o->elemsz), o->elemsz);
  return 1;
}

/* Shared memory in one piece is an array in blocks without end. */
static int make_blocks(struct world *w, struct op *o, struct end *e)
{
  if (!is_private(o, e) && (o->kind == ACROSS || below(w, 6))) return make_range(w, o, e);
  e->block = 0;
  return find_region(w, o, e, o->n * o->elemsz);
}

static int make_reblock(struct world *w, struct op *o)
{
  o->elemsz = common_element(w);
  o->n = rng_size(&w->r, w->room / 4 / o->elemsz);
  o->step = o->kind == REBLOCK ? 1 : 1 + rng_size(&w->r, 30);
  return make_blocks(w, o, &o->dst) && make_blocks(w, o, &o->src);
}

/* ---- one of them ---- */

/* Takes the bytes that it writes; none if another operation has one of them. */
static int claim(struct world *w, const struct op *o)
{
  const struct list *l = &o->dst.bytes;
  for (size_t i = 0; i < l->n; i++) {
    if (w->writer[l->at[i]] == 0) {
      w->writer[l->at[i]] = o->number;
      continue;
    }
    while (i-- > 0) w->writer[l->at[i]] = 0;
    return 0;
  }
  return 1;
}

/* No byte that an operation of this round reads is written in the round. */
static void apply(struct world *w, const struct op *o)
{
  const struct list *d = &o->dst.bytes, *s = &o->src.bytes;
  REQUIRE(o->kind == SET || d->n == s->n, "%s of %zu bytes from %zu", kind_name[o->kind], d->n, s->n);
  for (size_t i = 0; i < d->n; i++)
    w->model[d->at[i]] = o->kind == SET ? (unsigned char)o->c : w->model[s->at[i]];
}

static void draw(struct world *w, struct op *o, uint32_t number)
{
  memset(o, 0, sizeof *o);
  o->number = number;
  o->kind = (enum kind)below(w, KINDS);
  o->direction = (enum direction)below(w, 3);
  if (o->kind == SET) o->direction = COPY;
  if (o->kind == ACROSS) o->direction = (enum direction)(PUT + below(w, 2));
  o->form = (enum form)below(w, o->kind == BLOCK || o->kind == SET ? 3 : 2);
  o->thread = (int)below(w, (size_t)THREADS);
  o->name = (int)below(w, 2);
  o->alias = (int)below(w, 2);
}

/* Returns 1 if there was room, and then has updated the model. */
UNUSED static int make_operation(struct world *w, struct op *o, uint32_t number)
{
  static int (*const make[KINDS])(struct world *, struct op *) = {make_block, make_block, make_vlist,
      make_ilist, make_fstrided, make_strided, make_strided, make_strided, make_any, make_reblock,
      make_reblock};
  draw(w, o, number);
  if (!make[o->kind](w, o) || !claim(w, o)) {
    op_drop(o);
    return 0;
  }
  apply(w, o);
  return 1;
}

#endif

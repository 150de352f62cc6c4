/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Operations of the random test: any call of the library with arguments, and the model's bytes that it reads
 * and writes, in order. */
#ifndef TESTS_UPC_OPERATION_H
#define TESTS_UPC_OPERATION_H

#include "world.h"

enum kind { BLOCK, SET, VLIST, ILIST, FSTRIDED, STRIDED, RECTANGLE, BOX, ANY, REBLOCK, ACROSS, KINDS };
enum direction { COPY, PUT, GET };
enum form { BLOCKING, ASYNC, IMPLICIT };
static const char *const kind_name[] = {
    "block", "memset", "vlist", "ilist", "fstrided", "strided", "2d", "3d", "any", "reblock", "across"};
static const char *const direction_name[] = {"memcpy", "memput", "memget"};
static const char *const form_name[] = {"blocking", "async", "asynci"};
#define LEVELS 5

/* Numbers of bytes in the model. */
struct list {
  size_t n, room;
  uint32_t *at;
};

struct end {
  struct list bytes;
  upc_pts_t shared;
  void *private;
  upc_smemvec_t *shared_vector;
  upc_pmemvec_t *private_vector;
  upc_pts_t *shared_list;
  void **private_list;
  size_t entries, length, stride, block;
  size_t *strides;
  ptrdiff_t *any_strides;
};

struct op {
  enum kind kind;
  enum direction direction;
  enum form form;
  int thread; /* who calls it */
  int name;   /* upc_ or bupc_ */
  int alias;  /* the document's other spelling */
  int c;
  uint32_t number;
  struct end dst, src;
  size_t n, elemsz, step, dims, *count;
  struct kept {
    struct kept *next;
  } * kept; /* arrays, which stay until it is synchronised */
};

/* Memory of exactly that size: a read beyond it is found. */
static void *op_keep(struct op *o, size_t n)
{
  struct kept *k = (struct kept *)malloc(sizeof *k + n);
  REQUIRE(k, "no memory for %zu bytes of arguments", n);
  k->next = o->kept;
  o->kept = k;
  return k + 1;
}

static void op_drop(struct op *o)
{
  while (o->kept) {
    struct kept *k = o->kept;
    o->kept = k->next;
    free(k);
  }
  free(o->dst.bytes.at);
  free(o->src.bytes.at);
}

static void push(struct list *l, size_t base, size_t n)
{
  if (l->n + n > l->room) {
    l->room = 2 * l->room + n;
    l->at = (uint32_t *)realloc(l->at, l->room * sizeof *l->at);
    REQUIRE(l->at, "no memory for a list of %zu bytes", l->room);
  }
  for (size_t i = 0; i < n; i++) l->at[l->n++] = (uint32_t)(base + i);
}

/* ---- the calls ---- */

#define CALL(fn, ...) \
  do { \
    if (o->form == ASYNC) return o->name ? bupc_##fn##_async(__VA_ARGS__) : upc_##fn##_async(__VA_ARGS__); \
    if (o->name) bupc_##fn(__VA_ARGS__); \
    else upc_##fn(__VA_ARGS__); \
    return UPC_COMPLETE_HANDLE; \
  } while (0)
#define CALL_IMPLICIT(fn, ...) \
  do { \
    if (o->form != IMPLICIT) CALL(fn, __VA_ARGS__); \
    if (o->name) bupc_##fn##_asynci(__VA_ARGS__); \
    else upc_##fn##_asynci(__VA_ARGS__); \
    return UPC_COMPLETE_HANDLE; \
  } while (0)

static upc_handle_t call_block(const struct op *o)
{
  if (o->kind == SET) CALL_IMPLICIT(memset, o->dst.shared, o->c, o->n);
  if (o->direction == PUT) CALL_IMPLICIT(memput, o->dst.shared, o->src.private, o->n);
  if (o->direction == GET) CALL_IMPLICIT(memget, o->dst.private, o->src.shared, o->n);
  CALL_IMPLICIT(memcpy, o->dst.shared, o->src.shared, o->n);
}

static upc_handle_t call_vlist(const struct op *o)
{
  const struct end *d = &o->dst, *s = &o->src;
  if (o->direction == GET) CALL(memget_vlist, d->entries, d->private_vector, s->entries, s->shared_vector);
  if (o->direction == COPY) CALL(memcpy_vlist, d->entries, d->shared_vector, s->entries, s->shared_vector);
  if (o->alias) CALL(mempu_vlist, d->entries, d->shared_vector, s->entries, s->private_vector);
  CALL(memput_vlist, d->entries, d->shared_vector, s->entries, s->private_vector);
}

static upc_handle_t call_ilst(const struct op *o)
{
  const struct end *d = &o->dst, *s = &o->src;
  const void *const *from = (const void *const *)s->private_list;
  if (o->direction == GET)
    CALL(memget_ilst, d->entries, d->private_list, d->length, s->entries, s->shared_list, s->length);
  if (o->direction == PUT)
    CALL(memput_ilst, d->entries, d->shared_list, d->length, s->entries, from, s->length);
  CALL(memcpy_ilst, d->entries, d->shared_list, d->length, s->entries, s->shared_list, s->length);
}

static upc_handle_t call_ilist(const struct op *o)
{
  const struct end *d = &o->dst, *s = &o->src;
  const void *const *from = (const void *const *)s->private_list;
  if (o->alias) return call_ilst(o);
  if (o->direction == GET)
    CALL(memget_ilist, d->entries, d->private_list, d->length, s->entries, s->shared_list, s->length);
  if (o->direction == PUT)
    CALL(memput_ilist, d->entries, d->shared_list, d->length, s->entries, from, s->length);
  CALL(memcpy_ilist, d->entries, d->shared_list, d->length, s->entries, s->shared_list, s->length);
}

static upc_handle_t call_fstrided(const struct op *o)
{
  const struct end *d = &o->dst, *s = &o->src;
  const size_t dl = d->length, ds = d->stride, dn = d->entries, sl = s->length, ss = s->stride,
               sn = s->entries;
  if (o->direction == GET) CALL(memget_fstrided, d->private, dl, ds, dn, s->shared, sl, ss, sn);
  if (o->direction == PUT) CALL(memput_fstrided, d->shared, dl, ds, dn, s->private, sl, ss, sn);
  CALL(memcpy_fstrided, d->shared, dl, ds, dn, s->shared, sl, ss, sn);
}

static upc_handle_t call_strided(const struct op *o)
{
  const struct end *d = &o->dst, *s = &o->src;
  if (o->direction == GET)
    CALL(memget_strided, d->private, d->strides, s->shared, s->strides, o->count, o->dims);
  if (o->direction == PUT)
    CALL(memput_strided, d->shared, d->strides, s->private, s->strides, o->count, o->dims);
  CALL(memcpy_strided, d->shared, d->strides, s->shared, s->strides, o->count, o->dims);
}

static upc_handle_t call_rectangle(const struct op *o)
{
  const struct end *d = &o->dst, *s = &o->src;
  const size_t *c = o->count;
  if (o->direction == GET) CALL(memget_2d, d->private, d->strides[0], s->shared, s->strides[0], c[0], c[1]);
  if (o->direction == PUT) CALL(memput_2d, d->shared, d->strides[0], s->private, s->strides[0], c[0], c[1]);
  CALL(memcpy_2d, d->shared, d->strides[0], s->shared, s->strides[0], c[0], c[1]);
}

static upc_handle_t call_box(const struct op *o)
{
  const struct end *d = &o->dst, *s = &o->src;
  const size_t *c = o->count, *dp = d->strides, *sp = s->strides;
  if (o->direction == GET)
    CALL(memget_3d, d->private, dp[0], dp[1], s->shared, sp[0], sp[1], c[0], c[1], c[2]);
  if (o->direction == PUT)
    CALL(memput_3d, d->shared, dp[0], dp[1], s->private, sp[0], sp[1], c[0], c[1], c[2]);
  CALL(memcpy_3d, d->shared, dp[0], dp[1], s->shared, sp[0], sp[1], c[0], c[1], c[2]);
}

static upc_handle_t call_any(const struct op *o)
{
  const struct end *d = &o->dst, *s = &o->src;
  if (o->direction == GET)
    CALL(memget_any, d->private, d->any_strides, s->shared, s->any_strides, o->elemsz, o->count, o->dims);
  if (o->direction == PUT)
    CALL(memput_any, d->shared, d->any_strides, s->private, s->any_strides, o->elemsz, o->count, o->dims);
  CALL(memcpy_any, d->shared, d->any_strides, s->shared, s->any_strides, o->elemsz, o->count, o->dims);
}

static upc_handle_t call_reblock(const struct op *o)
{
  const struct end *d = &o->dst, *s = &o->src;
  if (o->direction == GET) CALL(memget_reblock, d->private, s->shared, s->block, o->n, o->elemsz);
  if (o->direction == PUT) CALL(memput_reblock, d->shared, d->block, s->private, o->n, o->elemsz);
  CALL(memcpy_reblock, d->shared, d->block, s->shared, s->block, o->n, o->elemsz);
}

static upc_handle_t call_across(const struct op *o)
{
  const struct end *d = &o->dst, *s = &o->src;
  if (o->direction == GET) CALL(memget_across, d->private, s->shared, s->block, o->step, o->n, o->elemsz);
  CALL(memput_across, d->shared, d->block, o->step, s->private, o->n, o->elemsz);
}

UNUSED static upc_handle_t op_start(const struct op *o)
{
  static upc_handle_t (*const call[KINDS])(const struct op *) = {call_block, call_block, call_vlist,
      call_ilist, call_fstrided, call_strided, call_rectangle, call_box, call_any, call_reblock, call_across};
  return call[o->kind](o);
}

#endif

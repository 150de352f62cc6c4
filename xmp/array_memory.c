/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The memory of global arrays: each node's part in its heap, and where the other nodes' parts are. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "xmp/alone.h"
#include "xmp/array.h"
#include "xmp/context.h"

typedef pst_xmp_index_t index_t;

/* ---- arrays by their bases ---- */

enum { BUCKETS = 1024 };
static struct pst_xmp_array_full *buckets[BUCKETS];

static struct pst_xmp_array_full **bucket_of(const void *base)
{
  return &buckets[((uintptr_t)base >> 6) * UINT64_C(0x9e3779b97f4a7c15) >> 40 & (BUCKETS - 1)];
}

struct pst_xmp_array_full *pst_xmp_array_find(const void *base)
{
  pst_front_shared_enter();
  struct pst_xmp_array_full *a = *bucket_of(base);
  while (a && a->seen.base != base) a = a->next;
  pst_front_shared_leave();
  return a;
}

static void array_enter(struct pst_xmp_array_full *a)
{
  struct pst_xmp_array_full **bucket = bucket_of(a->seen.base);
  pst_front_shared_enter();
  a->next = *bucket;
  *bucket = a;
  pst_front_shared_leave();
}

static void array_remove(struct pst_xmp_array_full *a)
{
  struct pst_xmp_array_full **p = bucket_of(a->seen.base);
  pst_front_shared_enter();
  while (*p != a) p = &(*p)->next;
  *p = a->next;
  pst_front_shared_leave();
}

/* ---- this node's part ---- */

/* The bytes of the largest part: all nodes take as many, so that places agree where histories do. */
static size_t part_bytes(const char *where, const struct pst_xmp_array_full *a)
{
  size_t bytes = a->size;
  for (int k = 0; k < a->dims; k++) {
    const struct pst_xmp_dimension *d = &a->dim[k];
    index_t n = d->full ? d->extent : pst_xmp_axis_most(&d->axis) + d->shadow_lower + d->shadow_upper;
    if (n < 1) n = 1;
    if (__builtin_mul_overflow(bytes, (size_t)n, &bytes))
      pst_xmp_fatal(where, "%s: a node's part has more bytes than an address can tell", a->name);
  }
  return bytes;
}

static void part_find(struct pst_xmp_array_full *a)
{
  const struct pst_xmp_nodes *n = a->template_->nodes;
  a->member = n->rank >= 0;
  for (int k = 0; k < a->dims; k++) {
    const int dim = a->dim[k].node_dim;
    a->coordinate[k] = a->member && dim >= 0 ? n->coordinate[dim] : 0;
    a->mine[k] = pst_xmp_array_extent(a, k, a->coordinate[k]);
  }
}

/* What translated programs read. Subscripts of cyclic dimensions are numbers among all that are dealt out to
 * the node, the others are global indices. */
static void part_show(struct pst_xmp_array_full *a)
{
  pst_xmp_array_t *s = &a->seen;
  index_t stride = (index_t)a->size, before = 0;
  for (int k = a->dims - 1; k >= 0; k--) {
    const struct pst_xmp_axis *x = &a->dim[k].axis;
    const int cyclic = pst_xmp_axis_is_cyclic(x);
    s->ld[k] = a->member ? a->mine[k].ld : 1;
    s->extent[k] = a->dim[k].extent;
    s->cycle[k] = cyclic
        ? (struct pst_xmp_cycle){-x->lower, x->width, x->width * x->nodes, a->coordinate[k] * x->width}
        : (struct pst_xmp_cycle){0, 1, 1, 0};
    s->low[k] = cyclic ? pst_xmp_axis_skipped(x, a->coordinate[k]) : a->mine[k].first - a->mine[k].origin;
    before += stride * s->low[k];
    stride *= s->ld[k];
  }
  s->biased = (char *)((uintptr_t)s->base - (uintptr_t)before);
}

/* ---- the other nodes' parts ---- */

static size_t my_place(const struct pst_xmp_array_full *a)
{
  return (size_t)((uintptr_t)a->seen.base - (uintptr_t)pst_xmp_job.segment[pst_xmp_job.me].addr);
}

/* Whether all members have the array at the same place of their segments. */
static int places_agree(struct pst_xmp_array_full *a, gasnetx_team_t team)
{
  static const gasnetx_reduction_t most = {.type = GASNETX_TYPE_INT64, .op = GASNETX_OP_MAX};
  const int64_t mine = (int64_t)my_place(a);
  int64_t bounds[2] = {a->member ? mine : INT64_MIN, a->member ? -mine : INT64_MIN};
  gasnetx_coll_allreduce(team, bounds, bounds, 2, &most);
  a->place = (size_t)bounds[0];
  return bounds[0] == -bounds[1];
}

static void places_find(const char *where, struct pst_xmp_array_full *a)
{
  struct pst_xmp_group *executing = pst_xmp_executing();
  const struct pst_xmp_nodes *n = a->template_->nodes;
  const size_t mine = my_place(a);
  if (n->known && !pst_xmp_set_within(&n->set, &executing->set))
    pst_xmp_fatal(where, "%s: template %s is distributed onto nodes that do not execute this", a->name,
        a->template_->head.name);
  a->place = mine;
  a->knowers = pst_xmp_set_copy(&executing->set);
  if (executing->size == 1 || places_agree(a, pst_xmp_group_team(executing))) return;
  a->places = pst_xmp_own_take(where, (size_t)executing->size * sizeof *a->places);
  gasnetx_coll_allgather(pst_xmp_group_team(executing), a->places, &mine, sizeof mine);
}

void *pst_xmp_array_at(const char *where, const struct pst_xmp_array_full *a, int node)
{
  size_t place = a->place;
  if (a->places) {
    const int rank = pst_xmp_set_rank(&a->knowers, node);
    if (rank < 0) pst_xmp_fatal(where, "%s: node %d did not execute its declaration", a->name, node);
    place = a->places[rank];
  }
  return (char *)pst_xmp_job.segment[node].addr + place;
}

/* ---- allocation ---- */

void pst_xmp_array_allocate(const char *where, struct pst_xmp_array_full *a)
{
  pst_xmp_array_map(where, a);
  part_find(a);
  a->bytes = part_bytes(where, a);
  a->seen.base = pst_xmp_heap_take(where, a->name, a->member ? a->bytes : 1);
  if (a->cleared && a->member) memset(a->seen.base, 0, a->bytes);
  part_show(a);
  array_enter(a);
  places_find(where, a);
  a->allocated = 1;
}

void pst_xmp_array_release(struct pst_xmp_array_full *a)
{
  if (!a->allocated) return;
  while (a->plans) {
    struct pst_xmp_plan *plan = a->plans;
    a->plans = plan->next;
    plan->free(plan);
  }
  array_remove(a);
  pst_xmp_heap_give_back(a->seen.base);
  free(a->places);
  pst_xmp_set_free(&a->knowers);
  a->places = NULL;
  a->seen = (pst_xmp_array_t){.base = NULL};
  a->allocated = 0;
}

void *pst_xmp_malloc(const char *where, void *desc, int n, const index_t extent[])
{
  PST_XMP_ALONE(where);
  struct pst_xmp_array_full *a = desc;
  if (pst_xmp_desc_kind(where, desc) != XMP_DESC_ARRAY || !a->pointer)
    pst_xmp_fatal(where, "xmp_malloc: this must be a pointer that is aligned with a template");
  if (n != a->dims)
    pst_xmp_fatal(where, "xmp_malloc: %s has %d %s, and %d %s given", a->name, a->dims,
        a->dims == 1 ? "dimension" : "dimensions", n, n == 1 ? "length is" : "lengths are");
  pst_xmp_template_need_fixed(where, a->template_);
  pst_xmp_array_release(a);
  for (int k = 0; k < n; k++) {
    if (extent[k] < 1)
      pst_xmp_fatal(where, "xmp_malloc: the length of dimension %d of %s is %lld", k + 1, a->name, extent[k]);
    if (k && a->declared[k] && a->declared[k] != extent[k])
      pst_xmp_fatal(where, "xmp_malloc: the length of dimension %d of %s is %lld, and was declared as %lld",
          k + 1, a->name, extent[k], a->declared[k]);
    a->dim[k].extent = extent[k];
  }
  pst_xmp_array_allocate(where, a);
  return a->seen.base;
}

void *xmp_malloc(xmp_desc_t d, ...)
{
  struct pst_xmp_array_full *a = d;
  index_t extent[PST_XMP_DIMENSIONS];
  va_list args;
  if (pst_xmp_desc_kind("xmp_malloc", d) != XMP_DESC_ARRAY)
    pst_xmp_fatal("xmp_malloc", "this must be a pointer that is aligned with a template");
  va_start(args, d);
  for (int k = 0; k < a->dims; k++) extent[k] = (index_t)va_arg(args, size_t);
  va_end(args);
  return pst_xmp_malloc("xmp_malloc", d, a->dims, extent);
}

void xmp_free(xmp_desc_t d)
{
  PST_XMP_ALONE("xmp_free");
  struct pst_xmp_array_full *a = d;
  if (pst_xmp_desc_kind("xmp_free", d) != XMP_DESC_ARRAY || !a->pointer)
    pst_xmp_fatal("xmp_free", "this must be a pointer that xmp_malloc has allocated");
  pst_xmp_array_release(a);
}

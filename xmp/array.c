/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Declarations of global arrays, and where their elements lie. array_memory.c gives them memory. */
#include "xmp/alone.h"
#include "xmp/tool.h"

#include <stdlib.h>

typedef pst_xmp_index_t index_t;

struct pst_xmp_array_full *pst_xmp_array_need(const char *where, void *desc)
{
  struct pst_xmp_array_full *a = desc;
  if (pst_xmp_desc_kind(where, desc) != XMP_DESC_ARRAY) pst_xmp_fatal(where, "this must be a global array");
  if (!a->allocated && a->pointer)
    pst_xmp_fatal(where, "global array %s has no memory yet: xmp_malloc has to come first", a->name);
  if (!a->allocated)
    pst_xmp_fatal(where, "global array %s has no memory yet: template %s is not fixed", a->name,
        a->template_->head.name);
  return a;
}

/* ---- where parts lie ---- */

struct pst_xmp_extent pst_xmp_array_extent(const struct pst_xmp_array_full *a, int k, index_t c)
{
  const struct pst_xmp_dimension *d = &a->dim[k];
  struct pst_xmp_extent e = {.origin = d->shadow_lower};
  pst_xmp_axis_bounds(&d->axis, c, &e.first, &e.last);
  e.count = pst_xmp_axis_is_cyclic(&d->axis) ? pst_xmp_axis_count(&d->axis, c) : e.last - e.first + 1;
  e.ld = e.count + d->shadow_lower + d->shadow_upper;
  if (d->full) {
    e.origin = e.first;
    e.ld = d->extent;
  }
  if (e.ld < 1) e.ld = 1;
  return e;
}

index_t pst_xmp_array_subscript(const struct pst_xmp_array_full *a, int k, index_t c, index_t g)
{
  const struct pst_xmp_dimension *d = &a->dim[k];
  index_t first, last;
  if (d->full) return g;
  if (pst_xmp_axis_is_cyclic(&d->axis)) return pst_xmp_axis_local(&d->axis, g);
  pst_xmp_axis_bounds(&d->axis, c, &first, &last);
  return g - first + d->shadow_lower;
}

int pst_xmp_array_node(const struct pst_xmp_array_full *a, const index_t coordinate[])
{
  const struct pst_xmp_nodes *n = a->template_->nodes;
  int at[PST_XMP_DIMENSIONS];
  for (int k = 0; k < n->dims; k++) {
    if (a->array_dim[k] >= 0) at[k] = (int)coordinate[a->array_dim[k]];
    else at[k] = n->rank >= 0 ? n->coordinate[k] : 0;
  }
  return pst_xmp_nodes_at(n, at);
}

int pst_xmp_array_is_replicated(const struct pst_xmp_array_full *a)
{
  const struct pst_xmp_nodes *const n = a->template_->nodes;
  for (int k = 0; k < n->dims; k++)
    if (a->array_dim[k] < 0 && n->size[k] > 1) return 1;
  return 0;
}

/* ---- declarations ---- */

static void align_set(const char *where, struct pst_xmp_array_full *a, int k, struct pst_xmp_align align)
{
  const struct pst_xmp_template *t = a->template_;
  struct pst_xmp_dimension *d = &a->dim[k];
  d->template_dim = align.axis;
  d->node_dim = -1;
  d->offset = align.axis == PST_XMP_COLLAPSED ? 0 : align.offset;
  if (align.axis == PST_XMP_COLLAPSED) return;
  if (align.axis < 0 || align.axis >= t->dims)
    pst_xmp_fatal(where, "%s: dimension %d is aligned with dimension %d of %s, which has %d", a->name, k + 1,
        align.axis + 1, t->head.name, t->dims);
  for (int j = 0; j < k; j++)
    if (a->dim[j].template_dim == align.axis)
      pst_xmp_fatal(where, "%s: dimensions %d and %d are aligned with the same dimension of %s", a->name,
          j + 1, k + 1, t->head.name);
  d->node_dim = t->node_dim[align.axis];
  if (d->node_dim >= 0) a->array_dim[d->node_dim] = k;
}

static void shadow_set(const char *where, struct pst_xmp_array_full *a, int k, struct pst_xmp_shadow shadow)
{
  struct pst_xmp_dimension *d = &a->dim[k];
  if (shadow.lower == 0 && shadow.upper == 0) return;
  if (d->node_dim >= 0 && a->template_->format[d->template_dim].kind == PST_XMP_CYCLIC)
    pst_xmp_fatal(
        where, "%s: dimension %d is distributed cyclically and cannot have a shadow", a->name, k + 1);
  if (shadow.lower == PST_XMP_FULL_SHADOW) {
    d->full = d->node_dim >= 0; /* else all of it lies on each node anyway */
    return;
  }
  if (shadow.lower < 0 || shadow.upper < 0)
    pst_xmp_fatal(
        where, "%s: the shadow of dimension %d is %lld:%lld", a->name, k + 1, shadow.lower, shadow.upper);
  if (d->node_dim < 0)
    pst_xmp_fatal(where, "%s: dimension %d is not distributed and cannot have a shadow", a->name, k + 1);
  d->shadow_lower = shadow.lower;
  d->shadow_upper = shadow.upper;
}

static void shape_check(const char *where, const struct pst_xmp_shape *s, int open)
{
  if (s->dims < 1 || s->dims > PST_XMP_DIMENSIONS)
    pst_xmp_fatal(
        where, "%s: a global array has 1 to %d dimensions, not %d", s->name, PST_XMP_DIMENSIONS, s->dims);
  if (s->size == 0) pst_xmp_fatal(where, "%s: its elements have no size", s->name);
  for (int k = 0; k < s->dims; k++)
    if (s->extent[k] < 0 || (s->extent[k] == 0 && !open))
      pst_xmp_fatal(where, "%s: the length of dimension %d is %lld", s->name, k + 1, s->extent[k]);
}

/* Sets what follows from the shape alone. open: lengths may be 0, not known. */
static void array_describe(const char *where, struct pst_xmp_array_full *a, struct pst_xmp_template *t,
    const struct pst_xmp_shape *s, int open)
{
  shape_check(where, s, open);
  if (!t->nodes) pst_xmp_fatal(where, "%s: template %s is not distributed", s->name, t->head.name);
  *a = (struct pst_xmp_array_full){.name = s->name,
      .where = where,
      .refs = 1,
      .template_ = t,
      .size = s->size,
      .type = s->type,
      .cleared = s->cleared,
      .dims = s->dims};
  for (int k = 0; k < PST_XMP_DIMENSIONS; k++) a->array_dim[k] = -1;
  for (int k = 0; k < s->dims; k++) {
    a->dim[k].extent = a->declared[k] = s->extent[k];
    align_set(where, a, k, s->align[k]);
    if (s->shadow) shadow_set(where, a, k, s->shadow[k]);
  }
}

/* The template is fixed: each dimension gets its formulas. */
void pst_xmp_array_map(const char *where, struct pst_xmp_array_full *a)
{
  const struct pst_xmp_template *t = a->template_;
  for (int k = 0; k < a->dims; k++) {
    struct pst_xmp_dimension *d = &a->dim[k];
    if (d->template_dim == PST_XMP_COLLAPSED) {
      d->axis = pst_xmp_axis_whole(0, d->extent);
      continue;
    }
    d->axis = pst_xmp_axis_align(&t->axis[d->template_dim], d->extent, d->offset);
    if (d->axis.lower > 0 || d->axis.upper < d->extent - 1)
      pst_xmp_fatal(where,
          "%s: dimension %d has the indices %lld to %lld of template %s, which has %lld to %lld there",
          a->name, k + 1, d->offset, d->offset + d->extent - 1, t->head.name, t->axis[d->template_dim].lower,
          t->axis[d->template_dim].upper);
  }
}

static struct pst_xmp_array_full *array_new(
    const char *where, void *template_, const struct pst_xmp_shape *s, int pointer)
{
  struct pst_xmp_template *t = pst_xmp_template_of(where, template_);
  struct pst_xmp_array_full *a = pst_xmp_own_take(where, sizeof *a);
  pst_xmp_need_open(where);
  array_describe(where, a, t, s, pointer);
  pst_xmp_template_again(t);
  a->pointer = pointer;
  return a;
}

static void array_wait(struct pst_xmp_array_full *a)
{
  struct pst_xmp_array_full **last = &a->template_->waiting;
  while (*last) last = &(*last)->waiting;
  *last = a;
}

pst_xmp_array_t *pst_xmp_array(const char *where, void *template_, const struct pst_xmp_shape *s)
{
  PST_XMP_ALONE(where);
  struct pst_xmp_array_full *a = array_new(where, template_, s, 0);
  if (a->template_->fixed) pst_xmp_array_allocate(where, a);
  else array_wait(a);
  if (PST_XMP_TOOLS) pst_xmp_told_desc(xmpt_event_array_desc_begin, a, &a->tool_data, PST_XMP_CODEPTR);
  return &a->seen;
}

pst_xmp_array_t *pst_xmp_array_pointer(const char *where, void *template_, const struct pst_xmp_shape *s)
{
  struct pst_xmp_array_full *const a = array_new(where, template_, s, 1);
  if (PST_XMP_TOOLS) pst_xmp_told_desc(xmpt_event_array_desc_begin, a, &a->tool_data, PST_XMP_CODEPTR);
  return &a->seen;
}

void pst_xmp_arrays_allocate(const char *where, struct pst_xmp_template *t)
{
  while (t->waiting) {
    struct pst_xmp_array_full *a = t->waiting;
    t->waiting = a->waiting;
    a->waiting = NULL;
    pst_xmp_array_allocate(where, a);
  }
}

/* ---- parameters ---- */

/* Blocks on one node are no distribution. */
static enum pst_xmp_distribution kind_of(const struct pst_xmp_axis *a)
{
  return a->nodes == 1 ? PST_XMP_NOT_DISTRIBUTED : a->kind;
}

static int axis_is_equal(const struct pst_xmp_axis *a, const struct pst_xmp_axis *b)
{
  if (kind_of(a) != kind_of(b) || a->nodes != b->nodes) return 0;
  if (kind_of(a) == PST_XMP_NOT_DISTRIBUTED) return 1;
  if (a->lower != b->lower) return 0;
  if (a->kind != PST_XMP_GBLOCK) return a->width == b->width;
  for (index_t i = 0; i <= a->nodes; i++)
    if (a->start[i] != b->start[i]) return 0;
  return 1;
}

/* What the parameter p has in another way than the argument a; NULL: nothing. */
static const char *difference_of(const struct pst_xmp_array_full *a, struct pst_xmp_array_full *p)
{
  if (a->dims != p->dims) return "number of dimensions";
  if (a->size != p->size) return "size of elements";
  for (int k = 0; k < a->dims; k++) {
    if (p->dim[k].extent == 0) p->dim[k].extent = a->dim[k].extent;
    if (a->dim[k].extent != p->dim[k].extent) return "length";
  }
  if (!pst_xmp_nodes_equal(a->template_->nodes, p->template_->nodes)) return "node array";
  pst_xmp_array_map(p->where, p);
  for (int k = 0; k < a->dims; k++) {
    const struct pst_xmp_dimension *x = &a->dim[k], *y = &p->dim[k];
    if (x->node_dim != y->node_dim || !axis_is_equal(&x->axis, &y->axis)) return "distribution";
    if (x->full != y->full || x->shadow_lower != y->shadow_lower || x->shadow_upper != y->shadow_upper)
      return "shadow";
  }
  return NULL;
}

pst_xmp_array_t *pst_xmp_array_parameter(
    const char *where, const void *base, void *template_, const struct pst_xmp_shape *s)
{
  struct pst_xmp_template *t = pst_xmp_template_need_fixed(where, template_);
  struct pst_xmp_array_full *a = pst_xmp_array_find(base), parameter;
  const char *difference;
  if (!a) pst_xmp_fatal(where, "%s: the argument is not the name of a global array", s->name);
  array_describe(where, &parameter, t, s, 1);
  if ((difference = difference_of(a, &parameter)))
    pst_xmp_fatal(where, "%s: the argument %s, of %s, has another %s than the parameter", s->name, a->name,
        a->where, difference);
  pst_front_shared_enter();
  a->refs++;
  pst_front_shared_leave();
  return &a->seen;
}

/* ---- the end ---- */

static void array_wait_no_more(struct pst_xmp_array_full *a)
{
  struct pst_xmp_array_full **p = &a->template_->waiting;
  while (*p && *p != a) p = &(*p)->waiting;
  if (*p) *p = a->waiting;
}

/* Several threads may be in functions that have the array as a parameter. */
static int array_is_last(struct pst_xmp_array_full *a)
{
  pst_front_shared_enter();
  const int last = --a->refs == 0;
  pst_front_shared_leave();
  return last;
}

void pst_xmp_array_free(pst_xmp_array_t **array)
{
  struct pst_xmp_array_full *a = *array ? pst_xmp_array_of(*array) : NULL;
  *array = NULL;
  if (!a || !array_is_last(a)) return;
  PST_XMP_ALONE(a->where);
  if (PST_XMP_TOOLS) pst_xmp_told_desc(xmpt_event_array_desc_end, a, &a->tool_data, PST_XMP_CODEPTR);
  pst_xmp_array_release(a);
  array_wait_no_more(a);
  pst_xmp_template_drop(a->template_);
  free(a);
}

void pst_xmp_array_keep(struct pst_xmp_array_full *a, struct pst_xmp_plan *plan)
{
  plan->next = a->plans;
  a->plans = plan;
}

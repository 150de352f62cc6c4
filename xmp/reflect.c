/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The reflect and reduce_shadow constructs. An exchange of boxes is made once for each array and each width,
 * and kept with the array. Only neighbours take part in it. */
#include <stdlib.h>
#include <string.h>

#include "xmp/async.h"
#include "xmp/context.h"
#include "xmp/exchange.h"
#include "xmp/operation.h"
#include "xmp/tool.h"

/* What is kept with an array. */
struct plan {
  struct pst_xmp_plan head;
  enum pst_xmp_exchange_kind kind;
  int orthogonal, async;
  int whole; /* no widths were given */
  struct pst_xmp_width width[PST_XMP_DIMENSIONS];
  struct pst_xmp_exchange *exchange;
  struct pending *pending; /* of an async clause, until it is complete; or NULL */
};
struct pending {
  struct pst_xmp_pending head;
  struct plan *plan; /* NULL: it is complete, by the array's end or the plan's next use */
};

/* What a call wants. */
struct wish {
  const char *where, *construct;
  struct pst_xmp_array_full *array;
  enum pst_xmp_exchange_kind kind;
  const struct pst_xmp_width *width;
  int orthogonal, async;
};

/* ---- checks ---- */

static void width_check(const struct wish *w, int k, struct pst_xmp_width v)
{
  const struct pst_xmp_dimension *const d = &w->array->dim[k];
  const pst_xmp_index_t lower = d->full ? d->extent : d->shadow_lower,
                        upper = d->full ? d->extent : d->shadow_upper;
  if (v.lower < 0 || v.upper < 0)
    pst_xmp_fatal(w->where, "%s: width %lld:%lld of dimension %d of %s is negative", w->construct, v.lower,
        v.upper, k + 1, w->array->name);
  if (v.flag && d->full)
    pst_xmp_fatal(w->where, "%s: dimension %d of %s has a full shadow, which is not periodic", w->construct,
        k + 1, w->array->name);
  if (v.lower > lower || v.upper > upper)
    pst_xmp_fatal(w->where, "%s: width %lld:%lld of dimension %d of %s is more than its shadow, %lld:%lld",
        w->construct, v.lower, v.upper, k + 1, w->array->name, lower, upper);
}

static void halo_of(const struct wish *w, struct pst_xmp_halo *h)
{
  *h = (struct pst_xmp_halo){.array = w->array, .orthogonal = w->orthogonal};
  for (int k = 0; k < w->array->dims; k++) {
    const struct pst_xmp_dimension *const d = &w->array->dim[k];
    if (w->width) width_check(w, k, w->width[k]);
    h->all[k] = d->full && !w->width;
    h->width[k] = w->width ? w->width[k] : (struct pst_xmp_width){d->shadow_lower, d->shadow_upper, 0};
  }
}

static void sum_check(const struct wish *w)
{
  if (w->kind == PST_XMP_EXCHANGE_SUM && !pst_xmp_operation(PST_XMP_SUM, w->array->type))
    pst_xmp_fatal(w->where, "%s: the elements of %s are of %s, which has no sum", w->construct,
        w->array->name, pst_xmp_type_name(w->array->type));
}

/* ---- making a plan ---- */

/* The nodes that can have boxes of each other: those that have the same replica as this one. */
static struct pst_xmp_set partners_of(const char *where, const struct pst_xmp_array_full *a)
{
  const struct pst_xmp_nodes *const n = a->template_->nodes;
  struct pst_xmp_pick pick[PST_XMP_DIMENSIONS];
  for (int k = 0; k < n->dims; k++)
    pick[k] = a->array_dim[k] >= 0 ? (struct pst_xmp_pick){0, n->size[k], 1, NULL}
                                   : (struct pst_xmp_pick){n->coordinate[k], 1, 1, NULL};
  return pst_xmp_set_pick(where, &n->set, n->dims, n->size, pick);
}

static struct pst_xmp_group *partners_open(const struct wish *w)
{
  const struct pst_xmp_group *const executing = pst_xmp_executing();
  struct pst_xmp_set set = partners_of(w->where, w->array);
  if (!pst_xmp_set_within(&set, &executing->set))
    pst_xmp_fatal(w->where, "%s: %s lies on %d nodes, not all of which are among the %d that execute this",
        w->construct, w->array->name, set.size, executing->size);
  struct pst_xmp_group *const g = pst_xmp_group_open(&set);
  pst_xmp_set_free(&set);
  return g;
}

/* Ends what is under way. */
static void plan_settle(struct plan *p)
{
  pst_xmp_exchange_end(p->exchange);
  if (p->pending) p->pending->plan = NULL;
  p->pending = NULL;
}

static void plan_free(struct pst_xmp_plan *head)
{
  struct plan *p = (struct plan *)head;
  plan_settle(p);
  pst_xmp_exchange_close(p->exchange);
  free(p);
}

static struct plan *plan_make(const struct wish *w)
{
  struct plan *p = pst_xmp_own_take_clear(w->where, 1, sizeof *p);
  struct pst_xmp_boxes held = {0}, owned = {0};
  struct pst_xmp_halo h;
  struct pst_xmp_group *g;
  sum_check(w);
  halo_of(w, &h);
  g = partners_open(w);
  pst_xmp_halo_held(w->where, &h, &held);
  pst_xmp_halo_owned(w->where, &h, &owned);
  p->exchange = pst_xmp_exchange_open(w->where, w->array, g, w->kind, &held, &owned, w->async);
  pst_xmp_group_close(g);
  free(held.box);
  free(owned.box);
  p->head.free = plan_free;
  p->kind = w->kind, p->orthogonal = w->orthogonal, p->async = w->async, p->whole = !w->width;
  if (w->width) memcpy(p->width, w->width, (size_t)w->array->dims * sizeof *p->width);
  pst_xmp_array_keep(w->array, &p->head);
  return p;
}

/* ---- finding it again ---- */

static int widths_equal(const struct pst_xmp_width *a, const struct pst_xmp_width *b, int dims)
{
  for (int k = 0; k < dims; k++)
    if (a[k].lower != b[k].lower || a[k].upper != b[k].upper || !a[k].flag != !b[k].flag) return 0;
  return 1;
}

static int plan_fits(const struct plan *p, const struct wish *w)
{
  return p->head.free == plan_free && p->kind == w->kind && p->orthogonal == w->orthogonal &&
      p->async == w->async && p->whole == !w->width &&
      (p->whole || widths_equal(p->width, w->width, w->array->dims));
}

static struct plan *plan_find(const struct wish *w)
{
  for (struct pst_xmp_plan *p = w->array->plans; p; p = p->next)
    if (plan_fits((const struct plan *)p, w)) return (struct plan *)p;
  return plan_make(w);
}

/* ---- the constructs ---- */

static int pending_advance(struct pst_xmp_pending *head)
{
  struct pending *p = (struct pending *)head;
  if (p->plan && !pst_xmp_exchange_advance(p->plan->exchange)) return 0;
  if (p->plan) p->plan->pending = NULL;
  return 1;
}

static void plan_begin_async(const struct wish *w, struct plan *p, int id)
{
  struct pending *pending = pst_xmp_own_take(w->where, sizeof *pending);
  plan_settle(p);
  pending->plan = p;
  pending->head.advance = pending_advance;
  p->pending = pending;
  pst_xmp_exchange_begin(p->exchange);
  pst_xmp_async_add(&pending->head, id, NULL);
}

static void wish_fulfil(const struct wish *w, const int *id)
{
  if (!w->array->member) return;
  struct plan *const p = plan_find(w);
  if (id) {
    plan_begin_async(w, p, *id);
    return;
  }
  pst_xmp_exchange_begin(p->exchange);
  pst_xmp_exchange_end(p->exchange);
}

static void reflect_run(
    const char *where, pst_xmp_array_t *a, const struct pst_xmp_width width[], int flags, const int *async)
{
  pst_xmp_need_open(where);
  pst_xmp_async_advance();
  const struct wish w = {.where = where,
      .construct = "reflect",
      .array = pst_xmp_array_need(where, a),
      .kind = PST_XMP_EXCHANGE_REFLECT,
      .width = width,
      .orthogonal = (flags & PST_XMP_ORTHOGONAL) != 0,
      .async = async != NULL};
  wish_fulfil(&w, async);
}

void pst_xmp_reflect(
    const char *where, pst_xmp_array_t *a, const struct pst_xmp_width width[], int flags, const int *async)
{
  PST_XMP_ALONE(where);
  PST_XMP_TOLD(
      where, pst_xmp_told_reflect(&told, a, width, async), reflect_run(where, a, width, flags, async));
}

static void reduce_shadow_run(
    const char *where, pst_xmp_array_t *a, const struct pst_xmp_width width[], int flags, const int *async)
{
  pst_xmp_need_open(where);
  pst_xmp_async_advance();
  const struct wish w = {.where = where,
      .construct = "reduce_shadow",
      .array = pst_xmp_array_need(where, a),
      .kind = PST_XMP_EXCHANGE_SUM,
      .width = width,
      .orthogonal = (flags & PST_XMP_ORTHOGONAL) != 0,
      .async = async != NULL};
  wish_fulfil(&w, async);
}

void pst_xmp_reduce_shadow(
    const char *where, pst_xmp_array_t *a, const struct pst_xmp_width width[], int flags, const int *async)
{
  PST_XMP_ALONE(where);
  PST_XMP_TOLD(where,
      pst_xmp_told_plain(&told, xmpt_event_dummy, GASP_XMP_REDUCE_SHADOW, pst_xmp_array_need(where, a)->name),
      reduce_shadow_run(where, a, width, flags, async));
}

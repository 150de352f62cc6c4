/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Boxes of shadows. A node's part with the wanted shadow is a window in each dimension. It is cut into
 * strips, each of which lies within one owner's part: several, where blocks are thinner than the shadow. A
 * box is a strip of each dimension; the one that has the node's own strips alone is no shadow. */
#include "xmp/halo.h"

#include <stdlib.h>
#include <string.h>

typedef pst_xmp_index_t index_t;

struct strip {
  index_t at;   /* the holder's index of the first element; beyond the bounds where the shadow is periodic */
  index_t from; /* the owner's index of it */
  index_t length;
  int owner;  /* its coordinate */
  int shadow; /* 0: the holder's own part */
};
struct strips {
  int n, room;
  struct strip *strip;
};

static void *list_grow(const char *where, void *list, int n, int *room, size_t size)
{
  if (n < *room) return list;
  *room = *room ? 2 * *room : 4;
  void *const more = realloc(list, (size_t)*room * size);
  if (!more) pst_xmp_fatal(where, "out of memory for the plan of a shadow");
  return more;
}

static void strips_add(const char *where, struct strips *s, struct strip strip)
{
  s->strip = list_grow(where, s->strip, s->n, &s->room, sizeof *s->strip);
  s->strip[s->n++] = strip;
}

/* ---- one dimension ---- */

static int has_window(const struct pst_xmp_halo *h, int k)
{
  return h->all[k] || h->width[k].lower > 0 || h->width[k].upper > 0;
}

/* The strip from index x on, of which `length` elements are wanted at most; within the array's bounds when
 * both have been wrapped. */
static struct strip strip_at(const struct pst_xmp_dimension *d, index_t x, index_t length)
{
  const index_t g = pst_xmp_mod(x, d->extent), owner = pst_xmp_axis_owner(&d->axis, g);
  index_t first, last;
  pst_xmp_axis_bounds(&d->axis, owner, &first, &last);
  const index_t here = last - g + 1;
  return (struct strip){x, g, here < length ? here : length, (int)owner, 1};
}

/* The strips of [low, high], which lies in the shadow; outside the bounds only where it is periodic. */
static void strips_shadow(
    const char *where, const struct pst_xmp_halo *h, int k, index_t low, index_t high, struct strips *s)
{
  const struct pst_xmp_dimension *const d = &h->array->dim[k];
  if (!h->width[k].flag && low < 0) low = 0;
  if (!h->width[k].flag && high >= d->extent) high = d->extent - 1;
  while (low <= high) {
    const struct strip strip = strip_at(d, low, high - low + 1);
    strips_add(where, s, strip);
    low += strip.length;
  }
}

/* The strips of the window of coordinate c, in the order of indices. A node without elements has none, but
 * for a full shadow, which holds all elements on every node. */
static void strips_of(const char *where, const struct pst_xmp_halo *h, int k, int c, struct strips *s)
{
  const struct pst_xmp_extent e = pst_xmp_array_extent(h->array, k, c);
  const index_t last = h->array->dim[k].extent - 1;
  s->n = 0;
  if (e.count == 0) {
    if (h->all[k]) strips_shadow(where, h, k, 0, last, s);
    return;
  }
  if (h->all[k]) strips_shadow(where, h, k, 0, e.first - 1, s);
  else strips_shadow(where, h, k, e.first - h->width[k].lower, e.first - 1, s);
  strips_add(where, s, (struct strip){e.first, e.first, e.count, c, 0});
  if (h->all[k]) strips_shadow(where, h, k, e.last + 1, last, s);
  else if (has_window(h, k)) strips_shadow(where, h, k, e.last + 1, e.last + h->width[k].upper, s);
}

/* ---- what a box can be made of in one dimension ---- */

struct choice {
  int holder, owner; /* coordinates */
  int shadow;
  int number, of;           /* the strip among the holder's */
  index_t at, from, length; /* local subscripts at the holder and at the owner */
};
struct choices {
  int n, room;
  struct choice *choice;
};

static void choices_add(const char *where, const struct pst_xmp_halo *h, int k, struct choices *c, int holder,
    const struct strips *s, int number)
{
  const struct strip *const strip = &s->strip[number];
  c->choice = list_grow(where, c->choice, c->n, &c->room, sizeof *c->choice);
  c->choice[c->n++] = (struct choice){.holder = holder,
      .owner = strip->owner,
      .shadow = strip->shadow,
      .number = number,
      .of = s->n,
      .at = pst_xmp_array_subscript(h->array, k, holder, strip->at),
      .from = pst_xmp_array_subscript(h->array, k, strip->owner, strip->from),
      .length = strip->length};
}

static void choices_held(const char *where, const struct pst_xmp_halo *h, int k, struct choices *c)
{
  const int me = h->array->coordinate[k];
  struct strips s = {0};
  strips_of(where, h, k, me, &s);
  for (int i = 0; i < s.n; i++) choices_add(where, h, k, c, me, &s, i);
  free(s.strip);
}

/* The strips of holder r that this node owns. */
static void choices_of_holder(
    const char *where, const struct pst_xmp_halo *h, int k, struct choices *c, int r, struct strips *s)
{
  const int me = h->array->coordinate[k];
  strips_of(where, h, k, r, s);
  for (int i = 0; i < s->n; i++)
    if (s->strip[i].owner == me) choices_add(where, h, k, c, r, s, i);
}

/* All holders of a full shadow have the same strips: the blocks in their order. */
static void choices_owned_full(const char *where, const struct pst_xmp_halo *h, int k, struct choices *c)
{
  const int me = h->array->coordinate[k];
  struct strips s = {0};
  strips_of(where, h, k, me, &s);
  for (int mine = 0; mine < s.n; mine++) {
    if (s.strip[mine].owner != me) continue;
    for (int holder = 0; holder < h->array->dim[k].axis.nodes; holder++) {
      s.strip[mine].shadow = holder != me;
      choices_add(where, h, k, c, holder, &s, mine);
    }
  }
  free(s.strip);
}

/* A node whose lower shadow has elements of this one begins within the upper width behind this one's end, and
 * the other way round: the holders are the owners of a window with the widths exchanged. */
static void choices_owned(const char *where, const struct pst_xmp_halo *h, int k, struct choices *c)
{
  const int me = h->array->coordinate[k];
  struct pst_xmp_halo mirror = *h;
  struct strips near = {0}, s = {0};
  mirror.width[k].lower = h->width[k].upper;
  mirror.width[k].upper = h->width[k].lower;
  strips_of(where, &mirror, k, me, &near);
  for (int i = 0; i < near.n; i++) {
    int again = 0;
    for (int j = 0; j < i; j++) again |= near.strip[j].owner == near.strip[i].owner;
    if (!again) choices_of_holder(where, h, k, c, near.strip[i].owner, &s);
  }
  free(near.strip);
  free(s.strip);
}

/* ---- boxes ---- */

/* Strides of a node's part, and the bytes before the box. */
static size_t box_place(
    const struct pst_xmp_halo *h, const int coordinate[], const index_t at[], size_t stride[])
{
  const struct pst_xmp_array_full *const a = h->array;
  size_t step = a->size, offset = 0;
  for (int k = a->dims - 1; k >= 0; k--) {
    offset += (size_t)at[k] * step;
    step *= (size_t)pst_xmp_array_extent(a, k, coordinate[k]).ld;
    if (k > 0) stride[a->dims - 1 - k] = step;
  }
  return offset;
}

struct building {
  const char *where;
  const struct pst_xmp_halo *halo;
  const struct choices *choices; /* [dims] */
  struct pst_xmp_boxes *boxes;
  int held;
};

static void box_shape(const struct building *b, const struct choice *const c[], struct pst_xmp_box *box)
{
  const int dims = b->halo->array->dims;
  box->bytes = b->halo->array->size;
  for (int i = 0; i < dims; i++) {
    const size_t length = (size_t)c[dims - 1 - i]->length;
    box->count[i] = i ? length : length * b->halo->array->size;
    box->bytes *= length;
  }
}

static void box_add(const struct building *b, const struct choice *const c[])
{
  const struct pst_xmp_array_full *const a = b->halo->array;
  struct pst_xmp_boxes *const list = b->boxes;
  index_t at[PST_XMP_DIMENSIONS], from[PST_XMP_DIMENSIONS], other[PST_XMP_DIMENSIONS];
  int holder[PST_XMP_DIMENSIONS], owner[PST_XMP_DIMENSIONS], slots = 1;
  struct pst_xmp_box box = {0};
  for (int k = 0; k < a->dims; k++) {
    at[k] = c[k]->at, from[k] = c[k]->from;
    holder[k] = c[k]->holder, owner[k] = c[k]->owner;
    other[k] = b->held ? owner[k] : holder[k];
    box.slot = box.slot * c[k]->of + c[k]->number;
    slots *= c[k]->of;
  }
  box.node = pst_xmp_array_node(a, other);
  if (!b->held && box.node == pst_xmp_job.me) return; /* it is among the held ones */
  box.holder_offset = box_place(b->halo, holder, at, box.holder_stride);
  box.owner_offset = box_place(b->halo, owner, from, box.owner_stride);
  box_shape(b, c, &box);
  list->slots = slots;
  list->box = list_grow(b->where, list->box, list->n, &list->room, sizeof *list->box);
  list->box[list->n++] = box;
}

/* Orthogonal boxes are in the shadow of one dimension alone, which makes a difference only where more than
 * one is distributed. */
static int is_wanted(const struct building *b, int shadows)
{
  int distributed = 0;
  for (int k = 0; k < b->halo->array->dims; k++) distributed += b->halo->array->dim[k].node_dim >= 0;
  return shadows == 1 || (shadows > 1 && !(b->halo->orthogonal && distributed > 1));
}

static void boxes_add(const struct building *b, const struct choice *c[], int k, int shadows)
{
  if (k == b->halo->array->dims) {
    if (is_wanted(b, shadows)) box_add(b, c);
    return;
  }
  for (int i = 0; i < b->choices[k].n; i++) {
    c[k] = &b->choices[k].choice[i];
    boxes_add(b, c, k + 1, shadows + c[k]->shadow);
  }
}

static void boxes_build(
    const char *where, const struct pst_xmp_halo *h, struct pst_xmp_boxes *boxes, int held)
{
  struct choices choices[PST_XMP_DIMENSIONS] = {{0}};
  const struct choice *c[PST_XMP_DIMENSIONS];
  const struct building b = {where, h, choices, boxes, held};
  for (int k = 0; k < h->array->dims; k++)
    if (held) choices_held(where, h, k, &choices[k]);
    else if (h->all[k]) choices_owned_full(where, h, k, &choices[k]);
    else choices_owned(where, h, k, &choices[k]);
  boxes_add(&b, c, 0, 0);
  for (int k = 0; k < h->array->dims; k++) free(choices[k].choice);
}

void pst_xmp_halo_held(const char *where, const struct pst_xmp_halo *h, struct pst_xmp_boxes *boxes)
{
  boxes_build(where, h, boxes, 1);
}

void pst_xmp_halo_owned(const char *where, const struct pst_xmp_halo *h, struct pst_xmp_boxes *boxes)
{
  boxes_build(where, h, boxes, 0);
}

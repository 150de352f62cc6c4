/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Copies between sections, one or both of another image. A side is a base address and, for each dimension
 * that is not dropped, a count and a distance; the strided transfers of gasnetx.h do the rest. */
#include <stdlib.h>
#include <string.h>

#include "xmp/coarray.h"
#include "xmp/tool.h"

typedef pst_xmp_index_t index_t;
enum { MOST = PST_XMP_DIMENSIONS };

/* ---- a side ---- */

/* In the order of gasnetx.h: dimension 0 is the fastest. Dimensions with one element are left out of the
 * transfer, but not of the shape. */
struct walk {
  const char *what; /* "left" or "right", for messages */
  char *first;      /* the element whose indices are all 0; later as the owner sees it */
  size_t size;      /* of an element */
  int rank;
  size_t count[MOST];
  ptrdiff_t stride[MOST];
  char *low; /* the lowest byte of all, and how far the others reach */
  size_t reach;
  int empty;
  int remote; /* a coarray's, on `node` */
  gasnet_node_t node;
  char *here; /* `first` for loads and stores; NULL where it is not mapped */
};

static void walk_add(struct walk *w, const char *where, const struct pst_xmp_section *s, ptrdiff_t distance)
{
  if (s->count < 0) pst_xmp_fatal(where, "the %s side has a section of %lld elements", w->what, s->count);
  w->count[w->rank] = (size_t)s->count;
  w->stride[w->rank++] = (ptrdiff_t)s->step * distance;
  if (s->count == 0) w->empty = 1;
}

/* What needs no division and no message. */
static int subscript_is_plain(const struct pst_xmp_subscript *u, index_t extent)
{
  if (u->first < 0 || u->first >= extent) return 0;
  return u->span == PST_XMP_ONE ||
      (u->span == PST_XMP_COUNT && u->step == 1 && u->last > 0 && u->last <= extent - u->first);
}

/* A pointer's first extent is not known: its sections say how long they are. */
static struct pst_xmp_section __attribute__((noinline))
section_find(const struct walk *w, const char *where, const struct pst_xmp_side *side, int k)
{
  const struct pst_xmp_subscript *const u = &side->subscript[k];
  const index_t extent = side->extent[k] ? side->extent[k] : (index_t)1 << 50;
  if (side->extent[k] == 0 && (u->span == PST_XMP_ALL || u->span == PST_XMP_REST))
    pst_xmp_fatal(where, "the %s side has a section without a length, of a pointer", w->what);
  return pst_xmp_subscript_section(where, w->what, k, u, 0, extent - 1);
}

static inline struct pst_xmp_section section_of(
    const struct walk *w, const char *where, const struct pst_xmp_side *side, int k)
{
  const struct pst_xmp_subscript *const u = &side->subscript[k];
  if (__builtin_expect(subscript_is_plain(u, side->extent[k]), 1))
    return (struct pst_xmp_section){u->first, u->span == PST_XMP_ONE ? 1 : u->last, 1};
  return section_find(w, where, side, k);
}

static void walk_bounds(struct walk *w)
{
  w->low = w->first;
  w->reach = w->size;
  for (int k = 0; k < w->rank && !w->empty; k++) {
    const ptrdiff_t far = (ptrdiff_t)(w->count[k] - 1) * w->stride[k];
    if (far < 0) w->low += far;
    w->reach += (size_t)(far < 0 ? -far : far);
  }
}

static void walk_open(struct walk *w, const char *where, const char *what, const struct pst_xmp_side *side)
{
  ptrdiff_t distance = (ptrdiff_t)side->size;
  w->what = what;
  w->first = side->address;
  w->size = side->size;
  w->rank = w->empty = w->remote = 0;
  if (side->dims < 0 || side->dims > MOST)
    pst_xmp_fatal(where, "the %s side has %d dimensions; at most %d are possible", what, side->dims, MOST);
  for (int k = side->dims - 1; k >= 0; k--) {
    const struct pst_xmp_section s = section_of(w, where, side, k);
    if (s.count) w->first += (ptrdiff_t)s.first * distance;
    if (side->subscript[k].span != PST_XMP_ONE) walk_add(w, where, &s, distance);
    distance *= (ptrdiff_t)side->extent[k];
  }
  walk_bounds(w);
}

/* Where the side lies. Its addresses become those of the owner. */
static void walk_place(struct walk *w, const char *where, void *coarray, int image)
{
  const ptrdiff_t up = w->first - w->low;
  struct pst_xmp_place p;
  w->here = w->first;
  w->node = (gasnet_node_t)pst_xmp_job.me;
  if (!coarray) return;
  p = pst_xmp_coarray_place(where, coarray, image, w->low, w->reach);
  w->remote = 1;
  w->node = p.node;
  w->low = p.there;
  w->first = p.there + up;
  w->here = p.here ? p.here + up : NULL;
}

static size_t walk_elements(const struct walk *w)
{
  size_t n = 1;
  for (int k = 0; k < w->rank; k++) n *= w->count[k];
  return n;
}

/* ---- both sides ---- */

static int count_differs(const struct walk *to, const struct walk *from)
{
  for (int k = 0; k < to->rank; k++)
    if (to->count[k] != from->count[k]) return to->rank - 1 - k;
  return -1;
}

static void shapes_check(const char *where, const struct walk *to, const struct walk *from)
{
  int k;
  if (from->rank == 0) return;
  if (to->rank != from->rank)
    pst_xmp_fatal(where, "the left side has %d dimensions, and the right side %d", to->rank, from->rank);
  if ((k = count_differs(to, from)) >= 0)
    pst_xmp_fatal(where, "the sides have %zu and %zu elements in dimension %d", to->count[to->rank - 1 - k],
        from->count[to->rank - 1 - k], k);
}

static void types_check(const char *where, const struct pst_xmp_side *to, const struct pst_xmp_side *from)
{
  if (to->size != from->size || to->type != from->type)
    pst_xmp_fatal(where, "the types of the two sides differ: elements have %lu and %lu bytes%s", to->size,
        from->size, to->size == from->size ? ", but are of other types" : "");
}

/* A scalar's strides are 0. Contiguous rows of both sides are one element. */
struct transfer {
  size_t size, count[MOST], dims;
  ptrdiff_t to[MOST], from[MOST];
};

static void transfer_make(struct transfer *t, const struct walk *to, const struct walk *from)
{
  t->size = to->size;
  t->dims = 0;
  for (int k = 0; k < to->rank; k++) {
    const ptrdiff_t far = from->rank ? from->stride[k] : 0;
    if (to->count[k] == 1) continue;
    if (t->dims == 0 && to->stride[k] == (ptrdiff_t)t->size && far == to->stride[k]) {
      t->size *= to->count[k];
      continue;
    }
    t->count[t->dims] = to->count[k];
    t->to[t->dims] = to->stride[k];
    t->from[t->dims++] = far;
  }
}

/* ---- local copies ---- */

static void elements_copy(char *to, const char *from, const struct transfer *t)
{
#define LOOP(type) \
  do { \
    typedef type value __attribute__((aligned(1), may_alias)); \
    for (size_t i = 0; i < t->count[0]; i++, to += t->to[0], from += t->from[0]) \
      *(value *)to = *(const value *)from; \
  } while (0)
  switch (t->size) {
  case 1: LOOP(uint8_t); break;
  case 2: LOOP(uint16_t); break;
  case 4: LOOP(uint32_t); break;
  case 8: LOOP(uint64_t); break;
  default:
    for (size_t i = 0; i < t->count[0]; i++, to += t->to[0], from += t->from[0]) memcpy(to, from, t->size);
  }
#undef LOOP
}

static void local_copy(char *to, const char *from, const struct transfer *t, size_t dims)
{
  if (dims == 0) memcpy(to, from, t->size);
  else if (dims == 1) elements_copy(to, from, t);
  else
    for (size_t i = 0; i < t->count[dims - 1]; i++)
      local_copy(to + (ptrdiff_t)i * t->to[dims - 1], from + (ptrdiff_t)i * t->from[dims - 1], t, dims - 1);
}

/* ---- transfers ---- */

/* The source may be changed when this returns, though the put may go on. */
static void put(const struct walk *to, char *from, const struct transfer *t)
{
  if (to->here) {
    if (t->dims == 0) pst_copy(to->here, from, t->size);
    else gasnetx_puts_any_bulk(to->node, to->first, t->to, from, t->from, t->size, t->count, t->dims);
    return;
  }
  if (t->dims == 0) {
    pst_front_put_start(to->node, to->first, from, t->size);
    return;
  }
  pst_front_shared_enter();
  pst_front_put_order(to->node, to->low, to->reach, 1);
  gasnetx_puts_any_nbi_bulk(to->node, to->first, t->to, from, t->from, t->size, t->count, t->dims);
  gasnetx_group_wait(NULL, GASNETX_GROUP_LOCAL);
  pst_front_shared_leave();
}

static void get(char *to, const struct walk *from, const struct transfer *t)
{
  if (!from->here) pst_front_put_order(from->node, from->low, from->reach, 0);
  if (t->dims == 0 && from->here) pst_copy(to, from->here, t->size);
  else if (t->dims == 0) gasnet_get_bulk(to, from->node, from->first, t->size);
  else gasnetx_gets_any_bulk(to, t->to, from->node, from->first, t->from, t->size, t->count, t->dims);
}

/* The whole source, or its one element, as an array of its own. */
static char *source_take(const char *where, struct walk *from)
{
  struct walk packed = *from;
  size_t distance = from->size;
  char *const buffer = pst_xmp_own_take(where, walk_elements(from) * from->size);
  struct transfer t;
  for (int k = 0; k < from->rank; k++) {
    packed.stride[k] = (ptrdiff_t)distance;
    distance *= from->count[k];
  }
  transfer_make(&t, &packed, from);
  if (from->remote) get(buffer, from, &t);
  else local_copy(buffer, from->first, &t, t.dims);
  memcpy(from->stride, packed.stride, sizeof from->stride);
  from->first = from->here = buffer;
  from->remote = 0;
  return buffer;
}

static int memory_overlaps(const struct walk *to, const struct walk *from)
{
  return to->node == from->node && to->low < from->low + from->reach && from->low < to->low + to->reach;
}

/* One side is this image's, or mapped here, which is as good. */
static void sides_move(const struct walk *to, const struct walk *from)
{
  struct transfer t;
  transfer_make(&t, to, from);
  if (!to->remote && !from->remote) local_copy(to->first, from->first, &t, t.dims);
  else if (to->remote && from->here) put(to, from->here, &t);
  else get(to->here, from, &t);
}

static void section_copy(const char *where, void *to_coarray, int to_image, const struct pst_xmp_side *left,
    void *from_coarray, int from_image, const struct pst_xmp_side *right)
{
  struct walk to, from;
  char *buffer = NULL;
  pst_xmp_need_open(where);
  types_check(where, left, right);
  walk_open(&to, where, "left", left);
  walk_open(&from, where, "right", right);
  shapes_check(where, &to, &from);
  if (to.empty || from.empty) return;
  walk_place(&to, where, to_coarray, to_image);
  walk_place(&from, where, from_coarray, from_image);
  if (memory_overlaps(&to, &from) || (!to.here && !from.here) || (from.remote && from.rank == 0))
    buffer = source_take(where, &from);
  sides_move(&to, &from);
  free(buffer);
  PST_FRONT_FENCE(__ATOMIC_ACQUIRE);
}

/* Of two coarrays tools see a read and a write. */
void pst_xmp_copy_section(const char *where, void *to_coarray, int to_image, const struct pst_xmp_side *left,
    void *from_coarray, int from_image, const struct pst_xmp_side *right)
{
  struct pst_xmp_told read, write;
  if (!PST_XMP_TOOLS) {
    section_copy(where, to_coarray, to_image, left, from_coarray, from_image, right);
    return;
  }
  read = write = (struct pst_xmp_told){.where = where, .codeptr = PST_XMP_CODEPTR, .node = -1};
  if (from_coarray) pst_xmp_told_section(&read, GASP_XMP_GET, from_coarray, from_image, right);
  if (to_coarray) pst_xmp_told_section(&write, GASP_XMP_PUT, to_coarray, to_image, left);
  section_copy(where, to_coarray, to_image, left, from_coarray, from_image, right);
  pst_xmp_told_end(&write, write.codeptr);
  pst_xmp_told_end(&read, read.codeptr);
}

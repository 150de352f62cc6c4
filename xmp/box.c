/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A box is one side of a gmove in or out whose executing set is this node alone. */
#include "xmp/box.h"

#include <string.h>

#include "xmp/gmove_run.h"

typedef pst_xmp_index_t index_t;

/* ---- boxes ---- */

static struct pst_xmp_group *myself(void)
{
  static struct pst_xmp_group *g;
  if (!g) {
    const struct pst_xmp_set me = pst_xmp_set_one(pst_xmp_job.me);
    g = pst_xmp_group_open(&me);
  }
  return g;
}

/* array NULL: the local side, which is as large as the section. */
static void side_set(struct pst_xmp_gmove_side *s, struct pst_xmp_array_full *array,
    const struct pst_xmp_array_full *a, const struct pst_xmp_section section[])
{
  s->array = array;
  s->size = a->size;
  s->type = a->type;
  s->dims = s->rank = a->dims;
  for (int k = 0; k < a->dims; k++) {
    s->extent[k] = array ? a->dim[k].extent : section[k].count;
    s->section[k] = array ? section[k] : (struct pst_xmp_section){0, section[k].count, 1};
    s->dim[k] = k;
  }
}

static void box_move(const char *call, struct pst_xmp_array_full *a, const struct pst_xmp_section section[],
    void *memory, int out)
{
  struct pst_xmp_gmove_key key;
  struct pst_xmp_schedule *s;
  memset(&key, 0, sizeof key);
  key.group = myself();
  key.mode = out ? PST_XMP_OUT : PST_XMP_IN;
  side_set(out ? &key.left : &key.right, a, a, section);
  side_set(out ? &key.right : &key.left, NULL, a, section);
  s = pst_xmp_schedule_make(call, &key, out ? NULL : memory, out ? memory : NULL);
  pst_xmp_schedule_before(s);
  if (s->plan) gasnetx_plan_run(s->plan);
  pst_xmp_schedule_after(s);
  pst_xmp_schedule_free(s);
}

void pst_xmp_box_get(
    const char *call, struct pst_xmp_array_full *a, const struct pst_xmp_section section[], void *to)
{
  box_move(call, a, section, to, 0);
}

void pst_xmp_box_put(
    const char *call, struct pst_xmp_array_full *a, const struct pst_xmp_section section[], void *from)
{
  box_move(call, a, section, from, 1);
}

/* ---- runs: at most two boxes for each dimension, and one more ---- */

struct run {
  const char *call;
  struct pst_xmp_array_full *a;
  const struct pst_xmp_section *part;
  struct pst_xmp_section box[PST_XMP_DIMENSIONS];
  index_t inner[PST_XMP_DIMENSIONS]; /* elements of what one index of the dimension has */
  char *memory;
  int out;
};

static void run_choose(struct run *r, int k, index_t first, index_t count)
{
  const struct pst_xmp_section *const s = &r->part[k];
  r->box[k] = (struct pst_xmp_section){s->first + first * s->step, count, s->step};
}

/* `count` indices of dimension k, with all of the dimensions behind it. */
static void run_box(struct run *r, int k, index_t first, index_t count)
{
  if (count <= 0) return;
  run_choose(r, k, first, count);
  for (int d = k + 1; d < r->a->dims; d++) r->box[d] = r->part[d];
  box_move(r->call, r->a, r->box, r->memory, r->out);
  r->memory += (size_t)(count * r->inner[k]) * r->a->size;
}

/* Elements low to high - 1 of what the indices before dimension k leave. */
static void run_part(struct run *r, int k, index_t low, index_t high)
{
  index_t inner, first, last, head, tail;
  if (low >= high) return;
  inner = r->inner[k];
  first = low / inner;
  last = high / inner;
  head = low % inner;
  tail = high % inner;
  if (head || (first == last && tail)) {
    run_choose(r, k, first, 1);
    run_part(r, k + 1, head, first == last ? tail : inner);
    if (first == last) return;
  }
  first += head > 0;
  run_box(r, k, first, last - first);
  if (tail == 0) return;
  run_choose(r, k, last, 1);
  run_part(r, k + 1, 0, tail);
}

static void run_move(const char *call, struct pst_xmp_array_full *a, const struct pst_xmp_section part[],
    index_t first, index_t count, void *memory, int out)
{
  struct run r = {.call = call, .a = a, .part = part, .memory = memory, .out = out};
  index_t inner = 1;
  for (int k = a->dims - 1; k >= 0; k--) {
    r.inner[k] = inner;
    inner *= part[k].count;
  }
  run_part(&r, 0, first, first + count);
}

static void whole(const struct pst_xmp_array_full *a, struct pst_xmp_section part[])
{
  for (int k = 0; k < a->dims; k++) part[k] = (struct pst_xmp_section){0, a->dim[k].extent, 1};
}

void pst_xmp_part_get(const char *call, struct pst_xmp_array_full *a, const struct pst_xmp_section part[],
    index_t first, index_t count, void *to)
{
  run_move(call, a, part, first, count, to, 0);
}

void pst_xmp_part_put(const char *call, struct pst_xmp_array_full *a, const struct pst_xmp_section part[],
    index_t first, index_t count, void *from)
{
  run_move(call, a, part, first, count, from, 1);
}

void pst_xmp_run_get(const char *call, struct pst_xmp_array_full *a, index_t first, index_t count, void *to)
{
  struct pst_xmp_section part[PST_XMP_DIMENSIONS];
  whole(a, part);
  run_move(call, a, part, first, count, to, 0);
}

void pst_xmp_run_put(const char *call, struct pst_xmp_array_full *a, index_t first, index_t count, void *from)
{
  struct pst_xmp_section part[PST_XMP_DIMENSIONS];
  whole(a, part);
  run_move(call, a, part, first, count, from, 1);
}

/* ---- single elements ---- */

void *pst_xmp_element_at(
    const char *call, const struct pst_xmp_array_full *a, const index_t index[], gasnet_node_t *node)
{
  index_t coordinate[PST_XMP_DIMENSIONS], at = 0;
  for (int k = 0; k < a->dims; k++) {
    if (index[k] < 0 || index[k] >= a->dim[k].extent)
      pst_xmp_fatal(call, "index %lld of dimension %d of %s; it has 0 to %lld", index[k], k + 1, a->name,
          a->dim[k].extent - 1);
    coordinate[k] = pst_xmp_axis_owner(&a->dim[k].axis, index[k]);
  }
  for (int k = 0; k < a->dims; k++) {
    if (k) at *= pst_xmp_array_extent(a, k, coordinate[k]).ld;
    at += pst_xmp_array_subscript(a, k, coordinate[k], index[k]);
  }
  *node = (gasnet_node_t)pst_xmp_array_node(a, coordinate);
  return (char *)pst_xmp_array_at(call, a, (int)*node) + (size_t)at * a->size;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Parts of global arrays in files: ranges, views, transfers of arrays. */
#include <errno.h>
#include <stdlib.h>

#include "xmp/alone.h"
#include "xmp/file.h"
#include "xmp/transform.h"

typedef pst_xmp_index_t index_t;

/* ---- ranges ---- */

xmp_range_t *xmp_allocate_range(int n)
{
  struct pst_xmp_file_range *r;
  if (n < 1 || n > PST_XMP_DIMENSIONS)
    pst_xmp_fatal("xmp_allocate_range", "%d dimensions; from 1 to %d are possible", n, PST_XMP_DIMENSIONS);
  r = pst_xmp_own_take_clear("xmp_allocate_range", 1, sizeof *r);
  r->dims = n;
  return r;
}

void xmp_set_range(xmp_range_t *range, int dim, int lower, int length, int step)
{
  if (!range) pst_xmp_fatal("xmp_set_range", "the range is NULL");
  if (dim < 1 || dim > range->dims)
    pst_xmp_fatal("xmp_set_range", "dimension %d of a range of %d; they count from 1", dim, range->dims);
  if (length < 0) pst_xmp_fatal("xmp_set_range", "the length %d of dimension %d", length, dim);
  if (step == 0) pst_xmp_fatal("xmp_set_range", "the step of dimension %d is 0", dim);
  range->dim[dim - 1].is_set = 1;
  range->dim[dim - 1].lower = lower;
  range->dim[dim - 1].length = length;
  range->dim[dim - 1].step = step;
}

void xmp_free_range(xmp_range_t *range) { free(range); }

/* ---- the parts of a range that this node owns ---- */

static struct pst_xmp_section range_section(
    const char *call, const struct pst_xmp_array_full *a, const struct pst_xmp_file_range *r, int k)
{
  const index_t extent = a->dim[k].extent;
  struct pst_xmp_section s = {0, extent, 1};
  index_t last;
  if (!r || !r->dim[k].is_set) return s;
  s = (struct pst_xmp_section){r->dim[k].lower, r->dim[k].length, r->dim[k].step};
  last = s.first + (s.count - 1) * s.step;
  if (s.count && (s.first < 0 || s.first >= extent || last < 0 || last >= extent))
    pst_xmp_fatal(call, "the range of dimension %d goes from %lld to %lld; %s has 0 to %lld there", k + 1,
        s.first, last, a->name, extent - 1);
  return s;
}

void pst_xmp_parts_open(const char *call, struct pst_xmp_parts *p, const struct pst_xmp_array_full *a,
    const struct pst_xmp_file_range *range)
{
  if (range && range->dims != a->dims)
    pst_xmp_fatal(call, "the range and %s have different numbers of dimensions, %d and %d", a->name,
        range->dims, a->dims);
  p->dims = a->dims;
  p->size = a->size;
  p->owned = a->member;
  p->all = 1;
  for (int k = 0; k < a->dims; k++) {
    const struct pst_xmp_section s = range_section(call, a, range, k);
    if (pst_xmp_own_open(&p->dim[k], &a->dim[k].axis, a->member ? a->coordinate[k] : 0, &s) != 0)
      pst_xmp_fatal(call, "out of memory for the parts of %s", a->name);
    p->owned *= p->dim[k].owned;
    p->all *= s.count;
  }
}

void pst_xmp_parts_close(struct pst_xmp_parts *p)
{
  for (int k = 0; k < p->dims; k++) pst_xmp_own_close(&p->dim[k]);
}

long long pst_xmp_parts_element(const struct pst_xmp_parts *p, long long j, index_t k[], index_t *more)
{
  long long place = 0;
  index_t rest, digit[PST_XMP_DIMENSIONS];
  for (int d = p->dims - 1; d >= 0; d--) {
    digit[d] = j % p->dim[d].owned;
    j /= p->dim[d].owned;
  }
  for (int d = 0; d < p->dims; d++) {
    k[d] = pst_xmp_own_element(&p->dim[d], digit[d], d == p->dims - 1 ? more : &rest);
    place = place * p->dim[d].section.count + k[d];
  }
  return place;
}

/* ---- views ---- */

static void view_drop(xmp_file_t *f)
{
  if (f->has_view) pst_xmp_parts_close(&f->view);
  f->has_view = 0;
}

int xmp_file_set_view_all(xmp_file_t *f, long long displacement, xmp_desc_t array, xmp_range_t *range)
{
  PST_XMP_ALONE("xmp_file_set_view_all");
  static const char call[] = "xmp_file_set_view_all";
  const struct pst_xmp_array_full *const a = pst_xmp_array_need(call, array);
  if (!f || displacement < 0) {
    errno = EINVAL;
    return -1;
  }
  view_drop(f);
  pst_xmp_parts_open(call, &f->view, a, range);
  f->has_view = 1;
  f->displacement = displacement;
  f->pointer = 0;
  pst_xmp_group_barrier(f->group);
  return 0;
}

int xmp_file_clear_view_all(xmp_file_t *f, long long displacement)
{
  PST_XMP_ALONE("xmp_file_clear_view_all");
  if (!f || displacement < 0) {
    errno = EINVAL;
    return -1;
  }
  view_drop(f);
  f->pointer = displacement;
  pst_xmp_group_barrier(f->group);
  return 0;
}

/* ---- arrays ---- */

/* The local address of an element of the range. */
static char *element_address(
    const struct pst_xmp_array_full *a, const struct pst_xmp_parts *p, const index_t k[])
{
  index_t at = 0;
  for (int d = 0; d < a->dims; d++) {
    const struct pst_xmp_section *const s = &p->dim[d].section;
    at = at * a->mine[d].ld + pst_xmp_array_subscript(a, d, a->coordinate[d], s->first + k[d] * s->step);
  }
  return a->seen.base + (size_t)at * a->size;
}

/* Elements that follow each other in the file have the distance `step` in memory. */
static void run_add(
    struct pst_xmp_batch *b, long long place, char *memory, size_t size, index_t n, index_t step)
{
  if (step == 1) {
    pst_xmp_batch_add(b, place, memory, size * (size_t)n);
    return;
  }
  for (index_t i = 0; i < n; i++)
    pst_xmp_batch_add(b, place + (long long)size * i, memory + (ptrdiff_t)size * step * i, size);
}

static ssize_t parts_move(const char *call, xmp_file_t *f, const struct pst_xmp_array_full *a,
    const struct pst_xmp_parts *p, int writes)
{
  struct pst_xmp_batch *const b = pst_xmp_batch_open(call, f->fd, writes);
  index_t k[PST_XMP_DIMENSIONS], more;
  for (long long j = 0; j < p->owned; j += more) {
    const long long place = f->pointer + pst_xmp_parts_element(p, j, k, &more) * (long long)p->size;
    run_add(b, place, element_address(a, p, k), p->size, more, p->dim[p->dims - 1].section.step);
  }
  return pst_xmp_batch_close(b);
}

/* Of nodes that have the same elements the first one writes them. */
static int node_is_first(const struct pst_xmp_array_full *a)
{
  const struct pst_xmp_nodes *const n = a->template_->nodes;
  for (int d = 0; a->member && d < n->dims; d++)
    if (a->array_dim[d] < 0 && n->coordinate[d] != 0) return 0;
  return a->member;
}

/* ---- arrays whose nodes take turns in short runs ---- */

/* The longest run of a node in the file, in bytes, as all nodes find it. */
static long long run_bytes(const struct pst_xmp_array_full *a, const struct pst_xmp_parts *p)
{
  const struct pst_xmp_section *const s = &p->dim[p->dims - 1].section;
  const struct pst_xmp_axis *const axis = &a->dim[p->dims - 1].axis;
  index_t run = s->count;
  if (axis->kind == PST_XMP_CYCLIC) run = s->step == 1 || s->step == -1 ? axis->width : 1;
  else if (axis->kind != PST_XMP_NOT_DISTRIBUTED) run = pst_xmp_axis_most(axis);
  return (run < s->count ? run : s->count) * (long long)a->size;
}

/* Each node reads or writes a share of the file's bytes, whose elements it gets from or puts to where they
 * lie. Returns 0 or errno. */
static int share_move(
    const char *call, xmp_file_t *f, struct pst_xmp_array_full *a, const struct pst_xmp_parts *p, int writes)
{
  enum { BYTES = 1 << 22 };
  struct pst_xmp_section part[PST_XMP_DIMENSIONS];
  const index_t most = BYTES / (index_t)p->size + 1;
  index_t first, count;
  char *const buffer = pst_xmp_own_take(call, (size_t)most * p->size);
  ssize_t done = 0;
  for (int k = 0; k < p->dims; k++) part[k] = p->dim[k].section;
  pst_xmp_transform_share(f->group, p->all, &first, &count);
  for (index_t some; count && done >= 0; first += some, count -= some) {
    struct pst_xmp_batch *const b = pst_xmp_batch_open(call, f->fd, writes);
    some = count < most ? count : most;
    if (writes) pst_xmp_part_get(call, a, part, first, some, buffer);
    pst_xmp_batch_add(b, f->pointer + first * (long long)p->size, buffer, (size_t)some * p->size);
    done = pst_xmp_batch_close(b);
    if (!writes && done > 0) pst_xmp_part_put(call, a, part, first, done / (ssize_t)p->size, buffer);
  }
  free(buffer);
  return done < 0 ? errno : 0;
}

/* How many of this node's elements the file has. */
static long long elements_there(const xmp_file_t *f, const struct pst_xmp_parts *p)
{
  const long long there = (pst_xmp_file_size(f) - f->pointer) / (long long)p->size;
  index_t k[PST_XMP_DIMENSIONS], more;
  long long n = 0;
  if (there >= p->all) return p->owned;
  while (n < p->owned) {
    const long long place = pst_xmp_parts_element(p, n, k, &more);
    if (place + more > there) return place < there ? n + there - place : n;
    n += more;
  }
  return n;
}

/* All have computed what others get, or use no more what others put. */
static ssize_t shares_move(
    const char *call, xmp_file_t *f, struct pst_xmp_array_full *a, const struct pst_xmp_parts *p, int writes)
{
  int error;
  pst_xmp_transform_meet(f->group);
  error = pst_xmp_file_most(f->group, share_move(call, f, a, p, writes));
  if (error) errno = error;
  if (error) return -1;
  if (writes) return node_is_first(a) ? (ssize_t)(p->owned * (long long)p->size) : 0;
  return (ssize_t)(elements_there(f, p) * (long long)p->size);
}

/* ---- the calls ---- */

static ssize_t array_move(const char *call, xmp_file_t *f, xmp_desc_t array, xmp_range_t *range, int writes)
{
  enum { SHORT = 2048 };
  struct pst_xmp_array_full *const a = pst_xmp_array_need(call, array);
  struct pst_xmp_parts p;
  ssize_t done = 0;
  int error;
  if (!f || f->has_view || !(writes ? f->writes : f->reads)) {
    errno = !f || f->has_view ? EINVAL : EBADF;
    return -1;
  }
  pst_xmp_parts_open(call, &p, a, range);
  if (run_bytes(a, &p) < SHORT) done = shares_move(call, f, a, &p, writes);
  else if (!writes || node_is_first(a)) done = parts_move(call, f, a, &p, writes);
  f->pointer += p.all * (long long)p.size;
  pst_xmp_parts_close(&p);
  error = errno;
  pst_xmp_group_barrier(f->group);
  errno = error;
  return done;
}

ssize_t xmp_fread_darray_all(xmp_file_t *f, xmp_desc_t array, xmp_range_t *range)
{
  PST_XMP_ALONE("xmp_fread_darray_all");
  return array_move("xmp_fread_darray_all", f, array, range, 0);
}

ssize_t xmp_fwrite_darray_all(xmp_file_t *f, xmp_desc_t array, xmp_range_t *range)
{
  PST_XMP_ALONE("xmp_fwrite_darray_all");
  return array_move("xmp_fwrite_darray_all", f, array, range, 1);
}

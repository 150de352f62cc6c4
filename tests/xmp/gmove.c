/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* gmove: random sections of random arrays, of all modes, against a model that assigns on whole copies. */
#include "model.h"

/* A side of the assignment: a global array, or local memory that is the same on all nodes. */
struct side {
  struct model_array *global; /* NULL: local */
  enum pst_xmp_type type;
  int dims;
  pst_xmp_index_t extent[MODEL_DIMS];
  struct pst_xmp_subscript subscript[MODEL_DIMS];
  pst_xmp_index_t first[MODEL_DIMS], count[MODEL_DIMS], step[MODEL_DIMS]; /* count 1 of elements */
  int is_element[MODEL_DIMS];
  char *memory;
  double all[MODEL_ELEMENTS];
};

static pst_xmp_index_t side_count(const struct side *s)
{
  pst_xmp_index_t n = 1;
  for (int k = 0; k < s->dims; k++) n *= s->count[k];
  return n;
}

static double *side_all(struct side *s) { return s->global ? s->global->all : s->all; }

/* The number, in the whole array, of element n of the section. */
static pst_xmp_index_t side_element(const struct side *s, pst_xmp_index_t n)
{
  pst_xmp_index_t number = 0, place = 1;
  for (int k = s->dims - 1; k >= 0; k--) {
    number += place * (s->first[k] + n % s->count[k] * s->step[k]);
    n /= s->count[k];
    place *= s->extent[k];
  }
  return number;
}

/* ---- random sides ---- */

static void side_shape(struct side *s, struct model_array *a, enum pst_xmp_type type, int rank)
{
  pst_xmp_index_t size = 1;
  memset(s, 0, offsetof(struct side, all));
  s->global = a;
  s->type = a ? a->type : type;
  s->dims = a ? a->dims : rank ? model_range(rank, MODEL_DIMS) : model_below(2);
  for (int k = 0; k < s->dims; k++) s->extent[k] = a ? a->extent[k] : model_range(1, MODEL_LENGTH / 2);
  for (int k = 0; k < s->dims; k++) size *= s->extent[k];
  if (!a) s->memory = malloc((size_t)size * model_size(s->type));
}

/* Which of the dimensions are elements: all but `rank`. */
static void side_elements(struct side *s, int rank)
{
  for (int k = 0; k < s->dims; k++) {
    const int left = s->dims - k;
    s->is_element[k] = rank == 0 || (rank < left && model_below(2));
    rank -= !s->is_element[k];
    s->count[k] = s->step[k] = 1;
    s->first[k] = model_below((int)s->extent[k]);
    s->subscript[k] = (struct pst_xmp_subscript){PST_XMP_ONE, 0, s->first[k], 0, 1};
  }
}

static int side_dim(const struct side *s, int r)
{
  for (int k = 0; k < s->dims; k++)
    if (!s->is_element[k] && r-- == 0) return k;
  return -1;
}

static void side_section(struct side *s, int k, pst_xmp_index_t count)
{
  const int extent = (int)s->extent[k];
  const int step = count > 1 ? model_range(1, (extent - 1) / ((int)count - 1)) : model_range(1, 3);
  const int span = count > 0 ? ((int)count - 1) * step : 0, first = model_below(extent - span);
  const int down = model_below(3) == 0;
  struct pst_xmp_subscript *u = &s->subscript[k];
  s->count[k] = count;
  s->first[k] = down ? first + span : first;
  s->step[k] = down ? -step : step;
  *u = (struct pst_xmp_subscript){PST_XMP_COUNT, 0, s->first[k], count, s->step[k]};
  if (count == extent && !down && model_below(2))
    *u = (struct pst_xmp_subscript){.span = PST_XMP_ALL, .step = 1};
  else if (model_below(3) == 0 && count > 0)
    *u = (struct pst_xmp_subscript){
        PST_XMP_BOUNDS, 0, s->first[k], s->first[k] + (count - 1) * s->step[k], s->step[k]};
}

/* Sections of equal shapes of both; the right one may be a scalar. */
static void sides_sections(struct side *l, struct side *r, int rank, int scalar)
{
  side_elements(l, rank);
  side_elements(r, scalar ? 0 : rank);
  for (int i = 0; i < rank; i++) {
    const int k = side_dim(l, i), j = scalar ? -1 : side_dim(r, i);
    const pst_xmp_index_t most = j < 0 || l->extent[k] < r->extent[j] ? l->extent[k] : r->extent[j];
    const pst_xmp_index_t count = model_below(20) ? model_range(1, (int)most) : most;
    side_section(l, k, count);
    if (j >= 0) side_section(r, j, count);
  }
}

static void side_fill(struct side *s)
{
  pst_xmp_index_t size = 1;
  if (s->global) {
    model_fill(s->global);
    return;
  }
  for (int k = 0; k < s->dims; k++) size *= s->extent[k];
  for (pst_xmp_index_t n = 0; n < size; n++) {
    s->all[n] = model_range(-120, 120);
    model_store(s->type, s->memory + n * (pst_xmp_index_t)model_size(s->type), s->all[n]);
  }
}

static void side_check(struct side *s, const char *what, const char *name)
{
  pst_xmp_index_t size = 1;
  if (s->global) {
    model_check(s->global, what, name);
    return;
  }
  for (int k = 0; k < s->dims; k++) size *= s->extent[k];
  for (pst_xmp_index_t n = 0; n < size; n++) {
    const double value = model_load(s->type, s->memory + n * (pst_xmp_index_t)model_size(s->type));
    CHECK(value == s->all[n], "%s: local element %lld of %s is %g, not %g", what, n, name, value, s->all[n]);
    if (value != s->all[n]) return;
  }
}

/* ---- a case ---- */

static struct pst_xmp_side side_of(const struct side *s)
{
  return (struct pst_xmp_side){.array = s->global ? s->global->desc : NULL,
      .address = s->memory,
      .size = model_size(s->type),
      .type = s->type,
      .dims = s->dims,
      .extent = s->extent,
      .subscript = s->subscript};
}

static void model_assign(struct side *l, struct side *r)
{
  static double values[MODEL_ELEMENTS];
  const pst_xmp_index_t n = side_count(l), many = side_count(r);
  for (pst_xmp_index_t i = 0; i < n; i++) values[i] = side_all(r)[side_element(r, many == 1 ? 0 : i)];
  for (pst_xmp_index_t i = 0; i < n; i++) side_all(l)[side_element(l, i)] = values[i];
}

static void gmove_once(struct side *l, struct side *r, const char *what)
{
  const struct pst_xmp_side left = side_of(l), right = side_of(r);
  enum pst_xmp_gmove_mode mode = PST_XMP_COLLECTIVE;
  const int id = model_below(5), async = model_below(3) == 0;
  if (r->global && model_below(4) == 0) mode = PST_XMP_IN;
  if (l->global && model_below(4) == 0) mode = PST_XMP_OUT;
  pst_xmp_gmove(AT, &left, &right, mode, async ? &id : NULL);
  if (async) pst_xmp_wait_async(AT, 1, &id, NULL);
  model_assign(l, r);
  side_check(l, what, "the left side");
  side_check(r, what, "the right side");
}

static void side_move(struct side *s)
{
  pst_xmp_index_t size = 1;
  if (s->global) return;
  for (int k = 0; k < s->dims; k++) size *= s->extent[k];
  free(s->memory);
  s->memory = malloc((size_t)size * model_size(s->type) + 64);
}

static int least(int a, int b) { return a < b ? a : b; }

static void case_run(struct model_array *a, struct model_array *b, int turn)
{
  static struct side l, r;
  char what[64];
  const int left_is_local = model_below(4) == 0, right_is_local = model_below(4) == 0,
            scalar = model_below(6) == 0;
  struct model_array *const left = left_is_local ? NULL : a, *right = right_is_local ? NULL : b;
  if (!left_is_local && !right_is_local && model_below(4) == 0) right = a;
  const int most = least(left ? left->dims : MODEL_DIMS, right && !scalar ? right->dims : MODEL_DIMS);
  const int rank = model_below(8) ? model_range(1, most) : 0;
  static const enum pst_xmp_type numbers[] = {PST_XMP_SHORT, PST_XMP_DOUBLE, PST_XMP_FLOAT, PST_XMP_CDOUBLE};
  const enum pst_xmp_type type = left ? left->type : right ? right->type : numbers[model_below(4)];
  const enum pst_xmp_type other = type == PST_XMP_OTHER || model_below(2) ? type : numbers[model_below(4)];
  snprintf(what, sizeof what, "case %d", turn);
  if (left && right && (left->type == PST_XMP_OTHER) != (right->type == PST_XMP_OTHER)) return;
  side_shape(&l, left, right ? other : type, rank);
  side_shape(&r, right, left ? other : type, scalar ? 0 : rank);
  sides_sections(&l, &r, rank, scalar);
  for (int again = 0; again < 2; again++) {
    side_fill(&l);
    if (r.global != l.global || !r.global) side_fill(&r);
    gmove_once(&l, &r, what);
    side_move(&l);
    side_move(&r);
  }
  free(l.memory);
  free(r.memory);
}

int main(int argc, char **argv)
{
  static const enum pst_xmp_type types[] = {
      PST_XMP_INT, PST_XMP_DOUBLE, PST_XMP_LONG, PST_XMP_CHAR, PST_XMP_OTHER};
  static struct model_array a, b;
  static struct model_world v, w;
  test_start("xmp/gmove", &argc, &argv);
  rng_init(&model_dice, test.seed);
  for (int turn = 0; turn < 300 * test.scale; turn++) {
    const enum pst_xmp_type type = types[model_below(5)];
    model_world_make(&v, 1);
    model_world_make(&w, 1);
    model_array_make(&a, &v, type, "a");
    model_array_make(&b, &w, model_below(3) && type ? type : types[model_below(5)], "b");
    for (int i = 0; i < 6; i++) case_run(&a, &b, turn);
    pst_xmp_array_free(&b.desc);
    pst_xmp_array_free(&a.desc);
    model_world_free(&v);
    model_world_free(&w);
    if (test_any(test.failures)) break;
  }
  return test_finish();
}

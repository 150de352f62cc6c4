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
    s->all[n] = model_value();
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

static void *line; /* all nodes */

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

/* Some of the nodes execute a gmove, the others go on to the barrier. One side is local memory of each. */
static void gmove_in_task(struct side *l, struct side *r)
{
  const struct pst_xmp_side left = side_of(l), right = side_of(r);
  const int first = model_below(test.nodes), count = model_range(1, test.nodes - first), id = 1;
  const int async = model_below(3) == 0;
  const struct pst_xmp_subscript some = {PST_XMP_COUNT, 0, first, count, 1};
  const struct pst_xmp_on on = {line, 1, &some};
  pst_xmp_task_t task;
  pst_xmp_barrier_on(AT, NULL); /* the owners do not take part, so they must be ready before */
  if (pst_xmp_task_enter(&task, AT, &on, 0)) {
    pst_xmp_gmove(AT, &left, &right, l->global ? PST_XMP_OUT : PST_XMP_IN, async ? &id : NULL);
    if (async) pst_xmp_wait_async(AT, 1, &id, NULL);
  }
  pst_xmp_task_leave(&task);
  pst_xmp_barrier_on(AT, NULL);
  if (l->global || (test.me >= first && test.me < first + count)) model_assign(l, r);
}

static void gmove_once(struct side *l, struct side *r, const char *what)
{
  if (!l->global != !r->global && model_below(3) == 0) {
    gmove_in_task(l, r);
    side_check(l, what, "the left side of a task's");
    side_check(r, what, "the right side of a task's");
    return;
  }
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

/* ---- halves of the nodes: data go from the one that does not execute, or to it ---- */

enum { HALF = 12 };

static pst_xmp_array_t *halves_array(void *nodes, void **t, int length, int shadow)
{
  const pst_xmp_index_t lower = 0, upper = length - 1, extent = length;
  const struct pst_xmp_format format = {.kind = PST_XMP_BLOCK};
  const struct pst_xmp_align align = {0, 0};
  const struct pst_xmp_shadow s = {shadow, shadow};
  const struct pst_xmp_shape shape = {"h", sizeof(int), PST_XMP_INT, 1, &extent, &align, &s, 0};
  *t = pst_xmp_template(AT, "t", 1, &lower, &upper, 0);
  pst_xmp_distribute(AT, *t, nodes, 1, &format);
  return pst_xmp_array(AT, *t, &shape);
}

/* Elements of this node's part, from global index `first` on. */
static int part_first(int rank, int nodes, int length, int *count)
{
  const int width = (length + nodes - 1) / nodes, first = rank * width;
  *count = first >= length ? 0 : first + width > length ? length - first : width;
  return first;
}

static void halves_gmove(
    pst_xmp_array_t *to, int to_first, pst_xmp_array_t *from, int from_first, enum pst_xmp_gmove_mode mode)
{
  const struct pst_xmp_subscript l = {PST_XMP_COUNT, 0, to_first, HALF, 1},
                                 r = {PST_XMP_COUNT, 0, from_first, HALF, 1};
  const struct pst_xmp_side
      left = {.array = to, .size = sizeof(int), .type = PST_XMP_INT, .dims = 1, .subscript = &l},
      right = {.array = from, .size = sizeof(int), .type = PST_XMP_INT, .dims = 1, .subscript = &r};
  pst_xmp_gmove(AT, &left, &right, mode, NULL);
}

static void part_check(
    const pst_xmp_array_t *a, int shadow, int first, int count, int offset, const char *what)
{
  const int *const part = (const int *)a->base + shadow;
  for (int i = 0; i < count; i++)
    CHECK(part[i] == 100 + first + i + offset, "%s: element %d is %d, not %d", what, first + i, part[i],
        100 + first + i + offset);
}

/* The first half gets what the second one has, works with an array of its own, and puts it back. */
static void halves_run(void)
{
  const int half = test.nodes / 2;
  if (half == 0) return;
  void *p = pst_xmp_nodes(AT, "p", 1, (const pst_xmp_index_t[]){test.nodes}, PST_XMP_NO_PARENT, NULL), *t, *u;
  const struct pst_xmp_subscript low = {PST_XMP_COUNT, 0, 0, half, 1};
  const struct pst_xmp_on on = {p, 1, &low};
  pst_xmp_task_t task;
  int count, first;
  void *q = pst_xmp_nodes(AT, "q", 1, (const pst_xmp_index_t[]){half}, PST_XMP_OF_NODES, &on);
  pst_xmp_array_t *a = halves_array(p, &t, 2 * HALF, 0), *b = halves_array(q, &u, HALF, 1);
  first = part_first(test.me, test.nodes, 2 * HALF, &count);
  for (int i = 0; i < count; i++) ((int *)a->base)[i] = 100 + first + i;
  pst_xmp_barrier_on(AT, NULL);
  if (pst_xmp_task_enter(&task, AT, &on, 0)) {
    halves_gmove(b, 0, a, HALF, PST_XMP_IN);
    pst_xmp_reflect(AT, b, NULL, 0, NULL);
    int own, begin = part_first(test.me, half, HALF, &own);
    part_check(b, 1, begin, own, HALF, "gmove in");
    if (own && begin) part_check(b, 0, begin - 1, 1, HALF, "the shadow below");
    if (own && begin + own < HALF) part_check(b, 1 + own, begin + own, 1, HALF, "the shadow above");
    halves_gmove(a, 0, b, 0, PST_XMP_OUT);
  }
  pst_xmp_task_leave(&task);
  pst_xmp_barrier_on(AT, NULL);
  for (int i = 0; i < count; i++) {
    const int g = first + i, right = 100 + (g < HALF ? g + HALF : g), is = ((int *)a->base)[i];
    CHECK(is == right, "gmove out: element %d is %d, not %d", g, is, right);
  }
  pst_xmp_array_free(&b);
  pst_xmp_array_free(&a);
  pst_xmp_template_free(&u);
  pst_xmp_template_free(&t);
  pst_xmp_nodes_free(&q);
  pst_xmp_nodes_free(&p);
}

/* All nodes but the first one store into theirs. */
static void own_out(void *p, pst_xmp_array_t *a, const struct pst_xmp_side *copy)
{
  const struct pst_xmp_subscript others = {PST_XMP_COUNT, 0, 1, test.nodes - 1, 1};
  const struct pst_xmp_side to = {a, NULL, sizeof(int), PST_XMP_INT, 1, NULL, NULL};
  const int first = test.me == 0 || test.nodes == 1;
  pst_xmp_task_t task;
  for (int i = 0; i < HALF; i++) ((int *)copy->address)[i] = 5 * i;
  if (test.nodes > 1 && pst_xmp_task_enter(&task, AT, &(const struct pst_xmp_on){p, 1, &others}, 0))
    pst_xmp_gmove(AT, &to, copy, PST_XMP_OUT, NULL);
  if (test.nodes > 1) pst_xmp_task_leave(&task);
  for (int i = 0; i < HALF; i++)
    CHECK(((int *)a->base)[i] == (first ? 1000 * test.me + i : 5 * i),
        "gmove out to one's own: element %d is %d", i, ((int *)a->base)[i]);
}

/* By one declaration each node has an array of its own, on the node that its own coordinate selects. */
static void own_run(void)
{
  const pst_xmp_index_t one = 1, all = test.nodes, extent = HALF;
  static const struct pst_xmp_subscript own = {.span = PST_XMP_OWN, .step = 1};
  void *p = pst_xmp_nodes(AT, "p", 1, &all, PST_XMP_NO_PARENT, NULL), *t;
  void *q = pst_xmp_nodes(AT, "own", 1, &one, PST_XMP_OF_NODES, &(const struct pst_xmp_on){p, 1, &own});
  pst_xmp_array_t *a = halves_array(q, &t, HALF, 0);
  int copy[HALF] = {0};
  const struct pst_xmp_side left = {NULL, copy, sizeof(int), PST_XMP_INT, 1, &extent, NULL},
                            right = {a, NULL, sizeof(int), PST_XMP_INT, 1, NULL, NULL};
  for (int i = 0; i < HALF; i++) ((int *)a->base)[i] = 1000 * test.me + i;
  pst_xmp_gmove(AT, &left, &right, PST_XMP_COLLECTIVE, NULL);
  for (int i = 0; i < HALF; i++)
    CHECK(copy[i] == 1000 * test.me + i, "an array of one's own: element %d is %d", i, copy[i]);
  own_out(p, a, &left);
  pst_xmp_array_free(&a);
  pst_xmp_template_free(&t);
  pst_xmp_nodes_free(&q);
  pst_xmp_nodes_free(&p);
}

int main(int argc, char **argv)
{
  static const enum pst_xmp_type types[] = {
      PST_XMP_INT, PST_XMP_DOUBLE, PST_XMP_LONG, PST_XMP_CHAR, PST_XMP_OTHER};
  static struct model_array a, b;
  static struct model_world v, w;
  test_start("xmp/gmove", &argc, &argv);
  rng_init(&model_dice, test.seed);
  line = pst_xmp_nodes(AT, "line", 1, (const pst_xmp_index_t[]){test.nodes}, PST_XMP_NO_PARENT, NULL);
  halves_run();
  own_run();
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

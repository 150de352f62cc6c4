/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Transformations of arrays of all mappings, beside models of whole arrays; the sort of many elements. */
#include "model.h"

typedef pst_xmp_index_t index_t;
static struct model_world worlds[6];
static struct model_array arrays[6], *const x = &arrays[0], *const a = &arrays[1], *const b = &arrays[2];
static int used;

/* ---- arrays of given shapes ---- */

static void world_shape(struct model_world *w, int dims, const index_t extent[], int axis[])
{
  struct pst_xmp_format format[MODEL_DIMS] = {{0}};
  index_t upper[MODEL_DIMS];
  int map[MODEL_DIMS][64] = {{0}}, next = 0, taken = 0;
  memset(w, 0, sizeof *w);
  model_nodes(w);
  w->dims = model_range(w->node_dims > dims ? w->node_dims : dims, MODEL_DIMS);
  for (int k = 0; k < w->dims; k++) w->length[k] = model_range(1, 9);
  for (int k = 0; k < dims; k++) {
    do axis[k] = model_below(w->dims);
    while (taken & 1 << axis[k]);
    taken |= 1 << axis[k];
    w->length[axis[k]] = extent[k] + model_below(3);
  }
  for (int k = 0; k < w->dims; k++) {
    w->lower[k] = model_range(-5, 5);
    upper[k] = w->lower[k] + w->length[k] - 1;
    w->node_dim[k] = -1;
    w->kind[k] = PST_XMP_NOT_DISTRIBUTED;
    if (next == w->node_dims || (w->dims - k > w->node_dims - next && model_below(2))) continue;
    w->node_dim[k] = next++;
    format[k] = model_format(w, k, map[k]);
  }
  w->template_ = pst_xmp_template(AT, "t", w->dims, w->lower, upper, model_below(2));
  pst_xmp_distribute(AT, w->template_, w->nodes, w->dims, format);
}

/* The next array, with random contents. */
static struct model_array *array_shape(
    int dims, const index_t extent[], enum pst_xmp_type type, const char *name)
{
  struct model_array *const m = &arrays[used];
  struct model_world *const w = &worlds[used++];
  struct pst_xmp_shape s = {.name = name, .type = type, .size = model_size(type), .dims = dims};
  int axis[MODEL_DIMS];
  world_shape(w, dims, extent, axis);
  memset(m, 0, sizeof *m);
  m->world = w, m->type = type, m->size = s.size, m->dims = dims;
  for (int k = 0; k < dims; k++) {
    m->extent[k] = extent[k];
    m->align[k] = (struct pst_xmp_align){
        axis[k], w->lower[axis[k]] + model_below((int)(w->length[axis[k]] - extent[k]) + 1)};
    model_shadow(m, k);
    model_tables(m, k);
  }
  s.extent = m->extent, s.align = m->align, s.shadow = m->shadow;
  m->desc = pst_xmp_array(AT, w->template_, &s);
  model_fill(m);
  return m;
}

static void arrays_free(void)
{
  while (used) {
    pst_xmp_array_free(&arrays[--used].desc);
    model_world_free(&worlds[used]);
  }
}

/* As a program may pass it: its descriptor, or its name, which is its local part. */
static void *argument(const struct model_array *m)
{
  return model_below(2) ? (void *)m->desc : m->desc->base;
}

static void elements_store(struct model_array *m)
{
  int index[MODEL_DIMS];
  for (index_t n = 0; n < model_count(m); n++) {
    model_index(m, n, index);
    if (model_is_mine(m, index)) model_store(m->type, model_at(m, index), m->all[n]);
  }
}

static const enum pst_xmp_type types[] = {PST_XMP_CHAR, PST_XMP_SHORT, PST_XMP_INT, PST_XMP_FLOAT,
    PST_XMP_LONG, PST_XMP_DOUBLE, PST_XMP_CDOUBLE, PST_XMP_OTHER};

/* ---- transpose, matmul ---- */

static void transpose(int round)
{
  const index_t n = model_range(1, 20), m = model_range(1, 20);
  const enum pst_xmp_type type = types[round % 8];
  array_shape(2, (index_t[]){n, m}, type, "x");
  array_shape(2, (index_t[]){m, n}, type, "a");
  xmp_transpose(argument(x), argument(a), round % 2);
  for (index_t i = 0; i < n; i++)
    for (index_t j = 0; j < m; j++) x->all[i * m + j] = a->all[j * n + i];
  model_check(x, "transpose", "x");
  if (round % 2 == 0) model_check(a, "transpose", "a");
  arrays_free();
}

static void matmul(int round)
{
  const index_t n = model_range(1, 20), m = model_range(1, 20), k = model_range(1, 20);
  const enum pst_xmp_type type = types[round % 7];
  array_shape(2, (index_t[]){n, m}, type, "x");
  array_shape(2, (index_t[]){n, k}, type, "a");
  array_shape(2, (index_t[]){k, m}, type, "b");
  for (index_t i = 0; i < model_count(a); i++) a->all[i] = (int)a->all[i] % 3; /* a char's range is enough */
  for (index_t i = 0; i < model_count(b); i++) b->all[i] = (int)b->all[i] % 3;
  elements_store(a);
  elements_store(b);
  xmp_matmul(argument(x), argument(a), argument(b));
  for (index_t i = 0; i < n; i++)
    for (index_t j = 0; j < m; j++) {
      double sum = 0;
      for (index_t l = 0; l < k; l++) sum += a->all[i * k + l] * b->all[l * m + j];
      x->all[i * m + j] = sum;
    }
  model_check(x, "matmul", "x");
  model_check(a, "matmul", "a");
  arrays_free();
}

/* ---- scatter, gather ---- */

static void extents_draw(int dims, int most, index_t extent[])
{
  for (int k = 0; k < dims; k++) extent[k] = model_range(1, most);
}

static index_t count_of(int dims, const index_t extent[])
{
  index_t n = 1;
  for (int k = 0; k < dims; k++) n *= extent[k];
  return n;
}

/* Index arrays for `dims` dimensions, of the shape of `like`, that name element target[n] for element n. */
static void indices_make(struct model_array *index[], const struct model_array *of,
    const struct model_array *like, const index_t target[])
{
  for (int k = 0; k < of->dims; k++) {
    index[k] = array_shape(like->dims, like->extent, k % 2 ? PST_XMP_LONG : PST_XMP_INT, "index");
    for (index_t n = 0; n < model_count(like); n++) {
      int at[MODEL_DIMS] = {0};
      model_index(of, target[n], at);
      index[k]->all[n] = at[k];
    }
    elements_store(index[k]);
  }
}

static void gather(int round)
{
  static index_t target[MODEL_ELEMENTS];
  const int dims = model_range(1, 2), of = model_range(1, 3);
  struct model_array *index[MODEL_DIMS];
  index_t extent[MODEL_DIMS];
  const enum pst_xmp_type type = types[round % 8];
  extents_draw(dims, 20, extent);
  array_shape(dims, extent, type, "x");
  extents_draw(of, 9, extent);
  array_shape(of, extent, type, "a");
  for (index_t n = 0; n < model_count(x); n++) target[n] = model_below((int)model_count(a));
  indices_make(index, a, x, target);
  if (of == 1) xmp_gather(argument(x), argument(a), argument(index[0]));
  if (of == 2) xmp_gather(argument(x), argument(a), argument(index[0]), argument(index[1]));
  if (of == 3)
    xmp_gather(argument(x), argument(a), argument(index[0]), argument(index[1]), argument(index[2]));
  for (index_t n = 0; n < model_count(x); n++) x->all[n] = a->all[target[n]];
  model_check(x, "gather", "x");
  arrays_free();
}

static void scatter(int round)
{
  static index_t target[MODEL_ELEMENTS], free_[MODEL_ELEMENTS];
  const int dims = model_range(1, 2), of = model_range(1, 3);
  struct model_array *index[MODEL_DIMS];
  index_t extent[MODEL_DIMS], of_extent[MODEL_DIMS], left;
  const enum pst_xmp_type type = types[round % 8];
  do {
    extents_draw(dims, 20, extent);
    extents_draw(of, 14, of_extent);
    left = count_of(of, of_extent);
  } while (count_of(dims, extent) > left);
  array_shape(of, of_extent, type, "x");
  array_shape(dims, extent, type, "a");
  for (index_t n = 0; n < left; n++) free_[n] = n;
  for (index_t n = 0; n < model_count(a); n++) { /* each element of x at most once */
    const int one = model_below((int)left);
    target[n] = free_[one];
    free_[one] = free_[--left];
  }
  indices_make(index, x, a, target);
  if (of == 1) xmp_scatter(argument(x), argument(a), argument(index[0]));
  if (of == 2) xmp_scatter(argument(x), argument(a), argument(index[0]), argument(index[1]));
  if (of == 3)
    xmp_scatter(argument(x), argument(a), argument(index[0]), argument(index[1]), argument(index[2]));
  for (index_t n = 0; n < model_count(a); n++) x->all[target[n]] = a->all[n];
  model_check(x, "scatter", "x");
  arrays_free();
}

/* ---- pack, unpack ---- */

static void pack(int round, int unpack)
{
  const int dims = model_range(1, 3), masked = model_below(4), rarely = model_range(1, 5);
  const enum pst_xmp_type type = types[round % 8];
  struct model_array *mask = NULL;
  index_t extent[MODEL_DIMS], all, n = 0;
  do {
    extents_draw(dims, 20, extent);
    all = count_of(dims, extent);
  } while (all > 20);
  array_shape(1, (index_t[]){all + model_below(3)}, type, "v");
  array_shape(dims, extent, type, "a");
  if (masked) {
    mask = array_shape(dims, extent, round % 2 ? PST_XMP_INT : PST_XMP_CHAR, "mask");
    for (index_t i = 0; i < all; i++) mask->all[i] = model_below(rarely) == 0 ? 64 : 0;
    elements_store(mask);
  }
  if (unpack) xmp_unpack(argument(a), argument(x), mask ? argument(mask) : NULL);
  else xmp_pack(argument(x), argument(a), mask ? argument(mask) : NULL);
  for (index_t i = 0; i < all; i++) {
    if (mask && mask->all[i] == 0) continue;
    if (unpack) a->all[i] = x->all[n++];
    else x->all[n++] = a->all[i];
  }
  model_check(x, unpack ? "unpack" : "pack", "v");
  model_check(a, unpack ? "unpack" : "pack", "a");
  arrays_free();
}

/* ---- sort ---- */

static int down;
static int number_compare(const void *p, const void *q)
{
  const double v = *(const double *)p, w = *(const double *)q;
  return (down ? -1 : 1) * ((v > w) - (v < w));
}

static void sort(int round)
{
  const index_t n = model_range(1, 21);
  array_shape(1, &n, types[round % 6], "v2");
  array_shape(1, &n, types[round % 6], "v1");
  down = model_below(2);
  if (down) xmp_sort_down(argument(a), argument(x));
  else xmp_sort_up(argument(a), argument(x));
  memcpy(x->all, a->all, (size_t)n * sizeof x->all[0]);
  qsort(x->all, (size_t)n, sizeof x->all[0], number_compare);
  model_check(x, "sort", "v2");
  model_check(a, "sort", "v1");
  arrays_free();
}

/* Many elements, of few or many values: each node's are in order, follow those of the node before, and are
 * all that there were. */
static pst_xmp_array_t *vector_make(index_t n, unsigned long size, enum pst_xmp_type type, int cyclic)
{
  void *const p = pst_xmp_nodes(AT, "p", 1, (index_t[]){test.nodes}, PST_XMP_NO_PARENT, NULL);
  void *const t = pst_xmp_template(AT, "t", 1, (index_t[]){0}, (index_t[]){n - 1}, 0);
  const struct pst_xmp_format f = {cyclic ? PST_XMP_CYCLIC : PST_XMP_BLOCK, cyclic ? 3 : 0, NULL, 0};
  const struct pst_xmp_align align = {0, 0};
  const struct pst_xmp_shape s = {"v", size, type, 1, &n, &align, NULL, 0};
  pst_xmp_distribute(AT, t, p, 1, &f);
  return pst_xmp_array(AT, t, &s);
}

static int vector_mine(pst_xmp_array_t *v)
{
  int n = 0;
  xmp_array_lsize(v, 1, &n);
  return n;
}

#define SORT_MANY(name, T, TYPE, SCALE) \
  static void name(index_t n, int values, int cyclic) \
  { \
    pst_xmp_array_t *v1 = vector_make(n, sizeof(T), TYPE, cyclic), *v2 = vector_make(n, sizeof(T), TYPE, 0); \
    const int mine = vector_mine(v1), sorted = vector_mine(v2); \
    T *const from = (T *)(void *)v1->base, *const to = (T *)(void *)v2->base; \
    T ends[128] = {0}; \
    unsigned long sums[2] = {0, 0}; \
    struct rng r; \
    rng_init(&r, test_key((uint64_t)n, (uint64_t)test.me, (uint64_t)values)); \
    for (int i = 0; i < mine; i++) { \
      const long k = (long)rng_below(&r, (uint64_t)values) - values / 2; \
      from[i] = (T)k * SCALE; \
      sums[0] += (unsigned long)k * (unsigned long)k; \
    } \
    xmp_sort_up(v1, v2); \
    for (int i = 0; i < sorted; i++) { \
      const long k = (long)(to[i] / SCALE); \
      CHECK(i == 0 || to[i - 1] <= to[i], "element %d is out of order", i); \
      sums[1] += (unsigned long)k * (unsigned long)k; \
    } \
    if (sorted) ends[test.me] = to[sorted - 1]; \
    const struct pst_xmp_variable v[] = { \
        {sums, 2, sizeof sums[0], PST_XMP_ULONG, "sums"}, {ends, 128, sizeof(T), TYPE, "ends"}}; \
    pst_xmp_reduction(AT, PST_XMP_SUM, 2, v, NULL, NULL); \
    CHECK(sums[0] == sums[1], "the sum of squares is %lu, not %lu", sums[1], sums[0]); \
    if (test.me && sorted) CHECK(ends[test.me - 1] <= to[0], "the first element is out of order"); \
    pst_xmp_array_free(&v1); \
    pst_xmp_array_free(&v2); \
  }
SORT_MANY(sort_longs, long, PST_XMP_LONG, 1)
SORT_MANY(sort_floats, float, PST_XMP_FLOAT, 0.5f)
SORT_MANY(sort_long_doubles, long double, PST_XMP_LDOUBLE, 0.25L)

int main(int argc, char **argv)
{
  test_start("transform", &argc, &argv);
  test_no_more_options(argc, argv);
  rng_init(&model_dice, test_key(4, 2, 3));
  const int rounds = (int)(60 * test.scale) + 1;
  for (int i = 0; i < rounds; i++) {
    transpose(i);
    matmul(i);
    gather(i);
    scatter(i);
    pack(i, 0);
    pack(i, 1);
    sort(i);
  }
  const index_t many = (index_t)(100000 * test.scale) + 1000;
  sort_longs(many, 1000000000, 0);
  sort_longs(many, 7, 1);
  sort_longs(many, 1, 0);
  sort_long_doubles(many / 4, 100000, 1);
  sort_long_doubles(many / 4, 3, 0);
  sort_floats(many, 1000000, 1);
  return test_finish();
}

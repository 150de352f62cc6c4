/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* xmp_matmul. Each node computes what it has of the result: the product of rows of a and columns of b, of
 * which it gets a panel at a time, so many that they fit in a cache. */
#include <complex.h>
#include <stdlib.h>
#include <string.h>

#include "xmp/alone.h"
#include "xmp/operation.h"
#include "xmp/transform.h"

typedef pst_xmp_index_t index_t;
typedef struct pst_xmp_array_full array_t;

/* ---- products of panels ---- */

/* x[i][j] += the sum over k of a[i][k] * b[k][j]; ld: elements from one row to the next. Tiles of 4 rows and
 * 8 columns stay in registers. WIDE: in which products do not overflow. */
#define DEFINE_PRODUCT(NAME, TYPE, WIDE) \
  static void NAME##_tile(TYPE *restrict x, size_t x_ld, const TYPE *restrict a, size_t a_ld, \
      const TYPE *restrict b, size_t b_ld, size_t n) \
  { \
    TYPE sum[4][8] = {{0}}; \
    for (size_t k = 0; k < n; k++) \
      for (int i = 0; i < 4; i++) \
        for (int j = 0; j < 8; j++) \
          sum[i][j] += (TYPE)((WIDE)a[(size_t)i * a_ld + k] * (WIDE)b[k * b_ld + (size_t)j]); \
    for (int i = 0; i < 4; i++) \
      for (int j = 0; j < 8; j++) x[(size_t)i * x_ld + (size_t)j] += sum[i][j]; \
  } \
  static void NAME##_edge(TYPE *x, size_t x_ld, const TYPE *a, size_t a_ld, const TYPE *b, size_t b_ld, \
      size_t rows, size_t columns, size_t n) \
  { \
    for (size_t i = 0; i < rows; i++) \
      for (size_t k = 0; k < n; k++) \
        for (size_t j = 0; j < columns; j++) \
          x[i * x_ld + j] += (TYPE)((WIDE)a[i * a_ld + k] * (WIDE)b[k * b_ld + j]); \
  } \
  static void NAME##_product(void *to, size_t x_ld, const void *left, size_t a_ld, const void *right, \
      size_t b_ld, size_t rows, size_t columns, size_t n) \
  { \
    TYPE *const x = to; \
    const TYPE *const a = left, *const b = right; \
    const size_t whole_rows = rows / 4 * 4, whole = columns / 8 * 8; \
    for (size_t j = 0; j < whole; j += 8) \
      for (size_t i = 0; i < whole_rows; i += 4) \
        NAME##_tile(x + i * x_ld + j, x_ld, a + i * a_ld, a_ld, b + j, b_ld, n); \
    NAME##_edge(x + whole, x_ld, a, a_ld, b + whole, b_ld, whole_rows, columns - whole, n); \
    NAME##_edge( \
        x + whole_rows * x_ld, x_ld, a + whole_rows * a_ld, a_ld, b, b_ld, rows - whole_rows, columns, n); \
  }
/* Integers with a sign have the same bits as these, whose sums and products do not overflow. */
DEFINE_PRODUCT(byte, uint8_t, unsigned)
DEFINE_PRODUCT(half, uint16_t, unsigned)
DEFINE_PRODUCT(single, uint32_t, uint32_t)
DEFINE_PRODUCT(word, uint64_t, uint64_t)
DEFINE_PRODUCT(float, float, float)
DEFINE_PRODUCT(double, double, double)
DEFINE_PRODUCT(long_double, long double, long double)
DEFINE_PRODUCT(float_complex, float complex, float complex)
DEFINE_PRODUCT(double_complex, double complex, double complex)
DEFINE_PRODUCT(long_double_complex, long double complex, long double complex)

typedef void product_fn(void *x, size_t x_ld, const void *a, size_t a_ld, const void *b, size_t b_ld,
    size_t rows, size_t columns, size_t n);

static product_fn *product_of(const char *call, const array_t *x)
{
  switch (x->type) {
  case PST_XMP_FLOAT: return float_product;
  case PST_XMP_DOUBLE: return double_product;
  case PST_XMP_LDOUBLE: return long_double_product;
  case PST_XMP_CFLOAT: return float_complex_product;
  case PST_XMP_CDOUBLE: return double_complex_product;
  case PST_XMP_CLDOUBLE: return long_double_complex_product;
  case PST_XMP_OTHER:
  case PST_XMP_BOOL:
    pst_xmp_fatal(
        call, "%s cannot be a product: its elements are of %s", x->name, pst_xmp_type_name(x->type));
  default:
    return x->size == 1 ? byte_product
        : x->size == 2  ? half_product
        : x->size == 4  ? single_product
                        : word_product;
  }
}

/* ---- what this node has of the result ---- */

/* Its indices of a dimension as sections, which lie one behind the other in its memory. */
struct parts {
  index_t n, count; /* sections; indices of all of them */
  struct pst_xmp_section *section;
};

static struct parts parts_of(const char *call, const array_t *a, int k)
{
  const struct pst_xmp_axis *const axis = &a->dim[k].axis;
  const index_t node = a->coordinate[k], runs = pst_xmp_axis_runs(axis, node);
  const int single = pst_xmp_axis_is_cyclic(axis) && axis->width == 1 && runs > 0;
  struct parts p = {.n = single ? 1 : runs, .count = pst_xmp_axis_count(axis, node)};
  p.section = pst_xmp_own_take(call, (size_t)p.n * sizeof *p.section);
  for (index_t i = 0; i < p.n; i++) {
    index_t first, last;
    pst_xmp_axis_run(axis, node, i, &first, &last);
    p.section[i] = (struct pst_xmp_section){first, last - first + 1, 1};
  }
  if (single) p.section[0] = (struct pst_xmp_section){p.section[0].first, p.count, axis->nodes};
  return p;
}

/* How much of the inner dimension a panel has. */
static index_t panel_width(index_t rows, index_t columns, size_t size, index_t inner)
{
  enum { BYTES = 1 << 22, LEAST = 32 };
  const index_t fits = BYTES / ((index_t)size * (rows + columns)), width = fits < LEAST ? LEAST : fits;
  return width < inner ? width : inner;
}

struct product {
  const char *call;
  array_t *x, *a, *b;
  product_fn *fn;
  struct parts rows, columns;
  index_t inner, panel;
  char *left, *right; /* panels: the rows' [count][panel], and a section of columns' [panel][count] */
};

static void left_get(const struct product *p, index_t k, index_t n)
{
  char *at = p->left;
  for (index_t i = 0; i < p->rows.n; i++) {
    const struct pst_xmp_section box[] = {p->rows.section[i], {k, n, 1}};
    pst_xmp_box_get(p->call, p->a, box, at);
    at += (size_t)(box[0].count * n) * p->a->size;
  }
}

/* The result's elements are consecutive where they lie. */
static void panels_multiply(const struct product *p, index_t k, index_t n)
{
  const array_t *const x = p->x;
  const index_t row = pst_xmp_array_subscript(x, 0, x->coordinate[0], p->rows.section[0].first);
  index_t column = pst_xmp_array_subscript(x, 1, x->coordinate[1], p->columns.section[0].first);
  left_get(p, k, n);
  for (index_t i = 0; i < p->columns.n; i++) {
    const struct pst_xmp_section box[] = {{k, n, 1}, p->columns.section[i]};
    pst_xmp_box_get(p->call, p->b, box, p->right);
    p->fn(x->seen.base + (size_t)(row * x->mine[1].ld + column) * x->size, (size_t)x->mine[1].ld, p->left,
        (size_t)n, p->right, (size_t)box[1].count, (size_t)p->rows.count, (size_t)box[1].count, (size_t)n);
    column += box[1].count;
  }
}

static void result_clear(const array_t *x)
{
  const index_t row = x->mine[0].origin, column = x->mine[1].origin;
  for (index_t i = 0; i < x->mine[0].count; i++)
    memset(x->seen.base + (size_t)((row + i) * x->mine[1].ld + column) * x->size, 0,
        (size_t)x->mine[1].count * x->size);
}

static void result_compute(struct product *p)
{
  const size_t size = p->x->size;
  p->rows = parts_of(p->call, p->x, 0);
  p->columns = parts_of(p->call, p->x, 1);
  if (p->rows.count && p->columns.count) {
    result_clear(p->x);
    p->panel = panel_width(p->rows.count, p->columns.count, size, p->inner);
    p->left = pst_xmp_own_take(p->call, (size_t)(p->rows.count * p->panel) * size);
    p->right = pst_xmp_own_take(p->call, (size_t)(p->columns.count * p->panel) * size);
    for (index_t k = 0; k < p->inner; k += p->panel)
      panels_multiply(p, k, p->panel < p->inner - k ? p->panel : p->inner - k);
    free(p->left);
    free(p->right);
  }
  free(p->rows.section);
  free(p->columns.section);
}

static void shapes_check(const char *call, const array_t *x, const array_t *a, const array_t *b)
{
  if (x->dim[0].extent != a->dim[0].extent || x->dim[1].extent != b->dim[1].extent ||
      a->dim[1].extent != b->dim[0].extent)
    pst_xmp_fatal(call, "%s has %lld x %lld elements, %s has %lld x %lld, and %s has %lld x %lld", x->name,
        x->dim[0].extent, x->dim[1].extent, a->name, a->dim[0].extent, a->dim[1].extent, b->name,
        b->dim[0].extent, b->dim[1].extent);
}

void xmp_matmul(void *x, void *a, void *b)
{
  PST_XMP_ALONE("xmp_matmul");
  static const char call[] = "xmp_matmul";
  struct product p = {.call = call,
      .x = pst_xmp_transform_array(call, x, 2),
      .a = pst_xmp_transform_array(call, a, 2),
      .b = pst_xmp_transform_array(call, b, 2)};
  struct pst_xmp_group *const g = pst_xmp_executing();
  pst_xmp_transform_same_type(call, p.x, p.a);
  pst_xmp_transform_same_type(call, p.x, p.b);
  pst_xmp_transform_different(call, p.x, p.a);
  pst_xmp_transform_different(call, p.x, p.b);
  shapes_check(call, p.x, p.a, p.b);
  p.fn = product_of(call, p.x);
  p.inner = p.a->dim[1].extent;
  pst_xmp_transform_meet(g);
  if (p.x->member) result_compute(&p);
  pst_xmp_transform_meet(g);
}

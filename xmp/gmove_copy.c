/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Copies of elements with strides, within this node: between a buffer and an array. */
#include <string.h>

#include "xmp/gmove.h"
#include "xmp/operation.h"

typedef void row_fn(const struct pst_xmp_gmove_view *to, char *at, ptrdiff_t step,
    const struct pst_xmp_gmove_view *from, const char *source, ptrdiff_t source_step, size_t n);

#define DEFINE_ROW(N) \
  static void row_##N(const struct pst_xmp_gmove_view *to, char *at, ptrdiff_t step, \
      const struct pst_xmp_gmove_view *from, const char *source, ptrdiff_t source_step, size_t n) \
  { \
    (void)to, (void)from; \
    for (size_t i = 0; i < n; i++, at += step, source += source_step) memcpy(at, source, N); \
  }
DEFINE_ROW(1)
DEFINE_ROW(2)
DEFINE_ROW(4)
DEFINE_ROW(8)
DEFINE_ROW(16)

static void row_any(const struct pst_xmp_gmove_view *to, char *at, ptrdiff_t step,
    const struct pst_xmp_gmove_view *from, const char *source, ptrdiff_t source_step, size_t n)
{
  (void)from;
  for (size_t i = 0; i < n; i++, at += step, source += source_step) memcpy(at, source, to->size);
}

static void row_dense(const struct pst_xmp_gmove_view *to, char *at, ptrdiff_t step,
    const struct pst_xmp_gmove_view *from, const char *source, ptrdiff_t source_step, size_t n)
{
  (void)step, (void)from, (void)source_step;
  memcpy(at, source, n * to->size);
}

static void row_convert(const struct pst_xmp_gmove_view *to, char *at, ptrdiff_t step,
    const struct pst_xmp_gmove_view *from, const char *source, ptrdiff_t source_step, size_t n)
{
  for (size_t i = 0; i < n; i++, at += step, source += source_step)
    pst_xmp_type_convert(to->type, at, from->type, source, 1);
}

static row_fn *row_of(const struct pst_xmp_gmove_view *to, const struct pst_xmp_gmove_view *from)
{
  const ptrdiff_t size = (ptrdiff_t)to->size;
  if (to->type != from->type) return row_convert;
  if (to->stride[0] == size && from->stride[0] == size) return row_dense;
  switch (to->size) {
  case 1: return row_1;
  case 2: return row_2;
  case 4: return row_4;
  case 8: return row_8;
  case 16: return row_16;
  default: return row_any;
  }
}

static void rows(row_fn *row, const struct pst_xmp_gmove_view *to, char *at,
    const struct pst_xmp_gmove_view *from, const char *source, int dim, const size_t count[])
{
  if (dim == 0) {
    row(to, at, to->stride[0], from, source, from->stride[0], count[0]);
    return;
  }
  for (size_t i = 0; i < count[dim]; i++, at += to->stride[dim], source += from->stride[dim])
    rows(row, to, at, from, source, dim - 1, count);
}

void pst_xmp_gmove_copy(const struct pst_xmp_gmove_view *to, const struct pst_xmp_gmove_view *from, int dims,
    const size_t count[])
{
  static const size_t one = 1;
  static const ptrdiff_t none = 0;
  const struct pst_xmp_gmove_view to_one = {to->at, &none, to->type, to->size},
                                  from_one = {from->at, &none, from->type, from->size};
  if (dims == 0) rows(row_of(&to_one, &from_one), &to_one, to->at, &from_one, from->at, 0, &one);
  else rows(row_of(to, from), to, to->at, from, from->at, dims - 1, count);
}

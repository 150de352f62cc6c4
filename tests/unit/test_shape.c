/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* vis/shape.c: a normalised shape visits, row by row, what the description says, in any order and with any
 * signs; nothing is left to drop or merge. */
#include "vis/shape.c"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/random.h"
#include "tests/unit/suite.h"

enum { DIMS = 5, AREA = 1 << 15 };

static uint16_t from[AREA],
    expected[AREA]; /* the source's byte, + 1, that arrives at each byte of the destination; 0: none */

static void walk(const struct pst_shape *s, unsigned level, ptrdiff_t d, ptrdiff_t c)
{
  if (level == 0) {
    for (size_t i = 0; i < s->row; i++) from[d + (ptrdiff_t)i] = (uint16_t)(c + (ptrdiff_t)i + 1);
    return;
  }
  for (size_t i = 0; i < s->count[level - 1]; i++)
    walk(s, level - 1, d + (ptrdiff_t)i * s->dst[level - 1], c + (ptrdiff_t)i * s->src[level - 1]);
}

struct any {
  size_t elemsz, count[DIMS], dims;
  ptrdiff_t dst[DIMS], src[DIMS];
  ptrdiff_t dbase, sbase; /* of index 0, such that all lies in the area */
};

static void expect(const struct any *a, size_t dim, ptrdiff_t d, ptrdiff_t c)
{
  if (dim == a->dims) {
    for (size_t i = 0; i < a->elemsz; i++) expected[d + (ptrdiff_t)i] = (uint16_t)(c + (ptrdiff_t)i + 1);
    return;
  }
  for (size_t i = 0; i < a->count[dim]; i++)
    expect(a, dim + 1, d + (ptrdiff_t)i * a->dst[dim], c + (ptrdiff_t)i * a->src[dim]);
}

/* Strides of a side: a random order of nesting, sometimes with gaps, sometimes backwards. */
static void draw_side(const struct any *a, ptrdiff_t stride[], ptrdiff_t *base)
{
  size_t order[DIMS], extent = a->elemsz;
  *base = 0;
  for (size_t i = 0; i < a->dims; i++) order[i] = i;
  for (size_t i = a->dims; i > 1; i--) {
    const size_t j = below(3) ? i - 1 : below(i), t = order[i - 1];
    order[i - 1] = order[j];
    order[j] = t;
  }
  for (size_t i = 0; i < a->dims; i++) {
    const size_t k = order[i];
    stride[k] = (ptrdiff_t)(extent + (size_t)(below(3) ? 0 : below(4)));
    extent = (size_t)stride[k] * a->count[k];
    if (below(4)) continue;
    *base += stride[k] * (ptrdiff_t)(a->count[k] - 1);
    stride[k] = -stride[k];
  }
}

static void draw_any(struct any *a)
{
  a->elemsz = 1 + below(4);
  a->dims = below(DIMS + 1);
  for (size_t i = 0; i < a->dims; i++) a->count[i] = 1 + below(4);
  draw_side(a, a->dst, &a->dbase);
  draw_side(a, a->src, &a->sbase);
}

static int normal(const struct pst_shape *s)
{
  if (s->levels && s->dst[0] == (ptrdiff_t)s->row && s->src[0] == s->dst[0]) return 0;
  for (unsigned l = 0; l < s->levels; l++) {
    if (s->count[l] < 2 || s->dst[l] <= 0) return 0;
    if (l && s->dst[l] < s->dst[l - 1]) return 0;
    if (l && level_continues(s->dst[l], s->dst[l - 1], s->count[l - 1]) &&
        level_continues(s->src[l], s->src[l - 1], s->count[l - 1]))
      return 0;
  }
  return 1;
}

static void test_any(void)
{
  unsigned wrong = 0, not_normal = 0;
  for (unsigned i = 0; i < 5000; i++) {
    struct any a;
    struct pst_shape s;
    ptrdiff_t dshift, sshift;
    draw_any(&a);
    memset(from, 0, sizeof from);
    memset(expected, 0, sizeof expected);
    pst_shape_any(&s, "test", a.elemsz, a.dst, a.src, a.count, a.dims, &dshift, &sshift);
    walk(&s, s.levels, a.dbase + dshift, a.sbase + sshift);
    expect(&a, 0, a.dbase, a.sbase);
    wrong += memcmp(from, expected, sizeof from) != 0;
    not_normal += !normal(&s);
  }
  CU_ASSERT_EQUAL(wrong, 0);
  CU_ASSERT_EQUAL(not_normal, 0);
}

static void test_empty(void)
{
  struct pst_shape s;
  ptrdiff_t a, b;
  const ptrdiff_t stride[2] = {8, -64};
  const size_t none[2] = {3, 0}, some[2] = {1, 1};
  pst_shape_any(&s, "test", 8, stride, stride, none, 2, &a, &b);
  CU_ASSERT_EQUAL(s.row, 0);
  CU_ASSERT_EQUAL(pst_shape_bytes(&s), 0);
  pst_shape_any(&s, "test", 0, stride, stride, some, 2, &a, &b);
  CU_ASSERT_EQUAL(s.row, 0);
  pst_shape_any(&s, "test", 8, stride, stride, some, 2, &a, &b);
  CU_ASSERT(s.row == 8 && s.levels == 0 && a == 0 && b == 0);
  pst_shape_any(&s, "test", 8, NULL, NULL, NULL, 0, &a, &b);
  CU_ASSERT(s.row == 8 && s.levels == 0);
}

/* A matrix reversed in both directions is one row again; a transpose stays two levels, with the destination's
 * inside. */
static void test_known(void)
{
  struct pst_shape s;
  ptrdiff_t a, b;
  const ptrdiff_t back[2] = {-8, -80}, across[2] = {80, 8}, along[2] = {8, 80};
  const size_t count[2] = {10, 10};
  pst_shape_any(&s, "test", 8, back, back, count, 2, &a, &b);
  CU_ASSERT(s.row == 800 && s.levels == 0 && a == -792 && b == -792);
  pst_shape_any(&s, "test", 8, across, along, count, 2, &a, &b);
  CU_ASSERT(
      s.row == 8 && s.levels == 2 && s.dst[0] == 8 && s.src[0] == 80 && s.dst[1] == 80 && s.src[1] == 8);
  CU_ASSERT(a == 0 && b == 0);
}

static void test_strided(void)
{
  struct pst_shape s;
  const size_t count[4] = {8, 4, 1, 3}, whole[3] = {8, 77, 32}, gaps[3] = {8, 99, 40}, zero[3] = {8, 0, 5};
  pst_shape_strided(&s, "test", whole, whole, count, 3);
  CU_ASSERT(s.row == 96 && s.levels == 0);
  pst_shape_strided(&s, "test", whole, gaps, count, 3);
  CU_ASSERT(s.row == 32 && s.levels == 1 && s.count[0] == 3 && s.dst[0] == 32 && s.src[0] == 40);
  CU_ASSERT_EQUAL(pst_shape_bytes(&s), 96);
  pst_shape_strided(&s, "test", NULL, NULL, count, 0);
  CU_ASSERT(s.row == 8 && s.levels == 0);
  pst_shape_strided(&s, "test", NULL, NULL, zero, 2);
  CU_ASSERT_EQUAL(s.row, 0);
}

/* 64 levels that cannot merge, in both forms, one of them with the outermost first. */
static void test_all_levels(void)
{
  struct pst_shape s;
  size_t count[65], up[64];
  ptrdiff_t down[64], a, b;
  for (unsigned i = 0; i < 64; i++) {
    count[i + 1] = 2;
    up[i] = (size_t)i * 1000 + 3;
    down[63 - i] = (ptrdiff_t)up[i];
  }
  count[0] = 2;
  pst_shape_strided(&s, "test", up, up, count, 64);
  CU_ASSERT_EQUAL(s.levels, 64);
  pst_shape_any(&s, "test", 2, down, down, count + 1, 64, &a, &b);
  CU_ASSERT_EQUAL(s.levels, 64);
  CU_ASSERT(s.dst[0] == 3 && s.dst[63] == 63003);
}

int main(void)
{
  static const struct unit_test tests[] = {
      {"any order and direction", test_any},
      {"empty", test_empty},
      {"known ones", test_known},
      {"strided", test_strided},
      {"all levels", test_all_levels},
  };
  random_begin();
  return RUN_SUITE("shape", tests);
}

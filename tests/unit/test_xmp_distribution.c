/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Distributions of small dimensions against a table that says for each index who has it: all kinds, widths,
 * numbers of nodes, and parts of dimensions that arrays have; of these all sections. */
#include "xmp/distribution.h"

#include "tests/unit/suite.h"

typedef pst_xmp_index_t index_t;
__extension__ typedef __int128 wide_t;
enum { LONGEST = 14, NODES = 5 };

/* ---- the model ---- */

static struct model {
  int owner[LONGEST]; /* of each index from a->lower on */
  index_t local[LONGEST];
  index_t count[NODES];
} model;

static int dealt_to(const struct pst_xmp_axis *a, index_t t)
{
  int node = 0;
  switch (a->kind) {
  case PST_XMP_BLOCK: return (int)(t / a->width);
  case PST_XMP_CYCLIC: return (int)(t / a->width % a->nodes);
  case PST_XMP_GBLOCK:
    while (t >= a->start[node + 1]) node++;
    return node;
  default: return 0;
  }
}

static void model_make(const struct pst_xmp_axis *a)
{
  model = (struct model){.owner = {0}};
  for (index_t g = a->lower; g <= a->upper; g++) {
    const int node = dealt_to(a, g - a->lower);
    model.owner[g - a->lower] = node;
    if (g >= a->from && g <= a->to) model.local[g - a->lower] = model.count[node]++;
  }
}

/* ---- checks ---- */

static void check_bounds(const struct pst_xmp_axis *a, index_t node)
{
  index_t first, last, seen_first = 0, seen_last = -1, seen = 0, in_runs = 0, l, h;
  for (index_t g = a->from; g <= a->to; g++) {
    if (model.owner[g - a->lower] != node) continue;
    if (!seen++) seen_first = g;
    seen_last = g;
    CU_ASSERT_EQUAL(pst_xmp_axis_global(a, node, model.local[g - a->lower]), g);
  }
  pst_xmp_axis_bounds(a, node, &first, &last);
  CU_ASSERT_EQUAL(pst_xmp_axis_count(a, node), seen);
  CU_ASSERT(seen ? first == seen_first && last == seen_last : last == first - 1);
  for (index_t n = 0; n < pst_xmp_axis_runs(a, node); n++) {
    pst_xmp_axis_run(a, node, n, &l, &h);
    CU_ASSERT(l <= h);
    for (; l <= h; l++, in_runs++) CU_ASSERT_EQUAL(pst_xmp_axis_global(a, node, in_runs), l);
  }
  CU_ASSERT_EQUAL(in_runs, seen);
}

static void check_section(const struct pst_xmp_axis *a, index_t node, struct pst_xmp_section s)
{
  struct pst_xmp_pieces pieces;
  struct pst_xmp_piece p;
  int found[LONGEST] = {0}, any = 0, number = 0;
  pst_xmp_pieces_begin(&pieces, a, node, s);
  while (pst_xmp_pieces_next(&pieces, &p)) {
    number++;
    CU_ASSERT(p.count > 0);
    for (index_t i = 0; i < p.count; i++) {
      const index_t k = p.k + i * p.k_step, g = s.first + k * s.step;
      CU_ASSERT_FATAL(k >= 0 && k < s.count);
      CU_ASSERT_EQUAL(model.owner[g - a->lower], node);
      CU_ASSERT_EQUAL(model.local[g - a->lower], p.local + i * p.local_step);
      found[k]++;
    }
  }
  for (index_t k = 0; k < s.count; k++) {
    const int has = model.owner[s.first + k * s.step - a->lower] == node;
    CU_ASSERT_EQUAL(found[k], has);
    any |= has;
  }
  CU_ASSERT_EQUAL(pst_xmp_axis_meets(a, node, s), any);
  if (a->kind != PST_XMP_CYCLIC || a->width == 1) CU_ASSERT(number <= 1);
}

static void check_sections(const struct pst_xmp_axis *a, index_t node)
{
  const index_t length = a->to - a->from + 1;
  for (index_t first = a->from; first <= a->to; first++)
    for (index_t step = -length; step <= length; step++)
      for (index_t count = 0; step && count <= length; count++) {
        const index_t last = first + (count - 1) * step;
        if (count && (last < a->from || last > a->to)) break;
        check_section(a, node, (struct pst_xmp_section){first, count, step});
      }
}

static void check_axis(const struct pst_xmp_axis *a)
{
  index_t most = 0;
  model_make(a);
  for (index_t g = a->from; g <= a->to; g++) {
    CU_ASSERT_EQUAL(pst_xmp_axis_owner(a, g), model.owner[g - a->lower]);
    CU_ASSERT_EQUAL(pst_xmp_axis_local(a, g), model.local[g - a->lower]);
  }
  for (index_t node = 0; node < a->nodes; node++) {
    check_bounds(a, node);
    check_sections(a, node);
    if (model.count[node] > most) most = model.count[node];
  }
  CU_ASSERT_EQUAL(pst_xmp_axis_most(a), most);
}

/* ---- cases ---- */

/* A template's dimension, and the dimensions of arrays that lie somewhere in it. */
static void check_template(enum pst_xmp_distribution kind, index_t lower, index_t length, index_t nodes,
    index_t width, const index_t *start)
{
  const struct pst_xmp_axis t = {.kind = kind,
      .lower = lower,
      .upper = lower + length - 1,
      .from = lower,
      .to = lower + length - 1,
      .nodes = nodes,
      .width = width,
      .start = start};
  check_axis(&t);
  for (index_t extent = 1; extent <= length; extent += 2)
    for (index_t at = 0; at + extent <= length; at += 2) {
      const struct pst_xmp_axis a = pst_xmp_axis_align(&t, extent, lower + at);
      check_axis(&a);
    }
}

static void test_block(void)
{
  for (index_t length = 1; length <= LONGEST; length++)
    for (index_t nodes = 1; nodes <= NODES; nodes++) {
      const index_t width = pst_xmp_axis_default_width(length, nodes);
      CU_ASSERT(width * nodes >= length && (width - 1) * nodes < length);
      check_template(PST_XMP_BLOCK, -3, length, nodes, width, NULL);
      check_template(PST_XMP_BLOCK, 1, length, nodes, width + 2, NULL);
    }
}

static void test_cyclic(void)
{
  for (index_t length = 1; length <= LONGEST; length++)
    for (index_t nodes = 1; nodes <= NODES; nodes++)
      for (index_t width = 1; width <= 4; width++)
        check_template(PST_XMP_CYCLIC, width - 2, length, nodes, width, NULL);
}

static void test_gblock(void)
{
  static const index_t maps[][NODES + 1] = {{0, 0, 5, 5, 6, 11}, {0, 3, 3, 3, 3, 11}, {0, 1, 2, 10, 11, 11},
      {0, 11, 11, 11, 11, 11}, {0, 0, 0, 0, 0, 11}};
  for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
    check_template(PST_XMP_GBLOCK, -1, 11, NODES, 0, maps[i]);
}

static void test_whole(void)
{
  for (index_t length = 1; length <= LONGEST; length++) {
    const struct pst_xmp_axis a = pst_xmp_axis_whole(4, length);
    check_axis(&a);
    check_template(PST_XMP_NOT_DISTRIBUTED, 4, length, 1, length, NULL);
  }
}

static index_t naive_hit(index_t first, index_t step, index_t modulus, index_t low, index_t high)
{
  for (index_t k = 0; k < modulus; k++) {
    const index_t r = pst_xmp_mod(first + k * step, modulus);
    if (r >= low && r <= high) return k;
  }
  return -1;
}

static void test_first_hit(void)
{
  for (index_t modulus = 1; modulus <= 13; modulus++)
    for (index_t low = 0; low < modulus; low++)
      for (index_t high = low; high < modulus; high++)
        for (index_t first = -3; first < modulus; first++)
          for (index_t step = -15; step <= 15; step++)
            CU_ASSERT_EQUAL(pst_xmp_first_hit(first, step, modulus, low, high),
                naive_hit(first, step, modulus, low, high));
  /* Numbers whose products do not fit into 64 bits. */
  const index_t m = 4000000000000037, step = 1234567890123;
  const index_t k = pst_xmp_first_hit(5, step, m, 17, 17);
  CU_ASSERT(k >= 0 && k < m);
  CU_ASSERT_EQUAL((index_t)(((wide_t)k * step + 5) % m), 17);
}

int main(void)
{
  static const struct unit_test tests[] = {
      {"block", test_block},
      {"cyclic", test_cyclic},
      {"gblock", test_gblock},
      {"not distributed", test_whole},
      {"first hit", test_first_hit},
  };
  return RUN_SUITE("xmp_distribution", tests);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* xmp/own.c beside a walk over all elements of a section, of all kinds of distributions. */
#include "xmp/own.h"

#include "tests/unit/random.h"
#include "tests/unit/suite.h"
#include "xmp/section.c"

static pst_xmp_index_t any(pst_xmp_index_t n) { return (pst_xmp_index_t)below((size_t)n); }

enum { NODES = 6, LONGEST = 90 };
static pst_xmp_index_t start[NODES + 1];

static struct pst_xmp_axis axis_any(void)
{
  const pst_xmp_index_t nodes = 1 + any(NODES), length = 1 + any(LONGEST), lower = any(20) - 10;
  struct pst_xmp_axis a = {.kind = (enum pst_xmp_distribution)any(4),
      .lower = lower,
      .upper = lower + length - 1,
      .from = lower,
      .to = lower + length - 1,
      .nodes = nodes};
  if (a.kind == PST_XMP_NOT_DISTRIBUTED) {
    a.nodes = 1;
    a.width = length;
  } else if (a.kind == PST_XMP_BLOCK) a.width = (length + nodes - 1) / nodes + any(3);
  else if (a.kind == PST_XMP_CYCLIC) a.width = 1 + any(7);
  else {
    start[0] = 0;
    for (pst_xmp_index_t i = 1; i <= nodes; i++)
      start[i] = i == nodes ? length : start[i - 1] + any(length - start[i - 1] + 1);
    a.start = start;
  }
  return a;
}

static struct pst_xmp_section section_any(const struct pst_xmp_axis *a)
{
  const pst_xmp_index_t length = a->to - a->from + 1, first = any(length), step = 1 + any(9);
  struct pst_xmp_section s = {.first = a->from + first, .step = any(2) ? step : -step};
  s.count = 1 + (s.step > 0 ? length - 1 - first : first) / step;
  s.count -= any(s.count + 1);
  return s;
}

static pst_xmp_index_t owner_of(const struct pst_xmp_axis *a, pst_xmp_index_t g)
{
  const pst_xmp_index_t at = g - a->lower;
  pst_xmp_index_t node = 0;
  if (a->kind == PST_XMP_GBLOCK)
    while (a->start[node + 1] <= at) node++;
  if (a->kind == PST_XMP_BLOCK || a->kind == PST_XMP_CYCLIC) node = at / a->width % a->nodes;
  return node;
}

/* How many indices the owner has before g. */
static pst_xmp_index_t local_of(const struct pst_xmp_axis *a, pst_xmp_index_t g)
{
  pst_xmp_index_t n = 0;
  for (pst_xmp_index_t i = a->lower; i < g; i++) n += owner_of(a, i) == owner_of(a, g);
  return n;
}

static void section_walk(const struct pst_xmp_axis *a, pst_xmp_index_t node, const struct pst_xmp_section *s)
{
  struct pst_xmp_own o;
  pst_xmp_index_t j = 0, more = 0, last = 0, local = 0;
  CU_ASSERT_EQUAL_FATAL(pst_xmp_own_open(&o, a, node, s), 0);
  for (pst_xmp_index_t k = 0; k < s->count; k++) {
    const pst_xmp_index_t g = s->first + k * s->step;
    if (owner_of(a, g) != node) continue;
    if (more == 0) {
      CU_ASSERT_EQUAL_FATAL(pst_xmp_own_element(&o, j, &more), k);
      CU_ASSERT_FATAL(more >= 1);
    } else {
      pst_xmp_index_t rest;
      CU_ASSERT_EQUAL_FATAL(last + 1, k);
      CU_ASSERT_EQUAL_FATAL(local_of(a, g), local + s->step);
      CU_ASSERT_EQUAL_FATAL(pst_xmp_own_element(&o, j, &rest), k);
      CU_ASSERT_EQUAL_FATAL(rest, more);
    }
    local = local_of(a, g);
    last = k;
    more--;
    j++;
  }
  CU_ASSERT_EQUAL(more, 0);
  CU_ASSERT_EQUAL(j, o.owned);
  pst_xmp_own_close(&o);
}

static void sections(void)
{
  random_begin();
  for (int i = 0; i < 20000; i++) {
    const struct pst_xmp_axis a = axis_any();
    const struct pst_xmp_section s = section_any(&a);
    section_walk(&a, any(a.nodes), &s);
  }
}

int main(void)
{
  static const struct unit_test tests[] = {{"random sections", sections}};
  return RUN_SUITE("what a node owns of a section", tests);
}

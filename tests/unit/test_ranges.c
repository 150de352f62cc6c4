/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Pieces of a range: they never overlap, have the size asked for, and merge to one range when given back;
 * only a piece that was taken can be given back. */
#include "support/ranges.c"

#include <string.h>

#include "tests/unit/random.h"
#include "tests/unit/suite.h"

enum { FIRST = 4096, SIZE = 1 << 20, PIECES = 4000 };

/* In the whole range: every piece follows the one before, no two free ones are neighbours, free ones are in
 * their bins. */
static void check_order(const struct pst_ranges *r)
{
  uint64_t at = FIRST;
  for (const struct piece *p = r->first, *before = NULL; p; before = p, p = p->after) {
    CU_ASSERT_EQUAL(p->at, at);
    CU_ASSERT_PTR_EQUAL(p->before, before);
    CU_ASSERT(p->size > 0 && p->size % GRAIN == 0);
    if (before) CU_ASSERT(before->taken || p->taken);
    if (!p->taken) CU_ASSERT((r->bins >> bin_of(p->size) & 1) == 1);
    at += p->size;
  }
  CU_ASSERT_EQUAL(at, FIRST + SIZE);
}

static unsigned char owner[(FIRST + SIZE) / GRAIN];

static void note(uint64_t at, uint64_t size)
{
  CU_ASSERT(at >= FIRST && at + size <= FIRST + SIZE && at % GRAIN == 0);
  for (uint64_t g = at / GRAIN; g < (at + size + GRAIN - 1) / GRAIN; g++) {
    if (owner[g]) CU_FAIL_FATAL("two pieces overlap");
    owner[g] = 1;
  }
}

static void forget(uint64_t at, uint64_t size) { memset(owner + at / GRAIN, 0, (size + GRAIN - 1) / GRAIN); }

/* Grows or shrinks a piece in place: this fails only where another piece is behind it. */
static void resize_some(struct pst_ranges *r, uint64_t at, uint64_t *size)
{
  const uint64_t wanted = 1 + below(2 * *size), end = at + wanted;
  forget(at, *size);
  if (pst_ranges_resize(r, at, wanted) == 0) {
    *size = wanted;
  } else {
    int taken = 0;
    CU_ASSERT(wanted > *size);
    for (uint64_t g = at / GRAIN; g < (end + GRAIN - 1) / GRAIN && end <= FIRST + SIZE; g++)
      taken |= owner[g];
    CU_ASSERT(taken || end > FIRST + SIZE);
  }
  CU_ASSERT(pst_ranges_size(r, at) >= *size);
  note(at, *size);
}

static void give_back_some(struct pst_ranges *r, uint64_t at, uint64_t size)
{
  CU_ASSERT(pst_ranges_size(r, at) >= size);
  CU_ASSERT_EQUAL(pst_ranges_state(r, at), PST_RANGES_TAKEN);
  CU_ASSERT_EQUAL(pst_ranges_state(r, at + 1 + below(GRAIN - 1)), PST_RANGES_INSIDE);
  forget(at, size);
  CU_ASSERT_EQUAL(pst_ranges_give_back(r, at), 0);
  CU_ASSERT_EQUAL(pst_ranges_give_back(r, at), -1);
  CU_ASSERT_EQUAL(pst_ranges_state(r, at), PST_RANGES_FREE);
}

static void test_random(void)
{
  static uint64_t place[PIECES], size[PIECES];
  struct pst_ranges *r = pst_ranges_open(FIRST, SIZE);
  memset(place, 0, sizeof place);
  for (int round = 0; round < 200000; round++) {
    const size_t i = below(PIECES);
    const uint64_t alignment = (uint64_t)1 << below(14);
    if (place[i] && below(3) == 0) {
      resize_some(r, place[i], &size[i]);
    } else if (place[i]) {
      give_back_some(r, place[i], size[i]);
      place[i] = 0;
    } else {
      size[i] = 1 + below(below(64) ? 2000 : 100000);
      place[i] = below(2) ? pst_ranges_take(r, size[i]) : pst_ranges_take_aligned(r, size[i], alignment);
      if (place[i]) note(place[i], size[i]);
    }
    if (round % 5000 == 0) check_order(r);
  }
  for (size_t i = 0; i < PIECES; i++)
    if (place[i]) pst_ranges_give_back(r, place[i]);
  check_order(r);
  CU_ASSERT_EQUAL(pst_ranges_take(r, SIZE), FIRST);
  pst_ranges_close(r);
}

static void test_edges(void)
{
  struct pst_ranges *r = pst_ranges_open(FIRST, SIZE);
  CU_ASSERT_EQUAL(pst_ranges_take(r, 0), 0);
  CU_ASSERT_EQUAL(pst_ranges_take(r, UINT64_MAX), 0);
  CU_ASSERT_EQUAL(pst_ranges_take(r, SIZE + 1), 0);
  CU_ASSERT_EQUAL(pst_ranges_give_back(r, FIRST), -1);
  CU_ASSERT_EQUAL(pst_ranges_take(r, SIZE), FIRST);
  CU_ASSERT_EQUAL(pst_ranges_take(r, 1), 0);
  CU_ASSERT_EQUAL(pst_ranges_give_back(r, FIRST + GRAIN), -1);
  CU_ASSERT_EQUAL(pst_ranges_size(r, FIRST), SIZE);
  CU_ASSERT_EQUAL(pst_ranges_give_back(r, FIRST), 0);
  CU_ASSERT_EQUAL(pst_ranges_size(r, FIRST), 0);
  pst_ranges_close(r);
  r = pst_ranges_open(FIRST, 0);
  CU_ASSERT_EQUAL(pst_ranges_take(r, 1), 0);
  pst_ranges_close(r);
}

/* Fragments that are too small do not serve a request; once merged they do. */
static void test_fragments(void)
{
  struct pst_ranges *r = pst_ranges_open(FIRST, SIZE);
  uint64_t place[64], n = 0;
  while (n < 64 && (place[n] = pst_ranges_take(r, SIZE / 64))) n++;
  CU_ASSERT_EQUAL(n, 64);
  for (size_t i = 0; i < 64; i += 2) pst_ranges_give_back(r, place[i]);
  CU_ASSERT_EQUAL(pst_ranges_take(r, SIZE / 64 + 1), 0);
  pst_ranges_give_back(r, place[1]);
  CU_ASSERT_EQUAL(pst_ranges_take(r, SIZE / 64 + 1), place[0]);
  pst_ranges_close(r);
}

/* The piece before the first multiple of an alignment stays free, and is found. */
static void test_aligned(void)
{
  struct pst_ranges *r = pst_ranges_open(FIRST, SIZE);
  CU_ASSERT_EQUAL(pst_ranges_take_aligned(r, 100, 8), FIRST);
  CU_ASSERT_EQUAL(pst_ranges_take_aligned(r, 100, 65536), 65536);
  CU_ASSERT_EQUAL(pst_ranges_take_aligned(r, 65536 - FIRST - 2 * GRAIN, GRAIN), FIRST + 2 * GRAIN);
  CU_ASSERT_EQUAL(pst_ranges_take_aligned(r, 1, SIZE), SIZE);
  CU_ASSERT_EQUAL(pst_ranges_take_aligned(r, 1, 2 * SIZE), 0);
  CU_ASSERT_EQUAL(pst_ranges_take_aligned(r, SIZE, 4096), 0);
  CU_ASSERT_EQUAL(pst_ranges_take_aligned(r, 0, 4096), 0);
  CU_ASSERT_EQUAL(pst_ranges_take_aligned(r, UINT64_MAX, 4096), 0);
  CU_ASSERT_EQUAL(pst_ranges_resize(r, FIRST, 129), -1);
  CU_ASSERT_EQUAL(pst_ranges_resize(r, FIRST, 0), -1);
  CU_ASSERT_EQUAL(pst_ranges_resize(r, FIRST, UINT64_MAX), -1);
  CU_ASSERT_EQUAL(pst_ranges_resize(r, FIRST + GRAIN, 1), -1);
  CU_ASSERT_EQUAL(pst_ranges_state(r, FIRST - 1), PST_RANGES_OUTSIDE);
  CU_ASSERT_EQUAL(pst_ranges_state(r, FIRST + SIZE), PST_RANGES_OUTSIDE);
  check_order(r);
  for (uint64_t at = FIRST; at < FIRST + SIZE; at += GRAIN) pst_ranges_give_back(r, at);
  CU_ASSERT_EQUAL(pst_ranges_take(r, SIZE), FIRST);
  pst_ranges_close(r);
}

int main(void)
{
  static const struct unit_test tests[] = {{"random", test_random}, {"edges", test_edges},
      {"fragments", test_fragments}, {"aligned", test_aligned}};
  random_begin();
  return RUN_SUITE("ranges", tests);
}

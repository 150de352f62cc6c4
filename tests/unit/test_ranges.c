/* Pieces of a range: they never overlap, are what was asked for, come back as one range, and nothing that was not taken can be given back. */
#include "support/ranges.c"

#include <string.h>

#include "tests/unit/suite.h"

enum { FIRST = 4096, SIZE = 1 << 20, PIECES = 4000 };

static uint64_t state = 0x5eed;
static uint64_t random_below(uint64_t n)
{
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state % n;
}

/* Of the whole range: every piece follows the one before, no two free ones are neighbours, free ones are in their bins. */
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

static void test_random(void)
{
  static uint64_t place[PIECES], size[PIECES];
  static unsigned char owner[(FIRST + SIZE) / GRAIN];
  struct pst_ranges *r = pst_ranges_open(FIRST, SIZE);
  memset(place, 0, sizeof place);
  for (int round = 0; round < 200000; round++) {
    const size_t i = random_below(PIECES);
    if (place[i]) {
      CU_ASSERT(pst_ranges_size(r, place[i]) >= size[i]);
      memset(owner + place[i] / GRAIN, 0, (size[i] + GRAIN - 1) / GRAIN);
      CU_ASSERT_EQUAL(pst_ranges_give_back(r, place[i]), 0);
      CU_ASSERT_EQUAL(pst_ranges_give_back(r, place[i]), -1);
      place[i] = 0;
      continue;
    }
    size[i] = 1 + random_below(random_below(64) ? 2000 : 100000);
    if (!(place[i] = pst_ranges_take(r, size[i]))) continue;
    CU_ASSERT(place[i] >= FIRST && place[i] + size[i] <= FIRST + SIZE && place[i] % GRAIN == 0);
    for (uint64_t g = place[i] / GRAIN; g < (place[i] + size[i] + GRAIN - 1) / GRAIN; g++) {
      if (owner[g]) CU_FAIL_FATAL("two pieces overlap");
      owner[g] = 1;
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

/* What is larger than all that is free in its own bin comes from the next one; what fits only there is found there. */
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

int main(void)
{
  static const struct unit_test tests[] = { { "random", test_random }, { "edges", test_edges }, { "fragments", test_fragments } };
  return RUN_SUITE("ranges", tests);
}

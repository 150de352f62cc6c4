/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* How the fastest of a few ways is found, on a clock of the test's own. */
#include "gasnet_tools.h"

static uint64_t clock_now;
#define gasnett_ticks_now() clock_now
#include "support/faster.h"
#undef gasnett_ticks_now

#include "tests/unit/suite.h"

static unsigned used[PST_FASTER_WAYS];

/* Uses `f` `n` times; way w takes ticks[w] for a unit. */
static void use(struct pst_faster *f, unsigned ways, const uint64_t ticks[], unsigned n)
{
  for (unsigned w = 0; w < PST_FASTER_WAYS; w++) used[w] = 0;
  while (n--) {
    const unsigned w = pst_faster_way(f, ways);
    if (!(w < ways)) {
      CU_FAIL("a way that is not there");
      return;
    }
    const uint64_t begin = clock_now;
    clock_now += ticks[w] * 10;
    pst_faster_learn(f, w, begin, 10);
    used[w]++;
  }
}

static void test_each_is_tried_first(void)
{
  struct pst_faster f = {.uses = 0};
  use(&f, 4, (const uint64_t[]){4, 3, 2, 1}, 4);
  for (unsigned w = 0; w < 4; w++) CU_ASSERT_EQUAL(used[w], 1);
}

static void test_the_fastest_is_used(void)
{
  for (unsigned best = 0; best < 3; best++) {
    struct pst_faster f = {.uses = 0};
    uint64_t ticks[] = {50, 50, 50};
    ticks[best] = 40;
    use(&f, 3, ticks, 3200);
    CU_ASSERT(used[best] > 3100);
    for (unsigned w = 0; w < 3; w++) CU_ASSERT(used[w] > 20); /* and the others were tried */
  }
}

static void test_it_may_change(void)
{
  struct pst_faster f = {.uses = 0};
  use(&f, 2, (const uint64_t[]){10, 20}, 500);
  CU_ASSERT(used[0] > 480);
  use(&f, 2, (const uint64_t[]){40, 20}, 500); /* the way that was better is now worse than the other */
  CU_ASSERT(used[1] > 450);
  use(&f, 2, (const uint64_t[]){15, 20}, 500);
  CU_ASSERT(used[0] > 400);
}

/* One slow use in a hundred, as when a process is preempted, does not change the choice. */
static void test_interruptions(void)
{
  struct pst_faster f = {.uses = 0};
  unsigned all[2] = {0, 0};
  for (unsigned i = 0; i < 100; i++) {
    use(&f, 2, (const uint64_t[]){10, 14}, 99);
    all[0] += used[0], all[1] += used[1];
    use(&f, 2, (const uint64_t[]){100000, 100000}, 1);
  }
  CU_ASSERT(all[0] > 9000);
  CU_ASSERT(all[1] < 900);
}

static void test_far_too_long(void)
{
  struct pst_faster f = {.uses = 0};
  for (unsigned i = 0; i < 200; i++) use(&f, 2, (const uint64_t[]){UINT64_C(1) << 40, UINT64_C(1) << 41}, 1);
  CU_ASSERT(atomic_load(&f.cost[0]) > 0);
  use(&f, 2, (const uint64_t[]){10, 20}, 500);
  CU_ASSERT(used[0] > 400);
}

/* Short work is timed in some uses only, the first ones included; the fastest way is found all the same. */
static void test_seldom(void)
{
  struct pst_faster f = {.uses = 0};
  const uint64_t ticks[] = {40, 10, 30};
  unsigned timed = 0, best = 0;
  for (unsigned i = 0; i < 1600; i++) {
    if (pst_faster_is_timed(&f)) {
      if (i < PST_FASTER_WAYS) CU_ASSERT_EQUAL(timed, i);
      use(&f, 3, ticks, 1);
      timed++;
    } else {
      best += pst_faster_best(&f, 3) == 1;
    }
  }
  CU_ASSERT(timed >= 200 && timed <= 200 + PST_FASTER_WAYS);
  CU_ASSERT(best == 1600 - timed);
}

int main(void)
{
  static const struct unit_test tests[] = {{"each is tried first", test_each_is_tried_first},
      {"the fastest is used", test_the_fastest_is_used}, {"it may change", test_it_may_change},
      {"interruptions", test_interruptions}, {"far too long", test_far_too_long}, {"seldom", test_seldom}};
  return RUN_SUITE("faster", tests);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Heaps of the front-ends' layer: equal calls find equal places; sub-heaps are ranges of their heap that only
 * their end frees; threads share a heap. */
#include "front/heap.c"

#include "tests/unit/suite.h"

enum { FIRST = 1 << 16, SIZE = 1 << 20 };

static uint64_t random_below(uint64_t *state, uint64_t n)
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state % n;
}

/* Two nodes' accounts of one heap: the same calls, the same places. */
static void symmetric(void)
{
  struct pst_front_heap *a = pst_front_heap_open(FIRST, SIZE), *b = pst_front_heap_open(FIRST, SIZE);
  uint64_t state = 0x5eed, place[64] = {0};
  for (int i = 0; i < 20000; i++) {
    const size_t k = random_below(&state, 64);
    const uint64_t n = 1 + random_below(&state, 30000), alignment = UINT64_C(1) << random_below(&state, 14);
    if (place[k] && random_below(&state, 2)) {
      CU_ASSERT_EQUAL(pst_front_heap_resize(a, place[k], n), pst_front_heap_resize(b, place[k], n));
      CU_ASSERT_EQUAL(pst_front_heap_size(a, place[k]), pst_front_heap_size(b, place[k]));
    } else if (place[k]) {
      CU_ASSERT_EQUAL(pst_front_heap_give_back(a, place[k]), PST_FRONT_BLOCK);
      CU_ASSERT_EQUAL(pst_front_heap_give_back(b, place[k]), PST_FRONT_BLOCK);
      place[k] = 0;
    } else {
      place[k] = pst_front_heap_take(a, n, alignment);
      CU_ASSERT_EQUAL(place[k], pst_front_heap_take(b, n, alignment));
      CU_ASSERT_EQUAL(place[k] % alignment, 0);
      if (place[k]) CU_ASSERT(pst_front_heap_size(a, place[k]) >= n);
    }
  }
  CU_ASSERT_EQUAL(pst_front_heap_close(a), 0);
  CU_ASSERT_EQUAL(pst_front_heap_close(b), 0);
}

static void states(void)
{
  struct pst_front_heap *h = pst_front_heap_open(FIRST, SIZE);
  const uint64_t first = pst_front_heap_take(h, 1000, 1), next = pst_front_heap_take(h, 64, 1);
  CU_ASSERT_EQUAL(first, FIRST);
  CU_ASSERT_EQUAL(place_state(h, first), PST_FRONT_BLOCK);
  CU_ASSERT_EQUAL(place_state(h, first + 64), PST_FRONT_INSIDE);
  CU_ASSERT_EQUAL(place_state(h, next + 64), PST_FRONT_FREE);
  CU_ASSERT_EQUAL(place_state(h, FIRST + SIZE), PST_FRONT_OUTSIDE);
  CU_ASSERT_EQUAL(place_state(h, 0), PST_FRONT_OUTSIDE);
  CU_ASSERT_EQUAL(pst_front_heap_resize(h, first, 2000), PST_FRONT_FULL);
  CU_ASSERT_EQUAL(pst_front_heap_resize(h, first + 64, 8), PST_FRONT_INSIDE);
  CU_ASSERT_EQUAL(pst_front_heap_give_back(h, first + 64), PST_FRONT_INSIDE);
  CU_ASSERT_EQUAL(pst_front_heap_give_back(h, next), PST_FRONT_BLOCK);
  CU_ASSERT_EQUAL(pst_front_heap_give_back(h, next), PST_FRONT_FREE);
  CU_ASSERT_EQUAL(pst_front_heap_resize(h, first, 2000), PST_FRONT_BLOCK);
  CU_ASSERT_EQUAL(pst_front_heap_size(h, first), 2048);
  CU_ASSERT_EQUAL(pst_front_heap_take(h, SIZE, 1), 0);
  CU_ASSERT_EQUAL(pst_front_heap_take(h, 0, 1), 0);
  CU_ASSERT_EQUAL(pst_front_heap_close(h), 0);
}

/* Two teams without a common node: each has its account of the same places, and frees as it likes. */
static void sub_heaps(void)
{
  struct pst_front_heap *h[2], *team[2], *inner;
  uint64_t place[2];
  for (int i = 0; i < 2; i++) {
    h[i] = pst_front_heap_open(FIRST, SIZE);
    CU_ASSERT_EQUAL(pst_front_heap_take(h[i], 4096, 1), FIRST);
    team[i] = pst_front_heap_open_sub(h[i], SIZE / 2);
    CU_ASSERT_PTR_NOT_NULL_FATAL(team[i]);
    place[i] = pst_front_heap_take(team[i], 100 << i, 1);
    CU_ASSERT_EQUAL(place[i], FIRST + 4096);
    CU_ASSERT_EQUAL(pst_front_heap_take(team[i], SIZE / 2, 1), 0);
    CU_ASSERT(pst_front_heap_take(h[i], 64, 1) >= FIRST + 4096 + SIZE / 2);
    CU_ASSERT_EQUAL(place_state(h[i], place[i]), PST_FRONT_INSIDE);
    CU_ASSERT_EQUAL(pst_front_heap_give_back(h[i], place[i]), PST_FRONT_INSIDE);
    CU_ASSERT_EQUAL(pst_front_heap_resize(h[i], place[i], 64), PST_FRONT_INSIDE);
    CU_ASSERT_EQUAL(pst_front_heap_size(h[i], place[i]), 0);
    CU_ASSERT_EQUAL(place_state(team[i], FIRST), PST_FRONT_OUTSIDE);
  }
  inner = pst_front_heap_open_sub(team[0], 0); /* the largest piece */
  CU_ASSERT_PTR_NOT_NULL_FATAL(inner);
  CU_ASSERT_EQUAL(pst_front_heap_take(team[0], 64, 1), 0);
  CU_ASSERT_NOT_EQUAL(pst_front_heap_take(inner, SIZE / 2 - 128, 1), 0);
  CU_ASSERT_PTR_NULL(pst_front_heap_open_sub(team[0], 0));
  CU_ASSERT_EQUAL(pst_front_heap_close(team[0]), -1);
  CU_ASSERT_EQUAL(pst_front_heap_close(inner), 0);
  for (int i = 0; i < 2; i++) {
    CU_ASSERT_EQUAL(pst_front_heap_close(team[i]), 0);
    CU_ASSERT_EQUAL(place_state(h[i], place[i]), PST_FRONT_FREE);
    CU_ASSERT_EQUAL(pst_front_heap_take(h[i], SIZE / 2, 1), FIRST + 4096);
    CU_ASSERT_EQUAL(pst_front_heap_close(h[i]), 0);
  }
}

/* ---- threads ---- */

enum { THREADS = 4, ROUNDS = 5000 };
static struct pst_front_heap *shared;
static unsigned char owner[SIZE];

/* Marks its blocks: a thread that gets a block which another one has finds the other's marks. */
static void *use_heap(void *number)
{
  const unsigned char me = (unsigned char)(uintptr_t)number;
  uint64_t state = 77 + me, place, n;
  uintptr_t wrong = 0;
  for (int i = 0; i < ROUNDS; i++) {
    n = 1 + random_below(&state, 3000);
    if (!(place = pst_front_heap_take(shared, n, 1))) continue;
    for (uint64_t k = 0; k < n; k++) wrong += owner[place - FIRST + k] != 0, owner[place - FIRST + k] = me;
    for (uint64_t k = 0; k < n; k++) wrong += owner[place - FIRST + k] != me, owner[place - FIRST + k] = 0;
    wrong += pst_front_heap_give_back(shared, place) != PST_FRONT_BLOCK;
  }
  return (void *)wrong;
}

static void threads(void)
{
  pthread_t t[THREADS];
  void *wrong;
  shared = pst_front_heap_open(FIRST, SIZE);
  for (uintptr_t i = 0; i < THREADS; i++) pthread_create(&t[i], NULL, use_heap, (void *)(i + 1));
  for (int i = 0; i < THREADS; i++) {
    pthread_join(t[i], &wrong);
    CU_ASSERT_PTR_NULL(wrong);
  }
  CU_ASSERT_EQUAL(pst_front_heap_take(shared, SIZE, 1), FIRST);
  CU_ASSERT_EQUAL(pst_front_heap_close(shared), 0);
}

int main(void)
{
  static const struct unit_test tests[] = {{"equal calls find equal places", symmetric},
      {"what a place is", states}, {"sub-heaps", sub_heaps}, {"threads", threads}};
  return RUN_SUITE("heaps of front-ends", tests);
}

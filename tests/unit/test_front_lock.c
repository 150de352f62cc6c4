/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The queue lock of the front-ends' layer with threads as nodes, in both widths: the format of its words, one
 * holder at a time, what one wrote is seen by the next, and words that are zero again at the end. */
#include <gasnetx.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>

/* The operations as on mapped nodes. */
#define gasnetx_atomic16(op, node, addr, operand, expected) pst_atomic_cpu16(op, addr, operand, expected)
#define gasnetx_atomic32(op, node, addr, operand, expected) pst_atomic_cpu32(op, addr, operand, expected)
#define gasnetx_atomic16_nbi(op, node, addr, operand)       ((void)pst_atomic_cpu16(op, addr, operand, 0))
#define gasnetx_atomic32_nbi(op, node, addr, operand)       ((void)pst_atomic_cpu32(op, addr, operand, 0))
#define gasnetx_wake(node)                                  ((void)(node))
#define gasnetx_wait_until(word, cmp, value)                ((void)(word), (void)(value), (void)sched_yield())

#include "front/lock.c"

#include "tests/unit/suite.h"

enum { NODES = 6, ROUNDS = 3000, HOME = 2 };

static uint64_t words[NODES];
static ptrdiff_t shifts[NODES][NODES];

static struct pst_front_lock lock_of(unsigned me, unsigned half)
{
  for (unsigned i = 0; i < NODES; i++) shifts[me][i] = (char *)&words[i] - (char *)&words[me];
  return (struct pst_front_lock){
      .home = HOME, .me = me, .half = half, .own = (char *)&words[me], .shift = shifts[me]};
}

static uint32_t tail_now(unsigned half)
{
  uint32_t tail = 0;
  memcpy(&tail, &words[HOME], half);
  return tail;
}

static void check_format(unsigned half, uint32_t most)
{
  const struct pst_front_lock a = lock_of(0, half), b = lock_of(5, half);
  memset(words, 0, sizeof words);
  CU_ASSERT_EQUAL(pst_front_lock_most(half), most);
  CU_ASSERT_EQUAL(pst_front_lock_is_mine(&a), 0);
  CU_ASSERT_EQUAL(pst_front_lock_take(&a), 0);
  CU_ASSERT_EQUAL(pst_front_lock_is_mine(&a), 1);
  CU_ASSERT_EQUAL(pst_front_lock_take(&a), PST_FRONT_LOCK_WRONG);
  CU_ASSERT_EQUAL(pst_front_lock_try(&a), 0);
  CU_ASSERT_EQUAL(pst_front_lock_release(&b), PST_FRONT_LOCK_WRONG);
  CU_ASSERT_EQUAL(tail_now(half), 1);
  CU_ASSERT_EQUAL(own_place(&a), 1u << (8 * half - 1));
  CU_ASSERT_EQUAL(pst_front_lock_try(&b), 0);
  CU_ASSERT_EQUAL(pst_front_lock_is_mine(&b), 0);
  CU_ASSERT_EQUAL(pst_front_lock_release(&a), 0);
  CU_ASSERT_EQUAL(pst_front_lock_try(&b), 1);
  CU_ASSERT_EQUAL(tail_now(half), 6);
  CU_ASSERT_EQUAL(pst_front_lock_release(&b), 0);
  for (int i = 0; i < NODES; i++) CU_ASSERT_EQUAL(words[i], 0);
}

static void format_long(void) { check_format(4, (1u << 30) - 1); }
static void format_int(void) { check_format(2, (1u << 14) - 1); }

/* ---- threads ---- */

/* Nothing but the lock protects them. Volatile, because GCC keeps a static variable in a register across
 * calls of this file's functions that do not name it, atomic operations in them or not. */
static volatile uint64_t counter, copy;

static void *count(void *number)
{
  const struct pst_front_lock *l = number;
  uint64_t random = 0x9e3779b97f4a7c15u * (l->me + 1);
  uintptr_t wrong = 0;
  for (int i = 0; i < ROUNDS; i++) {
    random ^= random << 13, random ^= random >> 7, random ^= random << 17;
    if (random % 4) pst_front_lock_take(l);
    else
      while (!pst_front_lock_try(l)) sched_yield();
    wrong += counter != copy;
    counter = counter + 1;
    if (random % 16 == 1) sched_yield();
    copy = copy + 1;
    pst_front_lock_release(l);
  }
  return (void *)wrong;
}

static void check_exclusion(unsigned half)
{
  pthread_t t[NODES];
  struct pst_front_lock l[NODES];
  void *wrong;
  counter = copy = 0;
  memset(words, 0, sizeof words);
  for (unsigned i = 0; i < NODES; i++) l[i] = lock_of(i, half);
  for (unsigned i = 0; i < NODES; i++) pthread_create(&t[i], NULL, count, &l[i]);
  for (unsigned i = 0; i < NODES; i++) {
    pthread_join(t[i], &wrong);
    CU_ASSERT_PTR_NULL(wrong);
  }
  CU_ASSERT_EQUAL(counter, NODES * ROUNDS);
  for (int i = 0; i < NODES; i++) CU_ASSERT_EQUAL(words[i], 0);
}

static void exclusion_long(void) { check_exclusion(4); }
static void exclusion_int(void) { check_exclusion(2); }

int main(void)
{
  static const struct unit_test tests[] = {{"format, 8 bytes", format_long}, {"format, 4 bytes", format_int},
      {"exclusion, 8 bytes", exclusion_long}, {"exclusion, 4 bytes", exclusion_int}};
  return RUN_SUITE("locks of front-ends", tests);
}

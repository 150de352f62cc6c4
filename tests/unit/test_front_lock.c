/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The queue lock of the front-ends' layer with threads as nodes: the format of its words in all widths, one
 * holder at a time, what one wrote is seen by the next, words that are free again at the end, and locks that
 * are freed. */
#include <gasnetx.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>

/* The operations as on mapped nodes. */
#define gasnetx_atomic16(op, node, addr, operand, expected) \
  ((void)(node), pst_atomic_cpu16(op, addr, operand, expected))
#define gasnetx_atomic32(op, node, addr, operand, expected) \
  ((void)(node), pst_atomic_cpu32(op, addr, operand, expected))
#define gasnetx_atomic64(op, node, addr, operand, expected) \
  ((void)(node), pst_atomic_cpu64(op, addr, operand, expected))
#define gasnetx_atomic16_nbi(op, node, addr, operand) ((void)gasnetx_atomic16(op, node, addr, operand, 0))
#define gasnetx_atomic32_nbi(op, node, addr, operand) ((void)gasnetx_atomic32(op, node, addr, operand, 0))
#define gasnetx_atomic64_nbi(op, node, addr, operand) ((void)gasnetx_atomic64(op, node, addr, operand, 0))
#define gasnetx_wake(node)                            ((void)(node))
#define gasnetx_wait_until(word, cmp, value)          ((void)(word), (void)(value), (void)sched_yield())

#include "front/lock.c"

#include "tests/unit/suite.h"

enum { NODES = 6, ROUNDS = 3000, HOME = 2 };

/* ---- a word of two halves a node: the first half of the home's is the tail ---- */

static uint64_t words[NODES];
static ptrdiff_t shifts[NODES][NODES];

static struct pst_front_lock halves_open(unsigned me, unsigned width)
{
  struct pst_front_lock l = {.width = width, .me = me, .home = HOME, .name = 1 + me, .implicit = 1};
  for (unsigned i = 0; i < NODES; i++) shifts[me][i] = (char *)&words[i] - (char *)&words[me];
  l.names = pst_front_lock_names(width);
  l.tail = &words[HOME];
  l.place = l.origin = (char *)&words[me] + width;
  l.shift = shifts[me];
  return l;
}

static struct pst_front_lock long_open(unsigned me) { return halves_open(me, 4); }
static struct pst_front_lock int_open(unsigned me) { return halves_open(me, 2); }

/* ---- a tail of 8 bytes with a stamp, and places of each node in blocks of 64 bytes ---- */

enum { NUMBER_BITS = 34, NUMBER = 3, BLOCKS = 8 };
static const uint64_t stamp = (uint64_t)0x155 << 54, freed = (uint64_t)1 << 53;
static uint64_t tail, blocks[NODES][BLOCKS][8];
static ptrdiff_t bases[NODES];

static struct pst_front_lock block_open(unsigned me)
{
  struct pst_front_lock l = {.width = 8, .me = me, .home = HOME, .tail = &tail, .stamp = stamp};
  for (unsigned i = 0; i < NODES; i++) bases[i] = (ptrdiff_t)blocks[i];
  l.name = 1 + ((uint64_t)me << NUMBER_BITS | NUMBER);
  l.names = ((uint64_t)1 << 53) - 1;
  l.place = blocks[me][NUMBER];
  l.shift = bases;
  l.number_bits = NUMBER_BITS;
  return l;
}

/* ---- the format ---- */

static void words_open(void)
{
  memset(words, 0, sizeof words);
  memset(blocks, 0, sizeof blocks);
  tail = stamp;
}

static void words_check(void)
{
  static const uint64_t none[NODES][BLOCKS][8];
  for (int i = 0; i < NODES; i++) CU_ASSERT_EQUAL(words[i], 0);
  CU_ASSERT_EQUAL(memcmp(blocks, none, sizeof none), 0);
  CU_ASSERT_EQUAL(tail, stamp);
}

static uint64_t tail_now(const struct pst_front_lock *l)
{
  uint64_t now = 0;
  memcpy(&now, l->tail, l->width);
  return now;
}

static void check_format(struct pst_front_lock (*open)(unsigned))
{
  const struct pst_front_lock a = open(0), b = open(5);
  words_open();
  CU_ASSERT_EQUAL(pst_front_lock_take(&a), PST_FRONT_LOCK_DONE);
  CU_ASSERT_EQUAL(pst_front_lock_take(&a), PST_FRONT_LOCK_WRONG);
  CU_ASSERT_EQUAL(pst_front_lock_try(&a), PST_FRONT_LOCK_BUSY);
  CU_ASSERT_EQUAL(pst_front_lock_release(&b), PST_FRONT_LOCK_WRONG);
  CU_ASSERT_EQUAL(tail_now(&a), a.stamp | a.name);
  CU_ASSERT_EQUAL(pst_front_lock_place(&a), (uint64_t)1 << (8 * a.width - 1));
  CU_ASSERT_EQUAL(pst_front_lock_try(&b), PST_FRONT_LOCK_BUSY);
  CU_ASSERT_EQUAL(pst_front_lock_place(&b), 0);
  CU_ASSERT_EQUAL(pst_front_lock_release(&a), PST_FRONT_LOCK_DONE);
  CU_ASSERT_EQUAL(pst_front_lock_try(&b), PST_FRONT_LOCK_DONE);
  CU_ASSERT_EQUAL(tail_now(&a), a.stamp | b.name);
  CU_ASSERT_EQUAL(pst_front_lock_release(&b), PST_FRONT_LOCK_DONE);
  words_check();
}

static void format_long(void)
{
  CU_ASSERT_EQUAL(pst_front_lock_names(4), (1u << 30) - 1);
  check_format(long_open);
}
static void format_int(void)
{
  CU_ASSERT_EQUAL(pst_front_lock_names(2), (1u << 14) - 1);
  check_format(int_open);
}
static void format_block(void) { check_format(block_open); }

/* ---- another stamp: the lock is freed while a node has it ---- */

static void stamps(void)
{
  const struct pst_front_lock a = block_open(1), b = block_open(4);
  words_open();
  CU_ASSERT_EQUAL(pst_front_lock_take(&a), PST_FRONT_LOCK_DONE);
  tail |= freed;
  CU_ASSERT_EQUAL(pst_front_lock_try(&b), PST_FRONT_LOCK_GONE);
  CU_ASSERT_EQUAL(pst_front_lock_place(&b), 0);
  CU_ASSERT_EQUAL(pst_front_lock_release(&a), PST_FRONT_LOCK_GONE);
  CU_ASSERT_EQUAL(pst_front_lock_place(&a), 0);
  CU_ASSERT_EQUAL(tail, stamp | freed | a.name);
  CU_ASSERT_EQUAL(pst_front_lock_take(&b), PST_FRONT_LOCK_GONE);
}

/* A node that came before the lock was freed still gets it, and is the one that finds it freed. */
static void stamp_of_a_queue(void)
{
  const struct pst_front_lock a = block_open(1), b = block_open(4);
  words_open();
  CU_ASSERT_EQUAL(pst_front_lock_take(&a), PST_FRONT_LOCK_DONE);
  tail = stamp | freed | b.name; /* what b does at first, and somebody who frees it */
  pst_front_lock_place_set(&b, (uint64_t)1 << 63);
  *(uint64_t *)a.place |= b.name;
  CU_ASSERT_EQUAL(pst_front_lock_release(&a), PST_FRONT_LOCK_DONE);
  CU_ASSERT_EQUAL(pst_front_lock_place(&b), (uint64_t)3 << 62);
  CU_ASSERT_EQUAL(pst_front_lock_release(&b), PST_FRONT_LOCK_GONE);
  CU_ASSERT_EQUAL(tail, stamp | freed | b.name);
}

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
      while (pst_front_lock_try(l) != PST_FRONT_LOCK_DONE) sched_yield();
    wrong += counter != copy;
    counter = counter + 1;
    if (random % 16 == 1) sched_yield();
    copy = copy + 1;
    pst_front_lock_release(l);
  }
  return (void *)wrong;
}

static void check_exclusion(struct pst_front_lock (*open)(unsigned))
{
  pthread_t t[NODES];
  struct pst_front_lock l[NODES];
  void *wrong;
  counter = copy = 0;
  words_open();
  for (unsigned i = 0; i < NODES; i++) l[i] = open(i);
  for (unsigned i = 0; i < NODES; i++) pthread_create(&t[i], NULL, count, &l[i]);
  for (unsigned i = 0; i < NODES; i++) {
    pthread_join(t[i], &wrong);
    CU_ASSERT_PTR_NULL(wrong);
  }
  CU_ASSERT_EQUAL(counter, NODES * ROUNDS);
  words_check();
}

static void exclusion_long(void) { check_exclusion(long_open); }
static void exclusion_int(void) { check_exclusion(int_open); }
static void exclusion_block(void) { check_exclusion(block_open); }

int main(void)
{
  static const struct unit_test tests[] = {{"format, 8 bytes", format_long}, {"format, 4 bytes", format_int},
      {"format, blocks", format_block}, {"a freed lock", stamps},
      {"a lock that is freed while nodes wait", stamp_of_a_queue}, {"exclusion, 8 bytes", exclusion_long},
      {"exclusion, 4 bytes", exclusion_int}, {"exclusion, blocks", exclusion_block}};
  return RUN_SUITE("locks of front-ends", tests);
}

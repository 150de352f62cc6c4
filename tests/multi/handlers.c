/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The handler table: all 128 indices fixed, all chosen by the library and written back, and both kinds mixed;
 * every index reaches its own function from every node. */
#include "common.h"

static volatile int got = -1;
static volatile unsigned got_count, back_count;
static gasnet_handler_t back_index;

static void hit(int which, gasnet_token_t t)
{
  got = which;
  got_count++;
  if (back_index) REQUIRE_OK(gasnet_AMReplyShort1(t, back_index, which));
}

/* Marks in octal without the leading zero: 10 to 17, 20 to 27, ... 207; 127 of them are used. */
/* clang-format off */
#define EIGHT(X, a) X(a##0) X(a##1) X(a##2) X(a##3) X(a##4) X(a##5) X(a##6) X(a##7)
#define ALL(X)                                                                                          \
  EIGHT(X, 1) EIGHT(X, 2) EIGHT(X, 3) EIGHT(X, 4) EIGHT(X, 5) EIGHT(X, 6) EIGHT(X, 7) EIGHT(X, 10)      \
  EIGHT(X, 11) EIGHT(X, 12) EIGHT(X, 13) EIGHT(X, 14) EIGHT(X, 15) EIGHT(X, 16) EIGHT(X, 17) EIGHT(X, 20)
#define FUNCTION(n) static void f##n(gasnet_token_t t) { hit(n, t); }
#define ROW(n)      {n, (void (*)())f##n},
ALL(FUNCTION)
static const struct {
  int mark;
  void (*fn)();
} function[] = {ALL(ROW)};
/* clang-format on */

/* The last of the 128 takes all answers. */
static volatile int answer;
static void answered(gasnet_token_t t, gasnet_handlerarg_t which)
{
  (void)t;
  answer = which;
  back_count++;
}

static gasnet_handlerentry_t table[128], wanted[128];

/* kind 0: all fixed, in a mixed order; 1: all chosen; 2: every third fixed */
static void make_table(int kind)
{
  for (int i = 0; i < 128; i++) {
    int index = 128 + i * 37 % 128;
    table[i].index = (gasnet_handler_t)(kind == 0 ? index : kind == 1 ? 0 : i % 3 ? 0 : index);
    table[i].fnptr = i == 127 ? (void (*)())answered : function[i].fn;
    wanted[i] = table[i];
  }
}

static void check_table(void)
{
  int used[256] = {0};
  for (int i = 0; i < 128; i++) {
    CHECK(table[i].fnptr == wanted[i].fnptr, "attach changed the function of entry %d", i);
    if (wanted[i].index)
      CHECK(table[i].index == wanted[i].index, "attach changed index %d to %d", wanted[i].index,
          table[i].index);
    CHECK(table[i].index >= 128, "entry %d was given index %d", i, table[i].index);
    CHECK(!used[table[i].index]++, "index %d is used twice", table[i].index);
  }
}

static void call_all(gasnet_node_t to)
{
  for (int i = 0; i < 127; i++) {
    unsigned before = back_count;
    REQUIRE_OK(gasnet_AMRequestShort0(to, table[i].index));
    GASNET_BLOCKUNTIL(back_count != before);
    CHECK(answer == function[i].mark, "index %d of node %u reached function %d, not %d", table[i].index,
        (unsigned)to, answer, function[i].mark);
  }
}

int main(int argc, char **argv)
{
  test_init("handlers", &argc, &argv);
  const char *kind = test_option(&argc, argv, "--kind"); /* a process attaches once: each kind needs a run */
  test_no_more_options(argc, argv);
  make_table(kind ? atoi(kind) : 0);
  test_attach(table, 128, GASNET_PAGESIZE);
  check_table();
  back_index = table[127].index;
  test_barrier();
  gasnet_node_t rounds = partner_rounds(8);
  for (gasnet_node_t k = 0; k < rounds; k++) call_all(peer_to(partner_round(k, rounds)));
  test_barrier();
  CHECK(got_count == rounds * 127, "%u handlers ran here, not %u", got_count, rounds * 127);
  test_finish();
}

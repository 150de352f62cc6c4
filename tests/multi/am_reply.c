/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A reply's source may change when the call returns, even where the reply finds no room. Every node asks all
 * nodes for more mediums and longs than fit anywhere, and each handler makes its reply in the same memory and
 * spoils it at once. With --exit a handler ends the job at the end. */
#include "common.h"

enum { H_MEDIUM = 128, H_MEDIUM_BACK, H_LONG, H_LONG_BACK, H_EXIT };
enum { MEDIUM = 1500, LONG = 200000, AREA = LONG + 2 * TEST_GUARD + 64, CODE = 5 };

static volatile unsigned mediums, longs;
static unsigned char *room; /* where all handlers of this node make replies; one thread runs them */

static uint32_t key_of(gasnet_handlerarg_t number, gasnet_node_t from, gasnet_node_t to)
{
  return (uint32_t)test_key((uint64_t)number, from, to);
}

static gasnet_node_t source_of(gasnet_token_t t)
{
  gasnet_node_t src = 0;
  gasnet_AMGetMsgSource(t, &src);
  return src;
}

/* Its length and content differ from reply to reply. */
static size_t length_of(size_t most, gasnet_handlerarg_t number) { return most - (size_t)number % 97; }

static void medium(gasnet_token_t t, gasnet_handlerarg_t number)
{
  const size_t n = length_of(MEDIUM, number);
  pattern_fill(room, n, key_of(number, test.me, source_of(t)));
  CHECK(gasnet_AMReplyMedium1(t, H_MEDIUM_BACK, room, n, number) == GASNET_OK, "medium reply failed");
  memset(room, 0xEE, n);
}

static void medium_back(gasnet_token_t t, void *buf, size_t n, gasnet_handlerarg_t number)
{
  CHECK(n == length_of(MEDIUM, number), "medium reply of %zu bytes", n);
  CHECK_PATTERN(buf, n, key_of(number, source_of(t), test.me), "medium reply");
  mediums++;
}

static void longer(gasnet_token_t t, gasnet_handlerarg_t number)
{
  const size_t n = length_of(LONG, number);
  pattern_fill(room, n, key_of(number, test.me, source_of(t)));
  CHECK(gasnet_AMReplyLong1(t, H_LONG_BACK, room, n,
            seg_at(source_of(t), test.me * (size_t)AREA + TEST_GUARD), number) == GASNET_OK,
      "long reply failed");
  memset(room, 0xEE, n);
}

static void longer_back(gasnet_token_t t, void *buf, size_t n, gasnet_handlerarg_t number)
{
  CHECK(n == length_of(LONG, number), "long reply of %zu bytes", n);
  CHECK_BLOCK(buf, n, key_of(number, source_of(t), test.me), "long reply");
  longs++;
}

static void leave(gasnet_token_t t)
{
  (void)t;
  gasnet_exit(CODE);
}

static void ask_for_mediums(unsigned count)
{
  for (unsigned i = 0; i < count; i++)
    for (gasnet_node_t k = 0; k < test.nodes; k++)
      REQUIRE_OK(gasnet_AMRequestShort1((test.me + k) % test.nodes, H_MEDIUM, (gasnet_handlerarg_t)i));
  GASNET_BLOCKUNTIL(mediums == count * test.nodes);
}

/* Each node sends one at a time, for the next goes to the same place. */
static void ask_for_longs(unsigned count)
{
  for (unsigned i = 0; i < count; i++) {
    for (gasnet_node_t k = 0; k < test.nodes; k++) {
      const size_t n = length_of(LONG, (gasnet_handlerarg_t)i);
      guard_open(seg_at(test.me, k * (size_t)AREA + TEST_GUARD), n);
    }
    for (gasnet_node_t k = 0; k < test.nodes; k++)
      REQUIRE_OK(gasnet_AMRequestShort1((test.me + k) % test.nodes, H_LONG, (gasnet_handlerarg_t)i));
    GASNET_BLOCKUNTIL(longs == (i + 1) * test.nodes);
  }
}

int main(int argc, char **argv)
{
  gasnet_handlerentry_t table[] = {
      {H_MEDIUM, (void (*)())medium},
      {H_MEDIUM_BACK, (void (*)())medium_back},
      {H_LONG, (void (*)())longer},
      {H_LONG_BACK, (void (*)())longer_back},
      {H_EXIT, (void (*)())leave},
  };
  const int exits = argc > 1 && strcmp(argv[argc - 1], "--exit") == 0;
  if (exits) argv[--argc] = NULL;
  room = (unsigned char *)malloc(LONG);
  test_start("am_reply", &argc, &argv, table, 5, 16 * (size_t)AREA);
  REQUIRE(room && test.nodes <= 16 && gasnet_AMMaxMedium() >= MEDIUM && gasnet_AMMaxLongReply() >= LONG,
      "not what the test needs");
  ask_for_mediums((unsigned)test_scaled(3000));
  ask_for_longs((unsigned)test_scaled(20));
  test_barrier();
  if (!exits) test_finish();
  if (test.failures) gasnet_exit(1);
  if (test.me == 0) gasnet_AMRequestShort0(test.nodes - 1, H_EXIT);
  GASNET_BLOCKUNTIL(0);
}

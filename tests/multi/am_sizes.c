/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Sizes and places of payloads: mediums from 0 to gasnet_AMMaxMedium(), longs from 0 to a megabyte at any
 * offset of the target's segment, from sources of any alignment, each echoed by a reply of the same kind. */
#include "common.h"

enum { H_MEDIUM = 128, H_MEDIUM_BACK, H_LONG, H_LONG_BACK };
#define LONG_MOST ((size_t)1 << 20)
#define AREA      (LONG_MOST + 4096)

static volatile unsigned replies;
static size_t long_most;
static unsigned char *source; /* has no guards, for it is only read */

/* Each segment has one area for requests of the round's only source, and one for replies to it. */
static size_t area_at(int is_reply, size_t shift) { return (is_reply ? AREA : 0) + TEST_GUARD + shift; }

static void medium(gasnet_token_t t, void *buf, size_t n, gasnet_handlerarg_t key, gasnet_handlerarg_t size)
{
  CHECK(n == (size_t)size, "medium of %zu bytes, not %d", n, (int)size);
  CHECK(n == 0 || (uintptr_t)buf % 8 == 0, "medium buffer %p is not aligned to 8", buf);
  CHECK_PATTERN(buf, n, (uint32_t)key, "medium request");
  memset(buf, 0xDD, n); /* the buffer is the handler's while it runs */
  pattern_fill(buf, n, (uint32_t)key + 1);
  CHECK(gasnet_AMReplyMedium2(t, H_MEDIUM_BACK, buf, n, key + 1, size) == GASNET_OK, "medium reply failed");
}

static void medium_back(
    gasnet_token_t t, void *buf, size_t n, gasnet_handlerarg_t key, gasnet_handlerarg_t size)
{
  (void)t;
  CHECK(n == (size_t)size, "medium reply of %zu bytes, not %d", n, (int)size);
  CHECK_PATTERN(buf, n, (uint32_t)key, "medium reply");
  replies++;
}

static void longer(gasnet_token_t t, void *buf, size_t n, gasnet_handlerarg_t key, gasnet_handlerarg_t size,
    gasnet_handlerarg_t shift, gasnet_handlerarg_t back_shift)
{
  gasnet_node_t src = 0;
  gasnet_AMGetMsgSource(t, &src);
  char *place = seg_at(test.me, area_at(0, (size_t)shift));
  CHECK(n == (size_t)size, "long of %zu bytes, not %d", n, (int)size);
  if (n) CHECK(buf == place, "long payload at %p, not %p", buf, (void *)place);
  CHECK_BLOCK(place, n, (uint32_t)key, "long request");
  size_t back = n < gasnet_AMMaxLongReply() ? n : gasnet_AMMaxLongReply();
  CHECK(gasnet_AMReplyLong3(t, H_LONG_BACK, place, back, seg_at(src, area_at(1, (size_t)back_shift)), key,
            (gasnet_handlerarg_t)back, back_shift) == GASNET_OK,
      "long reply failed");
}

static void longer_back(gasnet_token_t t, void *buf, size_t n, gasnet_handlerarg_t key,
    gasnet_handlerarg_t size, gasnet_handlerarg_t shift)
{
  (void)t;
  char *place = seg_at(test.me, area_at(1, (size_t)shift));
  CHECK(n == (size_t)size, "long reply of %zu bytes, not %d", n, (int)size);
  if (n) CHECK(buf == place, "long reply payload at %p, not %p", buf, (void *)place);
  CHECK_BLOCK(place, n, (uint32_t)key, "long reply");
  replies++;
}

static void send_medium(gasnet_node_t to, size_t n, size_t align, unsigned key)
{
  unsigned before = replies;
  pattern_fill(source + align, n, key);
  REQUIRE_OK(gasnet_AMRequestMedium2(
      to, H_MEDIUM, n ? source + align : NULL, n, (gasnet_handlerarg_t)key, (gasnet_handlerarg_t)n));
  memset(source + align, 0xEE, n);
  GASNET_BLOCKUNTIL(replies != before);
}

static void send_long(
    gasnet_node_t to, size_t n, size_t align, size_t shift, size_t back_shift, unsigned key, int async)
{
  unsigned before = replies;
  char *dst = seg_at(to, area_at(0, shift));
  pattern_fill(source + align, n, key);
  guard_open(seg_at(test.me, area_at(1, back_shift)), n);
  gasnet_memset(to, dst - TEST_GUARD, TEST_UNTOUCHED, n + 2 * TEST_GUARD);
  gasnet_handlerarg_t k = (gasnet_handlerarg_t)key, s = (gasnet_handlerarg_t)shift,
                      b = (gasnet_handlerarg_t)back_shift;
  if (async)
    REQUIRE_OK(
        gasnet_AMRequestLongAsync4(to, H_LONG, source + align, n, dst, k, (gasnet_handlerarg_t)n, s, b));
  else {
    REQUIRE_OK(gasnet_AMRequestLong4(to, H_LONG, source + align, n, dst, k, (gasnet_handlerarg_t)n, s, b));
    memset(source + align, 0xEE, n < 4096 ? n : 4096);
  }
  GASNET_BLOCKUNTIL(replies != before);
}

static void all_mediums(gasnet_node_t to, struct rng *r)
{
  size_t most = gasnet_AMMaxMedium(), step = most <= 4096 ? most : 4096;
  for (size_t n = 0; n <= 130; n++) send_medium(to, n, n % 8, (unsigned)rng_next(r) >> 1);
  for (size_t p = 256; p <= most; p *= 2)
    for (size_t d = 0; d < 3; d++)
      if (p - 1 + d <= most) send_medium(to, p - 1 + d, rng_below(r, 64), (unsigned)rng_next(r) >> 1);
  for (size_t d = 0; d < 16; d++) send_medium(to, most - d, d, (unsigned)rng_next(r) >> 1);
  for (size_t i = 0; i < test_scaled(40); i++)
    send_medium(to, rng_below(r, step + 1), rng_below(r, 64), (unsigned)rng_next(r) >> 1);
}

static void all_longs(gasnet_node_t to, struct rng *r)
{
  for (size_t n = 0; n <= 70; n++)
    send_long(to, n, n % 8, n * 3 % 64, n * 5 % 64, (unsigned)rng_next(r) >> 1, (int)(n & 1));
  for (size_t p = 128; p <= long_most; p *= 2)
    for (size_t d = 0; d < 3 && p - 1 + d <= long_most; d++)
      send_long(to, p - 1 + d, rng_below(r, 64), rng_below(r, 2048), rng_below(r, 2048),
          (unsigned)rng_next(r) >> 1, (int)(d & 1));
  for (size_t i = 0; i < test_scaled(30); i++)
    send_long(to, rng_size(r, long_most), rng_below(r, 64), rng_below(r, 2048), rng_below(r, 2048),
        (unsigned)rng_next(r) >> 1, (int)(i & 1));
}

int main(int argc, char **argv)
{
  gasnet_handlerentry_t table[] = {
      {H_MEDIUM, (void (*)())medium},
      {H_MEDIUM_BACK, (void (*)())medium_back},
      {H_LONG, (void (*)())longer},
      {H_LONG_BACK, (void (*)())longer_back},
  };
  test_start("am_sizes", &argc, &argv, table, 4, 2 * AREA + 4096);
  long_most = gasnet_AMMaxLongRequest() < LONG_MOST ? gasnet_AMMaxLongRequest() : LONG_MOST;
  source = (unsigned char *)malloc(LONG_MOST + gasnet_AMMaxMedium() + 128);
  REQUIRE(source, "no memory");
  struct rng r;
  rng_init(&r, test_key(1, test.me, 0));
  gasnet_node_t rounds = partner_rounds(4);
  for (gasnet_node_t k = 0; k < rounds; k++) {
    gasnet_node_t to = peer_to(partner_round(k, rounds));
    all_mediums(to, &r);
    all_longs(to, &r);
    test_barrier();
  }
  test_finish();
}

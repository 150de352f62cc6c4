/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Every node sends all others requests with the largest medium, and the handlers reply with as much. There is
 * never room, so a handler waits inside its reply and serves other messages meanwhile. Payloads must be whole
 * when a handler begins and when it ends. The job hangs if a handler needs a message that lies unread behind
 * its own. */
#include "common.h"

enum { H_ASK = 128, H_ANSWER };

static uint64_t asked, answered;
static size_t most;

static uint64_t key_of(gasnet_node_t from, gasnet_node_t to, gasnet_handlerarg_t number, int answer)
{
  return test_key(from, to, 2 * (uint64_t)(uint32_t)number + (unsigned)answer);
}

static void on_ask(gasnet_token_t t, void *buf, size_t n, gasnet_handlerarg_t number)
{
  gasnet_node_t src;
  char *answer = (char *)malloc(n);
  gasnet_AMGetMsgSource(t, &src);
  CHECK_PATTERN(buf, n, key_of(src, test.me, number, 0), "request when its handler begins");
  pattern_fill(answer, n, key_of(test.me, src, number, 1));
  REQUIRE_OK(gasnet_AMReplyMedium1(t, H_ANSWER, answer, n, number));
  CHECK_PATTERN(buf, n, key_of(src, test.me, number, 0), "request when its handler ends");
  free(answer);
}

static void on_answer(gasnet_token_t t, void *buf, size_t n, gasnet_handlerarg_t number)
{
  gasnet_node_t src;
  gasnet_AMGetMsgSource(t, &src);
  CHECK_PATTERN(buf, n, key_of(src, test.me, number, 1), "reply");
  __atomic_fetch_add(&answered, 1, __ATOMIC_RELEASE);
}

static void ask(int thread)
{
  const size_t rounds = test_scaled(600.0 / test.threads);
  char *data = (char *)malloc(most);
  struct rng r;
  rng_init(&r, test_key(7, test.me, (uint64_t)thread));
  for (size_t i = 0; i < rounds; i++)
    for (gasnet_node_t k = 1; k < test.nodes; k++) {
      const gasnet_node_t to = peer_to(k);
      const gasnet_handlerarg_t number = (gasnet_handlerarg_t)(i * TEST_MAX_THREADS + (size_t)thread);
      const size_t n = most - rng_below(&r, 64);
      pattern_fill(data, n, key_of(test.me, to, number, 0));
      __atomic_fetch_add(&asked, 1, __ATOMIC_RELAXED);
      REQUIRE_OK(gasnet_AMRequestMedium1(to, H_ASK, data, n, number));
    }
  free(data);
}

int main(int argc, char **argv)
{
  gasnet_handlerentry_t table[] = {{H_ASK, (void (*)())on_ask}, {H_ANSWER, (void (*)())on_answer}};
  test_start("am_crowd", &argc, &argv, table, 2, GASNET_PAGESIZE);
  most = gasnet_AMMaxMedium() < 16384 ? gasnet_AMMaxMedium() : 16384;
  test_barrier();
  test_threads(test.threads, ask);
  GASNET_BLOCKUNTIL(__atomic_load_n(&answered, __ATOMIC_ACQUIRE) == asked);
  test_finish();
}

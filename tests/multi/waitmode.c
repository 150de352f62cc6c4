/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* GASNET_BLOCKUNTIL in each wait mode: a condition made true by a message of another node, and under
 * GASNET_PAR by a handler that another thread's poll runs. */
#include "common.h"

enum { H_TOKEN = 128, H_SELF };
static unsigned token; /* passes of the ring's token seen here */
static unsigned by_self;
static const int modes[] = {GASNET_WAIT_SPIN, GASNET_WAIT_BLOCK, GASNET_WAIT_SPINBLOCK};
static const char *const names[] = {"spin", "block", "spinblock"};

static void on_token(gasnet_token_t t)
{
  (void)t;
  __atomic_fetch_add(&token, 1, __ATOMIC_RELEASE);
}
static void on_self(gasnet_token_t t)
{
  (void)t;
  __atomic_fetch_add(&by_self, 1, __ATOMIC_RELEASE);
}

static unsigned base; /* tokens of the earlier parts: `token` goes on, for the next may have come already */

/* A token around the ring; all but its holder wait. */
static void ring(size_t rounds)
{
  gasnet_node_t next = peer_to(1);
  for (unsigned k = 1; k <= rounds; k++) {
    if (test.me == 0) REQUIRE_OK(gasnet_AMRequestShort0(next, H_TOKEN));
    GASNET_BLOCKUNTIL(__atomic_load_n(&token, __ATOMIC_ACQUIRE) >= base + k);
    if (test.me != 0) REQUIRE_OK(gasnet_AMRequestShort0(next, H_TOKEN));
  }
  base += (unsigned)rounds;
}

/* The others sleep deeply while node 0 works for a while: a node must wake although it looked long ago. */
static void wake_after_a_while(void)
{
  test_barrier();
  if (test.me == 0) {
    for (volatile unsigned spin = 0; spin < 15000000; spin++) {}
    for (gasnet_node_t i = 0; i < test.nodes; i++) REQUIRE_OK(gasnet_AMRequestShort0(i, H_TOKEN));
  }
  GASNET_BLOCKUNTIL(__atomic_load_n(&token, __ATOMIC_ACQUIRE) == base + 1);
  base++;
  test_barrier();
}

#ifdef GASNET_PAR
static int stage;
static size_t polls;
/* Thread 0 waits; thread 1 makes the condition true by a handler in its own poll. */
static void two_threads(int id)
{
  for (unsigned k = 1; k <= polls; k++) {
    if (id == 0) {
      GASNET_BLOCKUNTIL(__atomic_load_n(&by_self, __ATOMIC_ACQUIRE) >= k);
      __atomic_store_n(&stage, (int)k, __ATOMIC_RELEASE);
    } else {
      REQUIRE_OK(gasnet_AMRequestShort0(test.me, H_SELF));
      while (__atomic_load_n(&stage, __ATOMIC_ACQUIRE) < (int)k) {
        gasnet_AMPoll();
        test_yield();
      }
    }
  }
}
#endif

static void in_mode(int m)
{
  REQUIRE_OK(gasnet_set_waitmode(modes[m]));
  GASNET_BLOCKUNTIL(1); /* already true: returns */
  ring(test_scaled(test.nodes <= 8 ? 400 : 20));
  test_barrier();
  wake_after_a_while();
#ifdef GASNET_PAR
  by_self = 0;
  stage = 0;
  polls = test_scaled(test.nodes <= 8 ? 500 : 20);
  test_threads(2, two_threads);
  test_barrier();
#endif
  if (test.me == 0) {
    printf("waitmode: %s done\n", names[m]);
    fflush(stdout);
  }
}

int main(int argc, char **argv)
{
  gasnet_handlerentry_t table[] = {{H_TOKEN, (void (*)())on_token}, {H_SELF, (void (*)())on_self}};
  test_start("waitmode", &argc, &argv, table, 2, GASNET_PAGESIZE);
  CHECK(gasnet_set_waitmode(17) == GASNET_ERR_BAD_ARG, "set_waitmode(17)");
  CHECK(gasnet_set_waitmode(-1) == GASNET_ERR_BAD_ARG, "set_waitmode(-1)");
  for (int m = 0; m < 3; m++) in_mode(m);
  /* Nodes in different modes wait for each other too. */
  REQUIRE_OK(gasnet_set_waitmode(modes[test.me % 3]));
  ring(test_scaled(test.nodes <= 8 ? 200 : 10));
  test_barrier();
  CHECK(__atomic_load_n(&token, __ATOMIC_ACQUIRE) == base, "the token came %u times, not %u", token, base);
  test_finish();
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Handler-safe locks: what they protect stays whole between client code and handlers, and between threads;
 * trylock tells the truth; a thread may wait for a condition with a lock. */
#include "common.h"
#include <gasnet_tools.h>

enum { H_ADD = 128, H_ADD_TRY, H_DONE, H_TICKET };
static gasnet_hsl_t fixed = GASNET_HSL_INITIALIZER, made;
static struct {
  uint64_t a, b;
  char apart[256];
  uint64_t c;
} shared; /* a == b == c whenever no lock is held */
static unsigned done;
static size_t steps;

/* Separate loads and stores, so that two threads at once lose a count. */
static void step(void)
{
  uint64_t n = *(volatile uint64_t *)&shared.a;
  CHECK(*(volatile uint64_t *)&shared.b == n && *(volatile uint64_t *)&shared.c == n, "the lock let two in");
  *(volatile uint64_t *)&shared.a = n + 1;
  *(volatile uint64_t *)&shared.b = n + 1;
  *(volatile uint64_t *)&shared.c = n + 1;
}

static void add(gasnet_token_t t)
{
  gasnet_hsl_lock(&fixed);
  step();
  gasnet_hsl_unlock(&fixed);
  REQUIRE_OK(gasnet_AMReplyShort0(t, H_DONE));
}

static void add_try(gasnet_token_t t)
{
  int rc;
  while ((rc = gasnet_hsl_trylock(&fixed)) == GASNET_ERR_NOT_READY) test_yield();
  CHECK(rc == GASNET_OK, "trylock returned %d", rc);
  step();
  gasnet_hsl_unlock(&fixed);
  REQUIRE_OK(gasnet_AMReplyShort0(t, H_DONE));
}

static void on_done(gasnet_token_t t)
{
  (void)t;
  __atomic_fetch_add(&done, 1, __ATOMIC_RELEASE);
}

/* Each thread: counts here, and asks another node to count in a handler. */
static void work(int id)
{
  struct rng r;
  rng_init(&r, test_key(6, test.me, (uint64_t)id));
  for (size_t i = 0; i < steps; i++) {
    if (i % 4 == 0)
      REQUIRE_OK(gasnet_AMRequestShort0((gasnet_node_t)rng_below(&r, test.nodes), i % 8 ? H_ADD : H_ADD_TRY));
    if (i % 3) gasnet_hsl_lock(&fixed);
    else
      while (gasnet_hsl_trylock(&fixed) != GASNET_OK) test_yield();
    step();
    gasnet_hsl_unlock(&fixed);
  }
}

/* Takes one lock after the other, two at once, and holds interrupts. */
static void test_alone(void)
{
  gasnet_hsl_init(&made);
  gasnet_hsl_lock(&made);
  CHECK(gasnet_hsl_trylock(&fixed) == GASNET_OK, "trylock of a free lock while another is held");
  gasnet_hsl_unlock(&fixed);
  gasnet_hsl_unlock(&made);
  CHECK(gasnet_hsl_trylock(&made) == GASNET_OK, "trylock of a free lock");
  gasnet_hsl_unlock(&made);
  gasnet_hold_interrupts();
  gasnet_resume_interrupts();
  gasnet_hsl_destroy(&made);
  gasnet_hsl_init(&made);
  gasnet_hsl_lock(&made);
  gasnet_hsl_unlock(&made);
  gasnet_hsl_destroy(&made);
}

#ifdef GASNET_PAR
static int held_stage;
static void trylock_of_held(int id)
{
  if (id == 0) {
    gasnet_hsl_lock(&fixed);
    __atomic_store_n(&held_stage, 1, __ATOMIC_RELEASE);
    while (__atomic_load_n(&held_stage, __ATOMIC_ACQUIRE) != 2) test_yield();
    gasnet_hsl_unlock(&fixed);
  } else {
    while (__atomic_load_n(&held_stage, __ATOMIC_ACQUIRE) != 1) test_yield();
    for (int i = 0; i < 100; i++)
      CHECK(
          gasnet_hsl_trylock(&fixed) == GASNET_ERR_NOT_READY, "trylock of a lock that another thread holds");
    __atomic_store_n(&held_stage, 2, __ATOMIC_RELEASE);
  }
}

/* Threads wait for a condition with the lock, which handlers take meanwhile in another thread's polls. A
 * signal announces some tickets, a broadcast the last. */
enum { WAITERS = 3, TICKETS = 3000 };
static gasnett_cond_t changed = GASNETT_COND_INITIALIZER;
static int tickets, issued, taken; /* under `fixed` */
static uint64_t in_hand[2];        /* equal whenever nobody holds `fixed` */

static void on_ticket(gasnet_token_t t)
{
  (void)t;
  gasnet_hsl_lock(&fixed);
  CHECK(in_hand[0] == in_hand[1], "a handler holds the lock while a thread that has waited does");
  tickets++;
  if (++issued == TICKETS) gasnett_cond_broadcast(&changed);
  else gasnett_cond_signal(&changed);
  gasnet_hsl_unlock(&fixed);
}

static void take_tickets(void)
{
  gasnet_hsl_lock(&fixed);
  for (;;) {
    while (!tickets && issued < TICKETS) gasnett_cond_wait(&changed, &fixed.lock);
    if (!tickets) break;
    *(volatile uint64_t *)&in_hand[0] = in_hand[0] + 1;
    tickets--;
    taken++;
    *(volatile uint64_t *)&in_hand[1] = in_hand[1] + 1;
  }
  gasnet_hsl_unlock(&fixed);
}

static void wait_with_lock(int id)
{
  if (id) {
    take_tickets();
    return;
  }
  for (int i = 0; i < TICKETS; i++) REQUIRE_OK(gasnet_AMRequestShort0((test.me + 1) % test.nodes, H_TICKET));
  for (int all = 0; !all;) {
    REQUIRE_OK(gasnet_AMPoll());
    gasnet_hsl_lock(&fixed);
    all = taken == TICKETS;
    gasnet_hsl_unlock(&fixed);
    test_yield();
  }
}

static void test_condition(void)
{
  test_threads(1 + WAITERS, wait_with_lock);
  CHECK(tickets == 0 && taken == TICKETS && in_hand[0] == TICKETS && in_hand[1] == TICKETS,
      "%d tickets left, %d taken", tickets, taken);
  CHECK(gasnet_hsl_trylock(&fixed) == GASNET_OK, "trylock after all have waited");
  gasnet_hsl_unlock(&fixed);
}
#else
static void on_ticket(gasnet_token_t t) { (void)t; }
#endif

int main(int argc, char **argv)
{
  gasnet_handlerentry_t table[] = {{H_ADD, (void (*)())add}, {H_ADD_TRY, (void (*)())add_try},
      {H_DONE, (void (*)())on_done}, {H_TICKET, (void (*)())on_ticket}};
  test_start("hsl", &argc, &argv, table, 4, GASNET_PAGESIZE);
  test_alone();
#ifdef GASNET_PAR
  test_threads(2, trylock_of_held);
  test_condition();
#endif
  test_barrier();
  steps = test_scaled(test.nodes <= 8 ? 20000 : 1000) / 8 * 8 + 8;
  test_threads(test.threads, work);
  unsigned asked = (unsigned)(steps / 4 * (size_t)test.threads);
  GASNET_BLOCKUNTIL(__atomic_load_n(&done, __ATOMIC_ACQUIRE) == asked);
  test_barrier();
  /* Sum over all nodes: every client's and every handler's step, none lost. */
  uint64_t *slot = (uint64_t *)seg_at(0, 0);
  gasnet_put(0, slot + test.me, &shared.a, 8);
  test_barrier();
  if (test.me == 0) {
    uint64_t sum = 0, expect = (uint64_t)test.nodes * (uint64_t)test.threads * (steps + steps / 4);
    for (gasnet_node_t i = 0; i < test.nodes; i++) sum += slot[i];
    CHECK(sum == expect, "%llu steps under the lock, %llu were taken", (unsigned long long)sum,
        (unsigned long long)expect);
  }
  test_finish();
}

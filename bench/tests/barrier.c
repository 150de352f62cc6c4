/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Barriers of all nodes, and a token that goes round, against the same made of cache lines. There may be
 * more nodes than cores. */
#include "transfer.h"

#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <gasnetx.h>

enum { TOKEN = BENCH_H_RING, FLAGS = BENCH_ALL_NODES, LEAST = 100 };

/* At the beginning of each node's segment; node 0 has the central barrier. The last to arrive starts the next
 * generation. */
struct area {
  _Alignas(128) _Atomic uint32_t arrived;
  _Alignas(128) _Atomic uint32_t generation;
  _Alignas(128) _Atomic uint64_t flag;
  _Alignas(128) _Atomic uint64_t token;
};
static uint64_t flags, tokens_passed; /* since the beginning of the point */

static struct area *area(unsigned node) { return (struct area *)bench_node.mapped[node]; }

/* ---- two nodes: each sets its flag and waits for the other's ---- */

static inline __attribute__((always_inline)) void exchange(long n, int pausing)
{
  struct area *own = area(bench_node.me), *other = area(bench_node.peer);
  for (long i = 0; i < n; i++) {
    atomic_store_explicit(&own->flag, ++flags, memory_order_release);
    while (atomic_load_explicit(&other->flag, memory_order_acquire) < flags)
      if (pausing) bench_pause();
  }
}
static void exchange_eager(long n) { exchange(n, 0); }
static void exchange_pausing(long n) { exchange(n, 1); }

/* ---- more nodes: how long to look before a yield or a sleep depends on the machine ---- */

static inline int spin(_Atomic uint32_t *word, uint32_t old, unsigned spins)
{
  for (unsigned i = 0; i < spins; i++) {
    if (atomic_load_explicit(word, memory_order_acquire) != old) return 1;
    bench_pause();
  }
  return atomic_load_explicit(word, memory_order_acquire) != old;
}

static inline void wait_yielding(_Atomic uint32_t *word, uint32_t old, unsigned spins)
{
  while (!spin(word, old, spins)) sched_yield();
}

static inline void wait_futex(_Atomic uint32_t *word, uint32_t old, unsigned spins)
{
  if (spin(word, old, spins)) return;
  while (atomic_load_explicit(word, memory_order_acquire) == old)
    syscall(SYS_futex, word, FUTEX_WAIT, old, NULL, NULL, 0);
}

static inline __attribute__((always_inline)) void central(long n, unsigned spins, int futex)
{
  struct area *c = area(0);
  for (long i = 0; i < n; i++) {
    const uint32_t old = atomic_load_explicit(&c->generation, memory_order_relaxed);
    if (atomic_fetch_add_explicit(&c->arrived, 1, memory_order_acq_rel) + 1 < bench_node.nodes) {
      if (futex) wait_futex(&c->generation, old, spins);
      else wait_yielding(&c->generation, old, spins);
      continue;
    }
    atomic_store_explicit(&c->arrived, 0, memory_order_relaxed);
    atomic_store_explicit(&c->generation, old + 1, memory_order_release);
    if (futex) syscall(SYS_futex, &c->generation, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
  }
}
static void yield_at_once(long n) { central(n, 0, 0); }
static void yield_after_10(long n) { central(n, 10, 0); }
static void yield_after_100(long n) { central(n, 100, 0); }
static void futex_at_once(long n) { central(n, 0, 1); }
static void futex_after_100(long n) { central(n, 100, 1); }

/* ---- ours ---- */

static void barrier(long n)
{
  for (long i = 0; i < n; i++) {
    gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
    gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
  }
}

static void team_barrier(long n)
{
  const gasnetx_nodes_t all = {0, 1, (gasnet_node_t)bench_node.nodes};
  for (long i = 0; i < n; i++) gasnetx_team_barrier(&all);
}

/* ---- a message that goes round: node 0 sends it, each passes it on, node 0 has it back ---- */

static unsigned next(void) { return (bench_node.me + 1) % bench_node.nodes; }

static void bare_ring(long n)
{
  struct area *in = area(bench_node.me), *out = area(next());
  for (long i = 0; i < n; i++) {
    tokens_passed++;
    if (bench_node.me == 0) atomic_store_explicit(&out->token, tokens_passed, memory_order_release);
    while (atomic_load_explicit(&in->token, memory_order_acquire) != tokens_passed) sched_yield();
    if (bench_node.me != 0) atomic_store_explicit(&out->token, tokens_passed, memory_order_release);
  }
}

static volatile long tokens;

static void on_token(gasnet_token_t from)
{
  (void)from;
  tokens++;
}

static void ring(long n)
{
  static long expected; /* the next token may have come while this process was sending the last */
  const gasnet_node_t to = (gasnet_node_t)next();
  for (long i = 0; i < n; i++) {
    expected++;
    if (bench_node.me == 0) gasnet_AMRequestShort0(to, TOKEN);
    GASNET_BLOCKUNTIL(tokens >= expected);
    if (bench_node.me != 0) gasnet_AMRequestShort0(to, TOKEN);
  }
}

/* ---- points ---- */

static int prepare(const char *point, size_t nodes)
{
  (void)point;
  (void)nodes;
  memset(bench_node.segment, 0, sizeof(struct area));
  flags = tokens_passed = 0;
  return 0;
}

/* Flags are for two, the central barrier for more. */
static int prepare_barrier(const char *point, size_t nodes)
{
  if (bench_node.nodes == 2) bench_raw_taken = 1;
  else bench_raw_taken &= ~1u;
  return prepare(point, nodes);
}

static const struct bench_case cases[] = {
    {BENCH_CASE("barrier", prepare_barrier, NULL, barrier), .flags = FLAGS, .least = LEAST,
        .raw_smp = {exchange_eager, yield_at_once, yield_after_10, yield_after_100, futex_at_once,
            futex_after_100}},
    {BENCH_CASE("barrier_p", prepare, NULL, barrier), .flags = FLAGS, .raw_smp = {exchange_pausing},
        .least = LEAST},
    {BENCH_CASE("team_barrier", prepare, NULL, team_barrier), .flags = FLAGS, .raw_any = {barrier},
        .least = LEAST},
    {BENCH_CASE("am_ring", prepare, NULL, ring), .flags = FLAGS, .raw_smp = {bare_ring}, .least = 10},
    {.test = NULL},
};

static const struct bench_handler handlers[] = {{TOKEN, on_token}, {0, NULL}};

const struct bench_suite bench_suite_barrier = {.cases = cases, .handlers = handlers};

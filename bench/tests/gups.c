/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Random updates of a table that is spread over all nodes: by atomic operations, and collected in messages.
 * An update is an exclusive or with its own random number, which says the node and the word, too: an update
 * that is lost, made twice or misplaced is found. */
#include "../engine/engine.h"

#include <gasnet.h>
#include <gasnetx.h>
#include <stdlib.h>
#include <string.h>

enum { H_UPDATES = 182, H_DONE, WORDS = 1 << 21, A_SYNC = 1000, CHECKED = 1000, COLLECTED = 512 };

static uint64_t *table(void) { return (uint64_t *)bench_node.segment; }
static inline gasnet_node_t node_of(uint64_t x) { return (gasnet_node_t)((x >> 40) % bench_node.nodes); }
static inline size_t word_of(uint64_t x) { return (size_t)(x >> 16) % WORDS; }

/* ---- each thread's stream of updates ---- */

static unsigned epoch;   /* of the point: streams begin anew */
static unsigned streams; /* a node */
static _Thread_local unsigned begun;
static _Thread_local uint64_t state;
static uint64_t given; /* exclusive or of all updates of this node */

static uint64_t seed(unsigned node, unsigned thread) { return (uint64_t)node * 1000003 + thread * 77 + 1; }
static inline uint64_t next(uint64_t x)
{
  x ^= x << 13;
  x ^= x >> 7;
  return x ^ x << 17;
}

static uint64_t stream(void)
{
  if (begun != epoch) {
    begun = epoch;
    state = seed(bench_node.me, bench_thread);
  }
  return state;
}

static void end_stream(uint64_t x, uint64_t sum)
{
  state = x;
  __atomic_fetch_xor(&given, sum, __ATOMIC_RELAXED);
}

/* ---- atomic ---- */

static void update_atomically(long n)
{
  uint64_t x = stream(), sum = 0;
  for (long i = 0; i < n; i++) {
    x = next(x);
    const gasnet_node_t to = node_of(x);
    gasnetx_atomic64_nbi(GASNETX_XOR, to, (uint64_t *)bench_node.remote[to] + word_of(x), x);
    sum ^= x;
    if (i % A_SYNC == A_SYNC - 1) gasnet_wait_syncnbi_puts();
  }
  gasnet_wait_syncnbi_puts();
  end_stream(x, sum);
}

static void update_bare(long n)
{
  uint64_t x = stream(), sum = 0;
  for (long i = 0; i < n; i++) {
    x = next(x);
    __atomic_fetch_xor((uint64_t *)bench_node.mapped[node_of(x)] + word_of(x), x, __ATOMIC_SEQ_CST);
    sum ^= x;
  }
  end_stream(x, sum);
}

/* ---- in messages: as many updates for one node as a message takes ---- */

struct batch {
  unsigned n;
  uint64_t update[COLLECTED];
};
static struct batch *batch;    /* for each node */
static unsigned most;          /* in a message */
static uint64_t sent, handled; /* messages of this node */

static void apply(const uint64_t *update, size_t n)
{
  for (size_t i = 0; i < n; i++) table()[word_of(update[i])] ^= update[i];
}

static void on_updates(gasnet_token_t token, void *data, size_t nbytes)
{
  apply(data, nbytes / sizeof(uint64_t));
  gasnet_AMReplyShort0(token, H_DONE);
}

static void on_done(gasnet_token_t token)
{
  (void)token;
  __atomic_store_n(&handled, handled + 1, __ATOMIC_RELAXED);
}

static void send(gasnet_node_t to)
{
  struct batch *b = &batch[to];
  if (b->n == 0) return;
  if (to == bench_node.me) {
    apply(b->update, b->n);
  } else {
    gasnet_AMRequestMedium0(to, H_UPDATES, b->update, b->n * sizeof *b->update);
    sent++;
  }
  b->n = 0;
}

static void update_by_messages(long n)
{
  uint64_t x = stream(), sum = 0;
  for (long i = 0; i < n; i++) {
    x = next(x);
    struct batch *b = &batch[node_of(x)];
    b->update[b->n++] = x;
    sum ^= x;
    if (b->n == most) send(node_of(x));
  }
  for (unsigned k = 0; k < bench_node.nodes; k++) send(k);
  GASNET_BLOCKUNTIL(__atomic_load_n(&handled, __ATOMIC_RELAXED) == sent);
  end_stream(x, sum);
}

/* ---- points and data ---- */

/* All threads of a node have one table. */
static size_t needs(const char *point, size_t bytes)
{
  return (void)point, (void)bytes, WORDS * sizeof(uint64_t) / bench_node.threads + 1;
}

static uint64_t initial(unsigned node, size_t k) { return (uint64_t)node << 32 | k; }

static int prepare(const char *point, size_t bytes)
{
  (void)point, (void)bytes;
  epoch++;
  streams = bench_node.threads;
  given = 0;
  for (size_t k = 0; k < WORDS; k++) table()[k] = initial(bench_node.me, k);
  return 0;
}

static int prepare_messages(const char *point, size_t bytes)
{
  const size_t fit = gasnet_AMMaxMedium() / sizeof(uint64_t);
  most = fit < COLLECTED ? (unsigned)fit : COLLECTED;
  if (!batch) batch = calloc(bench_node.nodes, sizeof *batch);
  if (!batch) bench_die("no memory for updates of %u nodes", bench_node.nodes);
  prepare(point, bytes);
  streams = 1;
  return 0;
}

/* Checks every word after a few updates: for that it makes the streams of all nodes once more. */
static const char *check(void)
{
  uint64_t *const expected = (uint64_t *)bench_node.local;
  for (size_t k = 0; k < WORDS; k++) expected[k] = initial(bench_node.me, k);
  for (unsigned node = 0; node < bench_node.nodes; node++)
    for (unsigned t = 0; t < streams; t++) {
      uint64_t x = seed(node, t);
      for (long i = 0; i < CHECKED; i++) {
        x = next(x);
        if (node_of(x) == bench_node.me) expected[word_of(x)] ^= x;
      }
    }
  return memcmp(table(), expected, WORDS * sizeof *expected) == 0
      ? NULL
      : "the table is not what the updates make of it";
}

static void combine(void *a, const void *b, size_t n)
{
  for (size_t i = 0; i < n; i++) ((uint64_t *)a)[i] ^= ((const uint64_t *)b)[i];
}

/* After all updates the changes of all tables together equal all that the nodes have given. */
static const char *check_all(void)
{
  const gasnetx_nodes_t all = {0, 1, bench_node.nodes};
  uint64_t both[2] = {0, given};
  for (size_t k = 0; k < WORDS; k++) both[0] ^= table()[k] ^ initial(bench_node.me, k);
  gasnetx_team_reduce(&all, both, both, 2, sizeof *both, combine);
  return both[0] == both[1] ? NULL : "updates were lost, or made twice";
}

#define CASE(name, more, prepare_fn, series) \
  .flags = BENCH_ALL_NODES | BENCH_AGGREGATE | more, .needs = needs, .after = check_all, \
  .raw_smp = {update_bare}, .least = CHECKED, BENCH_CASE(name, prepare_fn, check, series)

static const struct bench_case cases[] = {
    {CASE("gups_atomic", BENCH_THREADED_CASE, prepare, update_atomically)},
    {CASE("gups_messages", 0, prepare_messages, update_by_messages)},
    {.test = NULL},
};
static const struct bench_handler handlers[] = {{H_UPDATES, on_updates}, {H_DONE, on_done}, {0, NULL}};

const struct bench_suite bench_suite_gups = {.cases = cases, .handlers = handlers};

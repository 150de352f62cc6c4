/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Requests one way, from the first until the sender knows that every handler has run. The reference is a ring
 * of cache lines, each claimed by fetch-and-add as with many senders; the receiver calls a function through a
 * pointer for each and now and then says how far it is. */
#include "transfer.h"

#include <stdatomic.h>
#include <string.h>

enum { SHORT = BENCH_H_FLOOD, MEDIUM, END };
enum { FLAGS = BENCH_HALF | BENCH_AGGREGATE | BENCH_THREADED_CASE | BENCH_BARE_ALL };

/* ---- bare ---- */

enum { SLOTS = 512, TELL_EVERY = SLOTS / 4 };

struct slot {
  _Alignas(64) _Atomic uint64_t seq; /* its message's number from 1 on: full */
  uint64_t word[7];
};
/* At the beginning of the receiver's segment. */
struct ring {
  _Alignas(128) _Atomic uint64_t tail; /* claimed */
  _Alignas(128) _Atomic uint64_t head; /* received, as told last */
  _Alignas(128) struct slot slot[SLOTS];
};
_Static_assert(sizeof(struct ring) <= BENCH_SHARE_LEAST, "the ring fits the segment");

static uint64_t total, head, handled; /* bare messages since the beginning of the point */

static void handle(uint64_t argument) { handled += argument; }
static void (*volatile handler)(uint64_t) = handle;

static void send_one(struct ring *r)
{
  const uint64_t i = atomic_fetch_add_explicit(&r->tail, 1, memory_order_relaxed);
  struct slot *s = &r->slot[i % SLOTS];
  while (i - head >= SLOTS) head = atomic_load_explicit(&r->head, memory_order_acquire);
  s->word[0] = 1;
  atomic_store_explicit(&s->seq, i + 1, memory_order_release);
}

static void receive_one(struct ring *r, uint64_t i)
{
  struct slot *s = &r->slot[i % SLOTS];
  while (atomic_load_explicit(&s->seq, memory_order_acquire) != i + 1) bench_pause();
  handler(s->word[0]);
  if ((i + 1) % TELL_EVERY == 0) atomic_store_explicit(&r->head, i + 1, memory_order_release);
}

static void bare_flood(long n)
{
  const uint64_t first = total;
  if (bench_node.peer == bench_node.me) return;
  total += (uint64_t)n;
  if (bench_node.me < bench_node.half) {
    struct ring *r = (struct ring *)bench_node.mapped[bench_node.peer];
    for (long i = 0; i < n; i++) send_one(r);
    while (head != total) head = atomic_load_explicit(&r->head, memory_order_acquire);
  } else {
    struct ring *r = (struct ring *)bench_node.segment;
    for (uint64_t i = first; i < total; i++) receive_one(r, i);
    atomic_store_explicit(&r->head, total, memory_order_release);
    if (handled != total) bench_die("a bare message is missing");
  }
}

/* ---- ours ---- */

static atomic_long answers; /* to all threads of this node: one a series */
static size_t bytes;
static unsigned seed;
static long count;          /* that have arrived of what the sender sends in a series */
static long arrived, asked; /* in whole series, since the beginning of the point */
static const char *wrong;

#if defined(GASNET_PAR)
/* Over a network, handlers may run at once. */
static long one_more(long *count) { return __atomic_add_fetch(count, 1, __ATOMIC_ACQ_REL); }
static void clear(long *count) { __atomic_store_n(count, 0, __ATOMIC_RELEASE); }
#else
static long one_more(long *count) { return ++*count; }
static void clear(long *count) { *count = 0; }
#endif

/* Answers the last of `of` requests to come: they may come in any order. */
static void count_one(gasnet_token_t token, gasnet_handlerarg_t of)
{
  if (one_more(&count) < of) return;
  clear(&count);
  arrived += of;
  gasnet_AMReplyShort0(token, END);
}

static void on_short(gasnet_token_t token, gasnet_handlerarg_t of) { count_one(token, of); }

/* Only the first series of a point is checked. */
static void on_medium(gasnet_token_t token, void *data, size_t n, gasnet_handlerarg_t of)
{
  if (arrived == 0 && (n != bytes || bench_filled(data, n, seed) != n)) wrong = "data are wrong";
  count_one(token, of);
}

static void on_end(gasnet_token_t token)
{
  (void)token;
  atomic_fetch_add_explicit(&answers, 1, memory_order_release);
}

/* The receiver answers when it has what all threads send. Each thread reads `answers` before it sends, so
 * that it cannot miss the answer. */
#define SERIES(name, request) \
  static void name(long n) \
  { \
    const gasnet_node_t node = transfer_node; \
    const gasnet_handlerarg_t of = (gasnet_handlerarg_t)(n * (long)bench_node.threads); \
    const long before = atomic_load_explicit(&answers, memory_order_acquire); \
    if (bench_thread == 0) asked += of; \
    for (long i = 0; i < n; i++) request; \
    GASNET_BLOCKUNTIL(atomic_load_explicit(&answers, memory_order_acquire) != before); \
  }
SERIES(flood_short, gasnet_AMRequestShort1(node, SHORT, of))
SERIES(flood_medium, gasnet_AMRequestMedium1(node, MEDIUM, bench_local_share(), bytes, of))

/* ---- points ---- */

static int prepare_short(const char *point, size_t unused)
{
  (void)point;
  (void)unused;
  transfer_node = (gasnet_node_t)bench_node.peer;
  memset(bench_node.segment, 0, sizeof(struct ring));
  total = head = handled = 0;
  arrived = asked = 0;
  wrong = NULL;
  if (bench_node.threads > 1) bench_raw_taken = 0; /* the bare loop has one sender a node */
  bench_raw_shape.bytes = 8;
  return 0;
}

static int prepare_medium(const char *point, size_t nbytes)
{
  if (nbytes > gasnet_AMMaxMedium()) {
    bench_missing("%zu bytes are the most here", gasnet_AMMaxMedium());
    return -1;
  }
  prepare_short(point, nbytes);
  bytes = nbytes;
  seed++;
  for (unsigned t = 0; t < bench_node.threads; t++)
    bench_fill(bench_node.local + t * bench_node.share, bytes, seed);
  bench_raw_shape.bytes = 0;
  return 0;
}

static const char *check(void)
{
  long sent = 0;
  if (bench_node.peer == bench_node.me || bench_node.me < bench_node.half) {
    memcpy(bench_node.segment, &asked, sizeof asked);
    bench_sync();
    return NULL;
  }
  bench_sync();
  gasnet_get(&sent, transfer_node, bench_node.remote[transfer_node], sizeof sent);
  if (wrong) return wrong;
  return arrived == sent && sent > 0 && count == 0 ? NULL : "messages are missing, or too many";
}

static const struct bench_case cases[] = {
    {BENCH_CASE("am_flood", prepare_short, check, flood_short), .flags = FLAGS, .raw_smp = {bare_flood},
        .raw_net = {RAW_FLOOD, RAW_FLOOD_2}, .least = 2000, .most = 100000},
    {BENCH_CASE("am_flood_medium", prepare_medium, check, flood_medium), .flags = FLAGS, .least = 100,
        .most = 100000},
    {.test = NULL},
};

static const struct bench_handler handlers[] = {
    {SHORT, on_short}, {MEDIUM, on_medium}, {END, on_end}, {0, NULL}};

const struct bench_suite bench_suite_messages_flood = {.cases = cases, .handlers = handlers};

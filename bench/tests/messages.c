/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Active messages there and back, by node 0. Every thread of it has its own messages, and waits for its own
 * answers. */
#include "messages.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
  PING = BENCH_H_MESSAGES,
  PONG,
  PING_THREAD,
  PONG_THREAD,
  PING_MEDIUM,
  PONG_MEDIUM,
  PING_LONG,
  PONG_LONG
};
enum { FLAGS = BENCH_THREADED_CASE | BENCH_BARE_ALL | BENCH_FIRST_FREE, FREE = 32, FREE_MOST = 4096 };

size_t messages_bytes;
static unsigned point;

/* Of one thread, written by the thread that serves. A thread waits for each answer before it asks again. */
static struct {
  _Alignas(64) atomic_long n;
} * answers;

static long answered(void) { return atomic_load_explicit(&answers[bench_thread].n, memory_order_acquire); }
/* One writer at a time, for there is one answer at a time. A locked instruction would wait until all that was
 * written before has left for the other core, which is time of the bench and not of the message. */
static void answer(unsigned thread)
{
  atomic_long *n = &answers[thread].n;
  atomic_store_explicit(n, atomic_load_explicit(n, memory_order_relaxed) + 1, memory_order_release);
}

/* Arriving data are copied to private memory: at the asking node behind what its thread sent, at the target
 * to the thread's share. */
static char *mine(unsigned thread) { return bench_node.local + thread * bench_node.share; }
static char *back(unsigned thread) { return mine(thread) + bench_node.share / 2; }

/* ---- handlers ---- */

static void on_ping(gasnet_token_t token) { gasnet_AMReplyShort0(token, PONG); }
static void on_pong(gasnet_token_t token)
{
  (void)token;
  answer(0);
}
static void on_ping_thread(gasnet_token_t token, gasnet_handlerarg_t thread)
{
  gasnet_AMReplyShort1(token, PONG_THREAD, thread);
}
static void on_pong_thread(gasnet_token_t token, gasnet_handlerarg_t thread)
{
  (void)token;
  answer((unsigned)thread);
}

/* As the bare loop does, the data go to private memory and from there back. */
static void on_ping_medium(gasnet_token_t token, void *data, size_t n, gasnet_handlerarg_t thread)
{
  memcpy(mine((unsigned)thread), data, n);
  gasnet_AMReplyMedium1(token, PONG_MEDIUM, mine((unsigned)thread), n, thread);
}
static void on_pong_medium(gasnet_token_t token, void *data, size_t n, gasnet_handlerarg_t thread)
{
  (void)token;
  memcpy(back((unsigned)thread), data, n);
  answer((unsigned)thread);
}

/* To the same place in the asking node's segment. */
static void on_ping_long(gasnet_token_t token, void *data, size_t n, gasnet_handlerarg_t thread)
{
  gasnet_node_t from;
  gasnet_AMGetMsgSource(token, &from);
  gasnet_AMReplyLong1(token, PONG_LONG, data, n,
      (char *)bench_node.remote[from] + ((char *)data - bench_node.segment), thread);
}
static void on_pong_long(gasnet_token_t token, void *data, size_t n, gasnet_handlerarg_t thread)
{
  (void)token;
  (void)data;
  (void)n;
  answer((unsigned)thread);
}

/* ---- series ---- */

#define SERIES(name, request) \
  static void name(long n) \
  { \
    const gasnet_node_t node = transfer_node; \
    const gasnet_handlerarg_t thread = (gasnet_handlerarg_t)bench_thread; \
    const size_t nbytes = messages_bytes; \
    (void)thread; \
    (void)nbytes; \
    for (long i = 0; i < n; i++) { \
      const long before = answered(); \
      request; \
      GASNET_BLOCKUNTIL(answered() != before); \
    } \
  }
SERIES(request_alone, gasnet_AMRequestShort0(node, PING))
SERIES(request_thread, gasnet_AMRequestShort1(node, PING_THREAD, thread))
SERIES(request_medium, gasnet_AMRequestMedium1(node, PING_MEDIUM, mine(bench_thread), nbytes, thread))
SERIES(request_long,
    gasnet_AMRequestLong1(
        node, PING_LONG, mine(bench_thread), nbytes, bench_remote_share(node) + MESSAGES_LONG, thread))

/* Without an argument where it is not needed. */
static void request_short(long n)
{
  if (bench_node.threads > 1) request_thread(n);
  else request_alone(n);
}

/* ---- points ---- */

static unsigned seed_of(unsigned thread) { return point * 31 + thread; }

static int prepare(size_t bytes)
{
  messages_bytes = bytes;
  transfer_node = (gasnet_node_t)bench_node.peer;
  point++;
  if (bytes <= FREE_MOST)
    bench_passes = FREE; /* after another way the processor has to learn this one's branches again */
  if (!answers) answers = aligned_alloc(64, bench_node.threads * sizeof *answers);
  if (!answers) bench_die("no memory for %u threads", bench_node.threads);
  memset(answers, 0, bench_node.threads * sizeof *answers);
  if (bench_node.threads > 1) bench_raw_taken = 0; /* bare loops are of one thread */
  messages_reset();
  return 0;
}

static int prepare_short(const char *name, size_t bytes)
{
  (void)name;
  (void)bytes;
  bench_raw_shape.bytes = 8;
  return prepare(0);
}

static char *landed(unsigned thread)
{
  return bench_node.segment + thread * bench_node.share + MESSAGES_LONG;
}

/* Fills what node 0 sends; clears the places for the answers, and everything at its peer. */
static void prepare_data(void)
{
  for (unsigned t = 0; t < bench_node.threads; t++) {
    if (bench_node.me == 0) bench_fill(mine(t), messages_bytes, seed_of(t));
    else memset(mine(t), 0, messages_bytes);
    memset(back(t), 0, messages_bytes);
    memset(landed(t), 0, messages_bytes);
  }
}

static size_t needs(const char *name, size_t bytes)
{
  (void)name;
  return 2 * bytes + MESSAGES_LONG;
}

static int too_large(size_t bytes, size_t most)
{
  if (bytes <= most) return 0;
  bench_missing("%zu bytes are the most here", most);
  return 1;
}

static int prepare_medium(const char *name, size_t bytes)
{
  (void)name;
  if (too_large(bytes, gasnet_AMMaxMedium())) return -1;
  prepare(bytes);
  prepare_data();
  bench_raw_shape.bytes = bytes <= RAW_MESSAGE_MOST ? bytes : 0;
  if (bytes > MESSAGES_MEDIUM_MOST) bench_raw_taken = 0;
  return 0;
}
static int prepare_long(const char *name, size_t bytes)
{
  const size_t request = gasnet_AMMaxLongRequest(), reply = gasnet_AMMaxLongReply();
  (void)name;
  if (too_large(bytes, request < reply ? request : reply)) return -1;
  prepare(bytes);
  prepare_data();
  bench_raw_shape.bytes = bytes;
  return 0;
}

static const char *check(char *(*where)(unsigned thread))
{
  if (bench_node.me != 0 && bench_node.me != bench_node.half) return NULL;
  for (unsigned t = 0; t < bench_node.threads; t++)
    if (bench_filled(where(t), messages_bytes, seed_of(t)) != messages_bytes) return "data are wrong";
  return NULL;
}
static const char *check_medium(void) { return check(bench_node.me == 0 ? back : mine); }
static const char *check_long(void) { return check(landed); }

#define CASE(name, kind, bare, ...) \
  { \
    .test = name, .flags = FLAGS, .prepare = prepare_##kind, .ours = request_##kind, .raw_smp = {bare}, \
    __VA_ARGS__ \
  }
#define PASSES .raw_net = {RAW_PASS, RAW_PASS_2, RAW_PASS_3}
#define MEDIUM PASSES, .needs = needs, .check = check_medium

static const struct bench_case cases[] = {
    CASE("am_short", short, messages_short, PASSES),
    CASE("am_short_p", short, messages_short_p, PASSES),
    CASE("am_medium", medium, messages_medium, MEDIUM),
    CASE("am_medium_p", medium, messages_medium_p, MEDIUM),
    CASE("am_long", long, messages_long, .raw_net = {RAW_LONG}, .needs = needs, .check = check_long,
        .warm = 8),
    {.test = NULL},
};

static const struct bench_handler handlers[] = {{PING, on_ping}, {PONG, on_pong},
    {PING_THREAD, on_ping_thread}, {PONG_THREAD, on_pong_thread}, {PING_MEDIUM, on_ping_medium},
    {PONG_MEDIUM, on_pong_medium}, {PING_LONG, on_ping_long}, {PONG_LONG, on_pong_long}, {0, NULL}};

const struct bench_suite bench_suite_messages = {.cases = cases, .handlers = handlers};

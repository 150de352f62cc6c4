/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Active messages: every kind of request with every kind of reply (and none) at 0..16 arguments, through the
 * numbered calls and through their variadic twins, between all pairs of nodes, a node and itself included. */
#include "common.h"
#include "args.h"

enum { SHORT, MEDIUM, LONG, LONGASYNC, REQUESTS }; /* request kinds; the first three are reply kinds too */
enum { NO_REPLY = 3, REPLIES = 4 };
enum { H_REQUEST = 128, H_REPLY = H_REQUEST + 3 * 17, H_64 = H_REPLY + 3 * 17, H_64_BACK };

#define PAYLOAD  600 /* bytes at most; am_sizes.c tests the sizes */
#define SLOT     (PAYLOAD + 64 + 2 * TEST_GUARD)
#define VARIANTS 2 /* numbered calls, variadic calls */
#define CASES    (17u * REQUESTS * REPLIES * VARIANTS)

/* A source waits for each of its requests. Their number thus tells the target which case this is, and
 * messages without arguments can be checked too. */
static unsigned *seen;            /* by source, counted at the target, at the start of its segment */
static volatile unsigned replies; /* counted at the source */
static unsigned current;          /* the case that this node runs as a source */
static gasnet_node_t current_target;

struct am_case {
  int args, request, reply, variadic;
};

static struct am_case am_case_of(unsigned number)
{
  struct am_case c;
  number = number * 197u % CASES; /* 197 has no factor of CASES: a mixed order, each case once */
  c.reply = number % REPLIES;
  number /= REPLIES;
  c.request = number % REQUESTS;
  number /= REQUESTS;
  c.variadic = number % VARIANTS;
  c.args = number / VARIANTS;
  return c;
}

/* Argument i of a message from `src`: small, huge, negative, or anything. */
static gasnet_handlerarg_t arg_value(unsigned number, gasnet_node_t src, int is_reply, int i)
{
  static const gasnet_handlerarg_t edge[] = {0, 1, -1, INT32_MAX, INT32_MIN, 0x5555aaaa, 65535, -65536};
  uint64_t h = test_key(number, src * 2u + (unsigned)is_reply, (uint64_t)i);
  return h & 1 ? edge[(h >> 1) % 8] : (gasnet_handlerarg_t)(uint32_t)(h >> 32);
}

static uint64_t data_key(unsigned number, gasnet_node_t src, int is_reply)
{
  return test_key(number, src, 77u + (unsigned)is_reply);
}
static size_t data_size(unsigned number, gasnet_node_t src, int is_reply)
{
  struct rng r;
  rng_init(&r, data_key(number, src, is_reply) ^ 1);
  return rng_size(&r, PAYLOAD);
}

/* A long message lands in its sender's slot for requests or for replies, at any offset. */
static size_t long_offset(unsigned number, gasnet_node_t src, int is_reply)
{
  size_t base = test_pages(test.nodes * sizeof(unsigned)) + ((size_t)src * 2 + (size_t)is_reply) * SLOT +
      TEST_GUARD;
  return base + data_key(number, src, is_reply) % 61;
}

static void check_message(int kind, int is_reply, int args, gasnet_token_t token, void *buf, size_t n,
    const gasnet_handlerarg_t *v, unsigned number, gasnet_node_t src)
{
  static const char *const names[2][3] = {
      {"short request", "medium request", "long request"}, {"short reply", "medium reply", "long reply"}};
  const char *what = names[is_reply][kind];
  gasnet_node_t said = ~(gasnet_node_t)0;
  CHECK(gasnet_AMGetMsgSource(token, &said) == GASNET_OK && said == src, "%s: source %u, expected %u", what,
      (unsigned)said, (unsigned)src);
  for (int i = 0; i < args; i++)
    CHECK(v[i] == arg_value(number, src, is_reply, i), "%s with %d arguments: argument %d is %d, not %d",
        what, args, i, (int)v[i], (int)arg_value(number, src, is_reply, i));
  if (kind == SHORT) return;
  CHECK(n == data_size(number, src, is_reply), "%s: %zu bytes, not %zu", what, n,
      data_size(number, src, is_reply));
  CHECK_PATTERN(buf, n, data_key(number, src, is_reply), what);
  if (kind == MEDIUM)
    CHECK(n == 0 || (uintptr_t)buf % 8 == 0, "%s: buffer %p is not aligned to 8", what, buf);
  if (kind == LONG && n) {
    char *place = seg_at(test.me, long_offset(number, src, is_reply));
    CHECK(buf == place, "%s: payload at %p, not %p", what, buf, (void *)place);
    CHECK_GUARDS(place, n, what);
  }
}

/* The call with M arguments, in one of its two spellings. */
#define EITHER(f, M, ...) (variadic ? CALL(f, __VA_ARGS__, M ACTUAL##M) : CALL(f##M, __VA_ARGS__ ACTUAL##M))

static int reply(int variadic, gasnet_token_t t, int kind, int args, void *src, size_t n, void *dst,
    gasnet_handlerarg_t *v)
{
#define REPLY(M) \
  case M: \
    return kind == SHORT ? EITHER(gasnet_AMReplyShort, M, t, H_REPLY + M) \
        : kind == MEDIUM ? EITHER(gasnet_AMReplyMedium, M, t, H_REPLY + 17 + M, src, n) \
                         : EITHER(gasnet_AMReplyLong, M, t, H_REPLY + 34 + M, src, n, dst);
  switch (args) {
    ARGS_EACH(REPLY)
  }
  return GASNET_ERR_BAD_ARG;
}

static void on_request(
    int kind, int args, gasnet_token_t token, void *buf, size_t n, const gasnet_handlerarg_t *v)
{
  gasnet_node_t src = 0;
  gasnet_AMGetMsgSource(token, &src);
  unsigned number = seen[src];
  struct am_case c = am_case_of(number);
  CHECK(c.args == args && (c.request == kind || (c.request == LONGASYNC && kind == LONG)),
      "case %u came with %d arguments in handler kind %d", number, args, kind);
  check_message(kind, 0, args, token, buf, n, v, number, src);
  if (c.reply != NO_REPLY) {
    gasnet_handlerarg_t back[16];
    unsigned char data[PAYLOAD];
    size_t bytes = data_size(number, test.me, 1);
    for (int i = 0; i < args; i++) back[i] = arg_value(number, test.me, 1, i);
    pattern_fill(data, bytes, data_key(number, test.me, 1));
    char *dst = seg_at(src, long_offset(number, test.me, 1));
    int rc = reply(c.variadic, token, c.reply, args, data, bytes, dst, back);
    CHECK(rc == GASNET_OK, "reply kind %d returned %s", c.reply, gasnet_ErrorName(rc));
    memset(data, 0xEE, sizeof data); /* the source of a reply may be reused on return */
  }
  __atomic_store_n(&seen[src], number + 1, __ATOMIC_RELEASE);
}

static void on_reply(
    int kind, int args, gasnet_token_t token, void *buf, size_t n, const gasnet_handlerarg_t *v)
{
  struct am_case c = am_case_of(current);
  CHECK(
      c.reply == kind && c.args == args, "case %u: reply of kind %d with %d arguments", current, kind, args);
  check_message(kind, 1, args, token, buf, n, v, current, current_target);
  replies++;
}

/* clang-format off */
#define HANDLER(name, M, parameters, on, kind, buffer)  \
  static void name##M parameters                        \
  {                                                     \
    const gasnet_handlerarg_t v[] = {0 NAMED##M};       \
    on(kind, M, t, buffer, v + 1);                      \
  }
#define PLAIN(M)  (gasnet_token_t t FORMAL##M)
#define LOADED(M) (gasnet_token_t t, void *buf, size_t n FORMAL##M)
#define NO_BUFFER NULL, 0
#define BUFFER    buf, n
#define HANDLERS(M)                                                     \
  HANDLER(request_short, M, PLAIN(M), on_request, SHORT, NO_BUFFER)     \
  HANDLER(request_medium, M, LOADED(M), on_request, MEDIUM, BUFFER)     \
  HANDLER(request_long, M, LOADED(M), on_request, LONG, BUFFER)         \
  HANDLER(reply_short, M, PLAIN(M), on_reply, SHORT, NO_BUFFER)         \
  HANDLER(reply_medium, M, LOADED(M), on_reply, MEDIUM, BUFFER)         \
  HANDLER(reply_long, M, LOADED(M), on_reply, LONG, BUFFER)
ARGS_EACH(HANDLERS)
/* clang-format on */

static int request(int variadic, gasnet_node_t to, int kind, int args, void *src, size_t n, void *dst,
    gasnet_handlerarg_t *v)
{
#define REQUEST(M) \
  case M: \
    return kind == SHORT ? EITHER(gasnet_AMRequestShort, M, to, H_REQUEST + M) \
        : kind == MEDIUM ? EITHER(gasnet_AMRequestMedium, M, to, H_REQUEST + 17 + M, src, n) \
        : kind == LONG   ? EITHER(gasnet_AMRequestLong, M, to, H_REQUEST + 34 + M, src, n, dst) \
                         : EITHER(gasnet_AMRequestLongAsync, M, to, H_REQUEST + 34 + M, src, n, dst);
  switch (args) {
    ARGS_EACH(REQUEST)
  }
  return GASNET_ERR_BAD_ARG;
}

static void send_case(gasnet_node_t target, unsigned number)
{
  static unsigned char data[PAYLOAD + 8];
  struct am_case c = am_case_of(number);
  gasnet_handlerarg_t v[16];
  for (int i = 0; i < c.args; i++) v[i] = arg_value(number, test.me, 0, i);
  unsigned char *src = data + number % 8; /* sources of any alignment */
  size_t n = data_size(number, test.me, 0);
  pattern_fill(src, n, data_key(number, test.me, 0));
  guard_open(seg_at(test.me, long_offset(number, target, 1)),
      data_size(number, target, 1)); /* where its reply goes */
  gasnet_memset(target, seg_at(target, long_offset(number, test.me, 0) - TEST_GUARD), TEST_UNTOUCHED,
      n + 2 * TEST_GUARD);
  current = number;
  current_target = target;
  unsigned before = replies;
  char *dst = seg_at(target, long_offset(number, test.me, 0));
  int rc = request(c.variadic, target, c.request, c.args, src, n, dst, v);
  CHECK(rc == GASNET_OK, "request kind %d returned %s", c.request, gasnet_ErrorName(rc));
  if (c.request != LONGASYNC) memset(data, 0xEE, sizeof data); /* all others may reuse the source on return */
  if (c.reply != NO_REPLY) GASNET_BLOCKUNTIL(replies != before);
  else
    while (
        gasnet_get_val(target, seg_at(target, test.me * sizeof(unsigned)), sizeof(unsigned)) != number + 1) {
      gasnet_AMPoll(); /* a get from shared memory need not poll */
      test_yield();
    }
  CHECK(replies == before + (c.reply != NO_REPLY), "case %u: %u replies", number, replies - before);
}

/* ---- a first argument declared with 64 bits gets the 32 bits that were sent, its others are zero ---- */

static volatile unsigned wide_count;
static void wide(gasnet_token_t t, uint64_t a0, gasnet_handlerarg_t a1)
{
  CHECK(
      a0 == (uint64_t)(uint32_t)a1, "64-bit argument is %#llx for %#x", (unsigned long long)a0, (unsigned)a1);
  CHECK(gasnet_AMReplyShort2(t, H_64_BACK, (gasnet_handlerarg_t)a0, a1) == GASNET_OK, "reply failed");
}
static void wide_back(gasnet_token_t t, uint64_t a0, gasnet_handlerarg_t a1)
{
  (void)t;
  CHECK(a0 == (uint64_t)(uint32_t)a1, "64-bit reply argument is %#llx for %#x", (unsigned long long)a0,
      (unsigned)a1);
  wide_count++;
}

static void check_wide(gasnet_node_t target)
{
  static const gasnet_handlerarg_t values[] = {0, 1, INT32_MAX, -1, INT32_MIN, 0x12345678};
  for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
    unsigned before = wide_count;
    REQUIRE_OK(gasnet_AMRequestShort2(target, H_64, values[i], values[i]));
    GASNET_BLOCKUNTIL(wide_count != before);
  }
}

static gasnet_handlerentry_t table[] = {
#define REQ_S(M) {H_REQUEST + M, (void (*)())request_short##M},
#define REQ_M(M) {H_REQUEST + 17 + M, (void (*)())request_medium##M},
#define REQ_L(M) {H_REQUEST + 34 + M, (void (*)())request_long##M},
#define REP_S(M) {H_REPLY + M, (void (*)())reply_short##M},
#define REP_M(M) {H_REPLY + 17 + M, (void (*)())reply_medium##M},
#define REP_L(M) {H_REPLY + 34 + M, (void (*)())reply_long##M},
    ARGS_EACH(REQ_S) ARGS_EACH(REQ_M) ARGS_EACH(REQ_L) ARGS_EACH(REP_S) ARGS_EACH(REP_M)
        ARGS_EACH(REP_L){H_64, (void (*)())wide},
    {H_64_BACK, (void (*)())wide_back},
};

int main(int argc, char **argv)
{
  test_init("am", &argc, &argv);
  test_no_more_options(argc, argv);
  size_t size = test_pages(test.nodes * sizeof(unsigned)) + (size_t)test.nodes * 2 * SLOT;
  test_attach(table, sizeof table / sizeof *table, size);
  seen = (unsigned *)test.seg[test.me].addr;
  memset(seen, 0, test.nodes * sizeof *seen);
  CHECK(gasnet_AMMaxArgs() >= 16, "AMMaxArgs is %zu", gasnet_AMMaxArgs());
  CHECK(gasnet_AMMaxMedium() >= PAYLOAD, "AMMaxMedium is %zu", gasnet_AMMaxMedium());
  CHECK(gasnet_AMMaxLongRequest() >= PAYLOAD && gasnet_AMMaxLongReply() >= PAYLOAD, "AMMaxLong is too small");
  CHECK(gasnet_AMMaxMedium() <= INT_MAX && gasnet_AMMaxLongRequest() <= INT_MAX &&
          gasnet_AMMaxLongReply() <= INT_MAX,
      "AMMax... do not fit an int");
  test_barrier();
  /* All cases to a few partners; in large jobs a part of them to all nodes. */
  for (gasnet_node_t r = 0; r < test.nodes; r++) {
    size_t n = test.nodes <= 4 || r < 2 ? test_scaled(CASES) : test_scaled(12);
    for (size_t k = 0; k < n; k++) send_case(peer_to(r), (unsigned)k);
    check_wide(peer_to(r));
    test_barrier();
  }
  test_finish();
}

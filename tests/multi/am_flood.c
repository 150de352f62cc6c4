/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* All nodes flood all nodes with requests of all kinds, each with a reply. Now and then one node does not
 * poll for a while. Every message must arrive once, without a deadlock, and memory must not grow with the
 * load. */
#include "common.h"
#include <sys/resource.h>

enum { H_SHORT = 128, H_MEDIUM, H_LONG, H_SHORT_BACK, H_MEDIUM_BACK, H_LONG_BACK };
#define LONG_BYTES 8192
#define SLOTS      4
#define SLOT       (LONG_BYTES + 2 * TEST_GUARD)
#define GROWTH_KB  (24 * 1024) /* the flood sends far more than this */

static uint64_t *handled, *answered; /* by peer; handlers only */
static uint64_t bad_sums;
static size_t medium_most;
static int done_nodes;

static size_t slot_at(gasnet_node_t src, unsigned slot)
{
  return (src * SLOTS + slot) * (size_t)SLOT + TEST_GUARD;
}

static void count(uint64_t *table, gasnet_token_t t, gasnet_node_t *src)
{
  gasnet_AMGetMsgSource(t, src);
  __atomic_fetch_add(&table[*src], 1, __ATOMIC_RELAXED);
}

/* A payload repeats one byte. Its first and last byte are checked, and all bytes of every 16th payload. */
static void check_bytes(const void *buf, size_t n, int byte, gasnet_handlerarg_t number)
{
  const unsigned char *p = (const unsigned char *)buf;
  int ok = n == 0 || (p[0] == byte && p[n - 1] == byte);
  if (number % 16 == 0) ok &= bytes_bad(buf, n, byte) == n;
  if (!ok) __atomic_fetch_add(&bad_sums, 1, __ATOMIC_RELAXED);
}

static void on_short(gasnet_token_t t, gasnet_handlerarg_t number, gasnet_handlerarg_t check)
{
  gasnet_node_t src;
  count(handled, t, &src);
  CHECK(check == (number ^ 0x5a5a5a5a), "short arguments %d %d", (int)number, (int)check);
  REQUIRE_OK(gasnet_AMReplyShort2(t, H_SHORT_BACK, number, check));
}

static void on_medium(
    gasnet_token_t t, void *buf, size_t n, gasnet_handlerarg_t number, gasnet_handlerarg_t byte)
{
  gasnet_node_t src;
  count(handled, t, &src);
  check_bytes(buf, n, byte, number);
  if (number & 1) REQUIRE_OK(gasnet_AMReplyMedium2(t, H_MEDIUM_BACK, buf, n, number, byte));
  else REQUIRE_OK(gasnet_AMReplyShort2(t, H_SHORT_BACK, number, number ^ 0x5a5a5a5a));
}

/* A long's source does not reuse the place before it has the reply: nothing changes the bytes here. */
static void on_long(
    gasnet_token_t t, void *buf, size_t n, gasnet_handlerarg_t number, gasnet_handlerarg_t byte)
{
  gasnet_node_t src;
  count(handled, t, &src);
  check_bytes(buf, n, byte, number);
  CHECK(buf == seg_at(test.me, slot_at(src, (unsigned)number % SLOTS)), "long payload in the wrong place");
  REQUIRE_OK(gasnet_AMReplyLong2(t, H_LONG_BACK, buf, n,
      seg_at(src, slot_at(test.nodes + test.me, (unsigned)number % SLOTS)), number, byte));
}

static uint8_t *slot_busy; /* [node][SLOTS], at the source: a long is under way */

static void on_short_back(gasnet_token_t t, gasnet_handlerarg_t number, gasnet_handlerarg_t check)
{
  gasnet_node_t src;
  count(answered, t, &src);
  CHECK(check == (number ^ 0x5a5a5a5a), "short reply's arguments %d %d", (int)number, (int)check);
}

static void on_medium_back(
    gasnet_token_t t, void *buf, size_t n, gasnet_handlerarg_t number, gasnet_handlerarg_t byte)
{
  gasnet_node_t src;
  count(answered, t, &src);
  check_bytes(buf, n, byte, number);
}

static void on_long_back(
    gasnet_token_t t, void *buf, size_t n, gasnet_handlerarg_t number, gasnet_handlerarg_t byte)
{
  gasnet_node_t src;
  count(answered, t, &src);
  check_bytes(buf, n, byte, number);
  __atomic_store_n(&slot_busy[src * SLOTS + (unsigned)number % SLOTS], 0, __ATOMIC_RELEASE);
}

static void on_done(gasnet_token_t t)
{
  (void)t;
  __atomic_fetch_add(&done_nodes, 1, __ATOMIC_RELEASE);
}
enum { H_DONE = H_LONG_BACK + 1 };

static void send_long(gasnet_node_t to, unsigned number, unsigned char *src, size_t n, int byte)
{
  uint8_t *busy = &slot_busy[to * SLOTS + number % SLOTS];
  GASNET_BLOCKUNTIL(!__atomic_load_n(busy, __ATOMIC_ACQUIRE));
  *busy = 1;
  REQUIRE_OK(gasnet_AMRequestLong2(
      to, H_LONG, src, n, seg_at(to, slot_at(test.me, number % SLOTS)), (gasnet_handlerarg_t)number, byte));
}

static void flood(size_t messages, struct rng *r)
{
  static unsigned char src[1 << 16];
  for (size_t i = 0; i < messages; i++) {
    gasnet_node_t to = (gasnet_node_t)rng_below(r, test.nodes);
    unsigned number = (unsigned)rng_below(r, 1u << 30);
    int byte = (int)rng_below(r, 256);
    size_t n = rng_size(r, number % 3 == 2 ? LONG_BYTES : medium_most);
    if (number % 3) memset(src, byte, n);
    if (number % 3 == 0)
      REQUIRE_OK(gasnet_AMRequestShort2(
          to, H_SHORT, (gasnet_handlerarg_t)number, (gasnet_handlerarg_t)number ^ 0x5a5a5a5a));
    else if (number % 3 == 1)
      REQUIRE_OK(gasnet_AMRequestMedium2(to, H_MEDIUM, src, n, (gasnet_handlerarg_t)number, byte));
    else send_long(to, number, src, n, byte);
    __atomic_fetch_add(&answered[test.nodes + to], 1, __ATOMIC_RELAXED); /* sent */
  }
}

static void wait_for_answers(void)
{
  for (gasnet_node_t i = 0; i < test.nodes; i++)
    GASNET_BLOCKUNTIL(__atomic_load_n(&answered[i], __ATOMIC_ACQUIRE) >= answered[test.nodes + i]);
  for (gasnet_node_t i = 0; i < test.nodes; i++)
    CHECK(answered[i] == answered[test.nodes + i], "%llu replies from node %u to %llu requests",
        (unsigned long long)answered[i], (unsigned)i, (unsigned long long)answered[test.nodes + i]);
}

static long peak_kb(void)
{
  struct rusage u;
  getrusage(RUSAGE_SELF, &u);
  return u.ru_maxrss;
}

/* Works without a call of the library: the others' messages pile up at this node. */
static void deaf_work(void)
{
  volatile double x = 1;
  for (int i = 0; i < 8000000; i++) x = x * 1.0000001 + 1e-9;
}

/* Each node tells all others how many requests it sent them. As many must have been handled. */
static void check_counts(void)
{
  size_t base = slot_at(2 * test.nodes, 0);
  for (gasnet_node_t i = 0; i < test.nodes; i++)
    gasnet_put_val(
        i, seg_at(i, base + test.me * sizeof(uint64_t)), answered[test.nodes + i], sizeof(uint64_t));
  test_barrier();
  for (gasnet_node_t i = 0; i < test.nodes; i++) {
    uint64_t sent;
    memcpy(&sent, seg_at(test.me, base + i * sizeof sent), sizeof sent);
    CHECK(handled[i] == sent, "handled %llu requests of node %u, which sent %llu",
        (unsigned long long)handled[i], (unsigned)i, (unsigned long long)sent);
  }
}

static time_t now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec;
}

/* At least four parts, and more until the seconds are over. */
static size_t flood_in_parts(size_t each, time_t seconds, struct rng *r)
{
  const time_t end = now() + seconds;
  unsigned part = 0;
  for (; part < 4 || now() < end; part++) {
    if (part % 4 == test.me % 4) deaf_work();
    flood(each, r);
  }
  return part * each;
}

int main(int argc, char **argv)
{
  gasnet_handlerentry_t table[] = {
      {H_SHORT, (void (*)())on_short},
      {H_MEDIUM, (void (*)())on_medium},
      {H_LONG, (void (*)())on_long},
      {H_SHORT_BACK, (void (*)())on_short_back},
      {H_MEDIUM_BACK, (void (*)())on_medium_back},
      {H_LONG_BACK, (void (*)())on_long_back},
      {H_DONE, (void (*)())on_done},
  };
  test_init("am_flood", &argc, &argv);
  const char *seconds = test_option(&argc, argv, "--seconds");
  test_no_more_options(argc, argv);
  handled = (uint64_t *)calloc(test.nodes, sizeof *handled);
  answered = (uint64_t *)calloc(2 * (size_t)test.nodes, sizeof *answered);
  slot_busy = (uint8_t *)calloc(test.nodes, SLOTS);
  test_attach(table, 7, slot_at(2 * test.nodes, 0) + test.nodes * sizeof(uint64_t));
  medium_most = gasnet_AMMaxMedium() < (1 << 16) ? gasnet_AMMaxMedium() : 1 << 16;
  for (gasnet_node_t i = 0; i < test.nodes; i++) /* pages touched here do not count as growth */
    gasnet_memset(i, seg_at(i, slot_at(test.me, 0)), 0, (SLOTS - 1) * SLOT + LONG_BYTES);
  struct rng r;
  rng_init(&r, test_key(2, test.me, 0));
  test_barrier();
  size_t messages = test_scaled(test.nodes <= 8 ? 12000 : 32000.0 / test.nodes);
  flood(messages / 10 + 1, &r); /* fills pools and caches */
  wait_for_answers();
  test_barrier();
  long before = peak_kb();
  messages = flood_in_parts(messages / 4, seconds ? atol(seconds) : 0, &r);
  wait_for_answers();
  /* All nodes serve messages until all have their replies. */
  for (gasnet_node_t i = 0; i < test.nodes; i++) REQUIRE_OK(gasnet_AMRequestShort0(i, H_DONE));
  GASNET_BLOCKUNTIL(__atomic_load_n(&done_nodes, __ATOMIC_ACQUIRE) == (int)test.nodes);
  long grown = peak_kb() - before;
  CHECK(grown < GROWTH_KB, "memory grew by %ld KB during the flood", grown);
  check_counts();
  CHECK(bad_sums == 0, "%llu payloads arrived wrong", (unsigned long long)bad_sums);
  if (test.me == 0) printf("am_flood: %zu messages a node, peak memory grew by %ld KB\n", messages, grown);
  test_finish();
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Small puts and gets with implicit handles, which may travel together: to many nodes in turn, of sizes
 * around the largest that does, among larger ones, inside and outside access regions. After a sync all are
 * complete, and nothing around them has changed. Puts of a thread that polls arrive even if it never
 * synchronises. */
#include "common.h"

enum { SLOT = 1024, SLOTS = 192, WORDS = 64 };

static uint64_t here_key(int thread, size_t slot, uint64_t round)
{
  return test_key(test.me, (uint64_t)thread, slot << 20 | round);
}
static uint64_t fixed_key(gasnet_node_t node, size_t slot) { return test_key(node, 1 << 30, slot); }

/* Every node has, for each thread of each node, SLOTS places that it writes, and SLOTS that all read. */
static char *place(gasnet_node_t node, int thread, size_t slot)
{
  const size_t area = 1 + (size_t)test.me * (size_t)test.threads + (size_t)thread;
  return seg_at(node, SLOT * (WORDS + area * SLOTS + slot) + TEST_GUARD);
}
static char *fixed(gasnet_node_t node, size_t slot) { return seg_at(node, SLOT * (WORDS + slot)); }

static size_t size_of(struct rng *r)
{
  static const size_t known[] = {0, 1, 8, 8, 8, 8, 16, 24, 100, 511, 512, 513, SLOT - 2 * TEST_GUARD};
  const size_t k = rng_below(r, 2 * sizeof known / sizeof *known);
  return k < sizeof known / sizeof *known ? known[k] : rng_below(r, 64);
}

struct transfer {
  gasnet_node_t node;
  size_t n;
  int put, val;
};

static void start_put(struct transfer *x, int thread, size_t slot, uint64_t round, char *from, unsigned kind)
{
  char *to = place(x->node, thread, slot);
  gasnet_register_value_t v = 0;
  pattern_fill(from, x->n, here_key(thread, slot, round));
  if (kind == 0 && x->n >= 1 && x->n <= sizeof v) {
    x->val = 1;
    for (size_t i = x->n; i-- > 0;) v = v << 8 | pattern_byte(here_key(thread, slot, round), i);
    gasnet_put_nbi_val(x->node, to, v, x->n);
  } else if (kind == 1) gasnet_put_nbi_bulk(x->node, to, from, x->n);
  else {
    gasnet_put_nbi(x->node, to, from, x->n);
    memset(from, 0x11, x->n);
  }
}

static void start(struct rng *r, struct transfer *x, int thread, size_t slot, uint64_t round, char *mine)
{
  x->node = peer_to((gasnet_node_t)rng_below(r, test.nodes));
  x->n = size_of(r);
  x->put = rng_below(r, 3) != 0;
  x->val = 0;
  guard_open(mine, x->n);
  if (x->put) start_put(x, thread, slot, round, mine, (unsigned)rng_below(r, 3));
  else if (rng_below(r, 2)) gasnet_get_nbi(mine, x->node, fixed(x->node, slot), x->n);
  else gasnet_get_nbi_bulk(mine, x->node, fixed(x->node, slot), x->n);
}

static void sync_all(unsigned how)
{
  switch (how) {
  case 0: gasnet_wait_syncnbi_all(); break;
  case 1:
    gasnet_wait_syncnbi_puts();
    gasnet_wait_syncnbi_gets();
    break;
  case 2:
    while (gasnet_try_syncnbi_all() == GASNET_ERR_NOT_READY) test_yield();
    break;
  default:
    while (gasnet_try_syncnbi_gets() == GASNET_ERR_NOT_READY) {}
    while (gasnet_try_syncnbi_puts() == GASNET_ERR_NOT_READY) {}
  }
}

/* Gets have arrived here, puts at their target, and nothing else has changed. */
static void check(const struct transfer *x, int thread, size_t slot, uint64_t round, const char *mine)
{
  char back[SLOT];
  if (!x->put) {
    CHECK_BLOCK(mine, x->n, fixed_key(x->node, slot), "get");
    return;
  }
  gasnet_get_bulk(back, x->node, place(x->node, thread, slot) - TEST_GUARD, x->n + 2 * TEST_GUARD);
  CHECK_PATTERN(back + TEST_GUARD, x->n, here_key(thread, slot, round), x->val ? "put of a value" : "put");
  CHECK_GUARDS(back + TEST_GUARD, x->n, "put");
}

static void open_places(int thread)
{
  char clean[SLOT];
  memset(clean, TEST_UNTOUCHED, sizeof clean);
  for (gasnet_node_t k = 0; k < test.nodes; k++)
    for (size_t slot = 0; slot < SLOTS; slot++)
      gasnet_put_nbi_bulk(k, place(k, thread, slot) - TEST_GUARD, clean, SLOT);
  gasnet_wait_syncnbi_puts();
}

/* A slot is used once a round, and cleaned before it. */
static void storm(int thread)
{
  static struct transfer all[TEST_MAX_THREADS][SLOTS];
  struct transfer *x = all[thread];
  char *mine = (char *)malloc((size_t)SLOTS * SLOT);
  struct rng r;
  rng_init(&r, test_key(test.me, (uint64_t)thread, 77));
  REQUIRE(mine, "no memory");
  for (uint64_t round = 0; round < test_scaled(40.0 / test.threads); round++) {
    const int region = rng_below(&r, 3) == 0;
    const size_t count = 1 + rng_below(&r, SLOTS);
    gasnet_handle_t h = GASNET_INVALID_HANDLE;
    open_places(thread);
    if (region) gasnet_begin_nbi_accessregion();
    for (size_t i = 0; i < count; i++) start(&r, &x[i], thread, i, round, mine + i * SLOT + TEST_GUARD);
    if (region) h = gasnet_end_nbi_accessregion();
    if (region) gasnet_wait_syncnb(h);
    else sync_all((unsigned)rng_below(&r, 4));
    for (size_t i = 0; i < count; i++) check(&x[i], thread, i, round, mine + i * SLOT + TEST_GUARD);
  }
  free(mine);
}

/* Words go around without a sync: each node polls until its words are there, and passes them on. */
static void pass_around(void)
{
  const gasnet_node_t next = peer_to(1);
  for (uint64_t round = 1; round <= WORDS; round++) {
    volatile uint64_t *word = (volatile uint64_t *)(void *)seg_at(test.me, (round - 1) * SLOT);
    if (test.me != 0) GASNET_BLOCKUNTIL(word[7] == round);
    for (unsigned i = 0; i < 8; i++)
      gasnet_put_nbi_val(next, seg_at(next, (round - 1) * SLOT + 8 * i), round, 8);
    if (test.me == 0) GASNET_BLOCKUNTIL(word[7] == round);
  }
  gasnet_wait_syncnbi_puts();
  test_barrier();
  for (uint64_t i = 0; i < 8 * WORDS; i++) {
    const uint64_t v = *(const uint64_t *)(void *)seg_at(test.me, i / 8 * SLOT + i % 8 * 8);
    CHECK(v == i / 8 + 1, "word %llu of round %llu is %llu", (unsigned long long)(i % 8),
        (unsigned long long)(i / 8 + 1), (unsigned long long)v);
  }
}

int main(int argc, char **argv)
{
  const size_t most = SLOT * (WORDS + SLOTS * (1 + (size_t)64 * TEST_MAX_THREADS / 8));
  test_start("coalesce", &argc, &argv, NULL, 0, most);
  REQUIRE((size_t)test.nodes * (size_t)test.threads <= 128, "at most 128 threads in all");
  memset(seg_at(test.me, 0), 0, (size_t)SLOT * WORDS);
  for (size_t slot = 0; slot < SLOTS; slot++)
    pattern_fill(fixed(test.me, slot), SLOT, fixed_key(test.me, slot));
  test_barrier();
  test_threads(test.threads, storm);
  test_barrier();
  pass_around();
  test_finish();
}

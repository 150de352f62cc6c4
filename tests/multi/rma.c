/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* put, get and memset in all forms, 0 bytes to a megabyte, every alignment for the bulk forms, to all nodes
 * and the node itself: many blocks at once in an area, each with guards, read at the target and at the
 * initiator. */
#include "form.h"

static const char *const put_names[] = {
    "put", "put_bulk", "put_nb", "put_nb_bulk", "put_nbi", "put_nbi_bulk"};
static const char *const get_names[] = {
    "get", "get_bulk", "get_nb", "get_nb_bulk", "get_nbi", "get_nbi_bulk"};
static const char *const set_names[] = {"memset", "memset_nb", "memset_nbi"};

#define MAX_BLOCKS 1024
static struct block {
  size_t size, at;
  size_t skew;
} block[MAX_BLOCKS]; /* `at` in the area, `skew` of the local side */
static int blocks;
static size_t largest; /* a megabyte; less in jobs of many processes */
static size_t area;    /* bytes of all blocks with their guards */
static char *local;    /* as large, and 64 bytes more */
static gasnet_handle_t handle[MAX_BLOCKS];

static void add_block(size_t size, size_t align, size_t skew)
{
  struct block *b = &block[blocks++];
  b->size = size;
  b->skew = skew;
  b->at = (area + TEST_GUARD + 63) / 64 * 64 + align;
  area = b->at + size + 2 * TEST_GUARD;
}

/* Aligned objects for the forms that want them; bytes anywhere for the others. */
static void lay_out(int bulk, struct rng *r)
{
  blocks = 0;
  area = 0;
  if (!bulk) {
    for (size_t n = 0; n <= 130; n++) add_block(n, 0, 0);
  } else {
    for (size_t n = 1; n <= 16; n++)
      for (size_t a = 0; a < 8; a++) add_block(n, a, (a * 3 + n) % 8);
    for (size_t d = 0; d < 8; d++)
      for (size_t s = 0; s < 8; s++) add_block(100 + d, d, s);
    for (size_t n = 17; n <= 70; n++) add_block(n, rng_below(r, 64), rng_below(r, 64));
  }
  for (size_t p = 256; p <= largest; p *= 2)
    for (size_t n = p - 1; n <= p + 1; n++)
      if (p < 65536 || n == p || bulk) add_block(n, bulk ? rng_below(r, 64) : 0, bulk ? rng_below(r, 64) : 0);
}

static uint64_t key_of(gasnet_node_t from, int form, int i, unsigned round)
{
  return test_key(from * 64u + (unsigned)form, (uint64_t)i, round);
}
static char *local_at(const struct block *b) { return local + b->at + b->skew % 64; }

static void sync_all(int form)
{
  if (form == NB || form == NB_BULK) gasnet_wait_syncnb_all(handle, (size_t)blocks);
  if (form == NBI || form == NBI_BULK) gasnet_wait_syncnbi_all();
}

static void test_puts(int form, gasnet_node_t round)
{
  gasnet_node_t to = peer_to(round), from = peer_from(round);
  memset(seg_at(test.me, 0), TEST_UNTOUCHED, area);
  test_barrier();
  for (int i = 0; i < blocks; i++) {
    char *src = local_at(&block[i]);
    pattern_fill(src, block[i].size, key_of(test.me, form, i, round));
    handle[i] = FORM_CALL(form, gasnet_put, to, seg_at(to, block[i].at), src, block[i].size);
    if (form != NB_BULK && form != NBI_BULK) memset(src, 0x11, block[i].size); /* may be reused on return */
  }
  sync_all(form);
  test_barrier();
  for (int i = 0; i < blocks; i++)
    CHECK_BLOCK(seg_at(test.me, block[i].at), block[i].size, key_of(from, form, i, round), put_names[form]);
  test_barrier();
}

static void test_gets(int form, gasnet_node_t round)
{
  gasnet_node_t from = peer_to(round);
  memset(seg_at(test.me, 0), 0, area);
  for (int i = 0; i < blocks; i++)
    pattern_fill(seg_at(test.me, block[i].at), block[i].size, key_of(test.me, form, i, round + 1000));
  memset(local, TEST_UNTOUCHED, area + 64);
  test_barrier();
  for (int i = 0; i < blocks; i++) {
    const struct block *b = &block[i];
    handle[i] = FORM_CALL(form, gasnet_get, local_at(b), from, seg_at(from, b->at), b->size);
  }
  sync_all(form);
  for (int i = 0; i < blocks; i++)
    CHECK_BLOCK(local_at(&block[i]), block[i].size, key_of(from, form, i, round + 1000), get_names[form]);
  test_barrier();
}

static void test_memsets(int form, gasnet_node_t round)
{
  gasnet_node_t to = peer_to(round), from = peer_from(round);
  memset(seg_at(test.me, 0), TEST_UNTOUCHED, area);
  test_barrier();
  for (int i = 0; i < blocks; i++) {
    char *dst = seg_at(to, block[i].at);
    int byte = (int)(key_of(test.me, form, i, round) & 255);
    if (form == 0) gasnet_memset(to, dst, byte, block[i].size);
    else if (form == 1) handle[i] = gasnet_memset_nb(to, dst, byte, block[i].size);
    else gasnet_memset_nbi(to, dst, byte - 256, block[i].size); /* the value is taken as an unsigned char */
  }
  if (form == 1) gasnet_wait_syncnb_all(handle, (size_t)blocks);
  if (form == 2) gasnet_wait_syncnbi_puts();
  test_barrier();
  for (int i = 0; i < blocks; i++) {
    char *dst = seg_at(test.me, block[i].at);
    size_t bad = bytes_bad(dst, block[i].size, (int)(key_of(from, form, i, round) & 255));
    CHECK(bad == block[i].size, "%s: byte %zu of %zu is wrong", set_names[form], bad, block[i].size);
    CHECK_GUARDS(dst, block[i].size, set_names[form]);
  }
  test_barrier();
}

/* A blocking put is complete at its target on return, so a get by the same node must see it. */
static void test_put_then_get(gasnet_node_t to, struct rng *r)
{
  test_barrier();
  char *mine = seg_at(to, test.me % 8 * 8192 + TEST_GUARD);
  for (int i = 0; i < 64 && test.me < 8; i++) {
    size_t n = rng_size(r, 4096);
    uint64_t key = rng_next(r);
    char back[4096 + 2 * TEST_GUARD];
    guard_open(back + TEST_GUARD, n);
    pattern_fill(local, n, key);
    gasnet_put_bulk(to, mine, local, n);
    if (direct_at(to, mine)) CHECK_PATTERN(direct_at(to, mine), n, key, "put_bulk, on return");
    gasnet_get_bulk(back + TEST_GUARD, to, mine, n);
    CHECK_BLOCK(back + TEST_GUARD, n, key, "put_bulk read back");
  }
  test_barrier();
}

int main(int argc, char **argv)
{
  struct rng layout, r;
  test_init("rma", &argc, &argv);
  test_no_more_options(argc, argv);
  test_attach(NULL, 0, 8 << 20);
  local = (char *)malloc((8 << 20) + 64);
  REQUIRE(local, "no memory");
  largest = test.nodes <= 16 ? (size_t)1 << 20 : (size_t)1 << 16;
  rng_init(&layout, test_key(3, 0, 0)); /* the same on all nodes */
  rng_init(&r, test_key(3, test.me, 1));
  gasnet_node_t rounds = partner_rounds((gasnet_node_t)test_scaled(test.nodes <= 4 ? 4
          : test.nodes <= 8                                                        ? 2
                                                                                   : 1));
  for (gasnet_node_t k = 0; k < rounds; k++) {
    gasnet_node_t round = partner_round(k, rounds);
    if (rounds == 1) round = 1;
    for (int form = 0; form < FORMS; form++) {
      lay_out(form & 1, &layout);
      REQUIRE(area + 64 <= 8 << 20 && blocks <= MAX_BLOCKS, "layout of %zu bytes, %d blocks", area, blocks);
      test_puts(form, round);
      test_gets(form, round);
    }
    for (int form = 0; form < 3; form++) test_memsets(form, round);
    test_put_then_get(peer_to(round), &r);
  }
  test_finish();
}

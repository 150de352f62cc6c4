/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* put and get of lengths that the compiler does not know: every length from 0 to MOST with every alignment of
 * both sides, to the node itself and to a peer, in all forms. Each block has guards, and is checked at its
 * destination. */
#include "form.h"

enum { MOST = 1100, ALIGN = 16, LENGTHS = MOST + 1 };

static size_t at[LENGTHS]; /* each length's block in an area, a multiple of ALIGN */
static size_t area;
static char *local;
static gasnet_handle_t handle[LENGTHS];

static void lay_out(void)
{
  area = 0;
  for (size_t n = 0; n <= MOST; n++) {
    at[n] = (area + TEST_GUARD + ALIGN - 1) / ALIGN * ALIGN;
    area = at[n] + ALIGN + n + TEST_GUARD;
  }
}

/* The forms that are not bulk want aligned objects: both sides at a multiple of ALIGN. */
static unsigned form_of(size_t n, unsigned pair, unsigned round)
{
  const unsigned form = (unsigned)(n + pair + pair / ALIGN + round) % FORMS;
  return pair ? form | 1 : form;
}

static void sync_all(void)
{
  gasnet_wait_syncnb_all(handle, LENGTHS);
  gasnet_wait_syncnbi_all();
}

static uint64_t key_of(gasnet_node_t from, unsigned pair, size_t n, int direction)
{
  return test_key(from, pair * 2u + (unsigned)direction, n);
}

static void test_puts(unsigned round, unsigned pair, size_t dst_skew, size_t src_skew)
{
  const gasnet_node_t to = peer_to(round), from = peer_from(round);
  memset(seg_at(test.me, 0), TEST_UNTOUCHED, area);
  test_barrier();
  for (size_t n = 0; n <= MOST; n++) {
    char *src = local + at[n] + src_skew;
    pattern_fill(src, n, key_of(test.me, pair, n, 0));
    handle[n] = FORM_CALL(form_of(n, pair, round), gasnet_put, to, seg_at(to, at[n] + dst_skew), src, n);
  }
  sync_all();
  test_barrier();
  for (size_t n = 0; n <= MOST; n++)
    CHECK_BLOCK(seg_at(test.me, at[n] + dst_skew), n, key_of(from, pair, n, 0), "put");
  test_barrier();
}

static void test_gets(unsigned round, unsigned pair, size_t dst_skew, size_t src_skew)
{
  const gasnet_node_t from = peer_to(round);
  for (size_t n = 0; n <= MOST; n++)
    pattern_fill(seg_at(test.me, at[n] + src_skew), n, key_of(test.me, pair, n, 1));
  memset(local, TEST_UNTOUCHED, area);
  test_barrier();
  for (size_t n = 0; n <= MOST; n++) {
    const unsigned form = form_of(n, pair, round);
    char *dst = local + at[n] + dst_skew;
    handle[n] = FORM_CALL(form, gasnet_get, dst, from, seg_at(from, at[n] + src_skew), n);
  }
  sync_all();
  for (size_t n = 0; n <= MOST; n++)
    CHECK_BLOCK(local + at[n] + dst_skew, n, key_of(from, pair, n, 1), "get");
  test_barrier();
}

/* Over a network, where the inlines do not copy, one pair of alignments in 16 is enough: each alignment of
 * either side once. */
static int is_tried(unsigned round, unsigned pair)
{
  const gasnet_node_t to = peer_to(round);
  return direct_at(to, seg_at(to, 0)) || pair % ALIGN == pair / ALIGN * 5 % ALIGN;
}

int main(int argc, char **argv)
{
  test_init("rma_sizes", &argc, &argv);
  test_no_more_options(argc, argv);
  lay_out();
  test_attach(NULL, 0, (area + GASNET_PAGESIZE - 1) / GASNET_PAGESIZE * GASNET_PAGESIZE);
  local = (char *)malloc(area + ALIGN);
  REQUIRE(local, "no memory");
  local = (char *)(((uintptr_t)local + ALIGN - 1) / ALIGN * ALIGN);
  for (unsigned round = 0; round < (test.nodes < 2 ? 1 : 2); round++)
    for (unsigned pair = 0; pair < ALIGN * ALIGN; pair++) {
      if (!is_tried(round, pair)) continue;
      test_puts(round, pair, pair / ALIGN, pair % ALIGN);
      test_gets(round, pair, pair / ALIGN, pair % ALIGN);
    }
  test_finish();
}

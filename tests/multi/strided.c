/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Strided puts and gets: random legal descriptions of 0 to 8 levels, and of 20 and 64, in all forms, compared
 * byte by byte with a plain copy of element after element; all memory around is checked too. */
#include "vis_call.h"
#include <gasnet_vis.h>

#define MAX_LEVELS 64
#define AREA       ((size_t)48 * 1024)
#define FLIGHT     4 /* transfers under way at once, each with an area of its own */
enum { FORMS = REGION + 1 };
static const char *const form_name[] = {"blocking", "nb", "nbi", "nbi in a region"};

struct shape {
  size_t levels, count[MAX_LEVELS + 1], dst[MAX_LEVELS], src[MAX_LEVELS];
  size_t dst_at, src_at; /* in the areas */
};

static size_t extent(const struct shape *s, const size_t *strides)
{
  size_t e = s->count[0];
  for (size_t i = 0; i < s->levels; i++) e += (s->count[i + 1] - 1) * strides[i];
  return e;
}

/* The least legal strides, some with a gap. A level may have a stride far beyond the area if neither it nor
 * any level after it is repeated. */
static void random_strides(struct shape *s, size_t *strides, struct rng *r, unsigned gaps)
{
  size_t last = 0;
  for (size_t i = 0; i < s->levels; i++)
    if (s->count[i + 1] > 1) last = i + 1;
  for (size_t i = 0; i < s->levels; i++) {
    size_t least = i ? s->count[i] * strides[i - 1] : s->count[0];
    size_t gap = rng_below(r, 100) < gaps ? rng_below(r, i < 2 ? 40 : 9) : 0;
    if (i >= last && rng_below(r, 20) == 0) gap = (size_t)1 << 20;
    if (rng_below(r, 4) == 0) gap = (least + gap + 7) / 8 * 8 - least;
    strides[i] = least + gap;
  }
}

static const size_t levels_of[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 20, 64, 2, 1, 3};

/* A description whose extents fit the area on both sides. */
static void random_shape(struct shape *s, struct rng *r)
{
  s->levels = levels_of[rng_below(r, sizeof levels_of / sizeof *levels_of)];
  do {
    size_t budget = rng_range(r, 1, 600);
    static const size_t runs[] = {1, 2, 4, 8, 16, 32, 64};
    s->count[0] = rng_below(r, 2) ? runs[rng_below(r, 7)]
        : rng_below(r, 30)        ? rng_range(r, 1, 90)
                                  : rng_range(r, 1, 20000);
    for (size_t i = 1; i <= s->levels; i++) {
      size_t most = s->levels > 8 ? 2 : s->levels > 3 ? 4 : 60;
      s->count[i] = s->levels > 8 && rng_below(r, s->levels) > 6
          ? 1
          : rng_range(r, 1, most < budget ? most : budget);
      budget /= s->count[i];
      if (!budget) budget = 1;
    }
    unsigned gaps = (unsigned)rng_below(r, 101);
    random_strides(s, s->dst, r, rng_below(r, 3) ? gaps : 0);
    random_strides(s, s->src, r, rng_below(r, 3) ? gaps : 0);
  } while (extent(s, s->dst) + TEST_GUARD * 2 > AREA || extent(s, s->src) + TEST_GUARD * 2 > AREA);
  s->dst_at = TEST_GUARD + rng_below(r, AREA - 2 * TEST_GUARD - extent(s, s->dst) + 1);
  s->src_at = TEST_GUARD + rng_below(r, AREA - 2 * TEST_GUARD - extent(s, s->src) + 1);
  if (rng_below(r, 2)) {
    s->dst_at = s->dst_at / 8 * 8;
    s->src_at = s->src_at / 8 * 8;
  }
}

/* The reference: element after element, the innermost level fastest. */
static void plain_copy(const struct shape *s, unsigned char *dst, const unsigned char *src)
{
  size_t at[MAX_LEVELS] = {0};
  for (;;) {
    size_t d = 0, f = 0, i;
    for (i = 0; i < s->levels; i++) {
      d += at[i] * s->dst[i];
      f += at[i] * s->src[i];
    }
    for (i = 0; i < s->count[0]; i++) dst[d + i] = src[f + i];
    for (i = 0; i < s->levels && ++at[i] == s->count[i + 1]; i++) at[i] = 0;
    if (i == s->levels) return;
  }
}

static void describe(const struct shape *s, char *text, size_t n)
{
  size_t k = (size_t)snprintf(text, n, "levels %zu dst +%zu src +%zu count", s->levels, s->dst_at, s->src_at);
  for (size_t i = 0; i <= s->levels && k + 80 < n; i++)
    k += (size_t)snprintf(text + k, n - k, " %zu", s->count[i]);
  for (size_t i = 0; i < s->levels && k + 80 < n; i++)
    k += (size_t)snprintf(text + k, n - k, " (%zu,%zu)", s->dst[i], s->src[i]);
}

static unsigned char *expected, *original; /* areas to build the reference in */
static unsigned char *local;               /* FLIGHT areas outside the segment */

static void check_area(
    const struct shape *s, const unsigned char *area, uint64_t src_key, uint64_t dst_key, const char *what)
{
  pattern_fill(original, AREA, src_key);
  pattern_fill(expected, AREA, dst_key);
  plain_copy(s, expected + s->dst_at, original + s->src_at);
  if (!memcmp(expected, area, AREA)) return;
  size_t i = 0;
  while (expected[i] == area[i]) i++;
  char text[400];
  describe(s, text, sizeof text);
  unsigned char before;
  before = pattern_byte(dst_key, i);
  CHECK(0, "%s: byte %zu of the area is %s: %s", what, i,
      area[i] == before           ? "not written"
          : expected[i] == before ? "written and must not be"
                                  : "wrong",
      text);
}

static gasnet_handle_t start(
    int put, int form, gasnet_node_t node, unsigned char *dst, unsigned char *src, const struct shape *s)
{
  struct shape m = *s;
  void *d = dst + s->dst_at, *f = src + s->src_at;
  gasnet_handle_t h = put ? VIS_CALL(form, gasnet_puts, node, d, m.dst, f, m.src, m.count, m.levels)
                          : VIS_CALL(form, gasnet_gets, d, m.dst, node, f, m.src, m.count, m.levels);
  spoil(&m, sizeof m);
  return h;
}

static void transfer(int put, int form, gasnet_node_t node, struct shape *s, struct rng *r)
{
  gasnet_handle_t h[FLIGHT], region = GASNET_INVALID_HANDLE;
  if (form == REGION) gasnet_begin_nbi_accessregion();
  for (size_t k = 0; k < FLIGHT; k++) {
    unsigned char *far = (unsigned char *)seg_at(node, k * AREA), *near = local + k * AREA;
    h[k] = start(put, form, node, put ? far : near, put ? near : far, &s[k]);
  }
  if (form == REGION) region = gasnet_end_nbi_accessregion();
  if (form == NB && rng_below(r, 2)) gasnet_wait_syncnb_all(h, FLIGHT);
  else if (form == NB)
    for (size_t k = FLIGHT; k-- > 0;)
      while (gasnet_try_syncnb(h[k]) != GASNET_OK) test_yield();
  if (form == NBI) {
    if (rng_below(r, 2)) gasnet_wait_syncnbi_all();
    else if (put) gasnet_wait_syncnbi_puts();
    else gasnet_wait_syncnbi_gets();
  }
  if (form == REGION) gasnet_wait_syncnb(region);
}

static uint64_t src_key(gasnet_node_t n, size_t step, size_t k) { return test_key(n, step * FLIGHT + k, 20); }
static uint64_t dst_key(gasnet_node_t n, size_t step, size_t k) { return test_key(n, step * FLIGHT + k, 21); }

/* The target knows its source's shapes: they come from the source's number and the step. */
static void shapes_of(gasnet_node_t n, size_t step, struct shape *s)
{
  struct rng r;
  rng_init(&r, test_key(n, step, 22));
  for (size_t k = 0; k < FLIGHT; k++) random_shape(&s[k], &r);
}

static void test_puts(size_t step, int form, gasnet_node_t round, struct rng *r)
{
  static struct shape s[FLIGHT];
  gasnet_node_t from = peer_from(round);
  for (size_t k = 0; k < FLIGHT; k++)
    pattern_fill(seg_at(test.me, k * AREA), AREA, dst_key(test.me, step, k));
  shapes_of(test.me, step, s);
  for (size_t k = 0; k < FLIGHT; k++) pattern_fill(local + k * AREA, AREA, src_key(test.me, step, k));
  test_barrier();
  transfer(1, form, peer_to(round), s, r);
  test_barrier();
  for (size_t k = 0; k < FLIGHT; k++)
    CHECK_PATTERN(local + k * AREA, AREA, src_key(test.me, step, k), "the source of a strided put");
  shapes_of(from, step, s);
  for (size_t k = 0; k < FLIGHT; k++)
    check_area(&s[k], (unsigned char *)seg_at(test.me, k * AREA), src_key(from, step, k),
        dst_key(test.me, step, k), form_name[form]);
  test_barrier();
}

static void test_gets(size_t step, int form, gasnet_node_t round, struct rng *r)
{
  static struct shape s[FLIGHT];
  gasnet_node_t from = peer_to(round);
  for (size_t k = 0; k < FLIGHT; k++) {
    pattern_fill(seg_at(test.me, k * AREA), AREA, src_key(test.me, step, k));
    pattern_fill(local + k * AREA, AREA, dst_key(test.me, step, k));
  }
  shapes_of(test.me, step, s);
  test_barrier();
  transfer(0, form, from, s, r);
  for (size_t k = 0; k < FLIGHT; k++)
    check_area(&s[k], local + k * AREA, src_key(from, step, k), dst_key(test.me, step, k), form_name[form]);
  test_barrier();
  for (size_t k = 0; k < FLIGHT; k++)
    CHECK_PATTERN(seg_at(test.me, k * AREA), AREA, src_key(test.me, step, k), "the source of a strided get");
}

/* A zero anywhere in count makes the library ignore all else; without levels it ignores the strides. */
static void test_ignored(gasnet_node_t to)
{
  static void
      *volatile nowhere_at = (void *)(uintptr_t)16; /* volatile: the compiler would warn of such an address */
  void *nowhere = nowhere_at;
  const size_t *no_strides = (const size_t *)nowhere_at;
  test_barrier();
  for (size_t levels = 0; levels <= 4; levels++)
    for (size_t zero = 0; zero <= levels; zero++) {
      size_t count[5] = {3, 3, 3, 3, 3};
      count[zero] = 0;
      gasnet_puts_bulk(to, nowhere, no_strides, nowhere, no_strides, count, levels);
      gasnet_gets_bulk(nowhere, no_strides, to, nowhere, no_strides, count, levels);
      gasnet_wait_syncnb(gasnet_puts_nb_bulk(to, nowhere, no_strides, nowhere, no_strides, count, levels));
      gasnet_wait_syncnb(gasnet_gets_nb_bulk(nowhere, no_strides, to, nowhere, no_strides, count, levels));
      gasnet_puts_nbi_bulk(to, nowhere, no_strides, nowhere, no_strides, count, levels);
      gasnet_gets_nbi_bulk(nowhere, no_strides, to, nowhere, no_strides, count, levels);
    }
  gasnet_wait_syncnbi_all();
  size_t whole[1] = {1001};
  char *dst = seg_at(to, TEST_GUARD), *back = (char *)local + TEST_GUARD, *src = (char *)local + 8192;
  guard_open(seg_at(test.me, TEST_GUARD), 1001);
  guard_open(back, 1001);
  pattern_fill(src, 1001, test_key(test.me, 1, 23));
  test_barrier();
  gasnet_puts_bulk(to, dst, no_strides, src, no_strides, whole, 0);
  gasnet_gets_bulk(back, no_strides, to, dst, no_strides, whole, 0);
  CHECK_BLOCK(back, 1001, test_key(test.me, 1, 23), "strided with no levels, read back");
  test_barrier();
  CHECK_GUARDS(seg_at(test.me, TEST_GUARD), 1001, "strided put with no levels");
}

/* The example of the proposal's section 6.2: a 2x3x4 block of a 11x12x13 array into a 14x15x16 one. */
static void test_example(gasnet_node_t to)
{
  static double a[11][12][13];
  double(*b)[15][16] = (double(*)[15][16])(void *)seg_at(test.me, 0);
  for (int i = 0; i < 11 * 12 * 13; i++) (&a[0][0][0])[i] = i + 1000.0 * (test.me + 1);
  for (int i = 0; i < 14 * 15 * 16; i++) (&b[0][0][0])[i] = -1;
  test_barrier();
  size_t srcstrides[2] = {sizeof a[0][0], sizeof a[0]}, dststrides[2] = {sizeof b[0][0], sizeof b[0]};
  size_t count[3] = {4 * sizeof(double), 3, 2};
  double(*there)[15][16] = (double(*)[15][16])(void *)seg_at(to, 0);
  gasnet_puts_bulk(to, &there[8][9][10], dststrides, &a[5][6][7], srcstrides, count, 2);
  test_barrier();
  double base = 1000.0 * (peer_from(1) + 1);
  for (int i = 0; i < 14; i++)
    for (int j = 0; j < 15; j++)
      for (int k = 0; k < 16; k++) {
        int in = i >= 8 && i < 10 && j >= 9 && j < 12 && k >= 10 && k < 14;
        double expect = in ? base + ((i - 8 + 5) * 12 + j - 9 + 6) * 13 + k - 10 + 7 : -1;
        CHECK(b[i][j][k] == expect, "example: b[%d][%d][%d] is %g, not %g", i, j, k, b[i][j][k], expect);
      }
  test_barrier();
}

int main(int argc, char **argv)
{
  test_start("strided", &argc, &argv, NULL, 0, FLIGHT * AREA);
  local = (unsigned char *)malloc(FLIGHT * AREA);
  expected = (unsigned char *)malloc(AREA);
  original = (unsigned char *)malloc(AREA);
  REQUIRE(local && expected && original, "no memory");
  test_example(peer_to(1));
  test_ignored(peer_to(1));
  struct rng r;
  rng_init(&r, test_key(5, test.me, 0));
  size_t steps = test_scaled(test.nodes <= 4 ? 120 : 480.0 / test.nodes);
  for (size_t step = 0; step < steps; step++) {
    gasnet_node_t round = (gasnet_node_t)(step % 5 == 0 ? 0
                                                        : 1 + step % (test.nodes > 1 ? test.nodes - 1 : 1));
    test_puts(step, (int)(step % FORMS), round, &r);
    test_gets(step, (int)(step / 2 % FORMS), round, &r);
  }
  test_finish();
}

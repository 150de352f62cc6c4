/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* support/copy.c: by value, every alignment, odd tails, guard bytes on both sides, each kernel that this CPU
 * has. */
#include "support/copy.c"
#include <stdlib.h>

#include "tests/unit/suite.h"

#define GUARD      192
#define GUARD_BYTE 0x5a

static unsigned char *area; /* destination with room for guards */
static unsigned char *source;
static size_t capacity;

static unsigned char pattern(size_t i) { return (unsigned char)(i * 131 + (i >> 8) * 7 + (i >> 16) * 3 + 1); }

static int all_are(const unsigned char *p, size_t n, int byte)
{
  for (size_t i = 0; i < n; i++)
    if (p[i] != byte) return 0;
  return 1;
}

/* `apply` works on d; the bytes around [d, d + n) must stay. */
static unsigned char *guarded(size_t align, size_t n)
{
  unsigned char *d = area + GUARD + align;
  memset(d - GUARD, GUARD_BYTE, GUARD);
  memset(d, 0xee, n);
  memset(d + n, GUARD_BYTE, GUARD);
  return d;
}

static int guards_intact(const unsigned char *d, size_t n)
{
  return all_are(d - GUARD, GUARD, GUARD_BYTE) && all_are(d + n, GUARD, GUARD_BYTE);
}

static int copied(const unsigned char *d, const unsigned char *s, size_t n)
{
  return memcmp(d, s, n) == 0 && guards_intact(d, n);
}

static int one_copy(size_t dalign, size_t salign, size_t n)
{
  unsigned char *d = guarded(dalign, n);
  pst_copy(d, source + salign, n);
  return copied(d, source + salign, n);
}

static int one_fill(size_t align, int byte, size_t n)
{
  unsigned char *d = guarded(align, n);
  pst_fill(d, byte, n);
  return all_are(d, n, (unsigned char)byte) && guards_intact(d, n);
}

static void test_small(void)
{
  unsigned bad = 0;
  for (size_t n = 0; n < 260; n++)
    for (size_t a = 0; a < 9; a++) bad += !one_copy(a, (a * 5) % 9, n) + !one_fill(a, (int)n, n);
  CU_ASSERT_EQUAL(bad, 0);
}

static void test_around_threshold(void)
{
  static const int off[] = {-129, -1, 0, 1, 63, 64, 65, 127, 4097};
  const size_t edges[] = {SMALLEST_LARGE, copy_threshold()};
  for (size_t e = 0; e < 2; e++)
    for (size_t i = 0; i < sizeof off / sizeof *off; i++) {
      size_t n = edges[e] + (size_t)(ptrdiff_t)off[i];
      CU_ASSERT(one_copy((i * 13) % 64, (i * 29) % 64, n));
    }
}

/* Each alignment is tried with the kernels alone: large copies are many megabytes where the last cache is. */
static void test_large(void)
{
  size_t n = copy_threshold() + 1;
  unsigned bad = 0;
  for (size_t a = 0; a < 64; a += 21) bad += !one_copy(a, 63 - a, n + a);
  CU_ASSERT_EQUAL(bad, 0);
}

static void test_fill_large(void)
{
  size_t n = 2 * copy_threshold();
  for (size_t i = 0; i < 4; i++) CU_ASSERT(one_fill(i * 17, 0x81 + (int)i, n + i * 31 - 1));
  CU_ASSERT(one_fill(1, 0x1ff, n)); /* only the low byte counts, as for memset */
}

static void test_sizes_in_text(void)
{
  CU_ASSERT_EQUAL(parse_size("32768K\n"), (size_t)32 << 20);
  CU_ASSERT_EQUAL(parse_size("105M"), (size_t)105 << 20);
  CU_ASSERT_EQUAL(parse_size("4096"), 4096);
  CU_ASSERT_EQUAL(parse_size("none"), 0);
  CU_ASSERT_EQUAL(parse_size(""), 0);
  CU_ASSERT(last_level_cache() > 0);
  CU_ASSERT(copy_threshold() >= SMALLEST_LARGE);
}

#if defined(__x86_64__)
static unsigned kernel_failures(copy_fn kernel)
{
  unsigned bad = 0;
  for (size_t n = 64; n < 700; n += 1 + n / 90)
    for (size_t a = 0; a < 64; a++) {
      unsigned char *d = guarded(a, n);
      copy_with(kernel, (char *)d, (const char *)source + (a * 7) % 64, n);
      bad += !copied(d, source + (a * 7) % 64, n);
    }
  return bad;
}

static void test_kernels(void)
{
  CU_ASSERT_EQUAL(kernel_failures(stream_sse2), 0);
  CU_ASSERT_EQUAL(kernel_failures(copy_movsb), 0);
  if (__builtin_cpu_supports("avx2")) CU_ASSERT_EQUAL(kernel_failures(stream_avx2), 0);
}

static void test_fill_kernel(void)
{
  unsigned bad = 0;
  for (size_t n = 64; n < 700; n += 3)
    for (size_t a = 0; a < 64; a += 5) {
      unsigned char *d = guarded(a, n);
      fill_large((char *)d, (int)n, n);
      bad += !all_are(d, n, (unsigned char)n) || !guards_intact(d, n);
    }
  CU_ASSERT_EQUAL(bad, 0);
}

/* Both ways are tried and their costs kept until the tries are used up; then the cheaper way is taken. */
static void test_learning(void)
{
  size_t n = copy_threshold() + 77;
  struct trial *t = &trials[63 - __builtin_clzll(n)];
  memset(trials, 0, sizeof trials);
  for (unsigned i = 0; i < TRIES + 2; i++) CU_ASSERT(one_copy(i, 2 * i, n));
  if (has_fast_movsb()) {
    CU_ASSERT_EQUAL(t->tries, TRIES);
    CU_ASSERT(t->cost[0] > 0 && t->cost[1] > 0);
  }
  t->tries = TRIES;
  t->cost[0] = 10;
  t->cost[1] = 5;
  CU_ASSERT_EQUAL(trial_cheaper_way(t), 1);
  CU_ASSERT(one_copy(3, 1, n));
  t->cost[1] = 20;
  CU_ASSERT_EQUAL(trial_cheaper_way(t), 0);
  CU_ASSERT(one_copy(1, 3, n));
  t->cost[0] = 100;
  t->cost[1] = 95; /* not by enough */
  CU_ASSERT_EQUAL(trial_cheaper_way(t), 0);
  t->cost[1] = 0;
  CU_ASSERT_EQUAL(trial_cheaper_way(t), 0);
}
#endif

static int make_areas(void)
{
  capacity = 2 * copy_threshold() + 8192;
  area = malloc(capacity + 2 * GUARD + 128);
  source = malloc(capacity + 128);
  if (!area || !source) return 0;
  for (size_t i = 0; i < capacity + 128; i++) source[i] = pattern(i);
  return 1;
}

int main(void)
{
  static const struct unit_test tests[] = {
    {"small copies and fills", test_small},
    {"around the thresholds", test_around_threshold},
    {"large", test_large},
    {"large fills", test_fill_large},
    {"cache sizes", test_sizes_in_text},
#if defined(__x86_64__)
    {"kernels", test_kernels},
    {"fill kernel", test_fill_kernel},
    {"learning", test_learning},
#endif
  };
  if (!make_areas()) return 1;
  const int bad = RUN_SUITE("copy", tests);
  free(area);
  free(source);
  return bad;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* vis/kernel*.c: every kernel of every CPU level that this processor has, against copying byte by byte:
 * random shapes of any order and direction, all row sizes, unaligned. Other bytes must not change. */
#define pst_copy_large large_from /* so that small copies test the code for large ones */
#include "vis/kernel.c"
#include "vis/kernel_transpose.c"
#undef pst_copy_large

#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>

#include "tests/unit/random.h"
#include "tests/unit/suite.h"

enum { AREA = 1 << 20, DIMS = 4 };

static size_t threshold = SIZE_MAX;
size_t large_from(void) { return threshold; }

/* A page that must not be touched follows. */
static char *dst, *src, *expected;

static char *area(void)
{
  char *p = mmap(NULL, AREA + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED || mprotect(p + AREA, 4096, PROT_NONE) != 0) exit(77);
  return p;
}

static const struct named_set {
  const char *name;
  const struct pst_kernel_set *set;
} sets[] = {
    {"PORTABLE", &pst_kernel_portable},
#if defined(__x86_64__)
    {"AVX2", &pst_kernel_avx2},
    {"AVX512", &pst_kernel_avx512},
#endif
};

/* A level that the processor lacks is taken for AUTO. */
static int present(const struct named_set *s) { return set_by_name(s->name) == s->set; }

static void copy_bytes(const struct pst_shape *s, unsigned level, char *d, const char *c)
{
  if (level == 0) {
    for (size_t i = 0; i < s->row; i++) d[i] = c[i];
    return;
  }
  for (size_t i = 0; i < s->count[level - 1]; i++)
    copy_bytes(s, level - 1, d + (ptrdiff_t)i * s->dst[level - 1], c + (ptrdiff_t)i * s->src[level - 1]);
}

/* The bytes from the lowest to the highest, and where the first row lies in them. */
static size_t extent(const struct pst_shape *s, const ptrdiff_t stride[], size_t *first)
{
  size_t n = s->row;
  *first = 0;
  for (unsigned l = 0; l < s->levels; l++) {
    const ptrdiff_t reach = stride[l] * (ptrdiff_t)(s->count[l] - 1);
    if (reach < 0) *first += (size_t)-reach;
    n += (size_t)(reach < 0 ? -reach : reach);
  }
  return n;
}

static void fill(void)
{
  static size_t round;
  round++;
  for (size_t i = 0; i < AREA; i += 8) {
    const uint64_t v = (i + round) * 0x9e3779b97f4a7c15u;
    memcpy(src + i, &v, 8);
  }
}

static unsigned tried;

/* Both sides end at the forbidden page, or before it. */
static int right(const struct pst_shape *s, pst_kernel_fn kernel)
{
  size_t dfirst, sfirst;
  const size_t dn = extent(s, s->dst, &dfirst), sn = extent(s, s->src, &sfirst);
  if (dn > AREA || sn > AREA) return 1;
  tried++;
  const size_t under = below(4) ? below(100) : below(3) * 64,
               dat = (AREA - dn > under ? AREA - dn - under : 0) + dfirst,
               sat = (AREA - sn > under / 2 ? AREA - sn - under / 2 : 0) + sfirst,
               from = dat - dfirst > 4096 ? dat - dfirst - 4096 : 0;
  memset(dst + from, 0x5a, AREA - from);
  memset(expected + from, 0x5a, AREA - from);
  copy_bytes(s, s->levels, expected + dat, src + sat);
  kernel(s, dst + dat, src + sat);
  return memcmp(dst + from, expected + from, AREA - from) == 0;
}

static size_t draw_row(void)
{
  static const size_t special[] = {1, 2, 3, 4, 8, 16, 32, 64, 128, 255, 256, 512, 1023, 1024, 2048, 5000};
  return below(2) ? 1 + below(80)
      : below(2)  ? 1 + below(700)
                  : special[below(sizeof special / sizeof *special)];
}

/* Strides for a side: dimensions nested in some order, with or without gaps, some strides large powers of
 * two. */
static void draw_strides(size_t row, const size_t count[], size_t dims, ptrdiff_t stride[], int backwards)
{
  size_t order[DIMS], reach = row;
  for (size_t i = 0; i < dims; i++) order[i] = i;
  for (size_t i = dims; i > 1; i--) {
    const size_t j = below(2) ? below(i) : i - 1, t = order[i - 1];
    order[i - 1] = order[j];
    order[j] = t;
  }
  for (size_t i = 0; i < dims; i++) {
    const size_t k = order[i], round = below(4) ? 1 : (size_t)1 << (9 + below(4));
    stride[k] = (ptrdiff_t)((reach + (below(2) ? 0 : below(20)) + round - 1) / round * round);
    reach = (size_t)stride[k] * count[k];
    if (backwards && !below(4)) stride[k] = -stride[k];
  }
}

static void draw_shape(struct pst_shape *s, size_t row)
{
  size_t count[DIMS], dims = 1 + below(DIMS), all = row;
  ptrdiff_t to[DIMS], from[DIMS], a, b;
  for (size_t i = 0; i < dims; i++) {
    const size_t most = (AREA / 8) / all;
    count[i] = 1 + below(most < 2 ? 1 : below(3) ? (most < 12 ? most : 12) : (most < 300 ? most : 300));
    all *= count[i];
  }
  draw_strides(row, count, dims, to, 1);
  draw_strides(row, count, dims, from, 1);
  pst_shape_any(s, "test", row, to, from, count, dims, &a, &b);
}

static void test_chosen(void)
{
  for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
    unsigned wrong = 0;
    struct pst_shape s;
    tried = 0;
    if (!present(&sets[k])) continue;
    atomic_store(&known, sets[k].set);
    for (unsigned i = 0; i < 4000; i++) {
      draw_shape(&s, draw_row());
      wrong += !right(&s, pst_kernel_choose(&s));
    }
    if (wrong) printf("%s: %u wrong\n", sets[k].name, wrong);
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(tried > 2000);
  }
}

/* Strides of 1 KiB and more: so many rows that the kernels are timed, and so often that each has its turn. */
static void test_timed(void)
{
  unsigned wrong = 0, timed = 0;
  for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
    if (!present(&sets[k])) continue;
    atomic_store(&known, sets[k].set);
    for (unsigned i = 0; i < 300; i++) {
      const ptrdiff_t near = 1024, far = below(2) ? 1024 : 4096 * (ptrdiff_t)(1 + below(4)), plane = 512 * 8;
      const size_t across = below(2) ? 1 : 2 + below(3), n = (AREA - 8192) / 1024;
      struct pst_shape s = {.row = below(3) ? 8 : 1 + below(PAUSE_ROW), .levels = across > 1 ? 2 : 1};
      if (s.row > 512 / across) s.row = 512 / across;
      s.count[0] = below(2) && far > near ? AREA / (size_t)far - 1 : n;
      s.dst[0] = s.count[0] == n ? near : far;
      s.src[0] = below(2) ? s.dst[0] : s.count[0] == n ? 528 : plane;
      s.count[1] = across;
      s.dst[1] = s.src[1] = (ptrdiff_t)s.row;
      timed += pst_kernel_choose(&s) == copy_pausing;
      wrong += !right(&s, pst_kernel_choose(&s));
    }
    threshold = 0;
    for (unsigned i = 0; i < 100; i++) {
      const struct pst_shape s = {
          .row = STREAM_ROW + below(1500), .levels = 1, .count = {200}, .dst = {2048}, .src = {1800}};
      timed += pst_kernel_choose(&s) == copy_streaming;
      wrong += !right(&s, pst_kernel_choose(&s));
    }
    threshold = SIZE_MAX;
  }
  CU_ASSERT_EQUAL(wrong, 0);
  CU_ASSERT(timed > 200);
}

/* The shape, packed at the destination, its rows close together at the source. */
static unsigned wrong_packed(const struct pst_kernel_set *set, struct pst_shape *s)
{
  unsigned wrong = 0;
  s->dst[0] = (ptrdiff_t)s->row;
  for (unsigned l = 1; l < s->levels; l++) s->dst[l] = s->dst[l - 1] * (ptrdiff_t)s->count[l - 1];
  if (set->packed)
    for (s->src[0] = (ptrdiff_t)s->row + 1; s->src[0] <= 16 - (ptrdiff_t)s->row; s->src[0]++)
      wrong += !right(s, set->packed);
  return wrong;
}

/* Each kernel with each row that it may get, also where another would be chosen. */
static unsigned wrong_at(const struct pst_kernel_set *set, size_t row)
{
  unsigned wrong = 0;
  struct pst_shape s;
  for (unsigned i = 0; i < 4; i++) {
    do draw_shape(&s, row);
    while (s.levels == 0 || s.row != row);
    if (row <= PST_KERNEL_SMALL) wrong += !right(&s, set->small[row]);
    else wrong += !right(&s, set->rows) + !right(&s, set->long_rows);
    if (row >= 64) wrong += !right(&s, set->stream);
    for (unsigned p = 0; p < PST_KERNEL_PAUSES; p++) wrong += !right(&s, set->paused[p]);
    if (row <= PST_KERNEL_PACKED) wrong += wrong_packed(set, &s);
  }
  return wrong;
}

static void test_each(void)
{
  for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
    unsigned wrong = 0;
    if (!present(&sets[k])) continue;
    for (size_t row = 1; row < 700; row += row < 200 ? 1 : 13) wrong += wrong_at(sets[k].set, row);
    if (wrong) printf("%s: %u wrong\n", sets[k].name, wrong);
    CU_ASSERT_EQUAL(wrong, 0);
  }
}

/* Neighbours along one dimension at the source are neighbours along another at the destination, in either
 * direction, in all sizes that take blocks and more; every second time as if too large for the caches. */
static unsigned transposed;

static void draw_transpose(struct pst_shape *s, size_t elemsz)
{
  size_t count[3], dims = 2 + below(2), pad = below(2) ? 64 : 1;
  ptrdiff_t to[3], from[3], a, b;
  for (size_t i = 0; i < dims; i++)
    count[i] = i == 2 ? 1 + below(4) : below(4) ? 1 + below(70) : below(2) ? 64 : 16;
  const size_t line_to = (count[0] * elemsz + below(30) + pad - 1) / pad * pad,
               line_from = (count[1] * elemsz + below(30) + pad - 1) / pad * pad;
  to[0] = (ptrdiff_t)elemsz, to[1] = (ptrdiff_t)line_to,
  to[2] = (ptrdiff_t)(line_to * count[1] + below(2) * 8);
  from[1] = (ptrdiff_t)elemsz, from[0] = (ptrdiff_t)line_from,
  from[2] = (ptrdiff_t)(line_from * count[0] + below(2) * 16);
  for (size_t i = 0; i < dims; i++)
    if (!below(4)) from[i] = -from[i];
  pst_shape_any(s, "test", elemsz, to, from, count, dims, &a, &b);
  transposed += s->levels > 1 && pst_transpose_suits(s);
}

static void test_transposes(void)
{
  for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
    unsigned wrong = 0;
    struct pst_shape s;
    if (!present(&sets[k])) continue;
    atomic_store(&known, sets[k].set);
    for (size_t elemsz = 1; elemsz <= 34; elemsz++)
      for (unsigned i = 0; i < (elemsz == 4 || elemsz == 8 ? 300 : 20); i++) {
        threshold = i % 2 ? SIZE_MAX : 0;
        draw_transpose(&s, elemsz);
        wrong += !right(&s, pst_kernel_choose(&s));
      }
    threshold = SIZE_MAX;
    if (wrong) printf("%s: %u wrong\n", sets[k].name, wrong);
    CU_ASSERT_EQUAL(wrong, 0);
  }
  CU_ASSERT(transposed > 500);
}

static void test_nothing(void)
{
  unsigned wrong = 0;
  for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
    if (!present(&sets[k])) continue;
    atomic_store(&known, sets[k].set);
    for (size_t row = 0; row < 6000; row += row < 600 ? 1 : 77) {
      const struct pst_shape s = {.row = row, .levels = 0};
      wrong += !right(&s, pst_kernel_choose(&s));
    }
  }
  CU_ASSERT_EQUAL(wrong, 0);
}

int main(void)
{
  static const struct unit_test tests[] = {{"nothing and a row", test_nothing}, {"each", test_each},
      {"chosen", test_chosen}, {"timed", test_timed}, {"transposes", test_transposes}};
  random_begin();
  printf("levels:");
  for (size_t k = 0; k < sizeof sets / sizeof *sets; k++)
    printf(" %s%s", sets[k].name, present(&sets[k]) ? "" : " (absent)");
  printf("\n");
  dst = area();
  src = area();
  expected = area();
  fill();
  return RUN_SUITE("kernel", tests);
}

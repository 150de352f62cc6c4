/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Numbers and transfers as text. */
#include "gasnet.h"
#include "gasnet_tools.h"
#include "tests/unit/in_child.h"
#include "tests/unit/suite.h"

static int number_is(int64_t v, int ismem, const char *expected)
{
  char buf[40];
  return gasnett_format_number(v, buf, sizeof buf, ismem) == buf && strcmp(buf, expected) == 0;
}

static void test_number(void)
{
  CU_ASSERT(number_is(0, 0, "0"));
  CU_ASSERT(number_is(-4096, 0, "-4096"));
  CU_ASSERT(number_is(0, 1, "0 B"));
  CU_ASSERT(number_is(1023, 1, "1023 B"));
  CU_ASSERT(number_is(1024, 1, "1 KB"));
  CU_ASSERT(number_is(1536, 1, "1536 B"));
  CU_ASSERT(number_is(INT64_C(64) << 20, 1, "64 MB"));
  CU_ASSERT(number_is(-(INT64_C(3) << 40), 1, "-3 TB"));
  CU_ASSERT(number_is(INT64_MIN, 1, "-8 EB"));
  CU_ASSERT(number_is(INT64_MAX, 1, "9223372036854775807 B"));
  char small[4] = "xxx";
  gasnett_format_number(123456, small, sizeof small, 0);
  CU_ASSERT_STRING_EQUAL(small, "123");
}

/* What is written is read as the same number: every power of two and its neighbours. */
static void test_round_trip(void)
{
  char buf[40];
  for (int shift = 0; shift < 62; shift++)
    for (int64_t d = -1; d <= 1; d++) {
      int64_t v = (INT64_C(1) << shift) + d;
      CU_ASSERT_EQUAL(gasnett_parse_int(gasnett_format_number(v, buf, sizeof buf, 1), 1), v);
      CU_ASSERT_EQUAL(gasnett_parse_int(gasnett_format_number(-v, buf, sizeof buf, 0), 0), -v);
    }
  CU_ASSERT_EQUAL(gasnett_parse_int("1.5G", 1), INT64_C(3) << 29);
  CU_ASSERT_EQUAL(gasnett_parse_int("10", 1 << 20), 10 << 20);
  CU_ASSERT_EQUAL(gasnett_parse_int("-2M", 1), -(2 << 20));
  CU_ASSERT_EQUAL(gasnett_parse_int("0x1f", 0), 31);
}

static void parse_bad(void *arg) { gasnett_parse_int(arg, 1); }

static void test_parse_fails(void)
{
  CU_ASSERT(ended_with(in_child(parse_bad, (void *)"64 apples"), 1));
  CU_ASSERT_PTR_NOT_NULL(strstr(child_said, "\"64 apples\""));
  CU_ASSERT(ended_with(in_child(parse_bad, (void *)"9E"), 1));
}

/* A buffer of exactly the size that was asked for, with a guard behind it. */
static char *guarded(size_t size)
{
  char *buf = malloc(size + 8);
  CU_ASSERT_FATAL(buf != NULL);
  memset(buf + size, 0x5a, 8);
  return buf;
}

static void release(char *buf, size_t size)
{
  for (int i = 0; i < 8; i++) CU_ASSERT_EQUAL(buf[size + (size_t)i], 0x5a);
  CU_ASSERT(strlen(buf) < size);
  free(buf);
}

static void test_memveclist(void)
{
  gasnet_memvec_t list[3] = {{(void *)0x2000, 10}, {(void *)0x1000, 0}, {(void *)0x3000, 30}};
  size_t size = gasnett_format_memveclist_bufsz(3);
  char *buf = guarded(size);
  gasnett_memveclist_stats_t s = gasnett_format_memveclist(buf, 3, list);
  CU_ASSERT(s.minsz == 0 && s.maxsz == 30 && s.totalsz == 40);
  CU_ASSERT_PTR_EQUAL(s.minaddr, (void *)0x2000); /* the empty entry does not count */
  CU_ASSERT_PTR_EQUAL(s.maxaddr, (void *)0x301d);
  CU_ASSERT_PTR_NOT_NULL(strstr(buf, "(0x2000,10), "));
  release(buf, size);
  size = gasnett_format_memveclist_bufsz(0);
  buf = guarded(size);
  s = gasnett_format_memveclist(buf, 0, NULL);
  CU_ASSERT(s.minsz == 0 && s.maxsz == 0 && s.totalsz == 0 && s.minaddr == NULL);
  release(buf, size);
}

/* The longest texts that the buffers must hold: many entries with the largest numbers. */
static void test_long_lists(void)
{
  enum { N = 1000 };
  static gasnet_memvec_t vec[N];
  static void *addr[N];
  static size_t stride[N];
  for (int i = 0; i < N; i++) {
    vec[i].addr = addr[i] = (void *)(UINTPTR_MAX - 4096);
    vec[i].len = 4096;
    stride[i] = SIZE_MAX;
  }
  for (size_t n = 1; n <= N; n += n < 40 ? 1 : 160) {
    size_t size = gasnett_format_putvgetv_bufsz(n, n);
    char *buf = guarded(size);
    CU_ASSERT_EQUAL(gasnett_format_putvgetv(buf, UINT32_MAX, n, vec, n, vec), n * 4096);
    CU_ASSERT_PTR_NOT_NULL(strstr(buf, "src: "));
    CU_ASSERT_EQUAL(buf[strlen(buf) - 1], ']');
    release(buf, size);
    size = gasnett_format_putigeti_bufsz(n, 1);
    buf = guarded(size);
    CU_ASSERT_EQUAL(gasnett_format_putigeti(buf, 3, n, addr, 7, 1, addr, 7 * n), n * 7);
    CU_ASSERT_EQUAL(buf[strlen(buf) - 1], ']');
    release(buf, size);
    size = gasnett_format_putsgets_bufsz(n - 1);
    buf = guarded(size);
    gasnett_format_putsgets(buf, NULL, 0, addr[0], stride, addr[0], stride, stride, n - 1);
    CU_ASSERT_EQUAL(buf[strlen(buf) - 1], ']');
    release(buf, size);
  }
}

static void test_strides(void)
{
  size_t strides[2] = {100, 2000}, count[3] = {8, 5, 3};
  char buf[2048];
  CU_ASSERT_FATAL(sizeof buf >= gasnett_format_strides_bufsz(2));
  CU_ASSERT_STRING_EQUAL(gasnett_format_strides(buf, 2, strides), "[100, 2000]");
  CU_ASSERT_STRING_EQUAL(gasnett_format_strides(buf, 0, NULL), "[]");
  char *big = guarded(gasnett_format_putsgets_bufsz(2));
  CU_ASSERT_EQUAL(
      gasnett_format_putsgets(big, NULL, 5, (void *)0x10, strides, (void *)0x20, strides, count, 2), 120);
  CU_ASSERT_PTR_NOT_NULL(strstr(big, "count=[8, 5, 3]"));
  CU_ASSERT_PTR_NOT_NULL(strstr(big, "node=5"));
  release(big, gasnett_format_putsgets_bufsz(2));
}

static void test_addrlist(void)
{
  void *list[2] = {(void *)0x900, (void *)0x100};
  char *buf = guarded(gasnett_format_addrlist_bufsz(2));
  gasnett_addrlist_stats_t s = gasnett_format_addrlist(buf, 2, list, 16);
  CU_ASSERT_PTR_EQUAL(s.minaddr, (void *)0x100);
  CU_ASSERT_PTR_EQUAL(s.maxaddr, (void *)0x90f);
  release(buf, gasnett_format_addrlist_bufsz(2));
}

int main(void)
{
  static const struct unit_test tests[] = {
      {"number", test_number},
      {"round trip", test_round_trip},
      {"malformed", test_parse_fails},
      {"memveclist", test_memveclist},
      {"long lists", test_long_lists},
      {"strides", test_strides},
      {"addrlist", test_addrlist},
  };
  return RUN_SUITE("format", tests);
}

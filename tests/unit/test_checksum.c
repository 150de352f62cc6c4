/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Checksums and counting zero bytes, against the obvious loops. */
#include <stdlib.h>
#include <string.h>

#include "gasnet_tools.h"
#include "tests/unit/suite.h"

static void test_checksum(void)
{
  static unsigned char data[256];
  for (unsigned i = 0; i < sizeof data; i++) data[i] = (unsigned char)i;
  /* published values of FNV-1a, 64 bits */
  CU_ASSERT_EQUAL(gasnett_checksum("", 0), UINT64_C(0xcbf29ce484222325));
  CU_ASSERT_EQUAL(gasnett_checksum("a", 1), UINT64_C(0xaf63dc4c8601ec8c));
  CU_ASSERT_EQUAL(gasnett_checksum("foobar", 6), UINT64_C(0x85944171f73967e8));
  uint64_t whole = gasnett_checksum(data, sizeof data);
  for (unsigned bit = 0; bit < 8 * sizeof data; bit++) {
    data[bit / 8] ^= (unsigned char)(1u << bit % 8);
    CU_ASSERT_NOT_EQUAL(gasnett_checksum(data, sizeof data), whole);
    data[bit / 8] ^= (unsigned char)(1u << bit % 8);
  }
}

static size_t plain_count(const unsigned char *p, size_t n)
{
  size_t zeros = 0;
  for (size_t i = 0; i < n; i++) zeros += p[i] == 0;
  return zeros;
}

/* Bytes that carry into their neighbours when the trick is wrong: 0, 1, 0x7f, 0x80, 0xff. */
static void test_values(void)
{
  static const unsigned char byte[] = {0, 1, 0x7f, 0x80, 0xff};
  unsigned char b[8];
  for (unsigned code = 0; code < 5 * 5 * 5 * 5 * 5 * 5 * 5 * 5; code++) {
    unsigned c = code;
    for (int i = 0; i < 8; i++, c /= 5) b[i] = byte[c % 5];
    uint64_t v64;
    uint32_t v32;
    memcpy(&v64, b, 8);
    memcpy(&v32, b, 4);
    if (gasnett_count0s_uint64_t(v64) != (int)plain_count(b, 8)) CU_FAIL("64 bits");
    if (gasnett_count0s_uint32_t(v32) != (int)plain_count(b, 4)) CU_FAIL("32 bits");
    if (gasnett_count0s_uintptr_t((uintptr_t)v64) != (int)plain_count(b, sizeof(uintptr_t)))
      CU_FAIL("pointer");
  }
  CU_ASSERT_EQUAL(gasnett_count0s_uint64_t(0), 8);
  CU_ASSERT_EQUAL(gasnett_count0s_uint32_t(0), 4);
}

enum { MOST = 200, GUARD = 16 };

static void test_memory(void)
{
  unsigned char src[MOST + 8], dst[MOST + 2 * GUARD];
  for (unsigned i = 0; i < sizeof src; i++) src[i] = (unsigned char)(i * 37 % 4 ? i : 0);
  for (size_t at = 0; at < 8; at++)
    for (size_t n = 0; n <= MOST; n++) {
      memset(dst, 0xee, sizeof dst);
      CU_ASSERT_EQUAL(gasnett_count0s(src + at, n), plain_count(src + at, n));
      CU_ASSERT_EQUAL(gasnett_count0s_copy(dst + GUARD, src + at, n), plain_count(src + at, n));
      CU_ASSERT_EQUAL(memcmp(dst + GUARD, src + at, n), 0);
      CU_ASSERT(dst[GUARD - 1] == 0xee && dst[GUARD + n] == 0xee);
    }
}

static void test_register_values(void)
{
  unsigned char mem[10];
  for (size_t n = 1; n <= 8; n++) {
    memset(mem, 0xee, sizeof mem);
    GASNETT_VALUE_ASSIGN(mem + 1, (uintptr_t)UINT64_C(0x8877665544332211), n);
    CU_ASSERT(mem[0] == 0xee && mem[n + 1] == 0xee);
    uint64_t mask = n == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * n) - 1;
    CU_ASSERT_EQUAL(pst_value_load(mem + 1, n), UINT64_C(0x8877665544332211) & mask);
  }
  uint32_t four;
  GASNETT_VALUE_ASSIGN(&four, 0xdeadbeef, 4);
  CU_ASSERT_EQUAL(four, 0xdeadbeef);
}

int main(void)
{
  static const struct unit_test tests[] = {
      {"checksum", test_checksum},
      {"zero bytes of values", test_values},
      {"zero bytes of memory", test_memory},
      {"register values", test_register_values},
  };
  return RUN_SUITE("checksum", tests);
}

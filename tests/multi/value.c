/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Values of 1 to 8 bytes put and got in registers: the bytes of host order, nothing around them, high bits
 * dropped and returned as zero; many valgets in flight. */
#include "common.h"

#define CELL 64 /* one value with guards, a cell for each size, alignment and initiator */
static char *cell(gasnet_node_t node, size_t i) { return seg_at(node, TEST_GUARD + i * CELL + 24); }
static gasnet_register_value_t low(uint64_t v, size_t n)
{
  return n == 8 ? v : v & (((uint64_t)1 << 8 * n) - 1);
}

/* Offset of the value in its cell for a size: naturally aligned where the size has an alignment. */
static size_t place(size_t n, size_t shift)
{
  return n == 1 ? shift : n == 2 ? shift * 2 : n == 4 ? shift * 4 : shift / 2 * 8;
}

static void check_cell(size_t i, size_t n, size_t at, uint64_t v, const char *what)
{
  unsigned char expect[CELL];
  memset(expect, TEST_UNTOUCHED, sizeof expect);
  memcpy(expect + 24 + at, &v, n); /* little or big endian: the host's first n bytes of the n-byte integer */
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  memcpy(expect + 24 + at, (char *)&v + 8 - n, n);
#endif
  CHECK(memcmp(cell(test.me, i) - 24, expect, CELL) == 0, "%s of %zu bytes at offset %zu: memory is wrong",
      what, n, at);
}

static void test_puts(gasnet_node_t to, gasnet_node_t from, int form)
{
  static const char *const names[] = {"put_val", "put_nb_val", "put_nbi_val"};
  gasnet_handle_t h[8 * 4];
  size_t k = 0;
  test_barrier();
  memset(seg_at(test.me, 0), TEST_UNTOUCHED, 64 * CELL);
  test_barrier();
  for (size_t n = 1; n <= 8; n++)
    for (size_t s = 0; s < 4; s++, k++) {
      uint64_t v = test_key(test.me, k, (uint64_t)form);
      char *dst = cell(to, k) + place(n, s);
      if (form == 0) gasnet_put_val(to, dst, (gasnet_register_value_t)v, n);
      else if (form == 1) h[k] = gasnet_put_nb_val(to, dst, (gasnet_register_value_t)v, n);
      else gasnet_put_nbi_val(to, dst, (gasnet_register_value_t)v, n);
      if (form == 0) CHECK(gasnet_get_val(to, dst, n) == low(v, n), "get_val after put_val of %zu bytes", n);
    }
  if (form == 1) gasnet_wait_syncnb_all(h, k);
  if (form == 2) gasnet_wait_syncnbi_puts();
  char *last = direct_at(to, cell(to, k - 1) + place(8, 3));
  uint64_t expect = test_key(test.me, k - 1, (uint64_t)form);
  if (last) CHECK(memcmp(last, &expect, 8) == 0, "%s is synced and not there", names[form]);
  test_barrier();
  k = 0;
  for (size_t n = 1; n <= 8; n++)
    for (size_t s = 0; s < 4; s++, k++)
      check_cell(k, n, place(n, s), low(test_key(from, k, (uint64_t)form), n), names[form]);
}

static void test_gets(gasnet_node_t from)
{
  test_barrier();
  for (size_t k = 0; k < 64; k++) pattern_fill(cell(test.me, k), 32, test_key(test.me, k, 17));
  test_barrier();
  for (size_t k = 0; k < 64; k++) {
    unsigned char bytes[32];
    pattern_fill(bytes, sizeof bytes, test_key(from, k, 17));
    for (size_t n = 1; n <= 8; n++) {
      size_t at = place(n, k % 4);
      uint64_t expect = 0;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
      memcpy((char *)&expect + 8 - n, bytes + at, n);
#else
      memcpy(&expect, bytes + at, n);
#endif
      gasnet_register_value_t v = gasnet_get_val(from, cell(from, k) + at, n);
      CHECK(v == expect, "get_val of %zu bytes is %#llx, not %#llx", n, (unsigned long long)v,
          (unsigned long long)expect);
      gasnet_valget_handle_t h = gasnet_get_nb_val(from, cell(from, k) + at, n);
      v = gasnet_wait_syncnb_valget(h);
      CHECK(v == expect, "get_nb_val of %zu bytes is %#llx, not %#llx", n, (unsigned long long)v,
          (unsigned long long)expect);
    }
  }
}

static void test_many_valgets(gasnet_node_t from, size_t many)
{
  gasnet_valget_handle_t *h = (gasnet_valget_handle_t *)malloc(many * sizeof *h);
  REQUIRE(h, "no memory");
  test_barrier();
  uint64_t *own = (uint64_t *)seg_at(test.me, 0);
  for (size_t i = 0; i < 512; i++) own[i] = test_key(test.me, i, 18);
  test_barrier();
  for (size_t i = 0; i < many; i++) h[i] = gasnet_get_nb_val(from, (uint64_t *)seg_at(from, 0) + i % 512, 8);
  size_t bad = 0;
  for (size_t j = 0; j < many; j++) {
    size_t i = j & 1 ? j / 2 : many - 1 - j / 2; /* from both ends */
    bad += gasnet_wait_syncnb_valget(h[i]) != test_key(from, i % 512, 18);
  }
  CHECK(bad == 0, "%zu of %zu valgets in flight gave wrong values", bad, many);
  free(h);
}

int main(int argc, char **argv)
{
  test_start("value", &argc, &argv, NULL, 0, 64 * CELL + 4096);
  gasnet_node_t rounds = partner_rounds((gasnet_node_t)test_scaled(6));
  for (gasnet_node_t k = 0; k < rounds; k++) {
    gasnet_node_t r = partner_round(k, rounds);
    for (int form = 0; form < 3; form++) test_puts(peer_to(r), peer_from(r), form);
    test_gets(peer_to(r));
    test_many_valgets(peer_to(r), test_scaled(3000));
  }
  test_finish();
}

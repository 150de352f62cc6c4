/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Implicit handles: gets, puts, both; what each sync waits for; access regions. */
#include "common.h"

#define BLOCK 512
#define MANY  256
static char *far_at(gasnet_node_t node, size_t i)
{
  return seg_at(node, (i + 1) * 1024);
} /* 512 bytes with guards around */
static char (*here)[1024];
static gasnet_node_t target;
static char *local(size_t i) { return here[i] + TEST_GUARD; }
static uint64_t key(gasnet_node_t node, size_t i, unsigned phase) { return test_key(node, i, phase + 50); }

static void fill_own(unsigned phase)
{
  test_barrier();
  for (size_t i = 0; i < 2 * MANY; i++) {
    guard_open(far_at(test.me, i), BLOCK);
    if (i < MANY) pattern_fill(far_at(test.me, i), BLOCK, key(test.me, i, phase));
  }
  test_barrier();
}

static size_t size_of(size_t i)
{
  return i % 3 == 0 ? 8 : i % 3 == 1 ? BLOCK : i % BLOCK;
}

/* The first half of the target's blocks is read, the second half written. */
static void start_gets(void)
{
  for (size_t i = 0; i < MANY; i++) {
    guard_open(local(i), size_of(i));
    if (i & 1) gasnet_get_nbi_bulk(local(i), target, far_at(target, i), size_of(i));
    else gasnet_get_nbi(local(i), target, far_at(target, i), size_of(i));
  }
}

static void start_puts(unsigned phase)
{
  for (size_t i = 0; i < MANY; i++) {
    pattern_fill(local(MANY + i), size_of(i), key(test.me, MANY + i, phase));
    uint64_t word;
    memcpy(&word, local(MANY + i), 8);
    if (i % 16 == 15) { /* a fill, which the target may have to do itself */
      int byte = (int)(key(test.me, MANY + i, phase) & 255);
      memset(local(MANY + i), byte, size_of(i));
      gasnet_memset_nbi(target, far_at(target, MANY + i), byte, size_of(i));
    } else if (i % 3 == 0 && i % 2 == 0)
      gasnet_put_nbi_val(target, far_at(target, MANY + i), (gasnet_register_value_t)word, 8);
    else if (i % 2) gasnet_put_nbi_bulk(target, far_at(target, MANY + i), local(MANY + i), size_of(i));
    else {
      gasnet_put_nbi(target, far_at(target, MANY + i), local(MANY + i), size_of(i));
      memset(local(MANY + i), 0x33, size_of(i));
    }
  }
}

static void check_gets(unsigned phase, const char *what)
{
  for (size_t i = 0; i < MANY; i++) CHECK_BLOCK(local(i), size_of(i), key(target, i, phase), what);
}

static void check_written(const char *there, size_t i, gasnet_node_t by, unsigned phase, const char *what)
{
  uint64_t k = key(by, MANY + i, phase);
  if (i % 16 != 15) CHECK_PATTERN(there, size_of(i), k, what);
  else
    CHECK(bytes_bad(there, size_of(i), (int)(k & 255)) == size_of(i), "%s: block %zu is not filled", what, i);
}

/* After the initiator's sync the puts are complete at the target: checked directly where possible, and read
 * back. */
static void check_puts(unsigned phase, const char *what)
{
  if (phase % 2) return; /* the target looks first, after a barrier: reads would queue up behind the puts */
  for (size_t i = MANY; i-- > 0;) {
    char *there = direct_at(target, far_at(target, MANY + i));
    if (there) check_written(there, i, test.me, phase, what);
  }
  char back[BLOCK + 2 * TEST_GUARD];
  for (size_t i = 0; i < MANY; i++) {
    size_t n = size_of(i);
    gasnet_get_bulk(back, target, far_at(target, MANY + i) - TEST_GUARD, n + 2 * TEST_GUARD);
    check_written(back + TEST_GUARD, i, test.me, phase, what);
    CHECK_GUARDS(back + TEST_GUARD, n, what);
  }
}

static void check_at_target(unsigned phase, const char *what)
{
  test_barrier();
  gasnet_node_t from = peer_from(1);
  for (size_t i = 0; i < MANY; i++) {
    check_written(far_at(test.me, MANY + i), i, from, phase, what);
    CHECK_GUARDS(far_at(test.me, MANY + i), size_of(i), what);
    CHECK_BLOCK(far_at(test.me, i), BLOCK, key(test.me, i, phase), "memory that was only read");
  }
}

/* how: 0 wait, 1 try until ready */
static void sync_kind(int gets, int puts, int how)
{
  if (how == 0) {
    if (gets && puts) gasnet_wait_syncnbi_all();
    else if (gets) gasnet_wait_syncnbi_gets();
    else gasnet_wait_syncnbi_puts();
    return;
  }
  int rc;
  while ((rc = gets && puts ? gasnet_try_syncnbi_all()
                 : gets     ? gasnet_try_syncnbi_gets()
                            : gasnet_try_syncnbi_puts()) == GASNET_ERR_NOT_READY)
    test_yield();
  CHECK(rc == GASNET_OK, "try_syncnbi returned %d", rc);
}

static void one_phase(unsigned phase, int how)
{
  fill_own(phase);
  start_gets();
  start_puts(phase);
  if (phase % 3 == 0) {
    sync_kind(1, 1, how);
    check_gets(phase, "syncnbi_all");
    check_puts(phase, "syncnbi_all");
  } else if (phase % 3 == 1) {
    sync_kind(1, 0, how);
    check_gets(phase, "syncnbi_gets");
    sync_kind(0, 1, how);
    check_puts(phase, "syncnbi_puts");
  } else {
    sync_kind(0, 1, how);
    check_puts(phase, "syncnbi_puts first");
    sync_kind(1, 0, how);
    check_gets(phase, "syncnbi_gets second");
  }
  check_at_target(phase, "implicit put");
}

static void test_nothing_outstanding(void)
{
  gasnet_wait_syncnbi_all();
  gasnet_wait_syncnbi_gets();
  gasnet_wait_syncnbi_puts();
  CHECK(gasnet_try_syncnbi_all() == GASNET_OK && gasnet_try_syncnbi_gets() == GASNET_OK &&
          gasnet_try_syncnbi_puts() == GASNET_OK,
      "try_syncnbi with nothing outstanding");
  gasnet_begin_nbi_accessregion();
  gasnet_handle_t h = gasnet_end_nbi_accessregion();
  gasnet_wait_syncnb(h);
  gasnet_begin_nbi_accessregion();
  h = gasnet_end_nbi_accessregion();
  while (gasnet_try_syncnb(h) == GASNET_ERR_NOT_READY) test_yield();
}

/* A region's handle alone syncs its operations; explicit ones within the region stay explicit. */
static void test_region(unsigned phase)
{
  fill_own(phase);
  const uint64_t before = 10 * phase + 1, inside = 10 * phase + 2, explicit_one = 10 * phase + 3;
  uint64_t read = 0;
  char *spare = far_at(target, 2 * MANY) + test.me % 2 * 64;
  gasnet_put_nbi(target, spare, (void *)&before, 8);
  gasnet_begin_nbi_accessregion();
  start_gets();
  gasnet_handle_t e = gasnet_put_nb(target, spare + 8, (void *)&explicit_one, 8);
  gasnet_put_nbi(target, spare + 16, (void *)&inside, 8);
  start_puts(phase);
  gasnet_wait_syncnb(e);
  gasnet_get(&read, target, spare + 8, 8);
  CHECK(read == explicit_one, "explicit put within a region reads %llu", (unsigned long long)read);
  gasnet_handle_t region = gasnet_end_nbi_accessregion();
  gasnet_wait_syncnbi_all(); /* the put before the region */
  gasnet_get(&read, target, spare, 8);
  CHECK(read == before, "implicit put before a region reads %llu", (unsigned long long)read);
  gasnet_wait_syncnb(region);
  gasnet_get(&read, target, spare + 16, 8);
  CHECK(read == inside, "implicit put within a region reads %llu", (unsigned long long)read);
  check_gets(phase, "get in a region");
  check_puts(phase, "put in a region");
  check_at_target(phase, "put in a region");
}

/* Several regions outstanding, synced in the reverse order and by one call. */
static void test_many_regions(unsigned phase)
{
  enum { REGIONS = 40, EACH = 5 };
  gasnet_handle_t h[REGIONS];
  fill_own(phase);
  for (size_t r = 0; r < REGIONS; r++) {
    gasnet_begin_nbi_accessregion();
    for (size_t i = r * EACH; i < (r + 1) * EACH; i++) {
      guard_open(local(i), BLOCK);
      gasnet_get_nbi_bulk(local(i), target, far_at(target, i), BLOCK);
    }
    h[r] = gasnet_end_nbi_accessregion();
  }
  for (size_t r = REGIONS; r-- > REGIONS / 2;) {
    gasnet_wait_syncnb(h[r]);
    for (size_t i = r * EACH; i < (r + 1) * EACH; i++)
      CHECK_BLOCK(local(i), BLOCK, key(target, i, phase), "region synced in reverse");
  }
  gasnet_wait_syncnb_all(h, REGIONS / 2);
  for (size_t i = 0; i < REGIONS / 2 * EACH; i++)
    CHECK_BLOCK(local(i), BLOCK, key(target, i, phase), "regions synced together");
}

int main(int argc, char **argv)
{
  test_start("implicit", &argc, &argv, NULL, 0, (2 * MANY + 3) * 1024);
  here = (char(*)[1024])calloc(2 * MANY, sizeof *here);
  REQUIRE(here, "no memory");
  gasnet_node_t rounds = partner_rounds(2);
  target = peer_to(1);
  test_nothing_outstanding();
  for (unsigned phase = 0; phase < test_scaled(12 * rounds); phase++) one_phase(phase, (int)(phase / 3 % 2));
  for (unsigned phase = 100; phase < 100 + test_scaled(6); phase++) test_region(phase);
  test_many_regions(200);
  test_nothing_outstanding();
  test_finish();
}

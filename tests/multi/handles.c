/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Explicit handles: each sync call, invalid entries, orders of completion, and very many operations in
 * flight. */
#include "common.h"

#define MILLION 1000000
static uint64_t *landing; /* local destinations and sources */
static gasnet_handle_t *handle;
static uint64_t *far; /* `target`'s array, by its address there */
static gasnet_node_t target;
static size_t fills_at; /* where test_fills works, in each segment */

static uint64_t value(gasnet_node_t owner, size_t i) { return test_key(owner, i, 9); }

static void start_gets(size_t n)
{
  memset(landing, TEST_UNTOUCHED, n * sizeof *landing);
  for (size_t i = 0; i < n; i++) handle[i] = gasnet_get_nb(&landing[i], target, &far[i], sizeof far[i]);
}

static void check_gets(size_t n, const char *what)
{
  for (size_t i = 0; i < n; i++)
    if (landing[i] != value(target, i)) {
      CHECK(0, "%s: element %zu of %zu is wrong", what, i, n);
      return;
    }
}

static void check_all_invalid(size_t n, const char *what)
{
  for (size_t i = 0; i < n; i++)
    if (handle[i] != GASNET_INVALID_HANDLE) {
      CHECK(0, "%s: handle %zu of %zu was not overwritten", what, i, n);
      return;
    }
}

/* Calls that have nothing to wait for: all are done at once. */
static void test_invalid(void)
{
  gasnet_handle_t none[3] = {GASNET_INVALID_HANDLE, GASNET_INVALID_HANDLE, GASNET_INVALID_HANDLE};
  static const gasnet_handle_t zero;
  CHECK(memcmp(&none[0], &zero, sizeof zero) == 0, "GASNET_INVALID_HANDLE is not all zero bits");
  gasnet_wait_syncnb(GASNET_INVALID_HANDLE);
  CHECK(gasnet_try_syncnb(GASNET_INVALID_HANDLE) == GASNET_OK, "try_syncnb(invalid)");
  CHECK(gasnet_try_syncnb_nopoll(GASNET_INVALID_HANDLE) == GASNET_OK, "try_syncnb_nopoll(invalid)");
  gasnet_wait_syncnb_all(none, 3);
  gasnet_wait_syncnb_some(none, 3);
  CHECK(gasnet_try_syncnb_all(none, 3) == GASNET_OK && gasnet_try_syncnb_some(none, 3) == GASNET_OK,
      "try on invalid entries");
  CHECK(gasnet_try_syncnb_all_nopoll(none, 3) == GASNET_OK &&
          gasnet_try_syncnb_some_nopoll(none, 3) == GASNET_OK,
      "nopoll try on invalid entries");
  gasnet_wait_syncnb_all(none, 0);
  gasnet_wait_syncnb_some(none, 0);
  CHECK(gasnet_try_syncnb_all(none, 0) == GASNET_OK && gasnet_try_syncnb_some(none, 0) == GASNET_OK,
      "try on no entries");
}

static void test_one_at_a_time(size_t n)
{
  start_gets(n);
  for (size_t i = n; i-- > 0;) gasnet_wait_syncnb(handle[i]); /* the reverse of how they started */
  check_gets(n, "wait in reverse order");
  start_gets(n);
  for (size_t i = 0; i < n; i++) {
    size_t k = i * 7 % n; /* n is no multiple of 7 */
    while (gasnet_try_syncnb(handle[k]) == GASNET_ERR_NOT_READY) test_yield();
  }
  check_gets(n, "try in another order");
  start_gets(n);
  for (size_t i = 0; i < n; i++)
    while (gasnet_try_syncnb_nopoll(handle[i]) == GASNET_ERR_NOT_READY) gasnet_AMPoll();
  check_gets(n, "try_syncnb_nopoll");
}

/* With invalid entries in between. */
static void test_all_forms(size_t n)
{
  start_gets(n);
  gasnet_handle_t kept = handle[n / 2];
  gasnet_wait_syncnb(kept);
  handle[n / 2] = GASNET_INVALID_HANDLE;
  gasnet_wait_syncnb_all(handle, n);
  check_all_invalid(n, "wait_syncnb_all");
  check_gets(n, "wait_syncnb_all");
  start_gets(n);
  int rc;
  while ((rc = gasnet_try_syncnb_all(handle, n)) == GASNET_ERR_NOT_READY) test_yield();
  CHECK(rc == GASNET_OK, "try_syncnb_all returned %d", rc);
  check_all_invalid(n, "try_syncnb_all");
  check_gets(n, "try_syncnb_all");
  start_gets(n);
  while ((rc = gasnet_try_syncnb_all_nopoll(handle, n)) == GASNET_ERR_NOT_READY) gasnet_AMPoll();
  check_all_invalid(n, "try_syncnb_all_nopoll");
  check_gets(n, "try_syncnb_all_nopoll");
}

static size_t valid_handles(size_t n)
{
  size_t k = 0;
  for (size_t i = 0; i < n; i++) k += handle[i] != GASNET_INVALID_HANDLE;
  return k;
}

/* Each `some` call that succeeds completes at least one operation, and the data of all that it calls done is
 * there. */
static void test_some_forms(size_t n, int form)
{
  start_gets(n);
  size_t left = valid_handles(n);
  while (left) {
    int rc = GASNET_OK;
    if (form == 0) gasnet_wait_syncnb_some(handle, n);
    else if (form == 1) rc = gasnet_try_syncnb_some(handle, n);
    else rc = gasnet_try_syncnb_some_nopoll(handle, n);
    size_t now = valid_handles(n);
    if (rc == GASNET_OK) CHECK(now < left, "a _some call succeeded and completed none of %zu", left);
    else
      CHECK(rc == GASNET_ERR_NOT_READY && now == left, "a _some call returned %d with %zu of %zu left", rc,
          now, left);
    if (rc != GASNET_OK) test_yield();
    if (form == 2 && rc != GASNET_OK) gasnet_AMPoll();
    for (size_t i = 0; i < n; i++)
      if (handle[i] == GASNET_INVALID_HANDLE && landing[i] != value(target, i)) {
        CHECK(0, "_some form %d: element %zu is called done and is wrong", form, i);
        return;
      }
    left = now;
  }
  check_gets(n, "_some");
}

static void test_many(size_t n)
{
  start_gets(n);
  gasnet_wait_syncnb_all(handle, n);
  check_all_invalid(n, "many gets");
  check_gets(n, "many gets");
  for (size_t i = 0; i < n; i++) landing[i] = ~value(target, i);
  for (size_t i = 0; i < n; i++) handle[i] = gasnet_put_nb(target, &far[i], &landing[i], sizeof far[i]);
  for (size_t i = n; i-- > 0;) {
    gasnet_wait_syncnb(handle[i]);
    uint64_t *there = (uint64_t *)(void *)direct_at(target, &far[i]);
    if (there && *(volatile uint64_t *)there != ~value(target, i)) {
      CHECK(0, "put %zu of %zu is called done and is not there", i, n);
      break;
    }
  }
  memset(landing, 0, n * sizeof *landing);
  gasnet_get_bulk(landing, target, far, n * sizeof *landing);
  for (size_t i = 0; i < n; i++)
    if (landing[i] != ~value(target, i)) {
      CHECK(0, "many puts: element %zu of %zu is wrong", i, n);
      break;
    }
  for (size_t i = 0; i < n; i++) landing[i] = value(target, i);
  gasnet_put_bulk(target, far, landing, n * sizeof *landing);
}

/* Few handles, the slowest first, in the middle or last: none may be forgotten. */
static void test_slow_one(size_t slow)
{
  enum { N = 4 };
  static unsigned char in[256 * 1024 + 2 * TEST_GUARD];
  uint64_t words[N] = {0};
  gasnet_handle_t h[N];
  for (int form = 0; form < 3; form++) {
    guard_open(in + TEST_GUARD, 256 * 1024);
    for (size_t i = 0; i < N; i++)
      h[i] = i == slow ? gasnet_get_nb_bulk(in + TEST_GUARD, target, far, 256 * 1024)
                       : gasnet_get_nb(&words[i], target, &far[i], 8);
    if (form == 0) gasnet_wait_syncnb_all(h, N);
    else if (form == 1)
      while (gasnet_try_syncnb_all(h, N) != GASNET_OK) test_yield();
    else
      for (size_t i = 0; i < N; i++) gasnet_wait_syncnb(h[i]);
    uint64_t last;
    memcpy(&last, in + TEST_GUARD + 256 * 1024 - 8, 8);
    CHECK(last == value(target, 256 * 1024 / 8 - 1), "form %d: the slow get at %zu was not waited for", form,
        slow);
    for (size_t i = 0; i < N; i++)
      CHECK(i == slow || words[i] == value(target, i), "form %d: get %zu beside a slow one", form, i);
    CHECK_GUARDS(in + TEST_GUARD, 256 * 1024, "a large get among small ones");
  }
}

static void wait_for_fills(int form, gasnet_handle_t *h, size_t n)
{
  if (form == 0) gasnet_wait_syncnb_all(h, n);
  if (form == 1)
    while (gasnet_try_syncnb_all(h, n) != GASNET_OK) test_yield();
  if (form == 2)
    for (size_t i = n; i-- > 0;) gasnet_wait_syncnb(h[i]);
  if (form == 4) gasnet_wait_syncnbi_puts();
  if (form == 5)
    while (gasnet_try_syncnbi_puts() != GASNET_OK) test_yield();
  if (form == 6) gasnet_wait_syncnbi_all();
  if (form == 7)
    while (gasnet_try_syncnbi_all() != GASNET_OK) test_yield();
}

/* The target may have to do fills itself: after their sync and a barrier it must see them. Even nodes fill
 * the next one, which does not poll for a while: fills that are called done too early have not arrived
 * then. */
static void test_fills(void)
{
  enum { N = 150, B = 80 }; /* more than a poll is likely to serve, fewer than a queue is likely to hold */
  static gasnet_handle_t h[N];
  int fills = test.me % 2 == 0 && test.me + 1 < test.nodes, filled = test.me % 2 == 1;
  for (int form = 0; form < 8; form++) {
    test_barrier();
    for (size_t i = 0; fills && i < N; i++) {
      char *dst = seg_at(test.me + 1, fills_at + i * B);
      int byte = (int)((size_t)form + i) & 127;
      h[i] = GASNET_INVALID_HANDLE;
      if (form < 3) h[i] = gasnet_memset_nb(test.me + 1, dst, byte, B);
      else if (form == 3) gasnet_memset(test.me + 1, dst, byte, B);
      else gasnet_memset_nbi(test.me + 1, dst, byte, B);
    }
    if (fills) wait_for_fills(form, h, N);
    gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
    if (filled)
      for (volatile int deaf = 0; deaf < 2000000; deaf++) {}
    REQUIRE_OK(gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS));
    for (size_t i = N; filled && i-- > 0;)
      CHECK(bytes_bad(seg_at(test.me, fills_at + i * B), B, (int)((size_t)form + i) & 127) == B,
          "form %d: fill %zu is called done and is not", form, i);
  }
}

/* Operations of all kinds in one array. */
static void test_mixed(void)
{
  enum { N = 60, B = 4000 };
  static unsigned char in[N][B + 2 * TEST_GUARD];
  uint64_t words[N];
  for (size_t i = 0; i < N; i++) {
    words[i] = value(target, i);
    guard_open(in[i] + TEST_GUARD, B);
    handle[i] = i % 4 == 0 ? gasnet_put_nb(target, &far[i], &words[i], 8)
        : i % 4 == 1       ? gasnet_get_nb_bulk(in[i] + TEST_GUARD, target, far, B)
        : i % 4 == 2       ? gasnet_put_nb_val(target, &far[i], (gasnet_register_value_t)words[i], 8)
                           : gasnet_put_nb_bulk(target, &far[i], &words[i], 8);
  }
  gasnet_wait_syncnb_all(handle, N);
  check_all_invalid(N, "mixed operations");
  for (size_t i = 1; i < N; i += 4) {
    for (size_t k = 0; k < B / 8; k++) {
      uint64_t w;
      memcpy(&w, in[i] + TEST_GUARD + 8 * k, 8);
      if (w != value(target, k)) {
        CHECK(0, "get among puts: word %zu is wrong", k);
        break;
      }
    }
    CHECK_GUARDS(in[i] + TEST_GUARD, B, "get among puts");
  }
}

int main(int argc, char **argv)
{
  test_init("handles", &argc, &argv);
  const char *most = test_option(&argc, argv, "--many");
  test_no_more_options(argc, argv);
  size_t many = most ? strtoull(most, NULL, 0) : 65535;
  size_t n = many < 65535 ? 65535 : many;
  fills_at = n * sizeof *far + 2 * TEST_GUARD;
  test_attach(NULL, 0, fills_at + 32000);
  target = peer_to(1);
  far = (uint64_t *)seg_at(target, TEST_GUARD);
  landing = (uint64_t *)malloc(n * sizeof *landing);
  handle = (gasnet_handle_t *)calloc(n, sizeof *handle);
  REQUIRE(landing && handle, "no memory for %zu handles", n);
  uint64_t *own = (uint64_t *)seg_at(test.me, TEST_GUARD);
  guard_open(own, n * sizeof *own);
  for (size_t i = 0; i < n; i++) own[i] = value(test.me, i);
  test_barrier();
  test_invalid();
  size_t few = test_scaled(1000);
  few += few % 7 == 0;
  test_one_at_a_time(few < n ? few : 1000);
  test_all_forms(few < n ? few : 1000);
  for (int form = 0; form < 3; form++) test_some_forms(200, form);
  for (size_t slow = 0; slow < 4; slow++)
    for (size_t k = 0; k < test_scaled(10); k++) test_slow_one(slow);
  test_fills();
  test_barrier(); /* test_mixed changes what others' gets expect */
  test_mixed();
  test_many(65535);
  if (many > 65535 && test.me == 0) test_many(many);
  test_barrier();
  CHECK_GUARDS(own, n * sizeof *own, "puts with handles");
  test_finish();
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Handles: more under way than 16 bits count, synchronised in all ways; calls that have nothing to do. flight
 * [--seed S] [--scale X] [--many N] */
#include "common.h"

static struct rng r; /* this thread's own */

/* ---- nothing to do ---- */

static void complete_handles(void)
{
  upc_handle_t none[] = {UPC_COMPLETE_HANDLE, BUPC_COMPLETE_HANDLE, UPC_COMPLETE_HANDLE}, zero;
  memset(&zero, 0, sizeof zero);
  CHECK(zero == UPC_COMPLETE_HANDLE, "UPC_COMPLETE_HANDLE is not all zero");
  upc_waitsync(zero);
  CHECK(upc_trysync(zero) && bupc_trysync(zero), "trysync of a complete handle");
  for (size_t n = 0; n <= 3; n++) {
    upc_waitsync_all(none, n);
    upc_waitsync_some(none, n);
    bupc_waitsync_all(none, n);
    bupc_waitsync_some(none, n);
    CHECK(upc_trysync_all(none, n) && bupc_trysync_all(none, n), "trysync_all of %zu complete handles", n);
    CHECK(upc_trysync_some(none, n) && bupc_trysync_some(none, n), "trysync_some of %zu complete handles", n);
  }
  upc_waitsync_all(NULL, 0);
  upc_waitsync_some(NULL, 0);
  CHECK(upc_trysync_all(NULL, 0) && upc_trysync_some(NULL, 0), "trysync of no handles at all");
  upc_waitsynci();
  CHECK(upc_trysynci() && bupc_trysynci(), "trysynci without operations");
  upc_begin_accessregion();
  upc_waitsync(upc_end_accessregion());
}

static void no_bytes(upc_pts_t p)
{
  char c = 0;
  size_t strides[] = {0}, count[] = {4, 0};
  upc_memcpy(p, p, 0);
  upc_memput(p, &c, 0);
  upc_memget(&c, p, 0);
  upc_memset(p, 7, 0);
  upc_waitsync(upc_memcpy_async(p, p, 0));
  upc_memget_asynci(&c, p, 0);
  upc_waitsynci();
  upc_memcpy_vlist(0, NULL, 0, NULL);
  upc_waitsync(upc_memput_vlist_async(0, NULL, 0, NULL));
  upc_memget_ilist(0, NULL, 4, 0, NULL, 8);
  upc_waitsync(upc_memcpy_ilist_async(0, NULL, 4, 0, NULL, 8));
  upc_memput_fstrided(UPC_PTS_NULL, 0, 0, 5, NULL, 7, 7, 0);
  upc_memcpy_strided(UPC_PTS_NULL, strides, UPC_PTS_NULL, strides, count, 1);
  upc_memget_2d(NULL, 0, UPC_PTS_NULL, 0, 0, 9);
  upc_memput_3d(UPC_PTS_NULL, 9, 9, NULL, 9, 9, 9, 1, 0);
  upc_memcpy_any(UPC_PTS_NULL, NULL, UPC_PTS_NULL, NULL, 0, count, 0);
  upc_memcpy_reblock(UPC_PTS_NULL, 3, UPC_PTS_NULL, 5, 0, 8);
  upc_memget_across(NULL, UPC_PTS_NULL, 3, 2, 0, 8);
}

/* ---- many ---- */

enum { EACH = 8 };
static size_t many;
static upc_handle_t *handle;
static upc_pts_t from, to; /* EACH * many bytes of each thread */
static char *here;

static upc_pts_t part(upc_pts_t all, int thread, size_t i)
{
  return pts_bytes(upc_pts_add(all, thread, 1, EACH * many), EACH * i);
}

static upc_handle_t start_put(int thread, size_t i)
{
  return upc_memput_async(part(to, thread, i), here + EACH * i, EACH);
}
static upc_handle_t start_get(int thread, size_t i)
{
  return upc_memget_async(here + EACH * i, part(from, thread, i), EACH);
}
static upc_handle_t start_copy(int thread, size_t i)
{
  return upc_memcpy_async(part(to, thread, i), part(from, (thread + 1) % THREADS, i), EACH);
}
static size_t incomplete(void)
{
  size_t n = 0;
  for (size_t i = 0; i < many; i++) n += handle[i] != UPC_COMPLETE_HANDLE;
  return n;
}

static void wait_for_all(void) { upc_waitsync_all(handle, many); }

static void wait_backwards(void)
{
  for (size_t i = many; i-- > 0;) {
    upc_waitsync(handle[i]);
    handle[i] = UPC_COMPLETE_HANDLE;
  }
}

static void wait_for_some(void)
{
  for (size_t before, after = incomplete(); after > 0;) {
    before = after;
    upc_waitsync_some(handle, many);
    after = incomplete();
    CHECK(after < before, "upc_waitsync_some of %zu completes none", before);
  }
}

static void try_some(void)
{
  for (size_t first = 0; first < many; first += 1000) {
    size_t n = many - first < 1000 ? many - first : 1000;
    while (!upc_trysync_all(handle + first, n)) {
      upc_trysync_some(handle + first, n);
      test_yield();
    }
  }
}

static void fly(upc_handle_t (*start)(int, size_t), void (*wait)(void), const char *what, int writes)
{
  const int next = (MYTHREAD + 1) % THREADS;
  uint64_t key = rng_next(&r), source = test_key(4, (uint64_t)next, 0);
  pattern_fill(here, EACH * many, key);
  memset(own(part(to, MYTHREAD, 0)), TEST_UNTOUCHED, EACH * many);
  upc_barrier();
  for (size_t i = 0; i < many; i++) handle[i] = start(next, i);
  wait();
  CHECK(incomplete() == 0, "%s: %zu of %zu handles are left", what, incomplete(), many);
  if (!writes) CHECK_PATTERN(here, EACH * many, source, what);
  upc_barrier();
  if (writes == 2)
    CHECK_PATTERN(
        own(part(to, MYTHREAD, 0)), EACH * many, test_key(4, (uint64_t)((MYTHREAD + 1) % THREADS), 0), what);
  if (writes == 1) {
    char *got = (char *)malloc(EACH * many);
    upc_memget(got, part(to, next, 0), EACH * many);
    CHECK_PATTERN(got, EACH * many, key, what);
    free(got);
  }
  upc_barrier();
}

/* All of them with one implicit handle, and in one access region. */
static void implicit(int region)
{
  const int next = (MYTHREAD + 1) % THREADS;
  memset(here, 0, EACH * many);
  upc_barrier();
  if (region) upc_begin_accessregion();
  for (size_t i = 0; i < many; i++) upc_memget_asynci(here + EACH * i, part(from, next, i), EACH);
  if (region) upc_waitsync(upc_end_accessregion());
  else upc_waitsynci();
  CHECK_PATTERN(
      here, EACH * many, test_key(4, (uint64_t)next, 0), region ? "many in a region" : "many implicit ones");
  upc_barrier();
}

int main(int argc, char **argv)
{
  const char *count = test_option(&argc, argv, "--many");
  test_start("flight", &argc, &argv);
  many = count ? strtoull(count, NULL, 0) : 70000;
  rng_init(&r, test_key(3, (uint64_t)MYTHREAD, 0));
  handle = (upc_handle_t *)calloc(many, sizeof *handle);
  here = (char *)malloc(EACH * many);
  REQUIRE(handle && here && many > 0, "no memory for %zu handles", many);
  from = upc_all_alloc((size_t)THREADS, EACH * many);
  to = upc_all_alloc((size_t)THREADS, EACH * many);
  pattern_fill(own(part(from, MYTHREAD, 0)), EACH * many, test_key(4, (uint64_t)MYTHREAD, 0));
  complete_handles();
  no_bytes(part(to, MYTHREAD, 0));
  fly(start_put, wait_for_all, "many puts", 1);
  fly(start_get, wait_backwards, "many gets", 0);
  fly(start_get, try_some, "many gets, tried", 0);
  fly(start_copy, try_some, "many copies", 2);
  implicit(0);
  implicit(1);
  many = many < 3000 ? many : 3000; /* each call looks at all */
  fly(start_put, wait_for_some, "some puts", 1);
  upc_all_free(from);
  upc_all_free(to);
  free(here);
  free(handle);
  return test_finish();
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Calls of the UPC library that break its rules; tests/check_upc_misuse.sh knows the messages, which name the
 * call, the thread and the values. */
#include "common.h"

#include "../misuse.h"

static upc_pts_t all; /* 64 bytes a thread */
static int other;

/* For errors that the environment causes. */
static void nothing(void) {}

/* ---- barriers ---- */

static void mismatch(void) { upc_barrier(5 + MYTHREAD); }
static void other_wait(void)
{
  upc_notify(7);
  upc_wait(8);
}
static void lone_wait(void) { upc_wait(); }
static void two_notifies(void)
{
  upc_notify();
  upc_notify();
}

static void all_between(void)
{
  upc_notify();
  upc_all_alloc(4, 8);
}

/* ---- pointers ---- */

static upc_pts_t far(uint64_t address, int thread) { return (upc_pts_t){address, (uint32_t)thread, 0}; }
static void no_thread(void) { upc_memput(far(upc_addrfield(all), 77), &other, sizeof other); }
static void outside(void) { upc_memget(&other, far((uint64_t)1 << 50, 1), sizeof other); }
static void null_pointer(void) { upc_memset(UPC_PTS_NULL, 0, 8); }

/* ---- allocation ---- */

static void double_free(void)
{
  upc_pts_t p = upc_alloc(100);
  upc_free(p);
  upc_free(p);
}
static void double_global_free(void)
{
  upc_pts_t p = upc_global_alloc(4, 100);
  upc_free(p);
  upc_free(p);
}
static void bad_free(void) { upc_free(pts_bytes(upc_alloc(100), 16)); }
static void exhausted(void) { upc_alloc((size_t)1 << 40); }
static void exhausted_global(void) { upc_global_alloc(1000, (size_t)1 << 40); }
static void exhausted_in_pieces(void)
{
  for (;;) upc_alloc(4000);
}
static void too_much(void) { upc_global_alloc((size_t)1 << 40, (size_t)1 << 40); }

/* ---- locks, handles, start ---- */

static void bad_unlock(void) { upc_unlock(upc_global_lock_alloc()); }
static void own_lock(void)
{
  upc_lock_t *lock = upc_global_lock_alloc();
  upc_lock(lock);
  upc_lock(lock);
}
static upc_lock_t *freed(void)
{
  upc_lock_t *lock = upc_global_lock_alloc();
  upc_lock_free(lock);
  return lock;
}
static void freed_lock(void) { upc_lock(freed()); }
static void freed_attempt(void) { upc_lock_attempt(freed()); }
static void freed_twice(void) { upc_lock_free(freed()); }
static void freed_before(void)
{
  upc_lock_t *lock = freed();
  for (int i = 0; i < 100; i++) freed();
  upc_lock(lock);
}
static void freed_while_held(void)
{
  upc_lock_t *lock = upc_global_lock_alloc();
  upc_lock(lock);
  upc_lock_free(lock);
  upc_unlock(lock);
  upc_lock(lock);
}
static void lock_of_no_thread(void) { upc_lock((upc_lock_t *)(uintptr_t)((uint64_t)2 << 34 | 5)); }
static void nested_regions(void)
{
  upc_begin_accessregion();
  upc_begin_accessregion();
}
static void no_region(void) { upc_waitsync(upc_end_accessregion()); }
static void wait_in_region(void)
{
  upc_begin_accessregion();
  upc_waitsynci();
}
static void init_twice(void) { upc_init(NULL, NULL); }

/* ---- transfers ---- */

static void totals(void)
{
  upc_smemvec_t to[] = {{upc_pts_add(all, other, 1, 64), 24}};
  char data[25] = "";
  upc_pmemvec_t from[] = {{data, 25}};
  upc_memput_vlist(1, to, 1, from);
}
static void short_stride(void)
{
  char data[64] = "";
  upc_memput_fstrided(upc_pts_add(all, other, 1, 64), 8, 7, 2, data, 16, 16, 1);
}
static void not_mine(void)
{
  upc_pts_t said = upc_all_alloc(2, sizeof(uint64_t));
  uint64_t sem = (uint64_t)(uintptr_t)upc_sem_alloc();
  upc_memput(upc_pts_add(said, MYTHREAD, 1, sizeof sem), &sem, sizeof sem);
  upc_barrier();
  upc_memget(&sem, upc_pts_add(said, other, 1, sizeof sem), sizeof sem);
  if (MYTHREAD == 0) upc_sem_wait((upc_sem_t *)(uintptr_t)sem, 1);
}

static const struct misuse cases[] = {
    CASE(mismatch, BOTH),
    CASE(other_wait, ALWAYS),
    CASE(lone_wait, ALWAYS),
    CASE(two_notifies, ALWAYS),
    CASE(all_between, ALWAYS),
    CASE(no_thread, DEBUG),
    CASE(outside, DEBUG),
    CASE(null_pointer, DEBUG),
    CASE(double_free, ALWAYS),
    CASE(double_global_free, ALWAYS),
    CASE(bad_free, ALWAYS),
    CASE(exhausted, ALWAYS),
    CASE(exhausted_global, ALWAYS),
    CASE(exhausted_in_pieces, ALWAYS),
    CASE(too_much, ALWAYS),
    CASE(bad_unlock, ALWAYS),
    CASE(own_lock, ALWAYS),
    CASE(freed_lock, ALWAYS),
    CASE(freed_attempt, ALWAYS),
    CASE(freed_twice, ALWAYS),
    CASE(freed_before, ALWAYS),
    CASE(freed_while_held, ALWAYS),
    CASE(lock_of_no_thread, ALWAYS),
    CASE(nested_regions, ALWAYS),
    CASE(no_region, ALWAYS),
    CASE(wait_in_region, ALWAYS),
    CASE(init_twice, ALWAYS),
    {"early", EARLY, lone_wait},
    {"early-alloc", EARLY, exhausted},
    {"bad-heap", EARLY, nothing},
    {"negative-heap", EARLY, nothing},
    {"large-heap", EARLY, nothing},
    CASE(totals, ALWAYS),
    CASE(short_stride, ALWAYS),
    CASE(not_mine, BOTH),
};

/* The job ends in this call. */
static void run_case(const struct misuse *one)
{
  all = upc_all_alloc((size_t)THREADS, 64);
  other = (MYTHREAD + 1) % THREADS;
  upc_barrier();
  if (MYTHREAD == 0 || one->kind & BOTH) one->run();
  for (;;) {
    upc_barrier();
    test_yield();
  }
}

int main(int argc, char **argv)
{
  const struct misuse *one = MISUSE_CASE(&argc, argv, cases);
  if (!one) return 2;
  if (one->kind & EARLY) one->run();
  test_init("misuse", &argc, &argv);
  run_case(one);
}

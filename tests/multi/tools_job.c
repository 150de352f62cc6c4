/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The tools interface within a job: atomics in memory that several processes share, locks between threads,
 * clocks, the launching shell's environment, thread keys, helpers for messages. (Without a job: the unit
 * tests.) */
#include "common.h"
#include <gasnet_tools.h>

#include <math.h>
#include <signal.h>

/* ---- atomics between processes: node 0's segment, reached directly where it can be ---- */

struct shared {
  gasnett_strongatomic_t count;
  char apart0[60];
  gasnett_strongatomic64_t wide;
  char apart1[56];
  gasnett_atomic32_t lock;
  char apart2[60];
  volatile uint64_t guarded;
  gasnett_strongatomic64_t owner;
};

static struct shared *reach_shared(void)
{
  gasnet_nodeinfo_t *info = (gasnet_nodeinfo_t *)calloc(test.nodes, sizeof *info);
  REQUIRE_OK(gasnet_getNodeInfo(info, (int)test.nodes));
  struct shared *s = NULL;
  if (info[0].supernode == info[test.me].supernode)
    s = (struct shared *)((uintptr_t)test.seg[0].addr + info[0].offset);
  free(info);
  return s;
}

static void count_together(struct shared *s, size_t rounds)
{
  for (size_t i = 0; i < rounds; i++) {
    gasnett_strongatomic_increment(&s->count, GASNETT_ATOMIC_NONE);
    gasnett_strongatomic64_add(&s->wide, ((uint64_t)1 << 33) + 1, GASNETT_ATOMIC_NONE);
    if (i % 8) continue;
    while (!gasnett_atomic32_compare_and_swap(&s->lock, 0, 1, GASNETT_ATOMIC_ACQ_IF_TRUE)) test_yield();
    s->guarded = s->guarded + 1;
    gasnett_atomic32_set(&s->lock, 0, GASNETT_ATOMIC_REL);
  }
}

static void test_shared_atomics(void)
{
  struct shared *s = reach_shared();
  size_t rounds = test_scaled(5000) / 8 * 8 + 8;
  if (test.me == 0) memset(s, 0, sizeof *s);
  test_barrier();
  if (s) count_together(s, rounds);
  uint64_t members = s != NULL, sum = 0; /* how many took part: one word each, added up by node 0 */
  gasnet_put_val(0, seg_at(0, 1024 + test.me * 8), members, 8);
  test_barrier();
  if (test.me == 0) {
    for (gasnet_node_t i = 0; i < test.nodes; i++) sum += *(uint64_t *)seg_at(0, 1024 + i * 8);
    CHECK(gasnett_strongatomic_read(&s->count, 0) == (gasnett_strongatomic_val_t)(sum * rounds),
        "count is %u, not %llu", (unsigned)gasnett_strongatomic_read(&s->count, 0),
        (unsigned long long)(sum * rounds));
    CHECK(gasnett_strongatomic64_read(&s->wide, 0) == sum * rounds * (((uint64_t)1 << 33) + 1),
        "the 64-bit sum is wrong");
    CHECK(s->guarded == sum * rounds / 8, "%llu counts under a lock of atomics, not %llu",
        (unsigned long long)s->guarded, (unsigned long long)(sum * rounds / 8));
  }
  test_barrier();
}

/* ---- every operation of a family, in one thread ---- */

#define FAMILY(name, val) \
  static name##_t name##_static = name##_init(5); \
  static void test_##name(void) \
  { \
    name##_t *a = &name##_static; \
    const int f = GASNETT_ATOMIC_REL | GASNETT_ATOMIC_ACQ; \
    CHECK(name##_read(a, 0) == 5, #name "_init"); \
    name##_set(a, 10, f); \
    CHECK(name##_add(a, 7, f) == 17 && \
            name##_subtract(a, 2, GASNETT_ATOMIC_MB_PRE | GASNETT_ATOMIC_MB_POST) == 15, \
        #name "_add/_subtract"); \
    CHECK( \
        name##_swap(a, 3, f) == 15 && name##_read(a, GASNETT_ATOMIC_RMB_PRE | GASNETT_ATOMIC_RMB_POST) == 3, \
        #name "_swap"); \
    CHECK(!name##_compare_and_swap(a, 4, 9, GASNETT_ATOMIC_ACQ_IF_FALSE) && name##_read(a, 0) == 3, \
        #name "_compare_and_swap that must fail"); \
    CHECK(name##_compare_and_swap(a, 3, 1, GASNETT_ATOMIC_ACQ_IF_TRUE) && name##_read(a, 0) == 1, \
        #name "_compare_and_swap"); \
    name##_increment(a, GASNETT_ATOMIC_WMB_PRE); \
    name##_decrement(a, GASNETT_ATOMIC_WMB_POST); \
    CHECK(name##_decrement_and_test(a, 0) != 0 && name##_decrement_and_test(a, 0) == 0, \
        #name "_decrement_and_test"); \
    CHECK(name##_read(a, 0) == (val)-1 && name##_signed(name##_read(a, 0)) == -1, \
        #name " wraps and is signed"); \
  }
FAMILY(gasnett_atomic, gasnett_atomic_val_t)
FAMILY(gasnett_atomic32, uint32_t)
FAMILY(gasnett_atomic64, uint64_t)
FAMILY(gasnett_strongatomic, gasnett_strongatomic_val_t)
FAMILY(gasnett_strongatomic32, uint32_t)
FAMILY(gasnett_strongatomic64, uint64_t)

/* ---- clocks: node 0's, seen by the others, between two messages ---- */

static void test_clocks(void)
{
  gasnett_tick_t begin = gasnett_ticks_now();
  int64_t wall = gasnett_gettimeofday_us();
  while (gasnett_gettimeofday_us() - wall < 20000) test_yield();
  double ns = (double)gasnett_ticks_to_ns(gasnett_ticks_now() - begin),
         us = (double)(gasnett_gettimeofday_us() - wall);
  CHECK(ns >= 19e6 && fabs(ns / 1000 - us) < 0.25 * us + 5000, "ticks say %.0f us, the wall clock %.0f us",
      ns / 1000, us);
  CHECK(gasnett_ticks_to_us(begin) == gasnett_ticks_to_ns(begin) / 1000 || gasnett_ticks_to_ns(begin) < begin,
      "ticks_to_us disagrees with ticks_to_ns");
  CHECK(gasnett_tick_granularityus() > 0 && gasnett_tick_granularityus() < 100, "granularity %g us",
      gasnett_tick_granularityus());
  CHECK(gasnett_tick_overheadus() > 0 && gasnett_tick_overheadus() < 100, "overhead %g us",
      gasnett_tick_overheadus());
}

/* ---- environment: the same on every node ---- */

static void test_environment(void)
{
  char *mine = gasnett_getenv("PATH"), *jobs = gasnet_getenv("PATH");
  CHECK(mine && jobs && !strcmp(mine, jobs), "getenv of PATH");
  char root[512] = "";
  if (test.me == 0) snprintf(root, sizeof root, "%s", jobs);
  if (test.me == 0) memcpy(seg_at(0, 4096), root, sizeof root);
  test_barrier();
  gasnet_get_bulk(root, 0, seg_at(0, 4096), sizeof root);
  CHECK(!strncmp(root, jobs, sizeof root - 1), "this node's PATH differs from node 0's");
  CHECK(!strcmp(gasnett_getenv_withdefault("GASNET_NOT_SET_ANYWHERE", "x"), "x"), "getenv_withdefault");
  CHECK(gasnett_getenv_int_withdefault("GASNET_NOT_SET_ANYWHERE", 42, 0) == 42, "getenv_int_withdefault");
  CHECK(gasnett_getenv_yesno_withdefault("GASNET_NOT_SET_ANYWHERE", 1) == 1, "getenv_yesno_withdefault");
  gasnett_setenv("PENSTOCK_TEST_HERE", "12K");
  CHECK(gasnett_getenv("PENSTOCK_TEST_HERE") &&
          gasnett_getenv_int_withdefault("PENSTOCK_TEST_HERE", 0, 1) == 12288,
      "setenv, then a size");
  gasnett_unsetenv("PENSTOCK_TEST_HERE");
  CHECK(!gasnett_getenv("PENSTOCK_TEST_HERE"), "unsetenv");
}

/* ---- locks and keys between threads ---- */

static gasnett_mutex_t mutex = GASNETT_MUTEX_INITIALIZER;
static gasnett_cond_t turned = GASNETT_COND_INITIALIZER;
static gasnett_rwlock_t rwlock = GASNETT_RWLOCK_INITIALIZER;
static int turn;
static volatile uint64_t plain, pair_a, pair_b;
GASNETT_THREADKEY_DEFINE(key);

/* Threads take turns by a condition, count under the mutex, and see pairs whole under the reader lock. */
static void with_locks(int id)
{
  const int threads = test.threads;
  gasnett_threadkey_set(key, (void *)(uintptr_t)(id + 1));
  for (int i = 0; i < 500; i++) {
    gasnett_mutex_lock(&mutex);
    gasnett_mutex_assertlocked(&mutex);
    while (turn % threads != id) gasnett_cond_wait(&turned, &mutex);
    turn++;
    plain = plain + 1;
    gasnett_cond_broadcast(&turned);
    gasnett_mutex_unlock(&mutex);
    if (i % 4 == 0) {
      gasnett_rwlock_wrlock(&rwlock);
      pair_a = pair_a + 1;
      pair_b = pair_b + 1;
    } else {
      gasnett_rwlock_rdlock(&rwlock);
      CHECK(pair_a == pair_b, "a reader saw half a write");
    }
    gasnett_rwlock_unlock(&rwlock);
    CHECK(gasnett_threadkey_get(key) == (void *)(uintptr_t)(id + 1), "a thread key is another thread's");
  }
}

static void test_locks(void)
{
  test_threads(test.threads, with_locks);
  CHECK(plain == 500u * (unsigned)test.threads && pair_a == 125u * (unsigned)test.threads,
      "%llu and %llu counts under locks", (unsigned long long)plain, (unsigned long long)pair_a);
  CHECK(gasnett_mutex_trylock(&mutex) == 0, "trylock of a free mutex");
  CHECK(gasnett_mutex_unlock(&mutex) == 0, "unlock");
}

/* ---- host facts and helpers ---- */

static volatile sig_atomic_t signalled;
static void on_signal(int sig) { signalled = sig; }

/* Only one node does this: it may start a debugger, which is slow. */
static void test_backtrace(void)
{
  char line[4096] = "";
  FILE *f = tmpfile();
  REQUIRE(f, "tmpfile");
  CHECK(gasnett_print_backtrace(fileno(f)) == 0, "print_backtrace");
  rewind(f);
  size_t n = fread(line, 1, sizeof line - 1, f);
  CHECK(n > 20, "the stack has %zu characters", n);
  fclose(f);
}

static void test_helpers(void)
{
  char text[80];
  CHECK(gasnett_cpu_count() >= 1, "cpu_count");
  CHECK(gasnett_getPhysMemSz(1) > (uint64_t)64 << 20, "getPhysMemSz");
  CHECK(gasnett_gethostname() && gasnett_gethostname()[0], "gethostname");
  CHECK(!strcmp(gasnett_format_number((int64_t)3 << 20, text, sizeof text, 1), "3 MB"),
      "format_number gives %s", text);
  CHECK(gasnett_parse_int("2M", 1) == 2 << 20, "parse_int");
  gasnett_sighandlerfn_t before = gasnett_reghandler(SIGUSR2, on_signal);
  raise(SIGUSR2);
  CHECK(signalled == SIGUSR2, "the registered handler did not run");
  gasnett_reghandler(SIGUSR2, before);
  if (test.me == 0) test_backtrace();
  unsigned char zeros[100];
  memset(zeros, 0, sizeof zeros);
  zeros[7] = 1;
  CHECK(gasnett_count0s(zeros, sizeof zeros) == 99, "count0s");
  size_t stride[1] = {16}, count[2] = {8, 4};
  char *shown = (char *)malloc(gasnett_format_putsgets_bufsz(1));
  CHECK(gasnett_format_putsgets(shown, NULL, 0, zeros, stride, zeros, stride, count, 1) == 32 &&
          strlen(shown) > 10 && strlen(shown) < gasnett_format_putsgets_bufsz(1),
      "format_putsgets: %s", shown);
  free(shown);
}

int main(int argc, char **argv)
{
  test_start("tools_job", &argc, &argv, NULL, 0, 8192);
  test_gasnett_atomic();
  test_gasnett_atomic32();
  test_gasnett_atomic64();
  test_gasnett_strongatomic();
  test_gasnett_strongatomic32();
  test_gasnett_strongatomic64();
  test_environment();
  test_shared_atomics();
  test_clocks();
  test_locks();
  test_helpers();
  test_finish();
}

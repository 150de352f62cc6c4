/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What the multi-process test programs share, beside check.h and data.h: start and end of a job, places in
 * segments, client threads. Only public headers are used. It also compiles as C++. */
#ifndef TESTS_MULTI_COMMON_H
#define TESTS_MULTI_COMMON_H

#include <gasnet.h>

#ifdef GASNET_PAR
#include <pthread.h>
#endif

#define TEST_MAX_THREADS 16

/* client threads, 1 unless the client is GASNET_PAR; all segments, after test_attach */
#define TEST_STATE \
  gasnet_node_t me, nodes; \
  int threads; \
  gasnet_seginfo_t *seg;
#define TEST_PLACE     "node %u of %u", (unsigned)test.me, (unsigned)test.nodes
#define TEST_END(code) gasnet_exit(code)
#include "../check.h"

#define REQUIRE_OK(call) \
  do { \
    int test_rc = (call); \
    REQUIRE(test_rc == GASNET_OK, "%s returned %d %s", #call, test_rc, gasnet_ErrorName(test_rc)); \
  } while (0)

/* ---- job ---- */

UNUSED static void test_barrier(void)
{
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  REQUIRE_OK(gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS));
}

UNUSED static void test_init(const char *name, int *argc, char ***argv)
{
  test.name = name;
  const char *threads = test_option(argc, *argv, "--threads");
  test.threads = threads ? atoi(threads) : 1;
  test_parse(argc, *argv, test.threads >= 1 && test.threads <= TEST_MAX_THREADS, " [--threads 1..16]");
#ifdef GASNET_SEQ
  if (test.threads > 1) {
    fprintf(stderr, "skip: %s: more than one client thread needs GASNET_PAR\n", name);
    exit(77);
  }
#endif
  int rc = gasnet_init(argc, argv);
  if (rc != GASNET_OK) {
    fprintf(stderr, "FAIL %s: gasnet_init returned %d %s\n", name, rc, gasnet_ErrorName(rc));
    exit(1);
  }
  test.me = gasnet_mynode();
  test.nodes = gasnet_nodes();
}

/* All nodes take node 0's seed. */
UNUSED static void test_agree_on_seed(void)
{
  if (test.seg[0].size < sizeof test.seed) return;
  if (test.me == 0) memcpy(test.seg[0].addr, &test.seed, sizeof test.seed);
  test_barrier();
  gasnet_get_bulk(&test.seed, 0, test.seg[0].addr, sizeof test.seed);
  test_barrier();
  if (test.me == 0) memset(test.seg[0].addr, 0, sizeof test.seed);
  test_barrier();
}

UNUSED static uintptr_t test_pages(size_t bytes)
{
  return ((uintptr_t)bytes + GASNET_PAGESIZE - 1) / GASNET_PAGESIZE * GASNET_PAGESIZE;
}

/* segsize is rounded up to pages. */
UNUSED static void test_attach(gasnet_handlerentry_t *table, int entries, size_t segsize)
{
  REQUIRE_OK(gasnet_attach(table, entries, test_pages(segsize), 0));
  test.seg = (gasnet_seginfo_t *)calloc(test.nodes, sizeof *test.seg);
  REQUIRE(test.seg, "no memory for %u segment entries", (unsigned)test.nodes);
  REQUIRE_OK(gasnet_getSegmentInfo(test.seg, (int)test.nodes));
  test_agree_on_seed();
  if (test.me == 0) {
    printf("%s: seed %llu scale %g nodes %u threads %d\n", test.name, (unsigned long long)test.seed,
        test.scale, (unsigned)test.nodes, test.threads);
    fflush(stdout);
  }
}

UNUSED static void test_start(
    const char *name, int *argc, char ***argv, gasnet_handlerentry_t *table, int entries, size_t segsize)
{
  test_init(name, argc, argv);
  test_no_more_options(*argc, *argv);
  test_attach(table, entries, segsize);
}

/* All nodes call it with the same reason, after attach. */
UNUSED static void __attribute__((noreturn)) test_skip(const char *reason)
{
  if (test.me == 0) fprintf(stderr, "skip: %s: %s\n", test.name, reason);
  test_barrier();
  gasnet_exit(77);
}

/* Ends the job with the verdict of all nodes: a node that failed sets the barrier's mismatch flag, and exits
 * with 1. */
UNUSED static void __attribute__((noreturn)) test_finish(void)
{
  test_barrier();
  int failures = __atomic_load_n(&test.failures, __ATOMIC_RELAXED);
  gasnet_barrier_notify(0, failures ? GASNET_BARRIERFLAG_MISMATCH : GASNET_BARRIERFLAG_ANONYMOUS);
  int rc = gasnet_barrier_wait(0, failures ? GASNET_BARRIERFLAG_MISMATCH : GASNET_BARRIERFLAG_ANONYMOUS);
  if (failures) fprintf(stderr, "%s: node %u: %d checks failed\n", test.name, (unsigned)test.me, failures);
  gasnet_exit(failures || rc != GASNET_OK ? 1 : 0);
}

/* ---- places ---- */

UNUSED static char *seg_at(gasnet_node_t node, size_t offset) { return (char *)test.seg[node].addr + offset; }

/* Memory of a node's segment by a plain pointer, or NULL where it is not shared memory. What an operation has
 * done can be seen there at once, not only by another operation that may have queued up behind it. */
UNUSED static char *direct_at(gasnet_node_t node, void *addr)
{
  static gasnet_nodeinfo_t *known; /* threads that come at once make a table each, all alike */
  gasnet_nodeinfo_t *info = __atomic_load_n(&known, __ATOMIC_ACQUIRE);
  if (!info) {
    info = (gasnet_nodeinfo_t *)calloc(test.nodes, sizeof *info);
    REQUIRE_OK(gasnet_getNodeInfo(info, (int)test.nodes));
    __atomic_store_n(&known, info, __ATOMIC_RELEASE);
  }
  if (info[node].supernode != info[test.me].supernode) return NULL;
  return (char *)((uintptr_t)addr + info[node].offset);
}

/* In round r node i works on node i + r, so that each target has one initiator. */
UNUSED static gasnet_node_t peer_to(gasnet_node_t round) { return (test.me + round) % test.nodes; }
UNUSED static gasnet_node_t peer_from(gasnet_node_t round)
{
  return (test.me + test.nodes - round % test.nodes) % test.nodes;
}

/* How many rounds of partners to do: at most `most`. The k-th of them is partner_round(k, rounds). */
UNUSED static gasnet_node_t partner_rounds(gasnet_node_t most)
{
  return test.nodes < most ? test.nodes : most;
}
UNUSED static gasnet_node_t partner_round(gasnet_node_t k, gasnet_node_t rounds)
{
  return (gasnet_node_t)((uint64_t)k * test.nodes / rounds);
}

/* ---- threads ---- */

#ifdef GASNET_PAR
struct test_thread {
  pthread_t thread;
  int id;
  void (*fn)(int);
};

UNUSED static void *test_thread_main(void *arg)
{
  struct test_thread *t = (struct test_thread *)arg;
  t->fn(t->id);
  return NULL;
}

/* Runs fn(0) .. fn(n-1) at once, fn(0) here. */
UNUSED static void test_threads(int n, void (*fn)(int))
{
  struct test_thread t[TEST_MAX_THREADS];
  for (int i = 1; i < n; i++) {
    t[i].id = i;
    t[i].fn = fn;
    int rc = pthread_create(&t[i].thread, NULL, test_thread_main, &t[i]);
    REQUIRE(rc == 0, "pthread_create: %s", strerror(rc));
  }
  fn(0);
  for (int i = 1; i < n; i++) pthread_join(t[i].thread, NULL);
}
#else
UNUSED static void test_threads(int n, void (*fn)(int))
{
  for (int i = 0; i < n; i++) fn(i);
}
#endif

#endif

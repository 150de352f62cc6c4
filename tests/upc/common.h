/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What the tests of the UPC library share: start and end of a job, failures that say where, shared memory of
 * bytes. They are C programs that include upc_memory.h alone; for GASNET_PAR also gasnet.h, so that the
 * library runs in that mode. */
#ifndef TESTS_UPC_COMMON_H
#define TESTS_UPC_COMMON_H

#ifdef GASNET_PAR
#include <gasnet.h>
#endif
#include <upc_memory.h>

#define TEST_STATE
#define TEST_PLACE     "thread %d of %d", MYTHREAD, THREADS
#define TEST_END(code) upc_global_exit(code)
#include "../check.h"

/* ---- job ---- */

/* All threads take thread 0's seed. */
UNUSED static void test_agree_on_seed(void)
{
  upc_pts_t word = upc_all_alloc(1, sizeof test.seed);
  if (MYTHREAD == 0) upc_memput(word, &test.seed, sizeof test.seed);
  upc_barrier();
  upc_memget(&test.seed, word, sizeof test.seed);
  upc_all_free(word);
}

UNUSED static void test_init(const char *name, int *argc, char ***argv)
{
  test.name = name;
  test_parse(argc, *argv, 1, "");
  upc_init(argc, argv);
  REQUIRE(THREADS > 0 && MYTHREAD >= 0 && MYTHREAD < THREADS, "impossible numbers");
  test_agree_on_seed();
  if (MYTHREAD) return;
  printf("%s: seed %llu scale %g threads %d\n", name, (unsigned long long)test.seed, test.scale, THREADS);
  fflush(stdout);
}

UNUSED static void test_start(const char *name, int *argc, char ***argv)
{
  test_init(name, argc, argv);
  test_no_more_options(*argc, *argv);
}

/* Whether `yes` is set on any thread. Collective. */
UNUSED static int test_any(int yes)
{
  upc_pts_t said = upc_all_alloc((size_t)THREADS, sizeof yes);
  int any = 0, one;
  upc_memput(upc_pts_add(said, MYTHREAD, 1, sizeof yes), &yes, sizeof yes);
  upc_barrier();
  for (int t = 0; t < THREADS; t++) {
    upc_memget(&one, upc_pts_add(said, t, 1, sizeof one), sizeof one);
    any |= one;
  }
  upc_all_free(said);
  return any;
}

/* The verdict of all threads: what main returns. */
UNUSED static int test_finish(void)
{
  if (test.failures) fprintf(stderr, "%s: thread %d: %d checks failed\n", test.name, MYTHREAD, test.failures);
  int any = test_any(test.failures != 0);
  upc_finalize();
  return any ? 1 : 0;
}

/* ---- places ---- */

/* The place n bytes on, in the memory of the same thread. */
UNUSED static upc_pts_t pts_bytes(upc_pts_t p, size_t n) { return upc_pts_add(p, (ptrdiff_t)n, 0, 1); }

/* For this thread's own memory upc_cast must not return NULL. */
UNUSED static char *own(upc_pts_t p)
{
  char *at = (char *)upc_cast(p);
  REQUIRE(at, "upc_cast of thread %zu's own memory is NULL", upc_threadof(p));
  return at;
}

/* Element i of a shared array in blocks of B elements of E bytes, by value. */
#define PUT_ELEMENT(array, i, B, value) \
  do { \
    __typeof__(value) pe_ = (value); \
    upc_memput(upc_pts_add(array, (ptrdiff_t)(i), B, sizeof pe_), &pe_, sizeof pe_); \
  } while (0)

#endif

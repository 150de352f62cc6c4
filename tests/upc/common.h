/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What the tests of the UPC library share: start and end of a job, failures that say where, shared memory of
 * bytes. They are C programs that know upc_memory.h alone; as GASNET_PAR they include gasnet.h, too, so that
 * the library runs in that mode. */
#ifndef TESTS_UPC_COMMON_H
#define TESTS_UPC_COMMON_H

#ifdef GASNET_PAR
#include <gasnet.h>
#endif
#include <upc_memory.h>

#include <sched.h>
#include <stdarg.h>
#include <stdio.h>

#include "../data.h"

struct test_state {
  const char *name;
  uint64_t seed;
  double scale; /* multiplies the work: 1 is about a second */
  int failures;
};
static struct test_state test UNUSED;

/* ---- failures ---- */

UNUSED static void __attribute__((format(printf, 3, 4), cold))
test_fail(const char *file, int line, const char *fmt, ...)
{
  char text[512];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  if (test.failures++ < 10) {
    fprintf(stderr, "FAIL %s:%d: thread %d of %d: %s (seed %llu)\n", file, line, MYTHREAD, THREADS, text,
        (unsigned long long)test.seed);
    fflush(stderr);
  }
}

/* Records a failure and goes on, so that one run shows more than one. */
#define CHECK(cond, ...)                                                          \
  do {                                                                            \
    if (__builtin_expect(!(cond), 0)) test_fail(__FILE__, __LINE__, __VA_ARGS__); \
  } while (0)
/* For what the rest of the program cannot do without. */
#define REQUIRE(cond, ...)                        \
  do {                                            \
    if (__builtin_expect(!(cond), 0)) {           \
      test_fail(__FILE__, __LINE__, __VA_ARGS__); \
      upc_global_exit(1);                         \
    }                                             \
  } while (0)

/* A key from the run's seed and what identifies a datum: equal on every thread. */
UNUSED static uint64_t test_key(uint64_t a, uint64_t b, uint64_t c)
{
  return test_mix(test_mix(test_mix(test.seed ^ a) + b) + c);
}

/* ---- options ---- */

UNUSED static void test_parse(int *argc, char **argv)
{
  const char *seed = test_option(argc, argv, "--seed"), *scale = test_option(argc, argv, "--scale");
  test.seed = seed ? strtoull(seed, NULL, 0) : test_fresh_seed() % 1000000007u;
  test.scale = scale ? strtod(scale, NULL) : 1.0;
  if (test.scale > 0) return;
  fprintf(stderr, "usage: %s [--seed S] [--scale X]\n", test.name);
  exit(2);
}

UNUSED static void test_no_more_options(int argc, char **argv)
{
  if (argc <= 1) return;
  fprintf(stderr, "%s: unknown option %s\n", test.name, argv[1]);
  upc_global_exit(2);
}

/* n, scaled, at least 1. */
UNUSED static size_t test_scaled(double n)
{
  double x = n * test.scale;
  return x < 1 ? 1 : (size_t)x;
}

/* For loops around a call that does not wait: where processes outnumber cores the others need this one's. */
UNUSED static void test_yield(void) { sched_yield(); }

/* ---- job ---- */

/* Everybody takes thread 0's. */
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
  test_parse(argc, *argv);
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

/* Whether any thread has a yes. Collective. */
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

/* n bytes on, in the memory of the same thread. */
UNUSED static upc_pts_t pts_bytes(upc_pts_t p, size_t n) { return upc_pts_add(p, (ptrdiff_t)n, 0, 1); }

/* What upc_cast must not say NULL to: this thread's own memory. */
UNUSED static char *own(upc_pts_t p)
{
  char *at = (char *)upc_cast(p);
  REQUIRE(at, "upc_cast of thread %zu's own memory is NULL", upc_threadof(p));
  return at;
}

/* Element i of a shared array in blocks of B elements of E bytes, by value. */
#define PUT_ELEMENT(array, i, B, value)                                              \
  do {                                                                               \
    __typeof__(value) pe_ = (value);                                                 \
    upc_memput(upc_pts_add(array, (ptrdiff_t)(i), B, sizeof pe_), &pe_, sizeof pe_); \
  } while (0)

#endif

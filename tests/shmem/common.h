/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What the tests of the OpenSHMEM library share: start and end of a job, failures that say where, and
 * symmetric memory of each kind. They are OpenSHMEM programs that include no other header of Penstock. It
 * also compiles as C++. */
#ifndef TESTS_SHMEM_COMMON_H
#define TESTS_SHMEM_COMMON_H

#include <mpp/shmem.h>

#include <sched.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include "../data.h"

struct test_state {
  const char *name;
  int me, pes;
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
    fprintf(stderr, "FAIL %s:%d: PE %d of %d: %s (seed %llu)\n", file, line, test.me, test.pes, text,
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
      shmem_global_exit(1);                       \
    }                                             \
  } while (0)

/* A key from the run's seed and what identifies a datum: equal on every PE. */
UNUSED static uint64_t test_key(uint64_t a, uint64_t b, uint64_t c)
{
  return test_mix(test_mix(test_mix(test.seed ^ a) + b) + c);
}

/* Random numbers that are the same on every PE, or this PE's own. */
UNUSED static struct rng common_numbers(uint64_t what)
{
  struct rng r;
  rng_init(&r, test_key(what, 1, 1));
  return r;
}
UNUSED static struct rng own_numbers(uint64_t what)
{
  struct rng r;
  rng_init(&r, test_key(what, 2, (uint64_t)test.me));
  return r;
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
  shmem_global_exit(2);
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

static long long test_word UNUSED; /* symmetric */

/* Everybody takes PE 0's. */
UNUSED static void test_agree_on_seed(void)
{
  test_word = (long long)test.seed;
  shmem_barrier_all();
  test.seed = (uint64_t)shmem_longlong_g(&test_word, 0);
  shmem_barrier_all();
}

UNUSED static void test_init(const char *name, int *argc, char ***argv)
{
  test.name = name;
  test_parse(argc, *argv);
  start_pes(0);
  test.me = _my_pe();
  test.pes = _num_pes();
  REQUIRE(test.pes > 0 && test.me >= 0 && test.me < test.pes, "impossible numbers");
  test_agree_on_seed();
  if (test.me) return;
  printf("%s: seed %llu scale %g PEs %d\n", name, (unsigned long long)test.seed, test.scale, test.pes);
  fflush(stdout);
}

UNUSED static void test_start(const char *name, int *argc, char ***argv)
{
  test_init(name, argc, argv);
  test_no_more_options(*argc, *argv);
}

/* Whether any PE has a yes. Collective. */
UNUSED static int test_any(int yes)
{
  int any = 0;
  shmem_barrier_all();
  test_word = yes != 0;
  shmem_barrier_all();
  for (int pe = 0; pe < test.pes; pe++) any |= (int)shmem_longlong_g(&test_word, pe);
  shmem_barrier_all();
  return any;
}

/* The verdict of all PEs: what main returns. */
UNUSED static int test_finish(void)
{
  if (test.failures) fprintf(stderr, "%s: PE %d: %d checks failed\n", test.name, test.me, test.failures);
  return test_any(test.failures != 0);
}

/* Whether all PEs' memory is mapped at all of them, where operations take nanoseconds and tests can do more
 * of them. Collective. */
UNUSED static int test_mapped(void)
{
  int far = 0;
  for (int pe = 0; pe < test.pes; pe++) far |= !shmem_ptr(&test_word, pe);
  return !test_any(far);
}

UNUSED static void *test_shmalloc(size_t n)
{
  void *p = shmalloc(n);
  REQUIRE(p, "shmalloc(%zu) has no memory", n);
  return p;
}

UNUSED static int test_am_only(void)
{
  const char *value = getenv("GASNET_AM_ONLY");
  return value && *value && *value != '0';
}

#endif

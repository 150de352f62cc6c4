/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What the test programs of all three interfaces share: failures that name their place, the run's seed and
 * scale, options. The common.h that includes this file has defined
 *   TEST_STATE      further members of struct test_state
 *   TEST_PLACE      names this process: a format and its arguments, such as "PE %d of %d", test.me, test.pes
 *   TEST_END(code)  ends the job with this code
 * It also compiles as C++. */
#ifndef TESTS_CHECK_H
#define TESTS_CHECK_H

#include <sched.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include "data.h"

struct test_state {
  const char *name;
  uint64_t seed;
  double scale; /* multiplies the work: 1 is about a second */
  int failures;
  TEST_STATE
};
static struct test_state test UNUSED;

/* ---- failures ---- */

UNUSED static void __attribute__((format(printf, 3, 4), cold))
test_fail(const char *file, int line, const char *fmt, ...)
{
  char text[512], place[64];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  if (__atomic_fetch_add(&test.failures, 1, __ATOMIC_RELAXED) >= 10) return;
  snprintf(place, sizeof place, TEST_PLACE);
  fprintf(stderr, "FAIL %s:%d: %s: %s (seed %llu)\n", file, line, place, text, (unsigned long long)test.seed);
  fflush(stderr);
}

/* Records a failure and goes on, so that one run shows several. */
#define CHECK(cond, ...) \
  do { \
    if (__builtin_expect(!(cond), 0)) test_fail(__FILE__, __LINE__, __VA_ARGS__); \
  } while (0)
/* Ends the job, because the program cannot go on without the condition. */
#define REQUIRE(cond, ...) \
  do { \
    if (__builtin_expect(!(cond), 0)) { \
      test_fail(__FILE__, __LINE__, __VA_ARGS__); \
      TEST_END(1); \
    } \
  } while (0)

/* ---- seed, scale, options ---- */

/* A key made of the run's seed and three numbers; it is equal in every process. */
UNUSED static uint64_t test_key(uint64_t a, uint64_t b, uint64_t c)
{
  return test_mix(test_mix(test_mix(test.seed ^ a) + b) + c);
}

/* Sets seed and scale; `more` names a program's further options. The processes of a job may draw different
 * seeds: test_agree_on_seed of common.h makes them equal. */
UNUSED static void test_parse(int *argc, char **argv, int further_are_good, const char *more)
{
  const char *seed = test_option(argc, argv, "--seed"), *scale = test_option(argc, argv, "--scale");
  test.seed = seed ? strtoull(seed, NULL, 0) : test_fresh_seed() % 1000000007u;
  test.scale = scale ? strtod(scale, NULL) : 1.0;
  if (test.scale > 0 && further_are_good) return;
  fprintf(stderr, "usage: %s [--seed S] [--scale X]%s\n", test.name, more);
  exit(2);
}

UNUSED static void test_no_more_options(int argc, char **argv)
{
  if (argc <= 1) return;
  fprintf(stderr, "%s: unknown option %s\n", test.name, argv[1]);
  TEST_END(2);
}

/* n, scaled, at least 1. */
UNUSED static size_t test_scaled(double n)
{
  double x = n * test.scale;
  return x < 1 ? 1 : (size_t)x;
}

/* For loops around a call that does not wait: other processes may need this one's core. */
UNUSED static void test_yield(void) { sched_yield(); }

#endif

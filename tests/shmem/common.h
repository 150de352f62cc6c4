/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What the tests of the OpenSHMEM library share: start and end of a job, failures that say where, and
 * symmetric memory of each kind. They are OpenSHMEM programs that include no other header of Penstock. It
 * also compiles as C++. */
#ifndef TESTS_SHMEM_COMMON_H
#define TESTS_SHMEM_COMMON_H

#include <mpp/shmem.h>

#define TEST_STATE     int me, pes;
#define TEST_PLACE     "PE %d of %d", test.me, test.pes
#define TEST_END(code) shmem_global_exit(code)
#include "../check.h"

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

/* ---- job ---- */

static long long test_word UNUSED; /* symmetric */

/* All PEs take PE 0's seed. */
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
  test_parse(argc, *argv, 1, "");
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

/* Whether `yes` is set on any PE. Collective. */
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

/* Whether all PEs' memory is mapped everywhere: operations take nanoseconds, and tests can do more.
 * Collective. */
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

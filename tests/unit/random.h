/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Random numbers for unit tests. Each run takes another seed and prints it; PST_SEED repeats a run. */
#ifndef TESTS_UNIT_RANDOM_H
#define TESTS_UNIT_RANDOM_H
#include <stdio.h>

#include "tests/data.h"

static struct rng dice;

UNUSED static uint64_t next(void) { return rng_next(&dice); }
UNUSED static size_t below(size_t n) { return (size_t)rng_below(&dice, n); }

static uint64_t random_seed(void)
{
  const char *chosen = getenv("PST_SEED");
  const uint64_t seed = chosen ? strtoull(chosen, NULL, 0) : test_fresh_seed();
  printf("seed %llu\n", (unsigned long long)seed);
  return seed;
}

UNUSED static void random_begin(void) { rng_init(&dice, random_seed()); }

#endif

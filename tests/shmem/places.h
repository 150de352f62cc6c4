/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Symmetric memory of each kind: the heap, initialised and uninitialised global variables, and static
 * variables of a function. */
#ifndef TESTS_SHMEM_PLACES_H
#define TESTS_SHMEM_PLACES_H

#include "common.h"

struct place {
  const char *name;
  char *at; /* 64-byte aligned; equal offsets on all PEs */
  size_t size;
};

enum { PLACE_HEAP, PLACE_BSS, PLACE_DATA, PLACE_FUNCTION_BSS, PLACE_FUNCTION_DATA, PLACES };
enum { PLACE_LARGE = 1 << 21, PLACE_SMALL = 1 << 16 };

#define PLACE_ALIGNED __attribute__((aligned(64)))

char place_bss[PLACE_LARGE] PLACE_ALIGNED;
char place_data[PLACE_SMALL] PLACE_ALIGNED = {1, 2, 3};

UNUSED static char *place_function_bss(void)
{
  static char memory[PLACE_SMALL] PLACE_ALIGNED;
  return memory;
}

UNUSED static char *place_function_data(void)
{
  static char memory[PLACE_SMALL] PLACE_ALIGNED = {4, 5, 6};
  return memory;
}

/* Collective: it allocates. */
UNUSED static const struct place *places(void)
{
  static struct place all[PLACES];
  if (all[0].at) return all;
  all[PLACE_BSS] = (struct place){"bss", place_bss, PLACE_LARGE};
  all[PLACE_DATA] = (struct place){"data", place_data, PLACE_SMALL};
  all[PLACE_FUNCTION_BSS] = (struct place){"function's bss", place_function_bss(), PLACE_SMALL};
  all[PLACE_FUNCTION_DATA] = (struct place){"function's data", place_function_data(), PLACE_SMALL};
  char *heap = (char *)shmalign(64, PLACE_LARGE);
  REQUIRE(heap, "shmalign(64, %d) has no memory", PLACE_LARGE);
  all[PLACE_HEAP] = (struct place){"heap", heap, PLACE_LARGE};
  return all;
}

/* The heap every other time. */
UNUSED static const struct place *random_place(struct rng *r)
{
  return &places()[rng_below(r, 2) ? PLACE_HEAP : rng_below(r, PLACES)];
}

#endif

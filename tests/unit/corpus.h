/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Random numbers for tests that damage a decoder's input. The program's first argument repeats a run. */
#ifndef TESTS_UNIT_CORPUS_H
#define TESTS_UNIT_CORPUS_H
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static uint64_t corpus_state;

static uint64_t next(void)
{
  corpus_state ^= corpus_state << 13;
  corpus_state ^= corpus_state >> 7;
  corpus_state ^= corpus_state << 17;
  return corpus_state;
}
static size_t below(size_t n) { return (size_t)(next() >> 11) % n; }

static void corpus_begin(int argc, char **argv)
{
  const uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : (uint64_t)time(NULL);
  corpus_state = seed * 2654435761u | 1;
  printf("seed %llu\n", (unsigned long long)seed);
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A small language on front/, whose job begins in a constructor: before main there are nodes, and a block of
 * the symmetric heap. With EARLY_STATICS the program's static data are a region; else the segments have the
 * same addresses in all processes of a host. */
#ifndef TESTS_FRONT_LANGUAGE_H
#define TESTS_FRONT_LANGUAGE_H

#include <stdint.h>

enum { EARLY_WORDS = 1000 };

struct early {
  unsigned me, nodes;
  int argc;
  char **argv;     /* as the constructor has them */
  uint64_t *block; /* of EARLY_WORDS */
  int statics, forked;
};
extern struct early early;

void early_barrier(void);
/* A word of the block, or of static data, of another node. */
void early_put(unsigned node, uint64_t *word, uint64_t value);
uint64_t early_get(unsigned node, uint64_t *word);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Memory for a program that cannot go on without it: where there is none, it says so and ends. And arenas:
 * many small pieces that are given back together. */
#ifndef XMPCC_MEMORY_H
#define XMPCC_MEMORY_H
#include <stddef.h>

void *memory_get(size_t n); /* zeroed */
void *memory_more(void *p, size_t n);
/* Room for one more element in a list of `count`, whose capacity this keeps. */
void *memory_grow(void *list, size_t count, size_t *capacity, size_t size);

struct arena {
  struct arena_block *block; /* the newest */
  size_t used;
};
/* Aligned for any object; not zeroed. */
void *arena_get(struct arena *a, size_t n);
/* A zero-terminated copy. */
char *arena_copy(struct arena *a, const char *text, size_t n);
void arena_free(struct arena *a);

#endif

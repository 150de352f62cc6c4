/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmpcc/memory.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARENA_BLOCK = 65536 - 64, ARENA_ALIGN = 16 };

struct arena_block {
  struct arena_block *before;
  size_t size;
  _Alignas(ARENA_ALIGN) char data[];
};

static void *memory_checked(void *p, size_t n)
{
  if (p) return p;
  fprintf(stderr, "xmpcc: there is no memory of %zu bytes\n", n);
  exit(1);
}

void *memory_get(size_t n) { return memory_checked(calloc(1, n ? n : 1), n); }
void *memory_more(void *p, size_t n) { return memory_checked(realloc(p, n ? n : 1), n); }

void *memory_grow(void *list, size_t count, size_t *capacity, size_t size)
{
  if (count < *capacity) return list;
  *capacity = *capacity ? *capacity * 2 : 16;
  return memory_more(list, *capacity > SIZE_MAX / size ? SIZE_MAX : *capacity * size);
}

static void arena_open_block(struct arena *a, size_t n)
{
  const size_t size = n > ARENA_BLOCK ? n : ARENA_BLOCK;
  struct arena_block *b = memory_more(NULL, size > SIZE_MAX - sizeof *b ? SIZE_MAX : sizeof *b + size);
  b->before = a->block;
  b->size = size;
  a->block = b;
  a->used = 0;
}

void *arena_get(struct arena *a, size_t n)
{
  const size_t rest = n % ARENA_ALIGN ? ARENA_ALIGN - n % ARENA_ALIGN : 0;
  if (!a->block || a->block->size - a->used < n) arena_open_block(a, n);
  void *p = a->block->data + a->used;
  a->used += n;
  a->used = a->block->size - a->used < rest ? a->block->size : a->used + rest;
  return p;
}

char *arena_copy(struct arena *a, const char *text, size_t n)
{
  char *p = arena_get(a, n + 1);
  if (n) memcpy(p, text, n);
  p[n] = 0;
  return p;
}

void arena_free(struct arena *a)
{
  while (a->block) {
    struct arena_block *b = a->block;
    a->block = b->before;
    free(b);
  }
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmpcc/table.h"

#include <stdlib.h>
#include <string.h>

#include "xmpcc/memory.h"

struct table_entry {
  const char *name; /* NULL: free */
  size_t length;
  void *value;
};

static size_t table_hash(const char *name, size_t n)
{
  unsigned long long h = 14695981039346656037ull;
  for (size_t i = 0; i < n; i++) h = (h ^ (unsigned char)name[i]) * 1099511628211ull;
  return (size_t)(h ^ h >> 32);
}

/* The entry of the name, or the free one where it belongs: a table is never full. */
static struct table_entry *table_entry(const struct table *t, const char *name, size_t n)
{
  size_t i = table_hash(name, n);
  for (;; i++) {
    struct table_entry *e = &t->entry[i & (t->capacity - 1)];
    if (!e->name || (e->length == n && memcmp(e->name, name, n) == 0)) return e;
  }
}

static void table_double(struct table *t)
{
  struct table larger = {.count = t->count, .capacity = t->capacity ? t->capacity * 2 : 256};
  larger.entry = memory_get(larger.capacity * sizeof *larger.entry);
  for (size_t i = 0; i < t->capacity; i++)
    if (t->entry[i].name) *table_entry(&larger, t->entry[i].name, t->entry[i].length) = t->entry[i];
  free(t->entry);
  *t = larger;
}

void **table_make(struct table *t, const char *name, size_t n)
{
  if (t->count >= t->capacity / 2) table_double(t);
  struct table_entry *e = table_entry(t, name, n);
  if (!e->name) {
    *e = (struct table_entry){name, n, NULL};
    t->count++;
  }
  return &e->value;
}

void *table_find(const struct table *t, const char *name, size_t n)
{
  return t->capacity ? table_entry(t, name, n)->value : NULL;
}

void *table_next(const struct table *t, size_t *place)
{
  void *value = NULL;
  while (!value && *place < t->capacity) {
    const struct table_entry *const e = &t->entry[(*place)++];
    value = e->name ? e->value : NULL;
  }
  return value;
}

void table_free(struct table *t)
{
  free(t->entry);
  *t = (struct table){0};
}

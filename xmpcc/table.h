/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Names with a pointer each. Names are not copied. */
#ifndef XMPCC_TABLE_H
#define XMPCC_TABLE_H
#include <stddef.h>

struct table {
  struct table_entry *entry; /* [capacity], a power of two */
  size_t count, capacity;
};

/* The pointer of a name, which is NULL at first; the place is good until the next call. */
void **table_make(struct table *t, const char *name, size_t n);
/* NULL: the table does not have the name. */
void *table_find(const struct table *t, const char *name, size_t n);
/* The pointers one by one, from *place = 0 on; NULL: that was all. None of them is NULL. */
void *table_next(const struct table *t, size_t *place);
void table_free(struct table *t);

#endif

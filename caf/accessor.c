/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "caf/accessor.h"

#include <pthread.h>
#include <stdlib.h>

int pst_caf_accessors;

/* The thread that executes the program changes the table, and reads it without the lock. */
static struct {
  pthread_mutex_t lock;
  struct pst_caf_accessor *at; /* [room] in the order in which they were registered */
  int *slot;                   /* [2 * room] by hash: 1 + an index, or 0 */
  unsigned count, room;
} table = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The slot of the hash, or the free one where it belongs. */
static int *slot_of(int hash)
{
  const unsigned mask = 2 * table.room - 1;
  unsigned i = (unsigned)hash * 2654435769u & mask;
  while (table.slot[i] && table.at[table.slot[i] - 1].hash != hash) i = (i + 1) & mask;
  return &table.slot[i];
}

static void table_grow(void)
{
  table.room = table.room ? 2 * table.room : 64;
  table.at = realloc(table.at, table.room * sizeof *table.at);
  free(table.slot);
  table.slot = calloc(2 * (size_t)table.room, sizeof *table.slot);
  if (!table.at || !table.slot) pst_caf_fatal("accessors", "out of memory");
  for (unsigned i = 0; i < table.count; i++) *slot_of(table.at[i].hash) = (int)i + 1;
}

void _gfortran_caf_register_accessor(int hash, void (*accessor)(void))
{
  pthread_mutex_lock(&table.lock);
  if (table.count == table.room) table_grow();
  int *const slot = slot_of(hash);
  if (!*slot) {
    table.at[table.count] = (struct pst_caf_accessor){hash, 0, accessor};
    *slot = (int)++table.count;
  } else if (table.at[*slot - 1].run != accessor) table.at[*slot - 1].twice = 1;
  pthread_mutex_unlock(&table.lock);
}

/* Each constructor calls it, also one without accessors, before it registers coarrays. */
void _gfortran_caf_register_accessors_finish(void) { pst_caf_accessors = 1; }

int _gfortran_caf_get_remote_function_index(int hash)
{
  const int index = table.count ? *slot_of(hash) - 1 : -1;
  if (index >= 0 && table.at[index].twice)
    pst_caf_fatal("coarrays",
        "gfortran has given two of the program's accessors the number %d, so it is not known which one is "
        "meant; give the procedures or coarrays other names",
        hash);
  return index;
}

const struct pst_caf_accessor *pst_caf_accessor_at(const char *call, int index)
{
  if (index < 0 || (unsigned)index >= table.count)
    pst_caf_fatal(call, "no accessor has the index %d: the file's constructor has not run", index);
  return &table.at[index];
}

void (*pst_caf_accessor_find(int hash))(void)
{
  void (*run)(void) = NULL;
  pthread_mutex_lock(&table.lock);
  const int index = table.count ? *slot_of(hash) - 1 : -1;
  if (index >= 0 && !table.at[index].twice) run = table.at[index].run;
  pthread_mutex_unlock(&table.lock);
  return run;
}

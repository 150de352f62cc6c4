/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "teams/tables.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/job.h"
#include "teams/group_memory.h"

/* Less than a page is not worth a mapping in each process. */
enum { SHARED_FROM = 2048 };

/* The tables in the order of the file; group_of may be missing. All entries have four bytes. */
enum { TABLES = 4 };
struct table {
  uint32_t **at;
  size_t count;
};
_Static_assert(sizeof(gasnet_node_t) == 4 && sizeof(unsigned) == 4, "entries of four bytes");

static void tables_list(struct pst_team *t, struct table list[TABLES])
{
  list[0] = (struct table){&t->table, t->size};
  list[1] = (struct table){&t->ranks, (size_t)t->ranks_mask + 1};
  list[2] = (struct table){&t->heads, t->groups};
  list[3] = (struct table){&t->group_of, t->group_of ? t->size : 0};
}

static size_t tables_size(struct pst_team *t)
{
  struct table list[TABLES];
  size_t entries = 0;
  tables_list(t, list);
  for (int i = 0; i < TABLES; i++) entries += list[i].count;
  return entries * sizeof(uint32_t);
}

void pst_team_free_tables(struct pst_team *t)
{
  struct table list[TABLES];
  tables_list(t, list);
  if (t->shared) munmap(t->shared, tables_size(t));
  for (int i = 0; i < TABLES; i++) {
    if (!t->shared) free(*list[i].at);
    *list[i].at = NULL;
  }
  t->shared = NULL;
}

/* ---- shared by a group ---- */

static int file_write(int fd, const void *data, size_t n)
{
  for (size_t done = 0; done < n;) {
    const ssize_t k = write(fd, (const char *)data + done, n - done);
    if (k <= 0) return 0;
    done += (size_t)k;
  }
  return 1;
}

static int tables_write(int fd, struct pst_team *t, size_t size)
{
  struct table list[TABLES];
  (void)size;
  tables_list(t, list);
  for (int i = 0; i < TABLES; i++)
    if (!file_write(fd, *list[i].at, list[i].count * sizeof(uint32_t))) return 0;
  return fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) == 0;
}

static void tables_replace(struct pst_team *t, uint32_t *shared)
{
  struct table list[TABLES];
  tables_list(t, list);
  for (int i = 0; i < TABLES; i++) {
    if (!list[i].count) continue;
    free(*list[i].at);
    *list[i].at = shared;
    shared += list[i].count;
  }
}

void pst_team_share_tables(const char *who, struct pst_team *t)
{
  const struct pst_group_memory memory = {"penstock-team", tables_size(t), tables_write, PROT_READ};
  uint32_t flags = 0;
  if (!t->table || memory.size < SHARED_FROM) return;
  uint32_t *const at = pst_group_map(who, t, &memory, &flags);
  if (!at) return;
  tables_replace(t, at);
  t->shared = at;
}

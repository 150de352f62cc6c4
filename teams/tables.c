/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "teams/tables.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/job.h"
#include "teams/group.h"

/* Less than a page is not worth a mapping in each process. */
enum { SHARED_FROM = 2048 };

/* What the head tells its group; pid 0: there is no file. */
struct offer {
  int32_t pid, fd;
  uint64_t device, inode;
};

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

/* ---- the head's file ---- */

static int file_write(int fd, const void *data, size_t n)
{
  for (size_t done = 0; done < n;) {
    const ssize_t k = write(fd, (const char *)data + done, n - done);
    if (k <= 0) return 0;
    done += (size_t)k;
  }
  return 1;
}

static int file_fill(int fd, struct pst_team *t)
{
  struct table list[TABLES];
  tables_list(t, list);
  for (int i = 0; i < TABLES; i++)
    if (!file_write(fd, *list[i].at, list[i].count * sizeof(uint32_t))) return 0;
  return fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) == 0;
}

/* The descriptor of a file with the tables, or -1. */
static int file_make(struct pst_team *t, struct offer *offer)
{
  struct stat st;
  const int fd = memfd_create("penstock-team", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0) return -1;
  if (!file_fill(fd, t) || fstat(fd, &st) != 0) {
    close(fd);
    return -1;
  }
  *offer = (struct offer){getpid(), fd, st.st_dev, st.st_ino};
  return fd;
}

/* ---- in place of the own tables ---- */

/* Processes may see each other under other numbers: then it is not the head's file, or none. */
static int file_open(const struct offer *offer, size_t size)
{
  char path[64];
  struct stat st;
  snprintf(path, sizeof path, "/proc/%d/fd/%d", offer->pid, offer->fd);
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return -1;
  if (fstat(fd, &st) == 0 && st.st_dev == offer->device && st.st_ino == offer->inode &&
      st.st_size == (off_t)size)
    return fd;
  close(fd);
  return -1;
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

static void tables_adopt(struct pst_team *t, const struct offer *offer)
{
  const size_t size = tables_size(t);
  const int fd = offer->pid ? file_open(offer, size) : -1;
  if (fd < 0) return;
  void *at = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
  close(fd);
  if (at == MAP_FAILED) return;
  tables_replace(t, at);
  t->shared = at;
}

/* ---- together ---- */

static int plan_offer(struct pst_call *c) { return pst_group_down(c, 0, c->data, sizeof(struct offer)); }

static void offer_spread(const char *who, struct pst_team *t, struct offer *offer)
{
  struct pst_call *c = pst_call_new(who, t, PST_KIND_CREATE, 0, sizeof *offer);
  c->data = (char *)offer;
  pst_call_add_plan(c, plan_offer);
  pst_call_run(c);
}

static void group_await(const char *who, struct pst_team *t)
{
  struct pst_call *c = pst_call_new(who, t, PST_KIND_CREATE, 0, 0);
  pst_plan_group_barrier(c);
  pst_call_run(c);
}

void pst_team_share_tables(const char *who, struct pst_team *t)
{
  struct offer offer = {0};
  int fd = -1;
  if (!t->table || tables_size(t) < SHARED_FROM) return;
  if (pst_team_is_head(t) && t->near > 1) fd = file_make(t, &offer);
  offer_spread(who, t, &offer);
  tables_adopt(t, &offer);
  group_await(who, t); /* the head's descriptor is open until all have mapped the file */
  if (fd >= 0) close(fd);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "teams/group_memory.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "teams/group.h"

/* What the head tells its group; pid 0: there is no file. */
struct offer {
  int32_t pid, fd;
  uint64_t device, inode;
};

/* The descriptor of the file, or -1. */
static int file_make(struct pst_team *t, const struct pst_group_memory *memory, struct offer *offer)
{
  struct stat st;
  const int fd = memfd_create(memory->name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0) return -1;
  if (!memory->fill(fd, t, memory->size) || fstat(fd, &st) != 0) {
    close(fd);
    return -1;
  }
  *offer = (struct offer){getpid(), fd, st.st_dev, st.st_ino};
  return fd;
}

/* Processes may see each other under other numbers: then it is not the head's file, or none. */
static int file_open(const struct offer *offer, const struct pst_group_memory *memory)
{
  char path[64];
  struct stat st;
  snprintf(path, sizeof path, "/proc/%d/fd/%d", offer->pid, offer->fd);
  const int fd = open(path, (memory->protection & PROT_WRITE ? O_RDWR : O_RDONLY) | O_CLOEXEC);
  if (fd < 0) return -1;
  if (fstat(fd, &st) == 0 && st.st_dev == offer->device && st.st_ino == offer->inode &&
      st.st_size == (off_t)memory->size)
    return fd;
  close(fd);
  return -1;
}

static void *file_map(const struct offer *offer, const struct pst_group_memory *memory)
{
  const int fd = offer->pid ? file_open(offer, memory) : -1;
  if (fd < 0) return NULL;
  void *at = mmap(NULL, memory->size, memory->protection, MAP_SHARED, fd, 0);
  close(fd);
  return at == MAP_FAILED ? NULL : at;
}

static int plan_offer(struct pst_call *c) { return pst_group_down(c, 0, c->data, sizeof(struct offer)); }

static void offer_spread(const char *who, struct pst_team *t, struct offer *offer)
{
  struct pst_call *c = pst_call_new(who, t, PST_KIND_SHARE, 0, sizeof *offer);
  c->data = (char *)offer;
  pst_call_add_plan(c, plan_offer);
  pst_call_run(c);
}

static void flags_combine(void *inout, const void *in, size_t count, void *context)
{
  (void)count;
  (void)context;
  *(uint32_t *)inout &= *(const uint32_t *)in;
}

/* When it returns all members have looked for the file. */
static void flags_agree(const char *who, struct pst_team *t, uint32_t *flags)
{
  struct pst_call *c = pst_call_new(who, t, PST_KIND_SHARE, 0, sizeof *flags);
  c->reduction = (struct pst_reduction){.combine = flags_combine, .size = sizeof *flags};
  c->value = flags;
  c->value_size = sizeof *flags;
  pst_plan_group_barrier(c);
  pst_call_run(c);
}

void *pst_group_map(
    const char *who, struct pst_team *t, const struct pst_group_memory *memory, uint32_t *flags)
{
  struct offer offer = {0};
  const int fd = pst_team_is_head(t) && t->near > 1 ? file_make(t, memory, &offer) : -1;
  offer_spread(who, t, &offer);
  void *at = file_map(&offer, memory);
  *flags = at ? *flags | PST_GROUP_MAPPED : *flags & ~(uint32_t)PST_GROUP_MAPPED;
  flags_agree(who, t, flags);
  if (fd >= 0) close(fd);
  return at;
}

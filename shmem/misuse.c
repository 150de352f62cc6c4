/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Messages about wrong calls. */
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shmem/internal.h"

void pst_shmem_fatal(const char *call, const char *fmt, ...)
{
  va_list args;
  va_start(args, fmt);
  pst_front_fatal(&pst_shmem_language, call, fmt, args);
}

void pst_shmem_warn(const char *call, const char *fmt, ...)
{
  va_list args;
  va_start(args, fmt);
  pst_front_warn(&pst_shmem_language, call, fmt, args);
  va_end(args);
}

void pst_shmem_not_open(const char *call)
{
  if (pst_shmem_job.state == PST_SHMEM_LEFT) pst_shmem_fatal(call, "called after shmem_finalize");
  if (pst_shmem_job.state == PST_SHMEM_FORKED)
    pst_shmem_fatal(call, "called in a process that a PE has forked, which is no part of the job");
  pst_shmem_fatal(call, "start_pes has not been called");
}

void pst_shmem_no_pe(const char *call, int pe)
{
  pst_shmem_fatal(call, "there is no PE %d; PEs are 0 to %d", pe, pst_shmem_job.pes - 1);
}

/* ---- what memory an address is in ---- */

struct search {
  uintptr_t address;
  char *buf;
  size_t size;
};

/* An object's memory without a file, its zeroed variables, has no name in /proc. */
static int address_in_object(struct dl_phdr_info *info, size_t size, void *arg)
{
  struct search *s = arg;
  (void)size;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    if (p->p_type != PT_LOAD || s->address - (info->dlpi_addr + p->p_vaddr) >= p->p_memsz) continue;
    if (!info->dlpi_name || !*info->dlpi_name)
      snprintf(s->buf, s->size, "in the constants or the code of the program");
    else
      snprintf(
          s->buf, s->size, "in %s, which was loaded after the start or is the system's", info->dlpi_name);
    return 1;
  }
  return 0;
}

static int address_in_mapping(struct search *s)
{
  FILE *f = fopen("/proc/self/maps", "r");
  char line[512];
  int found = 0;
  while (f && !found && fgets(line, sizeof line, f)) {
    unsigned long long from, to;
    int name = 0;
    if (sscanf(line, "%llx-%llx %*s %*s %*s %*s %n", &from, &to, &name) < 2 || s->address < from ||
        s->address >= to)
      continue;
    line[strcspn(line, "\n")] = 0;
    found = 1;
    if (strncmp(line + name, "[stack", 6) == 0) snprintf(s->buf, s->size, "on the stack");
    else if (strcmp(line + name, "[heap]") == 0) snprintf(s->buf, s->size, "in memory of malloc");
    else
      snprintf(s->buf, s->size, "in %s",
          name && line[name] ? line + name : "memory of malloc or mmap, or of a thread");
  }
  if (f) fclose(f);
  return found;
}

const char *pst_shmem_whose(const void *address, char *buf, size_t size)
{
  struct search s = {(uintptr_t)address, buf, size};
  if (!dl_iterate_phdr(address_in_object, &s) && !address_in_mapping(&s)) snprintf(buf, size, "not mapped");
  return buf;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "support/memory.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "support/integers.h"

/* A file that holds one number, or a word such as "max"; `none` where there is neither. */
static uint64_t read_number(const char *path, uint64_t none)
{
  FILE *f = fopen(path, "re");
  unsigned long long n;
  int got;
  if (!f) return none;
  got = fscanf(f, "%llu", &n);
  fclose(f);
  return got == 1 ? n : none;
}

/* The limit of the control group that is this process's root, version 2 or 1. */
static uint64_t group_limit(void)
{
  return pst_least(read_number("/sys/fs/cgroup/memory.max", UINT64_MAX),
      read_number("/sys/fs/cgroup/memory/memory.limit_in_bytes", UINT64_MAX));
}

static uint64_t group_used(void)
{
  return pst_least(read_number("/sys/fs/cgroup/memory.current", UINT64_MAX),
      read_number("/sys/fs/cgroup/memory/memory.usage_in_bytes", UINT64_MAX));
}

uint64_t pst_memory_physical(void)
{
  return pst_least((uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE), group_limit());
}

static uint64_t kernel_available(void)
{
  FILE *f = fopen("/proc/meminfo", "re");
  char line[128];
  unsigned long long kib = 0;
  if (!f) return 0;
  while (fgets(line, sizeof line, f))
    if (sscanf(line, "MemAvailable: %llu kB", &kib) == 1) break;
  fclose(f);
  return (uint64_t)kib * 1024;
}

uint64_t pst_memory_available(void)
{
  const uint64_t limit = group_limit(), used = group_used(), kernel = kernel_available();
  const uint64_t all = kernel ? kernel : pst_memory_physical() / 2;
  if (limit == UINT64_MAX || used == UINT64_MAX) return all;
  return pst_least(all, limit > used ? limit - used : 0);
}

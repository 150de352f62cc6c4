/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What bounds a job: the library, this process, the control group that it is in. */
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>

#include "core/conduit.h"
#include "gasnet_tools.h"
#include "bootstrap/variables.h"
#include "core/variables.h"
#include "support/env.h"
#include "support/memory.h"
#include "tools/gasnet_info.h"
#include "tools/gasnet_info_out.h"

static void print_library(void)
{
  char text[INFO_BYTES];
  info_count("nodes", GASNET_MAXNODES);
  info_count("nodes on a host", pst_bootstrap_env.pshm_nodes.max);
  const long long threads = (long long)pst_core_env.max_threads.max;
  if (info_env_good(&pst_core_env.max_threads))
    info_fact(
        "threads of a node", "%lld (now %lld)", threads, (long long)pst_env_int(&pst_core_env.max_threads));
  else info_fact("threads of a node", "%lld (GASNET_MAX_THREADS is not valid)", threads);
  info_count("message arguments", 16);
  info_size("page", GASNETT_PAGESIZE);
  if (info_env_good(&pst_core_env.max_segsize))
    info_fact("segment of a lone node", "%s (GASNET_MAX_SEGSIZE=%s)",
        info_bytes(pst_segsize_most(pst_memory_physical(), 1), text),
        pst_env_text(&pst_core_env.max_segsize));
  else info_fact("segment of a lone node", "GASNET_MAX_SEGSIZE is not valid");
}

/* ---- of a process ---- */

static void write_amount(rlim_t n, int is_size, char text[INFO_BYTES])
{
  if (n == RLIM_INFINITY || is_size) info_bytes(n == RLIM_INFINITY ? UINT64_MAX : n, text);
  else snprintf(text, INFO_BYTES, "%llu", (unsigned long long)n);
}

static void print_process(void)
{
  static const struct {
    int resource, is_size;
    const char *name, *option;
  } all[] = {
      {RLIMIT_NOFILE, 0, "open files", "-n"},
      {RLIMIT_NPROC, 0, "processes of the user", "-u"},
      {RLIMIT_MEMLOCK, 1, "locked memory", "-l"},
      {RLIMIT_FSIZE, 1, "size of a file", "-f"},
      {RLIMIT_AS, 1, "address space", "-v"},
      {RLIMIT_STACK, 1, "stack", "-s"},
      {RLIMIT_CORE, 1, "core file", "-c"},
  };
  char now[INFO_BYTES], most[INFO_BYTES];
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    struct rlimit l;
    if (getrlimit(all[i].resource, &l) != 0) continue;
    write_amount(l.rlim_cur, all[i].is_size, now);
    write_amount(l.rlim_max, all[i].is_size, most);
    if (strcmp(now, most) == 0) info_fact(all[i].name, "%s", now);
    else info_fact(all[i].name, "%s (ulimit %s may raise it to %s)", now, all[i].option, most);
  }
}

/* ---- of the control group ---- */

/* The least number that a file of this name holds in the group's directory or one above it, below `root`. */
static uint64_t least_above(const char *root, const char *group, const char *name)
{
  char dir[512], path[640], *slash;
  uint64_t least = UINT64_MAX;
  if (snprintf(dir, sizeof dir, "%s%s", root, strcmp(group, "/") == 0 ? "" : group) >= (int)sizeof dir)
    return least;
  for (;;) {
    uint64_t n;
    snprintf(path, sizeof path, "%s/%s", dir, name);
    n = info_read_number(path, UINT64_MAX);
    if (n < least) least = n;
    slash = strrchr(dir, '/');
    if (!slash || (size_t)(slash - dir) < strlen(root)) return least;
    *slash = '\0';
  }
}

/* Its line in /proc/self/cgroup: "0::/path" in version 2, "5:memory:/path" in version 1. */
static int group_of(const char *controller, char *group, int size)
{
  char line[512];
  int found = 0;
  FILE *f = fopen("/proc/self/cgroup", "re");
  while (f && !found && fgets(line, sizeof line, f)) {
    char *names = strchr(line, ':'), *path = names ? strchr(names + 1, ':') : NULL;
    if (!path) continue;
    *path++ = '\0';
    path[strcspn(path, "\n")] = '\0';
    found = strcmp(names + 1, controller) == 0;
    if (found) snprintf(group, (size_t)size, "%s", path);
  }
  if (f) fclose(f);
  return found;
}

static void print_group(void)
{
  char group[400];
  uint64_t memory = UINT64_MAX, processes = UINT64_MAX;
  if (group_of("", group, sizeof group)) {
    memory = least_above("/sys/fs/cgroup", group, "memory.max");
    processes = least_above("/sys/fs/cgroup", group, "pids.max");
  }
  if (group_of("memory", group, sizeof group))
    memory = least_above("/sys/fs/cgroup/memory", group, "memory.limit_in_bytes");
  if (group_of("pids", group, sizeof group))
    processes = least_above("/sys/fs/cgroup/pids", group, "pids.max");
  info_size("control group's memory", memory >> 60 ? UINT64_MAX : memory);
  if (processes != UINT64_MAX) info_count("its processes", (int64_t)processes);
}

/* ---- of the host ---- */

/* Penstock's own memory belongs to no file system, unless GASNET_TMPDIR says so. */
static void print_shm(void)
{
  struct statvfs fs;
  char all[INFO_BYTES], left[INFO_BYTES];
  if (statvfs("/dev/shm", &fs) != 0) {
    info_fact("/dev/shm", "none (only libfabric's shm and UCX's posix use it)");
    return;
  }
  info_bytes((uint64_t)fs.f_blocks * fs.f_frsize, all);
  info_bytes((uint64_t)fs.f_bavail * fs.f_frsize, left);
  info_fact("/dev/shm", "%s, %s free (only libfabric's shm and UCX's posix use it)", all, left);
}

static void print_huge_pages(void)
{
  static const char dir[] = "/sys/kernel/mm/hugepages/hugepages-2048kB/";
  char path[128];
  uint64_t all, unused;
  snprintf(path, sizeof path, "%snr_hugepages", dir);
  all = info_read_number(path, 0);
  snprintf(path, sizeof path, "%sfree_hugepages", dir);
  unused = info_read_number(path, 0);
  if (all == 0) info_fact("huge pages of 2 MB", "none reserved");
  else
    info_fact("huge pages of 2 MB", "%llu reserved, %llu free", (unsigned long long)all,
        (unsigned long long)unused);
}

void info_limits(void)
{
  char scope[16];
  info_section("limits");
  print_library();
  print_process();
  print_group();
  print_huge_pages();
  print_shm();
  if (info_read("/proc/sys/kernel/yama/ptrace_scope", scope, sizeof scope))
    info_fact("ptrace_scope", "%s%s", scope,
        strcmp(scope, "0") == 0 ? "" : " (debuggers cannot attach to processes that they have not started)");
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What machine and what system this is, and what bounds a job: the library, this process, its
 * control group. */
#include <glob.h>
#include <gnu/libc-version.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "bootstrap/variables.h"
#include "core/conduit.h"
#include "core/variables.h"
#include "gasnet_tools.h"
#include "support/env.h"
#include "support/memory.h"
#include "tools/gasnet_info.h"
#include "tools/gasnet_info_out.h"

void info_host(void)
{
  info_section("host");
  info_fact("name", "%s", gasnett_gethostname());
  info_count("processors", gasnett_cpu_count());
  info_fact("memory", "%.1f GB", (double)pst_memory_physical() / (1 << 30));
  info_fact("clock resolution", "%.0f ns, reading it costs %.0f ns", gasnett_tick_granularity() * 1e9,
      gasnett_tick_overhead() * 1e9);
}

/* ---- the system ---- */

static void print_distribution(void)
{
  char name[256];
  if (!info_read_named("/etc/os-release", "PRETTY_NAME", name, sizeof name)) return;
  name[strcspn(name + (name[0] == '"'), "\"") + (name[0] == '"')] = '\0';
  info_fact("distribution", "%s", name + (name[0] == '"'));
}

static const char *container(void)
{
  return access("/.dockerenv", F_OK) == 0                                ? "Docker"
      : access("/run/.containerenv", F_OK) == 0                          ? "Podman"
      : getenv("APPTAINER_CONTAINER") || getenv("SINGULARITY_CONTAINER") ? "Apptainer"
                                                                         : "none that is known";
}

void info_system(void)
{
  struct utsname u;
  info_section("system");
  if (uname(&u) == 0) info_fact("kernel", "%s %s %s, %s", u.sysname, u.release, u.machine, u.version);
  print_distribution();
  info_fact("C library", "glibc %s", gnu_get_libc_version());
  info_fact("container", "%s", container());
}

/* ---- processors ---- */

enum { MOST_PROCESSORS = 8192, MOST_SOCKETS = 256 };

static int usable_processors(void)
{
  const size_t size = CPU_ALLOC_SIZE(MOST_PROCESSORS);
  cpu_set_t *set = CPU_ALLOC(MOST_PROCESSORS);
  int n = 0;
  if (set && sched_getaffinity(0, size, set) == 0) n = CPU_COUNT_S(size, set);
  if (set) CPU_FREE(set);
  return n;
}

/* A core is counted with the first of its threads. */
static void count_cores(const glob_t *g, int *cores, int *sockets)
{
  unsigned char seen[MOST_SOCKETS] = {0};
  char line[64];
  for (size_t i = 0; i < g->gl_pathc; i++) {
    const int cpu = atoi(strrchr(g->gl_pathv[i], '/') + 4);
    if (info_read_in(g->gl_pathv[i], "topology/thread_siblings_list", line, sizeof line))
      *cores += atoi(line) == cpu;
    if (!info_read_in(g->gl_pathv[i], "topology/physical_package_id", line, sizeof line)) continue;
    const int socket = atoi(line);
    if (socket < 0 || socket >= MOST_SOCKETS || seen[socket]) continue;
    seen[socket] = 1;
    (*sockets)++;
  }
}

static void print_topology(void)
{
  glob_t g;
  int cores = 0, sockets = 0;
  if (glob("/sys/devices/system/cpu/cpu[0-9]*", 0, NULL, &g) != 0) return;
  count_cores(&g, &cores, &sockets);
  globfree(&g);
  if (cores) info_count("cores", cores);
  if (sockets) info_count("sockets", sockets);
}

static void print_numa(void)
{
  glob_t g;
  char cpus[256], memory[64];
  if (glob("/sys/devices/system/node/node[0-9]*", 0, NULL, &g) != 0) return;
  for (size_t i = 0; i < g.gl_pathc; i++) {
    const char *name = strrchr(g.gl_pathv[i], '/') + 1;
    info_item("memory domain", name);
    if (info_read_in(g.gl_pathv[i], "cpulist", cpus, sizeof cpus)) info_fact("processors", "%s", cpus);
    if (info_read_in(g.gl_pathv[i], "meminfo", memory, sizeof memory) && strchr(memory, ':'))
      info_fact("memory", "%s", strchr(memory, ':') + 1 + strspn(strchr(memory, ':') + 1, " "));
  }
  info_item(NULL, NULL);
  globfree(&g);
}

void info_processors(void)
{
  char text[256];
  info_section("processors");
  if (info_read_named("/proc/cpuinfo", "model name", text, sizeof text) ||
      info_read_named("/proc/cpuinfo", "CPU part", text, sizeof text))
    info_fact("model", "%s", text);
  info_count("processors", gasnett_cpu_count());
  info_count("of these for this process", usable_processors());
  print_topology();
  if (info_read("/sys/devices/system/cpu/cpu0/cache/index3/size", text, sizeof text))
    info_fact("cache of the third level", "%s", text);
  print_numa();
}

/* ---- memory ---- */

static void print_meminfo(const char *name, const char *line)
{
  char text[64];
  if (info_read_named("/proc/meminfo", line, text, sizeof text))
    info_size(name, strtoull(text, NULL, 10) << 10);
}

static void print_setting(const char *name, const char *path)
{
  char text[128];
  if (info_read(path, text, sizeof text)) info_fact(name, "%s", text);
}

void info_memory(void)
{
  info_section("memory");
  print_meminfo("of the host", "MemTotal");
  info_size("for this process", pst_memory_physical());
  info_size("available", pst_memory_available());
  print_meminfo("swap", "SwapTotal");
  print_setting("overcommit", "/proc/sys/vm/overcommit_memory");
  print_setting("transparent huge pages", "/sys/kernel/mm/transparent_hugepage/enabled");
  print_setting("the same, shared memory", "/sys/kernel/mm/transparent_hugepage/shmem_enabled");
  print_setting("balancing over domains", "/proc/sys/kernel/numa_balancing");
}

/* ---- limits of the library ---- */

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

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What machine and what system this is. */
#include <glob.h>
#include <gnu/libc-version.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "gasnet_tools.h"
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

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What host this is. */
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gasnet_tools.h"
#include "support/error.h"
#include "support/memory.h"

/* Sets larger than cpu_set_t exist; this many processors are looked at. */
#define MOST_PROCESSORS 8192

int gasnett_cpu_count(void)
{
  long n = sysconf(_SC_NPROCESSORS_ONLN);
  return n > 0 ? (int)n : 1;
}

uint64_t gasnett_getPhysMemSz(int failure_is_fatal)
{
  uint64_t bytes = pst_memory_physical();
  if (bytes == 0 && failure_is_fatal) pst_fatal("cannot find out how much memory this host has");
  return bytes;
}

const char *gasnett_gethostname(void)
{
  static __thread char name[256];
  if (gethostname(name, sizeof name) != 0) strcpy(name, "unknown");
  name[sizeof name - 1] = '\0';
  return name;
}

const char *gasneti_gethostname(void) { return gasnett_gethostname(); }

/* Not a thread's own variable: a library that is loaded later has little room for these. */
static char exe_path[PATH_MAX];
static void find_exe(void)
{
  ssize_t n = readlink("/proc/self/exe", exe_path, sizeof exe_path - 1);
  exe_path[n > 0 ? n : 0] = '\0';
}

const char *gasnett_exe_name(void)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, find_exe);
  return exe_path[0] ? exe_path : program_invocation_name;
}

unsigned gasnett_release_version(void)
{
  return GASNETT_RELEASE_VERSION_MAJOR * 1000000u + GASNETT_RELEASE_VERSION_MINOR * 1000u +
      GASNETT_RELEASE_VERSION_PATCH;
}

const char *gasnett_release_version_str(void) { return GASNETI_RELEASE_VERSION; }

static int nth_processor(const cpu_set_t *set, size_t size, int n)
{
  for (int cpu = 0; cpu < MOST_PROCESSORS; cpu++)
    if (CPU_ISSET_S(cpu, size, set) && n-- == 0) return cpu;
  return -1;
}

/* A hint: where the system refuses it the program runs on, unbound. */
void gasnett_set_affinity(int rank)
{
  size_t size = CPU_ALLOC_SIZE(MOST_PROCESSORS);
  cpu_set_t *set = CPU_ALLOC(MOST_PROCESSORS);
  if (!set) return;
  CPU_ZERO_S(size, set);
  int count = sched_getaffinity(0, size, set) == 0 ? CPU_COUNT_S(size, set) : 0;
  int cpu = count > 0 && rank >= 0 ? nth_processor(set, size, rank % count) : -1;
  if (cpu >= 0) {
    CPU_ZERO_S(size, set);
    CPU_SET_S(cpu, size, set);
    if (sched_setaffinity(0, size, set) != 0)
      pst_warn("cannot bind process %d to processor %d: %m", (int)getpid(), cpu);
  }
  CPU_FREE(set);
}

void gasnett_sched_yield(void) { sched_yield(); }

int gasnett_isLittleEndian(void)
{
  const uint16_t one = 1;
  unsigned char first;
  memcpy(&first, &one, 1);
  return first == 1;
}

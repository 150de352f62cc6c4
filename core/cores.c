/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "core/cores.h"

#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "bootstrap/boot.h"
#include "core/job.h"

_Static_assert(
    sizeof(cpu_set_t) == sizeof pst_job.place.hm.state->cores, "a bit for each that the kernel can name so");

/* sched_getaffinity fails on a host with more cores than a cpu_set_t: then all that exist. */
static void of_process(cpu_set_t *set)
{
  if (sched_getaffinity(0, sizeof *set, set) == 0) return;
  CPU_ZERO(set);
  for (long i = sysconf(_SC_NPROCESSORS_ONLN); i-- > 0;)
    if (i < CPU_SETSIZE) CPU_SET((unsigned)i, set);
}

/* Invariant: bits are only added. Each process adds its own before the fence, which orders them before any
 * process counts. */
unsigned pst_cores_of_host(void)
{
  _Atomic uint64_t *all = pst_job.place.hm.state->cores;
  uint64_t mine[PST_CORE_WORDS];
  cpu_set_t set;
  unsigned n = 0;
  of_process(&set);
  memcpy(mine, &set, sizeof mine);
  for (unsigned i = 0; i < PST_CORE_WORDS; i++)
    if (mine[i]) atomic_fetch_or_explicit(&all[i], mine[i], memory_order_relaxed);
  pst_boot_fence();
  for (unsigned i = 0; i < PST_CORE_WORDS; i++)
    n += (unsigned)__builtin_popcountll(atomic_load_explicit(&all[i], memory_order_relaxed));
  return n;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The barrier of all PEs. A barrier's name is made of the routine and its arguments, so that a mismatch of
 * names shows that PEs call different things. Only then do they tell each other what they call. */
#include <stdio.h>
#include <string.h>
#include <stdlib.h>

#include "shmem/internal.h"

enum { NAME_ALL = 0, NAME_OTHERS = 1 };

/* What a PE calls, and its arguments. */
struct meeting {
  char call[24];
  uint64_t size, place;
};

static void meeting_complain(const struct meeting *mine, const struct meeting *other)
{
  typedef void complain_fn(const char *call, const char *fmt, ...);
  complain_fn *const fn = pst_shmem_job.checks ? pst_shmem_fatal : pst_shmem_warn;
  if (strcmp(mine->call, other->call) != 0)
    pst_shmem_fatal(mine->call, "PE 0 is in %s; all PEs have to call the same", other->call);
  if (mine->size != other->size)
    fn(mine->call, "%llu bytes, but PE 0 says %llu", (unsigned long long)mine->size,
        (unsigned long long)other->size);
  else
    fn(mine->call, "block or alignment %#llx, but PE 0 says %#llx", (unsigned long long)mine->place,
        (unsigned long long)other->place);
}

/* The names differ. The first PE that differs from PE 0 says so; then all return, or the job ends. */
static int PST_SHMEM_COLD meeting_failed(const char *call, uint64_t size, uint64_t place)
{
  const gasnetx_nodes_t all = {.first = 0, .stride = 1, .count = (gasnet_node_t)pst_shmem_job.pes};
  struct meeting mine = {.size = size, .place = place}, *m = malloc((size_t)pst_shmem_job.pes * sizeof *m);
  int other = 0, same = 1;
  snprintf(mine.call, sizeof mine.call, "%s", call);
  if (!m) pst_shmem_fatal(call, "other PEs call something else, or with other arguments");
  gasnetx_team_fcollect(&all, m, &mine, sizeof mine);
  for (int pe = pst_shmem_job.pes - 1; pe > 0; pe--) {
    if (memcmp(&m[pe], &m[0], sizeof *m) != 0) other = pe;
    if (strcmp(m[pe].call, m[0].call) != 0) same = 0;
  }
  if (other == pst_shmem_job.me) meeting_complain(&mine, &m[0]);
  free(m);
  if (!same || pst_shmem_job.checks) GASNET_BLOCKUNTIL(0); /* until the job ends */
  return -1;
}

static inline int barrier_meet(int name)
{
  if (pst_shmem.pending) pst_shmem_complete("barrier");
  gasnet_barrier_notify(name, 0);
  return gasnet_barrier_wait(name, 0);
}

int pst_shmem_meet(const char *call, uint64_t size, uint64_t place)
{
  uint64_t hash = 0x9e3779b97f4a7c15u;
  for (const char *c = call; *c; c++) hash = (hash ^ (unsigned char)*c) * 0x100000001b3u;
  hash = (hash ^ size) * 0x9e3779b97f4a7c15u;
  hash = (hash ^ hash >> 32 ^ place) * 0x9e3779b97f4a7c15u;
  return barrier_meet((int)(hash >> 33) | NAME_OTHERS) == GASNET_OK ? 0 : meeting_failed(call, size, place);
}

static void barrier_all(void)
{
  pst_shmem_need_open("shmem_barrier_all");
  if (barrier_meet(NAME_ALL) != GASNET_OK) meeting_failed("shmem_barrier_all", 0, 0);
}

void shmem_barrier_all(void) { PST_SHMEM_TOLD(barrier_all(), GASP_SHMEM_BARRIER_ALL, "shmem_barrier_all"); }

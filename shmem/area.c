/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Which memory is symmetric: zone and region 0 is the heap, 1 the program's static data, the others those of
 * its libraries. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "front/statics.h"
#include "shmem/internal.h"

struct pst_shmem_view pst_shmem = {.pending = 1};

enum { MOST = 30 }; /* objects with static data */
static struct pst_shmem_zone zones[1 + MOST];
static unsigned count;

const struct pst_shmem_zone *pst_shmem_zone(unsigned number) { return &zones[number]; }

static void zone_add(uintptr_t base, size_t size, const char *object, int needed)
{
  struct pst_shmem_zone *z = &zones[1 + count];
  if (count == MOST && needed)
    pst_shmem_fatal("start_pes", "%s and others: there are too many libraries with symmetric data", object);
  if (count == MOST) return;
  *z = (struct pst_shmem_zone){.base = base, .size = size, .object = strdup(object)};
  if (!z->object) pst_shmem_fatal("start_pes", "out of memory");
  if (gasnetx_region_add((void *)base, size) < 0)
    pst_shmem_fatal(
        "start_pes", "the static data of %s cannot be made symmetric: %s", object, strerror(errno));
  count++;
}

static void fork_warn(void)
{
  static int told;
  if (!told++)
    pst_shmem_warn("fork",
        "ThreadSanitizer is linked into the program, so its locks are symmetric data that a child has in "
        "common with this process, which may hang or crash (gcc's is a library of its own)");
}

void pst_shmem_statics_find(void)
{
  static const struct pst_front_statics of_shmem = {
      .library = "libpenstock-shmem.", .add = zone_add, .fork_warn = fork_warn};
  pst_front_statics_find(&of_shmem);
}

/* ---- in the job ---- */

static ptrdiff_t *map_new(void)
{
  ptrdiff_t *t = malloc((size_t)pst_shmem_job.pes * sizeof *t);
  if (!t) pst_shmem_fatal("start_pes", "out of memory for %d PEs", pst_shmem_job.pes);
  return t;
}

/* pst_map's entry of a PE. In debug builds that has no entries, so that gasnet.h's calls see each operation:
 * this library checks arguments itself, and uses the mapping all the same, since a load or store does not
 * wait for a PE that computes. */
static ptrdiff_t pe_distance(int pe, const gasnet_nodeinfo_t *nodes)
{
#if defined(GASNET_DEBUG)
  if (nodes[pe].supernode == nodes[pst_shmem_job.me].supernode) return (ptrdiff_t)nodes[pe].offset;
#else
  (void)nodes;
#endif
  return pst_map[pe];
}

static void zone_open(unsigned number, gasnet_seginfo_t *info, const gasnet_nodeinfo_t *nodes)
{
  struct pst_shmem_zone *z = &zones[number];
  if (gasnetx_getRegionInfo(number, info, pst_shmem_job.pes) != GASNET_OK)
    pst_shmem_fatal("start_pes", "no region %u", number);
  z->base = (uintptr_t)info[pst_shmem_job.me].addr;
  z->size = info[pst_shmem_job.me].size;
  z->shift = map_new();
  z->here = map_new();
  z->atomic = map_new();
  for (int pe = 0; pe < pst_shmem_job.pes; pe++) {
    const ptrdiff_t shift = (ptrdiff_t)((uintptr_t)info[pe].addr - z->base), way = pe_distance(pe, nodes);
    z->shift[pe] = shift;
    z->here[pe] = way == PST_UNMAPPED ? PST_UNMAPPED : way + shift;
    z->atomic[pe] = pst_atomic_map[pe] == PST_UNMAPPED ? PST_UNMAPPED : z->here[pe];
    if (info[pe].size != z->size) z->broken = 1;
  }
}

static struct pst_shmem_area zone_area(const struct pst_shmem_zone *z)
{
  return (struct pst_shmem_area){
      .base = z->base, .size = z->broken ? 0 : z->size, .here = z->here, .atomic = z->atomic};
}

void pst_shmem_zones_open(void)
{
  gasnet_seginfo_t *info = malloc((size_t)pst_shmem_job.pes * sizeof *info);
  gasnet_nodeinfo_t *nodes = malloc((size_t)pst_shmem_job.pes * sizeof *nodes);
  if (!info || !nodes) pst_shmem_fatal("start_pes", "out of memory for %d PEs", pst_shmem_job.pes);
  if (gasnet_getNodeInfo(nodes, pst_shmem_job.pes) != GASNET_OK)
    pst_shmem_fatal("start_pes", "gasnet_getNodeInfo fails");
  for (unsigned i = 0; i <= count; i++) zone_open(i, info, nodes);
  free(info);
  free(nodes);
  pst_shmem.pes = (unsigned)pst_shmem_job.pes;
  pst_shmem.me = pst_shmem_job.me;
  if (pst_shmem_job.checks) return; /* the inline functions find no memory and call the library */
  pst_shmem.heap = zone_area(&zones[PST_SHMEM_HEAP]);
  pst_shmem.data = zone_area(&zones[PST_SHMEM_DATA]);
}

uintptr_t pst_shmem_heap_grain(void)
{
  uintptr_t distances = 0;
  for (int pe = 0; pe < pst_shmem_job.pes; pe++) distances |= (uintptr_t)zones[PST_SHMEM_HEAP].shift[pe];
  return distances ? distances & -distances : (uintptr_t)1 << 62;
}

/* ---- addresses ---- */

const struct pst_shmem_zone *pst_shmem_zone_of(const void *address)
{
  for (unsigned i = 0; i <= count; i++)
    if ((uintptr_t)address - zones[i].base < zones[i].size) return &zones[i];
  return NULL;
}

static void address_not_symmetric(const char *call, const char *what, const void *address)
    __attribute__((noreturn, cold));
static void address_not_symmetric(const char *call, const char *what, const void *address)
{
  char where[400];
  pst_shmem_fatal(call, "%s %p is no symmetric address: it is %s", what, address,
      pst_shmem_whose(address, where, sizeof where));
}

/* Out of line. Ends the job if something is wrong with the address. */
static void PST_SHMEM_COLD address_complain(
    const char *call, const char *what, const void *address, size_t nbytes)
{
  const struct pst_shmem_zone *z = pst_shmem_zone_of(address);
  if (!z) address_not_symmetric(call, what, address);
  if (z->broken)
    pst_shmem_fatal(
        call, "%s %p is not symmetric: PEs have different static data in %s", what, address, z->object);
  if (nbytes > z->size - ((uintptr_t)address - z->base))
    pst_shmem_fatal(call, "%s %p: %zu bytes from there reach beyond %s, which ends at %p", what, address,
        nbytes, z == zones ? "the symmetric heap" : z->object, (void *)(z->base + z->size));
}

static inline int zone_has(const struct pst_shmem_zone *z, const void *address, size_t nbytes)
{
  const uintptr_t at = (uintptr_t)address - z->base;
  return at < z->size && nbytes <= z->size - at && !z->broken;
}

static const struct pst_shmem_zone *zone_need(
    const char *call, const char *what, const void *address, size_t nbytes)
{
  if (zone_has(&zones[PST_SHMEM_HEAP], address, nbytes)) return &zones[PST_SHMEM_HEAP];
  if (zone_has(&zones[PST_SHMEM_DATA], address, nbytes)) return &zones[PST_SHMEM_DATA];
  address_complain(call, what, address, nbytes);
  return pst_shmem_zone_of(address);
}

static inline struct pst_shmem_reach zone_reach(
    const struct pst_shmem_zone *z, const ptrdiff_t *way, const void *address, int pe)
{
  const uintptr_t at = (uintptr_t)address;
  return (struct pst_shmem_reach){.here = way[pe] == PST_UNMAPPED ? NULL : (void *)(at + (uintptr_t)way[pe]),
      .there = (void *)(at + (uintptr_t)z->shift[pe])};
}

struct pst_shmem_reach pst_shmem_reach(
    const char *call, const char *what, const void *address, size_t nbytes, int pe)
{
  const struct pst_shmem_zone *z;
  pst_shmem_need_pe(call, pe);
  z = zone_need(call, what, address, nbytes);
  return zone_reach(z, z->here, address, pe);
}

const struct pst_shmem_zone *pst_shmem_need_own(
    const char *call, const char *what, const volatile void *address, size_t nbytes)
{
  return nbytes ? zone_need(call, what, (const void *)address, nbytes) : NULL;
}

/* ---- queries ---- */

int shmem_pe_accessible(int pe)
{
  pst_shmem_need_open("shmem_pe_accessible");
  return (unsigned)pe < (unsigned)pst_shmem_job.pes;
}

int shmem_addr_accessible(const void *addr, int pe)
{
  const struct pst_shmem_zone *z;
  pst_shmem_need_open("shmem_addr_accessible");
  z = pst_shmem_zone_of(addr);
  return (unsigned)pe < (unsigned)pst_shmem_job.pes && z && !z->broken;
}

void *shmem_ptr(const void *target, int pe)
{
  const struct pst_shmem_zone *z;
  pst_shmem_need_pe("shmem_ptr", pe);
  z = pst_shmem_zone_of(target);
  if (!z || z->broken) return NULL;
  return pe == pst_shmem_job.me ? (void *)(uintptr_t)target : zone_reach(z, z->here, target, pe).here;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Memory that other nodes reach: this node's heap, which is the segment, for global arrays; and static data,
 * which are regions, for coarrays. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "front/heap.h"
#include "front/statics.h"
#include "support/parse.h"
#include "xmp/internal.h"

static const char start[] = "the start", variable[] = "XMP_HEAP_SIZE";

/* ---- the heap ---- */

static struct pst_front_heap *heap;

/* All nodes have the same value. Node 0 says what is wrong with it and ends the job; the others go on to
 * gasnet_attach, which waits for node 0 until the job has ended. */
static void heap_size_refuse(const char *text, size_t most)
{
  if (pst_xmp_job.me == 0)
    pst_xmp_fatal(start,
        "%s is \"%s\"; it must be a number of bytes from 0 to %zu, or one with a unit K, M, G or T", variable,
        text, most);
}

/* Pages take memory when they are touched, so arrays may be as large as the memory allows. */
size_t pst_xmp_heap_size(void)
{
  const uint64_t page = GASNET_PAGESIZE, most = gasnet_getMaxGlobalSegmentSize() / page * page;
  const char *text = gasnet_getenv(variable);
  uint64_t size;
  if (!text || !*text) return most;
  if (pst_parse_size(text, 1, &size) != 0 || size > most) {
    heap_size_refuse(text, most);
    return 0;
  }
  return (size + page - 1) / page * page;
}

static void heap_full(const char *where, const char *what, size_t nbytes) __attribute__((noreturn, cold));
static void heap_full(const char *where, const char *what, size_t nbytes)
{
  pst_xmp_fatal(where,
      "out of memory for %s: %zu bytes are wanted, and this node's memory for global arrays has %zu bytes; "
      "raise %s or GASNET_MAX_SEGSIZE, or use more nodes",
      what ? what : "a buffer", nbytes, (size_t)pst_xmp_job.segment[pst_xmp_job.me].size, variable);
}

void *pst_xmp_heap_take(const char *where, const char *what, size_t nbytes)
{
  const uint64_t place = heap ? pst_front_heap_take(heap, nbytes ? nbytes : 1, 64) : 0;
  if (!place) heap_full(where, what, nbytes);
  return (void *)(uintptr_t)place;
}

void pst_xmp_heap_give_back(void *block)
{
  if (block && pst_front_heap_give_back(heap, (uintptr_t)block) != PST_FRONT_BLOCK)
    pst_xmp_fatal("the heap", "%p is no block of it", block);
}

static void heap_open(void)
{
  gasnet_seginfo_t *info = pst_xmp_own_take(start, (size_t)pst_xmp_job.nodes * sizeof *info);
  const gasnet_seginfo_t *mine = &info[pst_xmp_job.me];
  if (gasnet_getSegmentInfo(info, pst_xmp_job.nodes) != GASNET_OK)
    pst_xmp_fatal(start, "there are no segments");
  pst_xmp_job.segment = info;
  if (mine->size && !(heap = pst_front_heap_open((uintptr_t)mine->addr, mine->size)))
    pst_xmp_fatal(start, "out of memory");
}

/* ---- static data ---- */

/* The static data of an object, which are a region. Those of all nodes have the same contents, but lie at
 * other addresses: `shift` is what to add to an address here. */
struct zone {
  uintptr_t base;
  size_t size;
  const char *object;
  ptrdiff_t *shift; /* [nodes] */
  int broken;       /* nodes have different sizes */
};
enum { ZONES = 30 };
static struct zone zones[ZONES];
static unsigned zone_count;

static void zone_add(uintptr_t base, size_t size, const char *object, int needed)
{
  if (zone_count == ZONES && needed)
    pst_xmp_fatal(start, "%s and others: there are too many libraries with coarrays", object);
  if (zone_count == ZONES) return;
  if (gasnetx_region_add((void *)base, size) < 0)
    pst_xmp_fatal(start, "the static data of %s cannot be used by other nodes: %s", object, strerror(errno));
  zones[zone_count].object = strdup(object);
  if (!zones[zone_count++].object) pst_xmp_fatal(start, "out of memory");
}

static void fork_warn(void)
{
  static int told;
  if (!told++)
    pst_xmp_warn("fork",
        "ThreadSanitizer is linked into the program, so its locks are shared data that a child has in "
        "common with this process, which may hang or crash (gcc's is a library of its own)");
}

void pst_xmp_statics_find(void)
{
  static const struct pst_front_statics of_xmp = {
      .library = "libpenstock-xmp.", .add = zone_add, .fork_warn = fork_warn};
  pst_front_statics_find(&of_xmp);
}

static void zone_open(unsigned number, gasnet_seginfo_t *info)
{
  struct zone *z = &zones[number];
  if (gasnetx_getRegionInfo(1 + number, info, pst_xmp_job.nodes) != GASNET_OK)
    pst_xmp_fatal(start, "no region %u", 1 + number);
  z->base = (uintptr_t)info[pst_xmp_job.me].addr;
  z->size = info[pst_xmp_job.me].size;
  z->shift = pst_xmp_own_take(start, (size_t)pst_xmp_job.nodes * sizeof *z->shift);
  for (int i = 0; i < pst_xmp_job.nodes; i++) {
    z->shift[i] = (ptrdiff_t)((uintptr_t)info[i].addr - z->base);
    if (info[i].size != z->size) z->broken = 1;
  }
}

static const struct zone *zone_of(const void *own)
{
  for (unsigned i = 0; i < zone_count; i++)
    if ((uintptr_t)own - zones[i].base < zones[i].size) return &zones[i];
  return NULL;
}

void *pst_xmp_static_at(const void *own, int node)
{
  const struct zone *z = zone_of(own);
  return z && !z->broken ? (void *)((uintptr_t)own + (uintptr_t)z->shift[node]) : NULL;
}

int pst_xmp_is_static(const void *own, size_t nbytes)
{
  const struct zone *z = zone_of(own);
  return z && !z->broken && nbytes <= z->size - ((uintptr_t)own - z->base);
}

void pst_xmp_memory_open(void)
{
  gasnet_seginfo_t *info = pst_xmp_own_take(start, (size_t)pst_xmp_job.nodes * sizeof *info);
  heap_open();
  for (unsigned i = 0; i < zone_count; i++) zone_open(i, info);
  free(info);
}

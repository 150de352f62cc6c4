/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "tests/front/language.h"

#include <stdio.h>
#include <stdlib.h>

#include "front/arguments.h"
#include "front/heap.h"
#include "front/start.h"
#include "front/statics.h"

struct early early;

static const struct pst_front_language language = {.member = "node", .start = "the start before main"};

static void language_fatal(const char *call, const char *fmt, ...)
{
  va_list args;
  va_start(args, fmt);
  pst_front_fatal(&language, call, fmt, args);
}

/* ---- static data ---- */

static void object_add(uintptr_t from, size_t size, const char *object, int needed)
{
  if (needed && gasnetx_region_add((void *)from, size) < 0)
    language_fatal(language.start, "the static data of %s cannot be a region", object);
}

static void fork_warn(void) {}

static void statics_add(void)
{
  static const struct pst_front_statics of_early = {
      .library = "libearly.", .add = object_add, .fork_warn = fork_warn};
  if (early.statics) pst_front_statics_find(&of_early);
}

/* ---- words of other nodes ---- */

static uint64_t *word_of(unsigned node, uint64_t *word)
{
  gasnet_seginfo_t *info = malloc(early.nodes * sizeof *info);
  for (unsigned region = 0; info && region < gasnetx_region_count(); region++) {
    gasnetx_getRegionInfo(region, info, (int)early.nodes);
    const uintptr_t base = (uintptr_t)info[early.me].addr, at = (uintptr_t)word - base;
    uint64_t *const there = (uint64_t *)((uintptr_t)info[node].addr + at);
    if (at >= info[early.me].size) continue;
    free(info);
    return there;
  }
  language_fatal("early_put", "%p is in no region", (void *)word);
  return NULL;
}

void early_put(unsigned node, uint64_t *word, uint64_t value)
{
  gasnet_put(node, word_of(node, word), &value, sizeof value);
}

uint64_t early_get(unsigned node, uint64_t *word)
{
  uint64_t value;
  gasnet_get(&value, node, word_of(node, word), sizeof value);
  return value;
}

void early_barrier(void)
{
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  pst_front_must(&language, gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS), "barrier");
}

/* ---- start and end ---- */

/* EARLY_BYTES may be more than there is. */
static size_t segment_size(void)
{
  const char *bytes = getenv("EARLY_BYTES");
  if (bytes) return strtoull(bytes, NULL, 0);
  return GASNET_PAGESIZE * (1 + EARLY_WORDS * sizeof(uint64_t) / GASNET_PAGESIZE);
}

static void block_take(void)
{
  gasnet_seginfo_t *info = malloc(gasnet_nodes() * sizeof *info);
  struct pst_front_heap *heap;
  if (!info || gasnet_getSegmentInfo(info, (int)gasnet_nodes()) != GASNET_OK)
    language_fatal(language.start, "there are no segments");
  heap = pst_front_heap_open((uintptr_t)info[gasnet_mynode()].addr, segment_size());
  early.block = heap ? (uint64_t *)pst_front_heap_take(heap, EARLY_WORDS * sizeof(uint64_t), 1) : NULL;
  if (!early.block) language_fatal(language.start, "out of memory");
  free(info);
}

/* Its output is the last of a node, and nobody flushes it but the end of the process. */
static void job_leave(void)
{
  early_barrier();
  printf("node %u left\n", early.me);
}

static void job_forked(void) { early.forked = 1; }

__attribute__((constructor)) static void job_start(int argc, char **argv)
{
  struct pst_front_beginning beginning = {.mode = PST_CLIENT_PAR,
      .add = statics_add,
      .size = segment_size,
      .no_memory = "cannot get memory for the segment"};
  pst_front_arguments(&argc, &argv);
  early.argc = argc;
  early.argv = argv;
  early.statics = getenv("EARLY_STATICS") != NULL;
  beginning.same_addresses = !early.statics;
  pst_front_begin(&language, &beginning, &argc, &argv);
  early.me = gasnet_mynode();
  early.nodes = gasnet_nodes();
  block_take();
  pst_front_at_end(&language, job_leave, job_forked);
  early.block[0] = 1000 + early.me;
  early_barrier();
}

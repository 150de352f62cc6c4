/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The segment has two shares: a symmetric heap for coarrays, and a local one for components of coarrays that
 * are allocated by one image alone. Segments of a host have the same addresses in all its processes, so that
 * pointers in coarrays are good there. */
#include <stdlib.h>

#include "caf/internal.h"
#include "front/heap.h"
#include "support/parse.h"

static const char start[] = "the start", variable[] = "CAF_HEAP_SIZE";

/* ---- the segment ---- */

/* All nodes have the same value. Node 0 says what is wrong with it and ends the job; the others go on to
 * gasnet_attach, which waits for node 0 until the job has ended. */
static void size_refuse(const char *text, uint64_t most)
{
  if (pst_caf_job.me == 0)
    pst_caf_fatal(start,
        "%s is \"%s\"; it must be a number of bytes from 64K to %zu, or one with a unit K, M, G or T",
        variable, text, (size_t)most);
}

/* Pages take memory when they are touched, so coarrays may be as large as the memory allows. */
size_t pst_caf_memory_size(void)
{
  enum { LEAST = 65536 };
  const uint64_t page = GASNET_PAGESIZE, most = gasnet_getMaxGlobalSegmentSize() / page * page;
  const char *const text = gasnet_getenv(variable);
  uint64_t size;
  if (!text || !*text) return most;
  if (pst_parse_size(text, 1, &size) != 0 || size < LEAST || size > most) {
    size_refuse(text, most);
    return 0;
  }
  return (size + page - 1) / page * page;
}

/* ---- heaps ---- */

enum { LOCAL_SHARE = 4 }; /* of the segment, the last of so many parts */
/* The symmetric heap, and on top of it those of teams that have been changed to. */
static struct heaps {
  struct pst_front_heap *heap;
  struct heaps *below;
} * symmetric;
static struct pst_front_heap *local;

static void heap_push(struct pst_front_heap *heap)
{
  struct heaps *const top = pst_caf_own_take(sizeof *top);
  *top = (struct heaps){heap, symmetric};
  symmetric = top;
}

void pst_caf_memory_open(void)
{
  const uint64_t base = (uintptr_t)pst_caf_job.segment, part = pst_caf_job.size / LOCAL_SHARE / 64 * 64;
  struct pst_front_heap *const heap = pst_front_heap_open(base, pst_caf_job.size - part);
  local = pst_front_heap_open(base + pst_caf_job.size - part, part);
  if (!heap || !local) pst_caf_fatal(start, "out of memory");
  heap_push(heap);
}

void pst_caf_symmetric_push(void)
{
  struct pst_front_heap *const heap = pst_front_heap_open_sub(symmetric->heap, 0);
  if (!heap) pst_caf_fatal("change team", "out of memory for the team's coarrays; raise %s", variable);
  heap_push(heap);
}

void pst_caf_symmetric_pop(void)
{
  struct heaps *const top = symmetric;
  symmetric = top->below;
  if (pst_front_heap_close(top->heap) != 0) pst_caf_fatal("end team", "teams within it are not ended");
  free(top);
}

static void *block_take(struct pst_front_heap *heap, size_t nbytes)
{
  return (void *)(uintptr_t)pst_front_heap_take(heap, nbytes ? nbytes : 1, 64);
}

void *pst_caf_symmetric_take(size_t nbytes) { return block_take(symmetric->heap, nbytes); }
void *pst_caf_local_take(size_t nbytes) { return block_take(local, nbytes); }

void pst_caf_symmetric_give_back(void *block)
{
  for (struct heaps *h = symmetric; h; h = h->below)
    if (pst_front_heap_give_back(h->heap, (uintptr_t)block) == PST_FRONT_BLOCK) return;
  pst_caf_fatal("deallocate", "%p is no coarray's memory", block);
}

void pst_caf_local_give_back(void *block)
{
  if (pst_front_heap_give_back(local, (uintptr_t)block) != PST_FRONT_BLOCK)
    pst_caf_fatal("deallocate", "%p is no component's memory", block);
}

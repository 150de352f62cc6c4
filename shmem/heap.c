/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The symmetric heap. Each PE keeps its own account of it; as all call the same with the same arguments, and
 * the account of a place does not depend on where the heap lies, all come to the same places. PEs meet before
 * they change anything: a call that does not match changes nothing anywhere. */
#include "shmem/heap.h"

#include <stdio.h>
#include <string.h>

#include "shmem/internal.h"
#include "support/ranges.h"

enum { LEAST_ALIGNMENT = 64 }; /* of every block */

static struct pst_ranges *ranges;
static uintptr_t base;

void pst_shmem_heap_open(void)
{
  const struct pst_shmem_zone *heap = pst_shmem_zone(PST_SHMEM_HEAP);
  base = heap->base;
  if (!(ranges = pst_ranges_open(base, heap->size / LEAST_ALIGNMENT * LEAST_ALIGNMENT)))
    pst_shmem_fatal("start_pes", "out of memory for the heap's account");
}

/* A block's place on the heap, the same everywhere; for what is no block a number that none has. */
static uint64_t place_of(const void *block)
{
  const uint64_t place = (uintptr_t)block - base;
  return place < pst_shmem_zone(PST_SHMEM_HEAP)->size ? place : UINT64_MAX;
}

#define COMPLAIN(...)                                      \
  do {                                                     \
    if (pst_shmem_job.checks) pst_shmem_warn(__VA_ARGS__); \
  } while (0)

static int full(const char *call, size_t nbytes)
{
  COMPLAIN(call, "no %zu contiguous bytes are left of %zu in the symmetric heap; raise SHMEM_SYMMETRIC_SIZE",
      nbytes, pst_shmem_zone(PST_SHMEM_HEAP)->size);
  return PST_SHMEM_HEAP_FULL;
}

static int take(const char *call, size_t nbytes, size_t alignment, void **block)
{
  uint64_t at;
  if (nbytes == 0) return PST_SHMEM_HEAP_LENGTH;
  if (alignment == 0 || alignment & (alignment - 1)) {
    COMPLAIN(call, "an alignment of %zu is no power of two", alignment);
    return PST_SHMEM_HEAP_LENGTH;
  }
  if (alignment > pst_shmem_heap_grain()) {
    COMPLAIN(call, "PEs have their heaps at different multiples of %zu: the largest alignment is %zu",
        alignment, (size_t)pst_shmem_heap_grain());
    return PST_SHMEM_HEAP_FULL;
  }
  at = pst_ranges_take_aligned(ranges, nbytes, alignment);
  if (!at) return full(call, nbytes);
  *block = (void *)(uintptr_t)at;
  return PST_SHMEM_HEAP_OK;
}

static int meet_and_take(const char *call, size_t nbytes, size_t alignment, void **block)
{
  pst_shmem_need_open(call);
  if (pst_shmem_meet(call, nbytes, alignment) != 0) return PST_SHMEM_HEAP_FULL;
  return take(call, nbytes, alignment, block);
}

/* 0, or what is wrong with a block that is to be given back. */
static int look_up(const char *call, const void *block)
{
  if (pst_ranges_size(ranges, (uintptr_t)block)) return 0;
  switch (pst_ranges_state(ranges, (uintptr_t)block)) {
  case PST_RANGES_FREE: COMPLAIN(call, "%p is free already", block); return PST_SHMEM_HEAP_FREE;
  case PST_RANGES_INSIDE:
    COMPLAIN(call, "%p is not the beginning of a block", block);
    return PST_SHMEM_HEAP_INSIDE;
  default: COMPLAIN(call, "%p is not in the symmetric heap", block); return PST_SHMEM_HEAP_OUTSIDE;
  }
}

static int meet_and_give_back(const char *call, void *block)
{
  int rc;
  pst_shmem_need_open(call);
  if (pst_shmem_meet(call, 0, place_of(block)) != 0) return PST_SHMEM_HEAP_OUTSIDE;
  if ((rc = look_up(call, block)) == 0) pst_ranges_give_back(ranges, (uintptr_t)block);
  return rc;
}

/* What others put into the block before they came here is in it. A barrier after the copy: none may put into
 * the new one before. */
static int move(const char *call, size_t nbytes, void **block)
{
  const size_t before = pst_ranges_size(ranges, (uintptr_t)*block);
  void *to;
  const int rc = take(call, nbytes, 1, &to);
  if (rc != 0) return rc;
  memcpy(to, *block, before < nbytes ? before : nbytes);
  pst_ranges_give_back(ranges, (uintptr_t)*block);
  *block = to;
  shmem_barrier_all();
  return PST_SHMEM_HEAP_MOVED;
}

static int meet_and_resize(const char *call, size_t nbytes, void **block)
{
  int rc;
  pst_shmem_need_open(call);
  if (pst_shmem_meet(call, nbytes, place_of(*block)) != 0) return PST_SHMEM_HEAP_FULL;
  if (nbytes == 0) return PST_SHMEM_HEAP_LENGTH;
  if ((rc = look_up(call, *block)) != 0) return rc;
  if (pst_ranges_resize(ranges, (uintptr_t)*block, nbytes) == 0) return PST_SHMEM_HEAP_OK;
  return move(call, nbytes, block);
}

/* ---- what tools hear of: the outermost of these ---- */

static void *if_done(int rc, void *block) { return rc >= 0 ? block : NULL; }

int pst_shmem_heap_take(const char *call, size_t nbytes, size_t alignment, void **block)
{
  int rc;
  if (alignment == 1)
    PST_SHMEM_TOLD_RESULT(
        rc = meet_and_take(call, nbytes, 1, block), if_done(rc, *block), GASP_SHMEM_MALLOC, nbytes, call);
  else
    PST_SHMEM_TOLD_RESULT(rc = meet_and_take(call, nbytes, alignment, block), if_done(rc, *block),
        GASP_SHMEM_ALIGN, alignment, nbytes, call);
  return rc;
}

int pst_shmem_heap_give_back(const char *call, void *block)
{
  int rc;
  PST_SHMEM_TOLD(rc = meet_and_give_back(call, block), GASP_SHMEM_FREE, block, call);
  return rc;
}

int pst_shmem_heap_resize(const char *call, size_t nbytes, void **block)
{
  void *const old = *block;
  int rc;
  PST_SHMEM_TOLD_RESULT(
      rc = meet_and_resize(call, nbytes, block), if_done(rc, *block), GASP_SHMEM_REALLOC, old, nbytes, call);
  return rc;
}

/* ---- C's routines ---- */

static void *taken(const char *call, size_t nbytes, size_t alignment)
{
  void *block = NULL;
  const int rc = pst_shmem_heap_take(call, nbytes, alignment, &block);
  return if_done(rc, block);
}

static void *resized(const char *call, void *block, size_t nbytes)
{
  int rc;
  if (!block) return taken(call, nbytes, 1);
  if (nbytes == 0) {
    pst_shmem_heap_give_back(call, block);
    return NULL;
  }
  rc = pst_shmem_heap_resize(call, nbytes, &block);
  return if_done(rc, block);
}

static void given_back(const char *call, void *block)
{
  pst_shmem_need_open(call);
  if (block) pst_shmem_heap_give_back(call, block);
  else pst_shmem_meet(call, 0, place_of(NULL));
}

static void *zeroed(const char *call, size_t count, size_t size)
{
  size_t nbytes;
  void *block;
  if (__builtin_mul_overflow(count, size, &nbytes)) nbytes = SIZE_MAX;
  block = taken(call, nbytes, 1);
  if (block) memset(block, 0, nbytes);
  if (block) shmem_barrier_all(); /* nobody puts into it before it is zeroed */
  return block;
}

/* Each is one event, whatever it consists of. */
static void *reallocated(const char *call, void *old, size_t nbytes)
{
  void *block;
  PST_SHMEM_TOLD_RESULT(block = resized(call, old, nbytes), block, GASP_SHMEM_REALLOC, old, nbytes, call);
  return block;
}

static void freed(const char *call, void *block)
{
  PST_SHMEM_TOLD(given_back(call, block), GASP_SHMEM_FREE, block, call);
}

static void *callocated(const char *call, size_t count, size_t size)
{
  void *block;
  PST_SHMEM_TOLD_RESULT(block = zeroed(call, count, size), block, GASP_SHMEM_MALLOC, count * size, call);
  return block;
}

void *shmalloc(size_t size) { return taken("shmalloc", size, 1); }
void *shmalign(size_t alignment, size_t size) { return taken("shmalign", size, alignment); }
void *shmemalign(size_t alignment, size_t size) { return taken("shmemalign", size, alignment); }
void *shrealloc(void *ptr, size_t size) { return reallocated("shrealloc", ptr, size); }
void shfree(void *ptr) { freed("shfree", ptr); }
void *shmem_malloc(size_t size) { return taken("shmem_malloc", size, 1); }
void *shmem_align(size_t alignment, size_t size) { return taken("shmem_align", size, alignment); }
void *shmem_realloc(void *ptr, size_t size) { return reallocated("shmem_realloc", ptr, size); }
void *shmem_calloc(size_t count, size_t size) { return callocated("shmem_calloc", count, size); }
void shmem_free(void *ptr) { freed("shmem_free", ptr); }

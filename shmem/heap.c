/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The symmetric heap. Each PE keeps its own account of it. All PEs make the same calls with the same
 * arguments, so all find the same places, counted from the beginning of the heap. A call begins with a
 * barrier that compares the arguments: a call that does not match changes nothing on any PE. */
#include <stdio.h>
#include <string.h>

#include "front/heap.h"
#include "shmem/internal.h"

static struct pst_front_heap *symmetric; /* its places are this PE's addresses */
static uintptr_t base;

void pst_shmem_heap_open(void)
{
  const struct pst_shmem_zone *heap = pst_shmem_zone(PST_SHMEM_HEAP);
  base = heap->base;
  if (!(symmetric = pst_front_heap_open(base, heap->size)))
    pst_shmem_fatal("start_pes", "out of memory for the heap's account");
}

/* A block's distance from the beginning of the heap, the same on all PEs; UINT64_MAX for an address outside
 * of it. */
static uint64_t block_place(const void *block)
{
  const uint64_t place = (uintptr_t)block - base;
  return place < pst_shmem_zone(PST_SHMEM_HEAP)->size ? place : UINT64_MAX;
}

#define COMPLAIN(...) \
  do { \
    if (pst_shmem_job.checks) pst_shmem_warn(__VA_ARGS__); \
  } while (0)

static int heap_full(const char *call, size_t nbytes)
{
  COMPLAIN(call, "no %zu contiguous bytes are left of %zu in the symmetric heap; raise SHMEM_SYMMETRIC_SIZE",
      nbytes, pst_shmem_zone(PST_SHMEM_HEAP)->size);
  return PST_SHMEM_HEAP_FULL;
}

static int heap_take(const char *call, size_t nbytes, size_t alignment, void **block)
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
  at = pst_front_heap_take(symmetric, nbytes, alignment);
  if (!at) return heap_full(call, nbytes);
  *block = (void *)(uintptr_t)at;
  return PST_SHMEM_HEAP_OK;
}

static int heap_meet_and_take(const char *call, size_t nbytes, size_t alignment, void **block)
{
  pst_shmem_need_open(call);
  if (pst_shmem_meet(call, nbytes, alignment) != 0) return PST_SHMEM_HEAP_FULL;
  return heap_take(call, nbytes, alignment, block);
}

/* The code of what is wrong with the block. */
static int block_complain(const char *call, const void *block, enum pst_front_place state)
{
  switch (state) {
  case PST_FRONT_BLOCK: return 0;
  case PST_FRONT_FREE: COMPLAIN(call, "%p is free already", block); return PST_SHMEM_HEAP_FREE;
  case PST_FRONT_INSIDE:
    COMPLAIN(call, "%p is not the beginning of a block", block);
    return PST_SHMEM_HEAP_INSIDE;
  default: COMPLAIN(call, "%p is not in the symmetric heap", block); return PST_SHMEM_HEAP_OUTSIDE;
  }
}

static int heap_meet_and_free(const char *call, void *block)
{
  pst_shmem_need_open(call);
  if (pst_shmem_meet(call, 0, block_place(block)) != 0) return PST_SHMEM_HEAP_OUTSIDE;
  return block_complain(call, block, pst_front_heap_give_back(symmetric, (uintptr_t)block));
}

/* Puts of other PEs that began before this call are in the block. The barrier comes after the copy, so that
 * no PE puts into the new block before. */
static int block_move(const char *call, size_t nbytes, void **block)
{
  const size_t before = pst_front_heap_size(symmetric, (uintptr_t)*block);
  void *to;
  const int rc = heap_take(call, nbytes, 1, &to);
  if (rc != 0) return rc;
  memcpy(to, *block, before < nbytes ? before : nbytes);
  pst_front_heap_give_back(symmetric, (uintptr_t)*block);
  *block = to;
  shmem_barrier_all();
  return PST_SHMEM_HEAP_MOVED;
}

static int heap_meet_and_resize(const char *call, size_t nbytes, void **block)
{
  enum pst_front_place state;
  pst_shmem_need_open(call);
  if (pst_shmem_meet(call, nbytes, block_place(*block)) != 0) return PST_SHMEM_HEAP_FULL;
  if (nbytes == 0) return PST_SHMEM_HEAP_LENGTH;
  state = pst_front_heap_resize(symmetric, (uintptr_t)*block, nbytes);
  if (state == PST_FRONT_FULL) return block_move(call, nbytes, block);
  return block_complain(call, *block, state);
}

/* ---- with events: of these, tools are told of the outermost ---- */

static void *block_if_done(int rc, void *block) { return rc >= 0 ? block : NULL; }

int pst_shmem_heap_take(const char *call, size_t nbytes, size_t alignment, void **block)
{
  int rc;
  if (alignment == 1)
    PST_SHMEM_TOLD_RESULT(rc = heap_meet_and_take(call, nbytes, 1, block), block_if_done(rc, *block),
        GASP_SHMEM_MALLOC, nbytes, call);
  else
    PST_SHMEM_TOLD_RESULT(rc = heap_meet_and_take(call, nbytes, alignment, block), block_if_done(rc, *block),
        GASP_SHMEM_ALIGN, alignment, nbytes, call);
  return rc;
}

int pst_shmem_heap_give_back(const char *call, void *block)
{
  int rc;
  PST_SHMEM_TOLD(rc = heap_meet_and_free(call, block), GASP_SHMEM_FREE, block, call);
  return rc;
}

int pst_shmem_heap_resize(const char *call, size_t nbytes, void **block)
{
  void *const old = *block;
  int rc;
  PST_SHMEM_TOLD_RESULT(rc = heap_meet_and_resize(call, nbytes, block), block_if_done(rc, *block),
      GASP_SHMEM_REALLOC, old, nbytes, call);
  return rc;
}

/* ---- C's routines ---- */

static void *heap_alloc(const char *call, size_t nbytes, size_t alignment)
{
  void *block = NULL;
  const int rc = pst_shmem_heap_take(call, nbytes, alignment, &block);
  return block_if_done(rc, block);
}

static void *heap_realloc(const char *call, void *block, size_t nbytes)
{
  int rc;
  if (!block) return heap_alloc(call, nbytes, 1);
  if (nbytes == 0) {
    pst_shmem_heap_give_back(call, block);
    return NULL;
  }
  rc = pst_shmem_heap_resize(call, nbytes, &block);
  return block_if_done(rc, block);
}

static void heap_free(const char *call, void *block)
{
  pst_shmem_need_open(call);
  if (block) pst_shmem_heap_give_back(call, block);
  else pst_shmem_meet(call, 0, block_place(NULL));
}

static void *heap_calloc(const char *call, size_t count, size_t size)
{
  size_t nbytes;
  void *block;
  if (__builtin_mul_overflow(count, size, &nbytes)) nbytes = SIZE_MAX;
  block = heap_alloc(call, nbytes, 1);
  if (block) memset(block, 0, nbytes);
  if (block) shmem_barrier_all(); /* no PE puts into it before it is zeroed */
  return block;
}

/* Each is one event, whatever calls it consists of. */
static void *heap_realloc_told(const char *call, void *old, size_t nbytes)
{
  void *block;
  PST_SHMEM_TOLD_RESULT(
      block = heap_realloc(call, old, nbytes), block, GASP_SHMEM_REALLOC, old, nbytes, call);
  return block;
}

static void heap_free_told(const char *call, void *block)
{
  PST_SHMEM_TOLD(heap_free(call, block), GASP_SHMEM_FREE, block, call);
}

static void *heap_calloc_told(const char *call, size_t count, size_t size)
{
  void *block;
  PST_SHMEM_TOLD_RESULT(block = heap_calloc(call, count, size), block, GASP_SHMEM_MALLOC, count * size, call);
  return block;
}

void *shmalloc(size_t size) { return heap_alloc("shmalloc", size, 1); }
void *shmalign(size_t alignment, size_t size) { return heap_alloc("shmalign", size, alignment); }
void *shmemalign(size_t alignment, size_t size) { return heap_alloc("shmemalign", size, alignment); }
void *shrealloc(void *ptr, size_t size) { return heap_realloc_told("shrealloc", ptr, size); }
void shfree(void *ptr) { heap_free_told("shfree", ptr); }
void *shmem_malloc(size_t size) { return heap_alloc("shmem_malloc", size, 1); }
void *shmem_align(size_t alignment, size_t size) { return heap_alloc("shmem_align", size, alignment); }
void *shmem_realloc(void *ptr, size_t size) { return heap_realloc_told("shmem_realloc", ptr, size); }
void *shmem_calloc(size_t count, size_t size) { return heap_calloc_told("shmem_calloc", count, size); }
void shmem_free(void *ptr) { heap_free_told("shmem_free", ptr); }

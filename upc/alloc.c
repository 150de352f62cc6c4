/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Shared memory. Each thread has a heap of its own. A second heap is spread over all threads: a block has the
 * same place on all of them, and thread 0 keeps the account. */
#include <stdio.h>

#include "front/heap.h"
#include "upc/upc.h"

static struct pst_front_heap *own, *spread; /* spread: thread 0's alone */

enum { OWN, SPREAD };

void pst_upc_alloc_open(void)
{
  /* Address 0 is NULL's. */
  const uint64_t first = (pst_upc_section_size() + 64 + 63) / 64 * 64;
  own = pst_front_heap_open(first, pst_upc.heap - first);
  if (MYTHREAD == 0) spread = pst_front_heap_open(pst_upc.heap, pst_upc.heap);
  if (!own || (MYTHREAD == 0 && !spread)) pst_upc_fatal("upc_init", "out of memory for the heaps");
}

uint64_t pst_upc_take(unsigned from, uint64_t what, uint64_t nbytes)
{
  (void)from;
  return pst_front_heap_take(what == SPREAD ? spread : own, nbytes, 1);
}

/* Answers whether the address was allocated. */
uint64_t pst_upc_give_back(unsigned from, uint64_t address, uint64_t unused)
{
  (void)from, (void)unused;
  return pst_front_heap_give_back(address >= pst_upc.heap ? spread : own, address) == PST_FRONT_BLOCK;
}

/* ---- allocation ---- */

static void heap_exhausted(const char *call, size_t nbytes)
{
  pst_upc_fatal(call, "no %zu contiguous bytes are left of %zu a thread; raise UPC_SHARED_HEAP_SIZE", nbytes,
      pst_upc.heap);
}

/* Bytes of each thread. */
static size_t bytes_a_thread(const char *call, size_t nblocks, size_t nbytes)
{
  size_t rows, bytes;
  pst_upc_need_open(call);
  rows = nblocks / (size_t)THREADS + (nblocks % (size_t)THREADS != 0);
  if (__builtin_mul_overflow(rows, nbytes, &bytes))
    pst_upc_fatal(call, "%zu blocks of %zu bytes are too much", nblocks, nbytes);
  return bytes;
}

upc_pts_t upc_global_alloc(size_t nblocks, size_t nbytes)
{
  const size_t bytes = bytes_a_thread("upc_global_alloc", nblocks, nbytes);
  upc_pts_t p = UPC_PTS_NULL;
  GASP_BEGIN(UPC, GASP_UPC_GLOBAL_ALLOC, nblocks, nbytes);
  if (bytes) {
    p.address = MYTHREAD == 0 ? pst_upc_take(0, SPREAD, bytes) : pst_upc_ask(0, PST_UPC_TAKE, SPREAD, bytes);
    if (!p.address) heap_exhausted("upc_global_alloc", bytes);
  }
  GASP_FINISH(UPC, GASP_UPC_GLOBAL_ALLOC, nblocks, nbytes, &p);
  return p;
}

upc_pts_t upc_all_alloc(size_t nblocks, size_t nbytes)
{
  const size_t bytes = bytes_a_thread("upc_all_alloc", nblocks, nbytes);
  struct {
    uint64_t address, nblocks, nbytes;
  } what = {0, nblocks, nbytes};
  upc_pts_t p = UPC_PTS_NULL;
  pst_upc_need_all("upc_all_alloc");
  GASP_BEGIN(UPC, GASP_UPC_ALL_ALLOC, nblocks, nbytes);
  if (MYTHREAD == 0 && bytes && !(what.address = pst_upc_take(0, SPREAD, bytes)))
    heap_exhausted("upc_all_alloc", bytes);
  pst_upc_broadcast(&what, sizeof what, 0);
  if (what.nblocks != nblocks || what.nbytes != nbytes)
    pst_upc_fatal("upc_all_alloc", "%zu blocks of %zu bytes, but thread 0 asks for %zu of %zu", nblocks,
        nbytes, (size_t)what.nblocks, (size_t)what.nbytes);
  p.address = what.address;
  GASP_FINISH(UPC, GASP_UPC_ALL_ALLOC, nblocks, nbytes, &p);
  return p;
}

upc_pts_t pst_upc_own_take(const char *call, size_t nbytes)
{
  const uint64_t address = pst_upc_take((unsigned)MYTHREAD, OWN, nbytes);
  if (!address) heap_exhausted(call, nbytes);
  return (upc_pts_t){address, (uint32_t)MYTHREAD, 0};
}

void pst_upc_own_give_back(upc_pts_t p) { pst_upc_give_back(p.thread, p.address, 0); }

static upc_pts_t own_alloc(const char *call, size_t nbytes)
{
  upc_pts_t p = UPC_PTS_NULL;
  pst_upc_need_open(call);
  GASP_BEGIN(UPC, GASP_UPC_ALLOC, nbytes);
  if (nbytes) p = pst_upc_own_take(call, nbytes);
  GASP_FINISH(UPC, GASP_UPC_ALLOC, nbytes, &p);
  return p;
}

upc_pts_t upc_alloc(size_t nbytes) { return own_alloc("upc_alloc", nbytes); }

upc_pts_t upc_local_alloc(size_t nblocks, size_t nbytes)
{
  size_t bytes;
  if (__builtin_mul_overflow(nblocks, nbytes, &bytes))
    pst_upc_fatal("upc_local_alloc", "%zu blocks of %zu bytes are too much", nblocks, nbytes);
  return own_alloc("upc_local_alloc", bytes);
}

/* ---- release ---- */

static void block_free(const char *call, upc_pts_t p)
{
  const int spread_out = p.address >= pst_upc.heap;
  const unsigned keeper = spread_out ? 0 : p.thread;
  int good = p.thread < (unsigned)THREADS && (!spread_out || (p.thread == 0 && p.phase == 0));
  if (good && keeper == (unsigned)MYTHREAD) good = (int)pst_upc_give_back(keeper, p.address, 0);
  else if (good) good = (int)pst_upc_ask(keeper, PST_UPC_GIVE_BACK, p.address, 0);
  if (!good)
    pst_upc_fatal(call,
        "{address %#llx, thread %u, phase %u} is no pointer that was allocated, or it has been freed",
        (unsigned long long)p.address, p.thread, p.phase);
}

void upc_free(upc_pts_t p)
{
  pst_upc_need_open("upc_free");
  GASP_BEGIN(UPC, GASP_UPC_FREE, &p);
  if (!pst_upc_is_null(p)) block_free("upc_free", p);
  GASP_FINISH(UPC, GASP_UPC_FREE, &p);
}

void upc_all_free(upc_pts_t p)
{
  pst_upc_need_all("upc_all_free");
  GASP_BEGIN(UPC, GASP_UPC_FREE, &p);
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
  if (MYTHREAD == 0 && !pst_upc_is_null(p)) block_free("upc_all_free", p);
  GASP_FINISH(UPC, GASP_UPC_FREE, &p);
}

PST_UPC_ALIAS(global_alloc);
PST_UPC_ALIAS(all_alloc);
PST_UPC_ALIAS(alloc);
PST_UPC_ALIAS(local_alloc);
PST_UPC_ALIAS(free);
PST_UPC_ALIAS(all_free);

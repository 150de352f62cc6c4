/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Locks: queues in the locks' own words (front/lock.c). Each PE has its place in the queue in its own word.
 */
#include "front/lock.h"

#include "shmem/internal.h"

/* Locks that lie side by side have different homes, so that no PE keeps them all. (A number below 2^32 times
 * the number of PEs, divided by 2^32, is a PE.) */
static gasnet_node_t lock_home(uintptr_t number)
{
  return (gasnet_node_t)((uint64_t)((uint32_t)number * 0x9e3779b1u) * (uint32_t)pst_shmem_job.pes >> 32);
}

static struct pst_front_lock lock_open(const char *call, volatile void *address, unsigned width)
{
  struct pst_front_lock l = {
      .half = width / 2, .me = (gasnet_node_t)pst_shmem_job.me, .own = (char *)(uintptr_t)address};
  const struct pst_shmem_zone *zone;
  pst_shmem_need_open(call);
  zone = pst_shmem_need_own(call, "lock", address, width);
  if ((uintptr_t)address & (width - 1))
    pst_shmem_fatal(call, "lock %p is not aligned for its %u bytes", (void *)l.own, width);
  if ((uint32_t)pst_shmem_job.pes > pst_front_lock_most(l.half))
    pst_shmem_fatal(call, "locks of %u bytes serve %u PEs", width, pst_front_lock_most(l.half));
  l.shift = zone->shift;
  l.home = lock_home(((uintptr_t)l.own - zone->base) / (width == 8 ? 8 : 4));
  return l;
}

static void lock_set(const char *call, volatile void *address, unsigned width)
{
  const struct pst_front_lock l = lock_open(call, address, width);
  const int rc = pst_front_lock_take(&l);
  if (rc == PST_FRONT_LOCK_WRONG) pst_shmem_fatal(call, "lock %p: this PE has it already", (void *)l.own);
  if (rc == PST_FRONT_LOCK_PUT) pst_shmem_pend();
}

static int lock_test(const char *call, volatile void *address, unsigned width)
{
  const struct pst_front_lock l = lock_open(call, address, width);
  return !pst_front_lock_try(&l);
}

static void lock_clear(const char *call, volatile void *address, unsigned width)
{
  const struct pst_front_lock l = lock_open(call, address, width);
  int rc;
  if (pst_shmem.pending) pst_shmem_complete(call);
  rc = pst_front_lock_release(&l);
  if (rc == PST_FRONT_LOCK_WRONG) pst_shmem_fatal(call, "lock %p: this PE does not have it", (void *)l.own);
  if (rc == PST_FRONT_LOCK_PUT) pst_shmem_pend();
}

void pst_shmem_lock_set(const char *call, volatile void *lock, unsigned width)
{
  PST_SHMEM_TOLD(lock_set(call, lock, width), GASP_SHMEM_SET_LOCK, lock, call);
}

int pst_shmem_lock_test(const char *call, volatile void *lock, unsigned width)
{
  int result;
  PST_SHMEM_TOLD_RESULT(result = lock_test(call, lock, width), result, GASP_SHMEM_TEST_LOCK, lock, call);
  return result;
}

void pst_shmem_lock_clear(const char *call, volatile void *lock, unsigned width)
{
  PST_SHMEM_TOLD(lock_clear(call, lock, width), GASP_SHMEM_CLEAR_LOCK, lock, call);
}

void shmem_set_lock(volatile long *lock) { pst_shmem_lock_set("shmem_set_lock", lock, sizeof *lock); }
void shmem_clear_lock(volatile long *lock) { pst_shmem_lock_clear("shmem_clear_lock", lock, sizeof *lock); }
int shmem_test_lock(volatile long *lock)
{
  return pst_shmem_lock_test("shmem_test_lock", lock, sizeof *lock);
}

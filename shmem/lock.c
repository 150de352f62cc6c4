/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Locks: queues in the locks' own words (front/lock.h). The first half of a word counts on one PE only, the
 * lock's home; the second half is each PE's place in the queue. */
#include "front/lock.h"

#include "shmem/internal.h"

/* Locks that lie side by side have different homes, so that no PE keeps them all. (A number below 2^32 times
 * the number of PEs, divided by 2^32, is a PE.) */
static inline gasnet_node_t lock_home(uintptr_t number)
{
  return (gasnet_node_t)((uint64_t)((uint32_t)number * 0x9e3779b1u) * (uint32_t)pst_shmem_job.pes >> 32);
}

static void lock_refuse(const char *call, const void *lock, unsigned width) __attribute__((noreturn, cold));
static void lock_refuse(const char *call, const void *lock, unsigned width)
{
  if ((uintptr_t)lock & (width - 1))
    pst_shmem_fatal(call, "lock %p is not aligned for its %u bytes", lock, width);
  pst_shmem_fatal(call, "locks of %u bytes serve %u PEs", width, (unsigned)pst_front_lock_names(width / 2));
}

static inline __attribute__((always_inline)) struct pst_front_lock lock_open(
    const char *call, volatile void *address, unsigned width)
{
  char *const own = (char *)(uintptr_t)address;
  struct pst_front_lock l = {.width = width / 2, .implicit = 1, .names = pst_front_lock_names(width / 2)};
  const struct pst_shmem_zone *zone;
  pst_shmem_need_open(call);
  zone = pst_shmem_need_own(call, "lock", address, width);
  if ((uintptr_t)own & (width - 1) || (uint32_t)pst_shmem_job.pes > l.names) lock_refuse(call, own, width);
  l.me = (gasnet_node_t)pst_shmem_job.me;
  l.name = 1 + (uint64_t)l.me;
  l.home = lock_home(((uintptr_t)own - zone->base) / width);
  l.shift = zone->shift;
  l.tail = own + l.shift[l.home];
  l.place = l.origin = own + width / 2;
  return l;
}

/* A call of front/lock.h for a lock of 8 or of 4 bytes, each compiled for itself. */
#define LOCK_CALL(operate) \
  static int lock_##operate(const char *call, volatile void *address, unsigned width) \
  { \
    if (width == 8) { \
      const struct pst_front_lock l = lock_open(call, address, 8); \
      return pst_front_lock_##operate(&l); \
    } \
    const struct pst_front_lock l = lock_open(call, address, 4); \
    return pst_front_lock_##operate(&l); \
  }
LOCK_CALL(take)
LOCK_CALL(try)
LOCK_CALL(release)

static void lock_complain(const char *call, volatile void *lock, int rc, const char *wrong)
    __attribute__((noreturn, cold));
static void lock_complain(const char *call, volatile void *lock, int rc, const char *wrong)
{
  if (rc == PST_FRONT_LOCK_WRONG) pst_shmem_fatal(call, "lock %p: %s", (void *)(uintptr_t)lock, wrong);
  pst_shmem_fatal(
      call, "%p is no lock: locks are 0 at first, and nothing else changes them", (void *)(uintptr_t)lock);
}

static void lock_set(const char *call, volatile void *lock, unsigned width)
{
  const int rc = lock_take(call, lock, width);
  if (rc < 0) lock_complain(call, lock, rc, "this PE has it already");
  if (rc == PST_FRONT_LOCK_PUT) pst_shmem_pend();
}

static int lock_test(const char *call, volatile void *lock, unsigned width)
{
  const int rc = lock_try(call, lock, width);
  if (rc == PST_FRONT_LOCK_GONE) lock_complain(call, lock, rc, NULL);
  return rc == PST_FRONT_LOCK_BUSY;
}

static void lock_clear(const char *call, volatile void *lock, unsigned width)
{
  int rc;
  if (pst_shmem.pending) pst_shmem_complete(call);
  rc = lock_release(call, lock, width);
  if (rc < 0) lock_complain(call, lock, rc, "this PE does not have it");
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

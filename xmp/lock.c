/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Locks (front/held.h): the word is the lock itself, in its coarray. */
#include "front/held.h"
#include "xmp/coarray.h"
#include "xmp/tool.h"

static struct pst_front_locks locks;

static uint64_t *place_new(void) { return pst_xmp_heap_take("lock", NULL, sizeof(uint64_t)); }

static struct pst_front_locks *locks_open(void)
{
  if (!locks.origin)
    locks = (struct pst_front_locks){.me = (gasnet_node_t)pst_xmp_job.me,
        .origin = pst_xmp_job.segment[pst_xmp_job.me].addr,
        .shift = pst_xmp_job.shift,
        .place_new = place_new};
  return &locks;
}

/* A lock is an image control statement: it completes puts. */
static struct pst_xmp_place lock_place(const char *where, void *coarray, int image, void *lock)
{
  const struct pst_xmp_place p = pst_xmp_coarray_place(where, coarray, image, lock, sizeof(xmp_lock_t));
  if ((uintptr_t)p.there % sizeof(uint64_t)) pst_xmp_fatal(where, "the lock is not aligned to 8 bytes");
  pst_front_put_complete();
  return p;
}

static void stat_set(const char *where, int *stat, int code, const char *text)
{
  if (stat) *stat = code;
  else if (code != XMP_STAT_SUCCESS) pst_xmp_fatal(where, "%s", text);
}

static void code_tell(const char *where, int *stat, int rc)
{
  switch (rc) {
  case PST_FRONT_LOCKS_DONE: stat_set(where, stat, XMP_STAT_SUCCESS, ""); break;
  case PST_FRONT_LOCKS_MINE: stat_set(where, stat, XMP_STAT_LOCKED, "this image has the lock already"); break;
  case PST_FRONT_LOCKS_BUSY:
    stat_set(where, stat, XMP_STAT_LOCKED_OTHER_IMAGE, "another image has the lock");
    break;
  case PST_FRONT_LOCKS_FREE: stat_set(where, stat, XMP_STAT_UNLOCKED, "no image has the lock"); break;
  case PST_FRONT_LOCKS_NO_MEMORY: pst_xmp_fatal(where, "out of memory");
  default: pst_xmp_fatal(where, "it is no lock, or something else has been stored in it");
  }
}

static void lock_run(const char *where, void *coarray, int image, void *lock, int *acquired, int *stat)
{
  const struct pst_xmp_place p = lock_place(where, coarray, image, lock);
  const int rc = pst_front_locks_take(locks_open(), p.node, (uint64_t *)(void *)p.there, !acquired);
  const int answers = acquired && (rc == PST_FRONT_LOCKS_DONE || rc == PST_FRONT_LOCKS_BUSY);
  if (answers) *acquired = rc == PST_FRONT_LOCKS_DONE;
  code_tell(where, stat, answers ? PST_FRONT_LOCKS_DONE : rc);
}

void pst_xmp_lock(const char *where, void *coarray, int image, void *lock, int *acquired, int *stat)
{
  PST_XMP_ALONE(where);
  PST_XMP_TOLD(where, pst_xmp_told_plain(&told, xmpt_event_dummy, GASP_XMP_LOCK, NULL),
      lock_run(where, coarray, image, lock, acquired, stat));
}

static void unlock_run(const char *where, void *coarray, int image, void *lock, int *stat)
{
  const struct pst_xmp_place p = lock_place(where, coarray, image, lock);
  code_tell(where, stat, pst_front_locks_release(locks_open(), p.node, (uint64_t *)(void *)p.there));
}

void pst_xmp_unlock(const char *where, void *coarray, int image, void *lock, int *stat)
{
  PST_XMP_ALONE(where);
  PST_XMP_TOLD(where, pst_xmp_told_plain(&told, xmpt_event_dummy, GASP_XMP_UNLOCK, NULL),
      unlock_run(where, coarray, image, lock, stat));
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Locks: queues of words (front/lock.h). The tail is the lock itself, in its coarray. This node has a place,
 * a block of its heap, for each lock that it has or waits for. The name of a place says at which multiple of
 * 64 bytes of which node's segment it lies. */
#include "front/lock.h"

#include <stdlib.h>

#include "xmp/coarray.h"
#include "xmp/tool.h"

enum { NUMBER_BITS = 34 };

/* A lock that this node has or waits for. */
struct hold {
  struct hold *next;
  gasnet_node_t home;
  void *tail; /* as its home sees it */
  uint64_t *place;
};
static struct hold *holds, *unused; /* unused: those with places that no lock needs now */

static struct hold **hold_find(gasnet_node_t home, const void *tail)
{
  struct hold **h = &holds;
  while (*h && ((*h)->home != home || (*h)->tail != tail)) h = &(*h)->next;
  return h;
}

static void hold_move(struct hold **from, struct hold **to)
{
  struct hold *const h = *from;
  *from = h->next;
  h->next = *to;
  *to = h;
}

static void unused_add(const char *where)
{
  struct hold *const h = pst_xmp_own_take(where, sizeof *h);
  h->place = pst_xmp_heap_take(where, NULL, sizeof *h->place);
  gasnetx_atomic64(GASNETX_SET, (gasnet_node_t)pst_xmp_job.me, h->place, 0, 0);
  h->next = unused;
  unused = h;
}

static struct pst_front_lock lock_of(const struct hold *h)
{
  char *const origin = pst_xmp_job.segment[pst_xmp_job.me].addr;
  const uint64_t number = (uint64_t)((char *)h->place - origin) / 64;
  return (struct pst_front_lock){.width = 8,
      .me = (gasnet_node_t)pst_xmp_job.me,
      .home = h->home,
      .tail = h->tail,
      .place = h->place,
      .name = 1 + ((uint64_t)pst_xmp_job.me << NUMBER_BITS | number),
      .names = pst_front_lock_names(8),
      .origin = origin,
      .shift = pst_xmp_job.shift,
      .number_bits = NUMBER_BITS};
}

/* A lock is an image control statement: it completes puts. */
static struct pst_xmp_place lock_place(const char *where, void *coarray, int image, void *lock)
{
  const struct pst_xmp_place p = pst_xmp_coarray_place(where, coarray, image, lock, sizeof(xmp_lock_t));
  if ((uintptr_t)p.there % sizeof(uint64_t)) pst_xmp_fatal(where, "the lock is not aligned to 8 bytes");
  pst_front_put_complete();
  return p;
}

static void stat_set(const char *where, int *stat, int code)
{
  static const char *const what[] = {[XMP_STAT_LOCKED] = "this image has the lock already",
      [XMP_STAT_UNLOCKED] = "no image has the lock",
      [XMP_STAT_LOCKED_OTHER_IMAGE] = "another image has the lock"};
  if (stat) *stat = code;
  else if (code != XMP_STAT_SUCCESS) pst_xmp_fatal(where, "%s", what[code]);
}

static void lock_spoilt(const char *where) __attribute__((noreturn, cold));
static void lock_spoilt(const char *where)
{
  pst_xmp_fatal(where, "it is no lock, or something else has been stored in it");
}

static void lock_run(const char *where, void *coarray, int image, void *lock, int *acquired, int *stat)
{
  const struct pst_xmp_place p = lock_place(where, coarray, image, lock);
  struct pst_front_lock l;
  int rc;
  if (*hold_find(p.node, p.there)) {
    stat_set(where, stat, XMP_STAT_LOCKED);
    return;
  }
  if (!unused) unused_add(where);
  unused->home = p.node;
  unused->tail = p.there;
  l = lock_of(unused);
  rc = acquired ? pst_front_lock_try(&l) : pst_front_lock_take(&l);
  if (rc != PST_FRONT_LOCK_DONE && rc != PST_FRONT_LOCK_BUSY) lock_spoilt(where);
  if (rc == PST_FRONT_LOCK_DONE) hold_move(&unused, &holds);
  if (acquired) *acquired = rc == PST_FRONT_LOCK_DONE;
  stat_set(where, stat, XMP_STAT_SUCCESS);
}

void pst_xmp_lock(const char *where, void *coarray, int image, void *lock, int *acquired, int *stat)
{
  PST_XMP_TOLD(where, pst_xmp_told_plain(&told, xmpt_event_dummy, GASP_XMP_LOCK, NULL),
      lock_run(where, coarray, image, lock, acquired, stat));
}

/* Why this node cannot unlock it. */
static int lock_state(const struct pst_xmp_place *p)
{
  return gasnetx_atomic64(GASNETX_GET, p->node, (uint64_t *)(void *)p->there, 0, 0)
      ? XMP_STAT_LOCKED_OTHER_IMAGE
      : XMP_STAT_UNLOCKED;
}

static void unlock_run(const char *where, void *coarray, int image, void *lock, int *stat)
{
  const struct pst_xmp_place p = lock_place(where, coarray, image, lock);
  struct hold **const h = hold_find(p.node, p.there);
  struct pst_front_lock l;
  if (!*h) {
    stat_set(where, stat, lock_state(&p));
    return;
  }
  l = lock_of(*h);
  if (pst_front_lock_release(&l) != PST_FRONT_LOCK_DONE) lock_spoilt(where);
  hold_move(h, &unused);
  stat_set(where, stat, XMP_STAT_SUCCESS);
}

void pst_xmp_unlock(const char *where, void *coarray, int image, void *lock, int *stat)
{
  PST_XMP_TOLD(where, pst_xmp_told_plain(&told, xmpt_event_dummy, GASP_XMP_UNLOCK, NULL),
      unlock_run(where, coarray, image, lock, stat));
}

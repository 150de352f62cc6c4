/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "front/held.h"

#include <stdlib.h>

#include "front/claim.h"
#include "front/lock.h"

/* The name of a place says at which multiple of 64 bytes of which node's segment it lies. */
enum { NUMBER_BITS = 34 };

struct pst_front_held {
  struct pst_front_held *next;
  struct pst_front_lock lock; /* this node's place in it is for good */
};

static struct pst_front_held **held_find(struct pst_front_locks *l, gasnet_node_t home, const uint64_t *word)
{
  struct pst_front_held **h = &l->held;
  while (*h && ((*h)->lock.home != home || (*h)->lock.tail != word)) h = &(*h)->next;
  return h;
}

static void held_move(struct pst_front_held **from, struct pst_front_held **to)
{
  struct pst_front_held *const h = *from;
  *from = h->next;
  h->next = *to;
  *to = h;
}

static struct pst_front_lock lock_new(const struct pst_front_locks *l, uint64_t *place)
{
  const uint64_t number = (uint64_t)((char *)place - l->origin) / 64;
  gasnetx_atomic64(GASNETX_SET, l->me, place, 0, 0);
  return (struct pst_front_lock){.width = 8,
      .me = l->me,
      .place = place,
      .name = 1 + ((uint64_t)l->me << NUMBER_BITS | number),
      .names = pst_front_lock_names(8),
      .origin = l->origin,
      .shift = l->shift,
      .number_bits = NUMBER_BITS};
}

/* One with a place that no lock needs now; NULL: out of memory. */
static struct pst_front_held *unused_need(struct pst_front_locks *l)
{
  if (l->unused) return l->unused;
  struct pst_front_held *const h = calloc(1, sizeof *h);
  uint64_t *const place = h ? l->place_new() : NULL;
  if (!place) {
    free(h);
    return NULL;
  }
  h->lock = lock_new(l, place);
  return l->unused = h;
}

/* ---- taking ---- */

static int queue_take(const struct pst_front_lock *q, int wait)
{
  const int rc = wait ? pst_front_lock_take(q) : pst_front_lock_try(q);
  return rc == PST_FRONT_LOCK_DONE ? PST_FRONT_LOCKS_DONE
      : rc == PST_FRONT_LOCK_BUSY  ? PST_FRONT_LOCKS_BUSY
                                   : PST_FRONT_LOCKS_SPOILT;
}

static int claim_take(gasnet_node_t home, uint64_t *word, int wait)
{
  const int rc = wait ? pst_front_claim_take(home, word) : pst_front_claim_try(home, word);
  return rc >= PST_FRONT_CLAIM_DONE    ? PST_FRONT_LOCKS_DONE
      : rc == PST_FRONT_CLAIM_BUSY     ? PST_FRONT_LOCKS_BUSY
      : rc == PST_FRONT_CLAIM_HOMELESS ? PST_FRONT_LOCKS_HOMELESS
                                       : PST_FRONT_LOCKS_SPOILT;
}

int pst_front_locks_take(struct pst_front_locks *l, gasnet_node_t home, uint64_t *word, int wait)
{
  if (*held_find(l, home, word)) return PST_FRONT_LOCKS_MINE;
  struct pst_front_held *const h = unused_need(l);
  if (!h) return PST_FRONT_LOCKS_NO_MEMORY;
  h->lock.home = home;
  h->lock.tail = word;
  const int rc = l->losses ? claim_take(home, word, wait) : queue_take(&h->lock, wait);
  if (rc == PST_FRONT_LOCKS_DONE) held_move(&l->unused, &l->held);
  return rc;
}

/* ---- releasing ---- */

static int queue_release(const struct pst_front_lock *q)
{
  return pst_front_lock_release(q) == PST_FRONT_LOCK_DONE ? PST_FRONT_LOCKS_DONE : PST_FRONT_LOCKS_SPOILT;
}

static int claim_release(gasnet_node_t home, uint64_t *word)
{
  return pst_front_claim_release(home, word) == PST_FRONT_CLAIM_HOMELESS ? PST_FRONT_LOCKS_HOMELESS
                                                                         : PST_FRONT_LOCKS_DONE;
}

int pst_front_locks_release(struct pst_front_locks *l, gasnet_node_t home, uint64_t *word)
{
  struct pst_front_held **const h = held_find(l, home, word);
  if (!*h)
    return gasnetx_atomic64(GASNETX_GET, home, word, 0, 0) ? PST_FRONT_LOCKS_BUSY : PST_FRONT_LOCKS_FREE;
  const int rc = l->losses ? claim_release(home, word) : queue_release(&(*h)->lock);
  held_move(h, &l->unused);
  return rc;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Locks and critical sections: queues of words (front/lock.h), or where losses are reported, words that pass
 * from a lost image to the next one (front/claim.h). This image has a place in a queue for each lock that it
 * has or waits for: a block of its local heap. */
#include "front/lock.h"

#include "caf/sync.h"
#include "front/claim.h"

enum { NUMBER_BITS = 34 };

/* A lock that this image has or waits for. */
struct hold {
  struct hold *next;
  gasnet_node_t home;
  uint64_t *word; /* as its home sees it */
  uint64_t *place;
};
static struct hold *holds, *unused; /* unused: those with places that no lock needs now */

static struct hold **hold_find(gasnet_node_t home, const uint64_t *word)
{
  struct hold **h = &holds;
  while (*h && ((*h)->home != home || (*h)->word != word)) h = &(*h)->next;
  return h;
}

static void hold_move(struct hold **from, struct hold **to)
{
  struct hold *const h = *from;
  *from = h->next;
  h->next = *to;
  *to = h;
}

static void unused_add(void)
{
  struct hold *const h = pst_caf_own_take(sizeof *h);
  h->place = pst_caf_local_take(sizeof *h->place);
  if (!h->place) pst_caf_fatal("lock", "out of memory; raise CAF_HEAP_SIZE");
  gasnetx_atomic64(GASNETX_SET, pst_caf_job.me, h->place, 0, 0);
  h->next = unused;
  unused = h;
}

static struct pst_front_lock lock_of(const struct hold *h)
{
  const uint64_t number = (uint64_t)((char *)h->place - pst_caf_job.segment) / 64;
  return (struct pst_front_lock){.width = 8,
      .me = pst_caf_job.me,
      .home = h->home,
      .tail = h->word,
      .place = h->place,
      .name = 1 + ((uint64_t)pst_caf_job.me << NUMBER_BITS | number),
      .names = pst_front_lock_names(8),
      .origin = pst_caf_job.segment,
      .shift = pst_caf_job.shift,
      .number_bits = NUMBER_BITS};
}

/* ---- lock ---- */

/* 1: taken, 0: another image has it. */
static int queue_take(const struct hold *h, int wait)
{
  const struct pst_front_lock l = lock_of(h);
  const int rc = wait ? pst_front_lock_take(&l) : pst_front_lock_try(&l);
  if (rc != PST_FRONT_LOCK_DONE && rc != PST_FRONT_LOCK_BUSY)
    pst_caf_fatal("lock", "it is no lock, or something else has been stored in it");
  return rc == PST_FRONT_LOCK_DONE;
}

static int claim_take(const struct hold *h, int wait)
{
  const int rc = wait ? pst_front_claim_take(h->home, h->word) : pst_front_claim_try(h->home, h->word);
  if (rc == PST_FRONT_CLAIM_HOMELESS) pst_caf_fatal("lock", "the lock's image has failed");
  return rc == PST_FRONT_CLAIM_DONE || rc == PST_FRONT_CLAIM_INHERITED;
}

static uint64_t *lock_word(caf_token_t token, size_t index, gasnet_node_t node)
{
  return (uint64_t *)(void *)pst_caf_at(token, node, 0) + index;
}

void _gfortran_caf_lock(
    caf_token_t token, size_t index, int image, int *acquired, int *stat, char *errmsg, size_t errmsg_len)
{
  const struct pst_caf_status status = {"lock", stat, errmsg, errmsg_len};
  const gasnet_node_t home = pst_caf_node_or_own("lock", image);
  uint64_t *const word = lock_word(token, index, home);
  pst_caf_release();
  if (*hold_find(home, word)) {
    pst_caf_status_set(&status, PST_CAF_STAT_LOCKED, "this image has the lock already");
    return;
  }
  if (!unused) unused_add();
  unused->home = home;
  unused->word = word;
  const int taken = pst_caf_job.losses ? claim_take(unused, !acquired) : queue_take(unused, !acquired);
  if (taken) hold_move(&unused, &holds);
  if (acquired) *acquired = taken;
  pst_caf_acquire();
  pst_caf_status_ok(stat);
}

/* ---- unlock ---- */

static void hold_release(const struct hold *h)
{
  const struct pst_front_lock l = lock_of(h);
  if (pst_caf_job.losses) pst_front_claim_release(h->home, h->word);
  else if (pst_front_lock_release(&l) != PST_FRONT_LOCK_DONE)
    pst_caf_fatal("unlock", "it is no lock, or something else has been stored in it");
}

void _gfortran_caf_unlock(
    caf_token_t token, size_t index, int image, int *stat, char *errmsg, size_t errmsg_len)
{
  const struct pst_caf_status status = {"unlock", stat, errmsg, errmsg_len};
  const gasnet_node_t home = pst_caf_node_or_own("unlock", image);
  uint64_t *const word = lock_word(token, index, home);
  struct hold **const h = hold_find(home, word);
  pst_caf_release();
  if (*h) {
    hold_release(*h);
    hold_move(h, &unused);
    pst_caf_status_ok(stat);
  } else if (gasnetx_atomic64(GASNETX_GET, home, word, 0, 0))
    pst_caf_status_set(&status, PST_CAF_STAT_LOCKED_OTHER_IMAGE, "another image has the lock");
  else pst_caf_status_set(&status, PST_CAF_STAT_NOT_LOCKED, "no image has the lock");
}

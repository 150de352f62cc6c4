/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Locks. Each lock has a keeper, a thread that knows the last thread in the lock's queue. A thread that wants
 * the lock asks the keeper, and learns which thread is before it. The threads in the queue do the rest: each
 * tells the one before that it follows, and a thread that unlocks hands the lock to its follower. So a
 * handover is one message and its answer, however many wait, and the order is that of arrival.
 *
 *   upc_lock:    LOCK -> keeper: this thread is the last now; answer: the last before, or FREE.
 *                FOLLOW -> the thread before; then wait for GRANT.
 *   upc_unlock:  where a follower is known: GRANT -> the follower.
 *                else UNLOCK -> keeper: answer 1 where this thread is the last, and nobody is now.
 *                else another thread is about to follow: wait for FOLLOW, then GRANT.
 *
 * A lock's number consists of the keeper, a place in the keeper's table, and how often that place was used
 * before, so that a lock that was freed is noticed. Handlers may run in another thread of the process:
 * `mutex` guards everything. */
#include <stdlib.h>

#include "upc/upc.h"

enum { NOBODY = -1, PLACE_BITS = 24, KEEPER_BITS = 24 };
_Static_assert(sizeof(upc_lock_t *) == 8, "a lock's number is a pointer's size");

/* The keeper's part. */
struct queue {
  int last;
  unsigned used;
  int exists, forgotten;
};
static struct queue *queue;
static unsigned queues, full; /* full: all places before it are taken */

/* A lock that this thread has or waits for. Handlers write follower and granted once each, under `mutex`. The
 * thread polls them without it; what it reads after that is ordered by a fence. */
struct hold {
  struct hold *next;
  uint64_t lock;
  volatile int follower, granted;
};
static struct hold *holds;
static gasnet_hsl_t mutex = GASNET_HSL_INITIALIZER;

/* Answers of the keeper, where it does not answer a thread's number. */
#define GONE UINT64_MAX
#define FREE (UINT64_MAX - 1)

/* ---- numbers ---- */

static uint64_t lock_number(unsigned keeper, unsigned place, unsigned used)
{
  return (uint64_t)(used & 0xffff) << 48 | (uint64_t)keeper << PLACE_BITS | (place + 1);
}
static unsigned lock_place(uint64_t lock) { return (unsigned)(lock & ((1u << PLACE_BITS) - 1)) - 1; }
static unsigned lock_keeper(const char *call, upc_lock_t *lock)
{
  const uint64_t n = (uintptr_t)lock;
  const unsigned keeper = (unsigned)(n >> PLACE_BITS) & ((1u << KEEPER_BITS) - 1);
  pst_upc_need_open(call);
  if (keeper >= (unsigned)THREADS || lock_place(n) >= (1u << PLACE_BITS) - 1)
    pst_upc_fatal(call, "%p is no lock", (void *)lock);
  return keeper;
}
static void lock_gone(const char *call, upc_lock_t *lock)
{
  pst_upc_fatal(call, "%p is no lock, or it has been freed", (void *)lock);
}

/* ---- the keeper ---- */

static struct queue *queue_find(uint64_t lock)
{
  const unsigned place = lock_place(lock);
  struct queue *q = place < queues ? &queue[place] : NULL;
  return q && q->exists && (q->used & 0xffff) == lock >> 48 ? q : NULL;
}

/* Answers which thread was last. `from` becomes the last, unless it would have to wait and may not. */
static uint64_t queue_enter(unsigned from, uint64_t lock, int may_wait)
{
  uint64_t before = GONE;
  struct queue *q;
  gasnet_hsl_lock(&mutex);
  if ((q = queue_find(lock))) {
    before = q->last == NOBODY ? FREE : (uint64_t)q->last;
    if (may_wait || before == FREE) q->last = (int)from;
  }
  gasnet_hsl_unlock(&mutex);
  return before;
}

uint64_t pst_upc_lock_take(unsigned from, uint64_t lock, uint64_t unused)
{
  (void)unused;
  return queue_enter(from, lock, 1);
}

uint64_t pst_upc_lock_attempt(unsigned from, uint64_t lock, uint64_t unused)
{
  (void)unused;
  return queue_enter(from, lock, 0);
}

static void queue_remove(struct queue *q)
{
  q->exists = 0;
  q->used++;
  if (q - queue < full) full = (unsigned)(q - queue);
}

/* Answers 1 where no thread follows. */
uint64_t pst_upc_lock_release(unsigned from, uint64_t lock, uint64_t unused)
{
  uint64_t last = GONE;
  struct queue *q;
  (void)unused;
  gasnet_hsl_lock(&mutex);
  if ((q = queue_find(lock))) {
    last = q->last == (int)from;
    if (last) q->last = NOBODY;
    if (last && q->forgotten) queue_remove(q);
  }
  gasnet_hsl_unlock(&mutex);
  return last;
}

uint64_t pst_upc_lock_forget(unsigned from, uint64_t lock, uint64_t unused)
{
  uint64_t answer = GONE;
  struct queue *q;
  (void)from, (void)unused;
  gasnet_hsl_lock(&mutex);
  if ((q = queue_find(lock)) && !q->forgotten) {
    answer = 0;
    q->forgotten = 1;
    if (q->last == NOBODY) queue_remove(q);
  }
  gasnet_hsl_unlock(&mutex);
  return answer;
}

/* ---- threads in the queue ---- */

static struct hold *hold_find(uint64_t lock)
{
  struct hold *h = holds;
  while (h && h->lock != lock) h = h->next;
  return h;
}

/* This thread has the lock or waits for it: it cannot leave before it has been told of its follower. */
uint64_t pst_upc_lock_follow(unsigned from, uint64_t lock, uint64_t unused)
{
  struct hold *h;
  (void)unused;
  gasnet_hsl_lock(&mutex);
  if ((h = hold_find(lock))) h->follower = (int)from;
  gasnet_hsl_unlock(&mutex);
  return h != NULL;
}

uint64_t pst_upc_lock_grant(unsigned from, uint64_t lock, uint64_t unused)
{
  struct hold *h;
  (void)from, (void)unused;
  gasnet_hsl_lock(&mutex);
  if ((h = hold_find(lock))) h->granted = 1;
  gasnet_hsl_unlock(&mutex);
  return h != NULL;
}

static uint64_t keeper_ask(const char *call, unsigned thread, enum pst_upc_kind kind, upc_lock_t *lock)
{
  const uint64_t answer = pst_upc_ask(thread, kind, (uintptr_t)lock, 0);
  if (answer == GONE) lock_gone(call, lock);
  return answer;
}

/* Enters it into the list, before any thread can follow or grant. */
static struct hold *hold_begin(const char *call, upc_lock_t *lock)
{
  struct hold *h;
  gasnet_hsl_lock(&mutex);
  h = hold_find((uintptr_t)lock);
  gasnet_hsl_unlock(&mutex);
  if (h) pst_upc_fatal(call, "this thread has the lock already");
  h = malloc(sizeof *h);
  if (!h) pst_upc_fatal(call, "out of memory");
  *h = (struct hold){.lock = (uintptr_t)lock, .follower = NOBODY};
  gasnet_hsl_lock(&mutex);
  h->next = holds;
  holds = h;
  gasnet_hsl_unlock(&mutex);
  return h;
}

static void hold_end(struct hold *h)
{
  struct hold **p = &holds;
  gasnet_hsl_lock(&mutex);
  while (*p != h) p = &(*p)->next;
  *p = h->next;
  gasnet_hsl_unlock(&mutex);
  free(h);
}

static void hold_follow(upc_lock_t *lock, struct hold *h, unsigned before)
{
  pst_upc_ask(before, PST_UPC_FOLLOW, (uintptr_t)lock, 0);
  GASNET_BLOCKUNTIL(h->granted);
}

void upc_lock(upc_lock_t *lock)
{
  const unsigned keeper = lock_keeper("upc_lock", lock);
  struct hold *h;
  uint64_t before;
  GASP_BEGIN(UPC, GASP_UPC_LOCK, &lock);
  h = hold_begin("upc_lock", lock);
  before = keeper_ask("upc_lock", keeper, PST_UPC_LOCK, lock);
  if (before != FREE) hold_follow(lock, h, (unsigned)before);
  gasnett_local_mb();
  GASP_FINISH(UPC, GASP_UPC_LOCK, &lock);
}

int upc_lock_attempt(upc_lock_t *lock)
{
  const unsigned keeper = lock_keeper("upc_lock_attempt", lock);
  struct hold *h;
  int result;
  GASP_BEGIN(UPC, GASP_UPC_LOCK_ATTEMPT, &lock);
  h = hold_begin("upc_lock_attempt", lock);
  result = keeper_ask("upc_lock_attempt", keeper, PST_UPC_ATTEMPT, lock) == FREE;
  if (!result) hold_end(h);
  gasnett_local_mb();
  GASP_FINISH(UPC, GASP_UPC_LOCK_ATTEMPT, &lock, result);
  return result;
}

static void hold_hand_on(upc_lock_t *lock, struct hold *h, unsigned keeper)
{
  if (h->follower == NOBODY && keeper_ask("upc_unlock", keeper, PST_UPC_UNLOCK, lock) == 1) return;
  GASNET_BLOCKUNTIL(h->follower != NOBODY);
  pst_upc_ask((unsigned)h->follower, PST_UPC_GRANT, (uintptr_t)lock, 0);
}

void upc_unlock(upc_lock_t *lock)
{
  const unsigned keeper = lock_keeper("upc_unlock", lock);
  struct hold *h;
  GASP_BEGIN(UPC, GASP_UPC_UNLOCK, &lock);
  gasnet_hsl_lock(&mutex);
  h = hold_find((uintptr_t)lock);
  gasnet_hsl_unlock(&mutex);
  if (!h) pst_upc_fatal("upc_unlock", "this thread does not have the lock");
  gasnett_local_mb();
  hold_hand_on(lock, h, keeper);
  hold_end(h);
  GASP_FINISH(UPC, GASP_UPC_UNLOCK, &lock);
}

/* ---- locks come and go ---- */

static struct queue *queue_new(void)
{
  struct queue *more;
  for (; full < queues; full++)
    if (!queue[full].exists) return &queue[full];
  more = queues < 1u << (PLACE_BITS - 1) ? realloc(queue, (queues ? 2 * queues : 16) * sizeof *queue) : NULL;
  if (!more) return NULL;
  queue = more;
  for (unsigned i = queues, n = queues ? 2 * queues : 16; i < n; i++)
    queue[i] = (struct queue){.last = NOBODY};
  more = &queue[queues];
  queues = queues ? 2 * queues : 16;
  return more;
}

static upc_lock_t *lock_new(const char *call)
{
  struct queue *q;
  uint64_t lock = 0;
  gasnet_hsl_lock(&mutex);
  if ((q = queue_new())) {
    *q = (struct queue){.last = NOBODY, .used = q->used, .exists = 1};
    lock = lock_number((unsigned)MYTHREAD, (unsigned)(q - queue), q->used);
  }
  gasnet_hsl_unlock(&mutex);
  if (!lock) pst_upc_fatal(call, "out of memory for locks");
  return (upc_lock_t *)(uintptr_t)lock;
}

upc_lock_t *upc_global_lock_alloc(void)
{
  upc_lock_t *lock;
  pst_upc_need_open("upc_global_lock_alloc");
  GASP_BEGIN(UPC, GASP_UPC_GLOBAL_LOCK_ALLOC);
  lock = lock_new("upc_global_lock_alloc");
  GASP_FINISH(UPC, GASP_UPC_GLOBAL_LOCK_ALLOC, &lock);
  return lock;
}

/* Keepers in turn. */
upc_lock_t *upc_all_lock_alloc(void)
{
  static unsigned calls;
  unsigned keeper;
  upc_lock_t *lock = NULL;
  pst_upc_need_all("upc_all_lock_alloc");
  keeper = calls++ % (unsigned)THREADS;
  GASP_BEGIN(UPC, GASP_UPC_ALL_LOCK_ALLOC);
  if (keeper == (unsigned)MYTHREAD) lock = lock_new("upc_all_lock_alloc");
  pst_upc_broadcast(&lock, sizeof lock, keeper);
  GASP_FINISH(UPC, GASP_UPC_ALL_LOCK_ALLOC, &lock);
  return lock;
}

void upc_lock_free(upc_lock_t *lock)
{
  const unsigned keeper = lock ? lock_keeper("upc_lock_free", lock) : 0;
  GASP_BEGIN(UPC, GASP_UPC_LOCK_FREE, &lock);
  if (lock) keeper_ask("upc_lock_free", keeper, PST_UPC_LOCK_FREE, lock);
  GASP_FINISH(UPC, GASP_UPC_LOCK_FREE, &lock);
}

PST_UPC_ALIAS(lock);
PST_UPC_ALIAS(lock_attempt);
PST_UPC_ALIAS(unlock);
PST_UPC_ALIAS(global_lock_alloc);
PST_UPC_ALIAS(all_lock_alloc);
PST_UPC_ALIAS(lock_free);

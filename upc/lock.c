/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Locks. A thread keeps the ends of the queues of some locks; who wants one of them asks it, and learns who
 * came before. The rest goes on among those who queue: each tells the one before that it follows, and who
 * gives the lock back hands it to its follower. So a handover is one message and its answer, however many
 * wait, and the order is that of arrival.
 *
 *   upc_lock:    LOCK -> keeper: the last becomes me; answer: who was last, or nobody
 *                FOLLOW -> the one before; then wait for GRANT
 *   upc_unlock:  a follower is known: GRANT -> the follower
 *                else UNLOCK -> keeper: I am last: nobody is; answer 1. Else somebody is about to follow:
 * wait for FOLLOW, then GRANT.
 *
 * A lock's number: keeper, its place in the keeper's table, and how often that place was used before, so that
 * a lock that is gone is noticed. Handlers run while a thread is in a call, or in another of its threads: all
 * is under `mutex`. */
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

/* A lock that this thread has or waits for. Handlers write follower and granted once each, under `mutex`; its
 * own thread polls them without it until they are set, and reads nothing else of theirs after it but what a
 * fence orders. */
struct hold {
  struct hold *next;
  uint64_t lock;
  volatile int follower, granted;
};
static struct hold *holds;
static gasnet_hsl_t mutex = GASNET_HSL_INITIALIZER;

/* Answers of the keeper beside threads' numbers. */
#define GONE UINT64_MAX
#define FREE (UINT64_MAX - 1)

/* ---- numbers ---- */

static uint64_t number(unsigned keeper, unsigned place, unsigned used)
{
  return (uint64_t)(used & 0xffff) << 48 | (uint64_t)keeper << PLACE_BITS | (place + 1);
}
static unsigned place_of(uint64_t lock) { return (unsigned)(lock & ((1u << PLACE_BITS) - 1)) - 1; }
static unsigned keeper_of(const char *call, upc_lock_t *lock)
{
  const uint64_t n = (uintptr_t)lock;
  const unsigned keeper = (unsigned)(n >> PLACE_BITS) & ((1u << KEEPER_BITS) - 1);
  pst_upc_need_open(call);
  if (keeper >= (unsigned)THREADS || place_of(n) >= (1u << PLACE_BITS) - 1)
    pst_upc_fatal(call, "%p is no lock", (void *)lock);
  return keeper;
}
static void gone(const char *call, upc_lock_t *lock)
{
  pst_upc_fatal(call, "%p is no lock, or it has been freed", (void *)lock);
}

/* ---- the keeper ---- */

static struct queue *kept(uint64_t lock)
{
  const unsigned place = place_of(lock);
  struct queue *q = place < queues ? &queue[place] : NULL;
  return q && q->exists && (q->used & 0xffff) == lock >> 48 ? q : NULL;
}

/* Answers who was last. From then on it is `from`, unless it would have to wait and does not want to. */
static uint64_t enqueue(unsigned from, uint64_t lock, int may_wait)
{
  uint64_t before = GONE;
  struct queue *q;
  gasnet_hsl_lock(&mutex);
  if ((q = kept(lock))) {
    before = q->last == NOBODY ? FREE : (uint64_t)q->last;
    if (may_wait || before == FREE) q->last = (int)from;
  }
  gasnet_hsl_unlock(&mutex);
  return before;
}

uint64_t pst_upc_lock_take(unsigned from, uint64_t lock, uint64_t unused)
{
  (void)unused;
  return enqueue(from, lock, 1);
}

uint64_t pst_upc_lock_attempt(unsigned from, uint64_t lock, uint64_t unused)
{
  (void)unused;
  return enqueue(from, lock, 0);
}

static void remove_queue(struct queue *q)
{
  q->exists = 0;
  q->used++;
  if (q - queue < full) full = (unsigned)(q - queue);
}

/* Answers 1 where nobody follows. */
uint64_t pst_upc_lock_release(unsigned from, uint64_t lock, uint64_t unused)
{
  uint64_t last = GONE;
  struct queue *q;
  (void)unused;
  gasnet_hsl_lock(&mutex);
  if ((q = kept(lock))) {
    last = q->last == (int)from;
    if (last) q->last = NOBODY;
    if (last && q->forgotten) remove_queue(q);
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
  if ((q = kept(lock)) && !q->forgotten) {
    answer = 0;
    q->forgotten = 1;
    if (q->last == NOBODY) remove_queue(q);
  }
  gasnet_hsl_unlock(&mutex);
  return answer;
}

/* ---- those who queue ---- */

static struct hold *find(uint64_t lock)
{
  struct hold *h = holds;
  while (h && h->lock != lock) h = h->next;
  return h;
}

/* The one before has it or waits for it: it cannot have left without a word of ours. */
uint64_t pst_upc_lock_follow(unsigned from, uint64_t lock, uint64_t unused)
{
  struct hold *h;
  (void)unused;
  gasnet_hsl_lock(&mutex);
  if ((h = find(lock))) h->follower = (int)from;
  gasnet_hsl_unlock(&mutex);
  return h != NULL;
}

uint64_t pst_upc_lock_grant(unsigned from, uint64_t lock, uint64_t unused)
{
  struct hold *h;
  (void)from, (void)unused;
  gasnet_hsl_lock(&mutex);
  if ((h = find(lock))) h->granted = 1;
  gasnet_hsl_unlock(&mutex);
  return h != NULL;
}

static uint64_t ask(const char *call, unsigned thread, enum pst_upc_kind kind, upc_lock_t *lock)
{
  const uint64_t answer = pst_upc_ask(thread, kind, (uintptr_t)lock, 0);
  if (answer == GONE) gone(call, lock);
  return answer;
}

/* In the list before anybody can follow or grant. */
static struct hold *begin_hold(const char *call, upc_lock_t *lock)
{
  struct hold *h;
  gasnet_hsl_lock(&mutex);
  h = find((uintptr_t)lock);
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

static void end_hold(struct hold *h)
{
  struct hold **p = &holds;
  gasnet_hsl_lock(&mutex);
  while (*p != h) p = &(*p)->next;
  *p = h->next;
  gasnet_hsl_unlock(&mutex);
  free(h);
}

static void follow(upc_lock_t *lock, struct hold *h, unsigned before)
{
  pst_upc_ask(before, PST_UPC_FOLLOW, (uintptr_t)lock, 0);
  GASNET_BLOCKUNTIL(h->granted);
}

void upc_lock(upc_lock_t *lock)
{
  const unsigned keeper = keeper_of("upc_lock", lock);
  struct hold *h;
  uint64_t before;
  GASP_BEGIN(UPC, GASP_UPC_LOCK, &lock);
  h = begin_hold("upc_lock", lock);
  before = ask("upc_lock", keeper, PST_UPC_LOCK, lock);
  if (before != FREE) follow(lock, h, (unsigned)before);
  gasnett_local_mb();
  GASP_FINISH(UPC, GASP_UPC_LOCK, &lock);
}

int upc_lock_attempt(upc_lock_t *lock)
{
  const unsigned keeper = keeper_of("upc_lock_attempt", lock);
  struct hold *h;
  int result;
  GASP_BEGIN(UPC, GASP_UPC_LOCK_ATTEMPT, &lock);
  h = begin_hold("upc_lock_attempt", lock);
  result = ask("upc_lock_attempt", keeper, PST_UPC_ATTEMPT, lock) == FREE;
  if (!result) end_hold(h);
  gasnett_local_mb();
  GASP_FINISH(UPC, GASP_UPC_LOCK_ATTEMPT, &lock, result);
  return result;
}

static void hand_on(upc_lock_t *lock, struct hold *h, unsigned keeper)
{
  if (h->follower == NOBODY && ask("upc_unlock", keeper, PST_UPC_UNLOCK, lock) == 1) return;
  GASNET_BLOCKUNTIL(h->follower != NOBODY);
  pst_upc_ask((unsigned)h->follower, PST_UPC_GRANT, (uintptr_t)lock, 0);
}

void upc_unlock(upc_lock_t *lock)
{
  const unsigned keeper = keeper_of("upc_unlock", lock);
  struct hold *h;
  GASP_BEGIN(UPC, GASP_UPC_UNLOCK, &lock);
  gasnet_hsl_lock(&mutex);
  h = find((uintptr_t)lock);
  gasnet_hsl_unlock(&mutex);
  if (!h) pst_upc_fatal("upc_unlock", "this thread does not have the lock");
  gasnett_local_mb();
  hand_on(lock, h, keeper);
  end_hold(h);
  GASP_FINISH(UPC, GASP_UPC_UNLOCK, &lock);
}

/* ---- new and gone ---- */

static struct queue *free_queue(void)
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

static upc_lock_t *new_lock(const char *call)
{
  struct queue *q;
  uint64_t lock = 0;
  gasnet_hsl_lock(&mutex);
  if ((q = free_queue())) {
    *q = (struct queue){.last = NOBODY, .used = q->used, .exists = 1};
    lock = number((unsigned)MYTHREAD, (unsigned)(q - queue), q->used);
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
  lock = new_lock("upc_global_lock_alloc");
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
  if (keeper == (unsigned)MYTHREAD) lock = new_lock("upc_all_lock_alloc");
  pst_upc_broadcast(&lock, sizeof lock, keeper);
  GASP_FINISH(UPC, GASP_UPC_ALL_LOCK_ALLOC, &lock);
  return lock;
}

void upc_lock_free(upc_lock_t *lock)
{
  const unsigned keeper = lock ? keeper_of("upc_lock_free", lock) : 0;
  GASP_BEGIN(UPC, GASP_UPC_LOCK_FREE, &lock);
  if (lock) ask("upc_lock_free", keeper, PST_UPC_LOCK_FREE, lock);
  GASP_FINISH(UPC, GASP_UPC_LOCK_FREE, &lock);
}

PST_UPC_ALIAS(lock);
PST_UPC_ALIAS(lock_attempt);
PST_UPC_ALIAS(unlock);
PST_UPC_ALIAS(global_lock_alloc);
PST_UPC_ALIAS(all_lock_alloc);
PST_UPC_ALIAS(lock_free);

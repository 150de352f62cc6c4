/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Locks: queues of words (front/lock.h). A lock is a tail in the heap of its keeper, the thread that made it,
 * or whose turn it was. A thread has a place in its own heap for each lock that it has or waits for.
 *
 * Both are words of 8 bytes, each in a block of 64. A word's name is 1 + (thread << NUMBER_BITS | number);
 * the block has address 64 * number in that thread's shared memory. A lock's number is its tail's name, and
 * the tail's stamp says how often that block has been a lock before, so that a lock that was freed is
 * noticed. A block stays a lock's for ever: the keeper has a stack of those that are free.
 *
 * Who frees a lock sets the tail's FREED bit. Where no thread has the lock, it then removes the lock: it
 * writes the next stamp and gives the block back to the keeper. Else the last thread in the queue does so. */
#include <stdlib.h>

#include "front/lock.h"
#include "upc/upc.h"

enum { NUMBER_BITS = 34, NAME_BITS = NUMBER_BITS + 16 };
_Static_assert(sizeof(upc_lock_t *) == 8, "a lock's number is a pointer's size");
_Static_assert(GASNET_MAXNODES < 1 << (NAME_BITS - NUMBER_BITS), "a name has a thread's number");

#define FREED     ((uint64_t)1 << NAME_BITS)
#define STAMP_ONE (FREED << 1)
#define NAMES     (FREED - 1)

/* Guards the lists below. A handler uses one of them. */
static gasnet_hsl_t mutex = GASNET_HSL_INITIALIZER;

/* ---- words ---- */

static uint64_t word_name(upc_pts_t p) { return 1 + ((uint64_t)p.thread << NUMBER_BITS | p.address / 64); }
static upc_pts_t word_block(uint64_t name)
{
  const uint64_t number = (name - 1) & (((uint64_t)1 << NUMBER_BITS) - 1);
  return (upc_pts_t){64 * number, (uint32_t)((name - 1) >> NUMBER_BITS), 0};
}

static uint64_t word_operate(uint64_t name, gasnetx_atomic_op_t op, uint64_t operand)
{
  const upc_pts_t p = word_block(name);
  return gasnetx_atomic64(op, p.thread, pst_upc_address(p), operand, 0);
}

static uint64_t word_new(const char *call)
{
  const upc_pts_t p = pst_upc_own_take(call, sizeof(uint64_t));
  if (p.address / 64 >> NUMBER_BITS) pst_upc_fatal(call, "the heap is too large for locks");
  word_operate(word_name(p), GASNETX_SET, 0);
  return word_name(p);
}

/* ---- locks, as a thread sees them ---- */

static uint64_t lock_number(const char *call, const upc_lock_t *lock)
{
  const uint64_t number = (uintptr_t)lock;
  const upc_pts_t p = word_block(number & NAMES);
  pst_upc_need_open(call);
  if (!(number & NAMES) || number & FREED || p.thread >= (unsigned)THREADS || p.address == 0 ||
      p.address >= pst_upc.heap)
    pst_upc_fatal(call, "%p is no lock", (const void *)lock);
  return number;
}

static void lock_gone(const char *call, uint64_t lock) __attribute__((noreturn, cold));
static void lock_gone(const char *call, uint64_t lock)
{
  pst_upc_fatal(call, "%p is no lock, or it has been freed", (void *)(uintptr_t)lock);
}

static struct pst_front_lock lock_open(uint64_t lock, uint64_t place)
{
  const upc_pts_t tail = word_block(lock & NAMES);
  return (struct pst_front_lock){.width = 8,
      .me = (gasnet_node_t)MYTHREAD,
      .home = tail.thread,
      .tail = pst_upc_address(tail),
      .place = pst_upc_address(word_block(place)),
      .name = place,
      .names = NAMES,
      .stamp = lock & ~NAMES,
      .shift = (const ptrdiff_t *)pst_upc.base,
      .number_bits = NUMBER_BITS};
}

/* ---- locks and places of this thread ---- */

/* A lock that this thread has or waits for. */
struct hold {
  struct hold *next;
  uint64_t lock, place;
};
static struct hold *holds, *unused; /* unused: those with places that no lock needs now */

static struct hold **hold_find(uint64_t lock)
{
  struct hold **h = &holds;
  while (*h && (*h)->lock != lock) h = &(*h)->next;
  return h;
}

static struct hold *hold_take(struct hold **from)
{
  struct hold *h = *from;
  if (h) *from = h->next;
  return h;
}

static void hold_put(struct hold **to, struct hold *h)
{
  h->next = *to;
  *to = h;
}

static struct hold *hold_new(const char *call)
{
  struct hold *h = malloc(sizeof *h);
  if (!h) pst_upc_fatal(call, "out of memory");
  h->place = word_new(call);
  return h;
}

/* Before any other thread learns of the place. */
static uint64_t hold_begin(const char *call, uint64_t lock)
{
  struct hold *h;
  int held;
  gasnet_hsl_lock(&mutex);
  held = *hold_find(lock) != NULL;
  h = hold_take(&unused);
  gasnet_hsl_unlock(&mutex);
  if (held) pst_upc_fatal(call, "this thread has the lock already");
  if (!h) h = hold_new(call);
  h->lock = lock;
  gasnet_hsl_lock(&mutex);
  hold_put(&holds, h);
  gasnet_hsl_unlock(&mutex);
  return h->place;
}

static void hold_end(uint64_t lock)
{
  gasnet_hsl_lock(&mutex);
  hold_put(&unused, hold_take(hold_find(lock)));
  gasnet_hsl_unlock(&mutex);
}

static uint64_t hold_place(const char *call, uint64_t lock)
{
  const struct hold *h;
  gasnet_hsl_lock(&mutex);
  h = *hold_find(lock);
  gasnet_hsl_unlock(&mutex);
  if (!h) pst_upc_fatal(call, "this thread does not have the lock");
  return h->place;
}

/* ---- locks come and go ---- */

/* The names of the keeper's blocks that are no lock now. There is room for all that it has made. */
static uint64_t *spare;
static size_t spares, room, made;

static void spare_make_room(const char *call)
{
  uint64_t *more = spare;
  gasnet_hsl_lock(&mutex);
  if (made == room && (more = realloc(spare, (room ? 2 * room : 16) * sizeof *spare))) {
    spare = more;
    room = room ? 2 * room : 16;
  }
  if (made < room) made++;
  gasnet_hsl_unlock(&mutex);
  if (!more) pst_upc_fatal(call, "out of memory for locks");
}

static upc_lock_t *lock_new(const char *call)
{
  uint64_t name;
  gasnet_hsl_lock(&mutex);
  name = spares ? spare[--spares] : 0;
  gasnet_hsl_unlock(&mutex);
  if (!name) {
    spare_make_room(call);
    name = word_new(call);
  }
  return (upc_lock_t *)(uintptr_t)(word_operate(name, GASNETX_GET, 0) | name);
}

uint64_t pst_upc_lock_give_back(unsigned from, uint64_t name, uint64_t nothing)
{
  (void)from, (void)nothing;
  gasnet_hsl_lock(&mutex);
  spare[spares++] = name;
  gasnet_hsl_unlock(&mutex);
  return 0;
}

static void lock_remove(uint64_t lock)
{
  word_operate(lock & NAMES, GASNETX_SET, (lock & ~NAMES) + STAMP_ONE);
  pst_upc_ask(word_block(lock & NAMES).thread, PST_UPC_LOCK_GIVE_BACK, lock & NAMES, 0);
}

static void lock_free(uint64_t lock)
{
  const uint64_t tail = word_operate(lock & NAMES, GASNETX_OR, FREED);
  if ((tail & ~NAMES) != (lock & ~NAMES)) lock_gone("upc_lock_free", lock);
  if (!(tail & NAMES)) lock_remove(lock);
}

/* ---- the calls ---- */

/* A thread may take locks in a loop until another one has written something: the poll serves the messages
 * that carry it. */
static void lock_fence(void)
{
  gasnet_AMPoll();
  gasnett_local_mb();
}

static void lock_take(uint64_t lock)
{
  const struct pst_front_lock l = lock_open(lock, hold_begin("upc_lock", lock));
  if (pst_front_lock_take(&l) == PST_FRONT_LOCK_GONE) lock_gone("upc_lock", lock);
  lock_fence();
}

void upc_lock(upc_lock_t *lock)
{
  const uint64_t number = lock_number("upc_lock", lock);
  GASP_BEGIN(UPC, GASP_UPC_LOCK, &lock);
  lock_take(number);
  GASP_FINISH(UPC, GASP_UPC_LOCK, &lock);
}

static int lock_attempt(uint64_t lock)
{
  const struct pst_front_lock l = lock_open(lock, hold_begin("upc_lock_attempt", lock));
  const int rc = pst_front_lock_try(&l);
  if (rc == PST_FRONT_LOCK_GONE) lock_gone("upc_lock_attempt", lock);
  if (rc == PST_FRONT_LOCK_BUSY) hold_end(lock);
  lock_fence();
  return rc == PST_FRONT_LOCK_DONE;
}

int upc_lock_attempt(upc_lock_t *lock)
{
  const uint64_t number = lock_number("upc_lock_attempt", lock);
  int result;
  GASP_BEGIN(UPC, GASP_UPC_LOCK_ATTEMPT, &lock);
  result = lock_attempt(number);
  GASP_FINISH(UPC, GASP_UPC_LOCK_ATTEMPT, &lock, result);
  return result;
}

static void lock_release(uint64_t lock)
{
  const struct pst_front_lock l = lock_open(lock, hold_place("upc_unlock", lock));
  gasnett_local_mb();
  if (pst_front_lock_release(&l) == PST_FRONT_LOCK_GONE) lock_remove(lock);
  hold_end(lock);
}

void upc_unlock(upc_lock_t *lock)
{
  const uint64_t number = lock_number("upc_unlock", lock);
  GASP_BEGIN(UPC, GASP_UPC_UNLOCK, &lock);
  lock_release(number);
  GASP_FINISH(UPC, GASP_UPC_UNLOCK, &lock);
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
  const uint64_t number = lock ? lock_number("upc_lock_free", lock) : 0;
  GASP_BEGIN(UPC, GASP_UPC_LOCK_FREE, &lock);
  if (lock) lock_free(number);
  GASP_FINISH(UPC, GASP_UPC_LOCK_FREE, &lock);
}

PST_UPC_ALIAS(lock);
PST_UPC_ALIAS(lock_attempt);
PST_UPC_ALIAS(unlock);
PST_UPC_ALIAS(global_lock_alloc);
PST_UPC_ALIAS(all_lock_alloc);
PST_UPC_ALIAS(lock_free);

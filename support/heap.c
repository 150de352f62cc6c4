/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The checking heap. Each block is
 *
 *     | head | guard 16 bytes | the client's bytes | guard 16 bytes |
 *
 * and all blocks are in one ring, so that any of them can be checked at any time. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "gasnet_tools.h"
#include "support/error.h"

#define LIVE       UINT64_C(0x4c495645424c4f4b)
#define DEAD       UINT64_C(0x44454144424c4f4b)
#define GUARD      16
#define GUARD_BYTE 0xb5
#define FRESH_BYTE 0xa7 /* fills new memory */
#define FREED_BYTE 0xdd /* fills freed memory */

#define QUARANTINE 64 /* freed blocks that are kept, to find what is done to them afterwards */

struct head {
  struct head *next, *before;
  const char *loc; /* static text: where it was allocated, or later freed */
  size_t size;
  uint64_t state;
  unsigned char pad[8]; /* keeps what follows aligned to 16 */
  unsigned char guard[GUARD];
};
_Static_assert(sizeof(struct head) % 16 == 0, "the client's bytes must be aligned as malloc's are");
#define OVERHEAD (sizeof(struct head) + GUARD)

static pthread_mutex_t heap_lock = PTHREAD_MUTEX_INITIALIZER; /* guards all below and the links of the ring */
static struct head ring = {.next = &ring, .before = &ring};
static struct head *next_to_check = &ring;
static gasnett_heapstats_t stats;
static struct head *quarantine[QUARANTINE];
static unsigned quarantine_turn;

static unsigned char *bytes_of(struct head *h) { return (unsigned char *)(h + 1); }
static struct head *head_of(void *p) { return (struct head *)p - 1; }

static int guard_intact(const unsigned char *guard)
{
  for (int i = 0; i < GUARD; i++)
    if (guard[i] != GUARD_BYTE) return 0;
  return 1;
}

/* The lock is given back first: the diagnosis after the message may allocate. */
static _Noreturn void block_complain(const char *what, void *p, const char *owner, const char *loc)
{
  pthread_mutex_unlock(&heap_lock);
  pst_fatal("debug heap, at %s: block %p %s%s%s", loc, p, what, owner ? " " : "", owner ? owner : "");
}

static void block_check(struct head *h, const char *loc)
{
  void *p = bytes_of(h);
  if (h->state == DEAD) block_complain("was freed before, at", p, h->loc, loc);
  if (h->state != LIVE)
    block_complain("is not one of this heap, or what lies before it was overwritten", p, NULL, loc);
  if (!guard_intact(h->guard))
    block_complain("was written to before its start; allocated at", p, h->loc, loc);
  if (!guard_intact(bytes_of(h) + h->size))
    block_complain("was written to beyond its end; allocated at", p, h->loc, loc);
}

static void stats_count_new(size_t size)
{
  stats.allocated_bytes += size;
  stats.allocated_objects++;
  stats.live_bytes += size;
  stats.live_objects++;
  stats.overhead_bytes += OVERHEAD;
  if (stats.live_bytes > stats.live_bytes_max) stats.live_bytes_max = stats.live_bytes;
  if (stats.live_objects > stats.live_objects_max) stats.live_objects_max = stats.live_objects;
}

static void stats_count_freed(size_t size)
{
  stats.freed_bytes += size;
  stats.freed_objects++;
  stats.live_bytes -= size;
  stats.live_objects--;
  stats.overhead_bytes -= OVERHEAD;
}

static void block_link(struct head *h)
{
  pthread_mutex_lock(&heap_lock);
  h->next = ring.next;
  h->before = &ring;
  ring.next->before = h;
  ring.next = h;
  stats_count_new(h->size);
  pthread_mutex_unlock(&heap_lock);
}

static void *block_allocate(size_t size, int fill, const char *loc)
{
  struct head *h = size < SIZE_MAX - OVERHEAD ? malloc(size + OVERHEAD) : NULL;
  if (!h) pst_fatal("debug heap, at %s: cannot allocate %zu bytes", loc, size);
  memset(h, 0, sizeof *h);
  h->loc = loc;
  h->size = size;
  h->state = LIVE;
  memset(h->guard, GUARD_BYTE, GUARD);
  memset(bytes_of(h), fill, size);
  memset(bytes_of(h) + size, GUARD_BYTE, GUARD);
  block_link(h);
  return bytes_of(h);
}

void *pst_heap_malloc(size_t size, const char *loc) { return block_allocate(size, FRESH_BYTE, loc); }

void *pst_heap_calloc(size_t count, size_t size, const char *loc)
{
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) bytes = SIZE_MAX;
  return block_allocate(bytes, 0, loc);
}

static void block_check_dead(struct head *h, const char *loc)
{
  const unsigned char *bytes = bytes_of(h);
  for (size_t i = 0; i < h->size; i++)
    if (bytes[i] != FREED_BYTE)
      block_complain("was written to after it was freed, at", bytes_of(h), h->loc, loc);
}

/* The block takes the place of the one that has been in quarantine longest. */
static void block_retire(struct head *h, const char *loc)
{
  struct head **place = &quarantine[quarantine_turn++ % QUARANTINE];
  struct head *oldest = *place;
  if (oldest) block_check_dead(oldest, loc);
  *place = h;
  free(oldest);
}

void pst_heap_free(void *p, const char *loc)
{
  if (!p) return;
  struct head *h = head_of(p);
  pthread_mutex_lock(&heap_lock);
  block_check(h, loc);
  if (next_to_check == h) next_to_check = h->next;
  h->next->before = h->before;
  h->before->next = h->next;
  stats_count_freed(h->size);
  h->state = DEAD;
  h->loc = loc;
  memset(p, FREED_BYTE, h->size);
  block_retire(h, loc);
  pthread_mutex_unlock(&heap_lock);
}

void *pst_heap_realloc(void *p, size_t size, const char *loc)
{
  if (!p) return pst_heap_malloc(size, loc);
  pst_heap_check(p, loc);
  size_t old = head_of(p)->size;
  void *q = pst_heap_malloc(size, loc);
  memcpy(q, p, old < size ? old : size);
  pst_heap_free(p, loc);
  return q;
}

char *pst_heap_strndup(const char *s, size_t n, const char *loc)
{
  size_t length = strnlen(s, n);
  char *copy = pst_heap_malloc(length + 1, loc);
  memcpy(copy, s, length);
  copy[length] = '\0';
  return copy;
}

char *pst_heap_strdup(const char *s, const char *loc) { return pst_heap_strndup(s, strlen(s), loc); }

void pst_heap_check(void *p, const char *loc)
{
  if (!p) return;
  pthread_mutex_lock(&heap_lock);
  block_check(head_of(p), loc);
  pthread_mutex_unlock(&heap_lock);
}

void pst_heap_check_one(const char *loc)
{
  pthread_mutex_lock(&heap_lock);
  if (next_to_check != &ring) block_check(next_to_check, loc);
  next_to_check = next_to_check->next;
  pthread_mutex_unlock(&heap_lock);
}

void pst_heap_check_all(const char *loc)
{
  pthread_mutex_lock(&heap_lock);
  for (struct head *h = ring.next; h != &ring; h = h->next) block_check(h, loc);
  for (int i = 0; i < QUARANTINE; i++)
    if (quarantine[i]) block_check_dead(quarantine[i], loc);
  pthread_mutex_unlock(&heap_lock);
}

void gasnett_getheapstats(gasnett_heapstats_t *out)
{
  pthread_mutex_lock(&heap_lock);
  *out = stats;
  pthread_mutex_unlock(&heap_lock);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "front/heap.h"

#include <pthread.h>
#include <stdlib.h>

#include "support/ranges.h"

/* `mutex` guards the account and the list of sub-heaps; handlers use heaps, and nothing waits under it. A
 * sub-heap is a block of its parent that only close may free. */
struct pst_front_heap {
  pthread_mutex_t mutex;
  struct pst_ranges *ranges;
  uint64_t first;
  struct pst_front_heap *parent, *subs, *next; /* next: of the parent's sub-heaps */
};

struct pst_front_heap *pst_front_heap_open(uint64_t first, uint64_t size)
{
  struct pst_front_heap *h = calloc(1, sizeof *h);
  if (h) h->ranges = pst_ranges_open(first, size / 64 * 64);
  if (!h || !h->ranges) {
    free(h);
    return NULL;
  }
  h->first = first;
  pthread_mutex_init(&h->mutex, NULL);
  return h;
}

/* ---- sub-heaps ---- */

static uint64_t heap_take_sub(struct pst_front_heap *h, uint64_t nbytes)
{
  return pst_ranges_take(h->ranges, nbytes ? nbytes : pst_ranges_largest(h->ranges));
}

struct pst_front_heap *pst_front_heap_open_sub(struct pst_front_heap *parent, uint64_t nbytes)
{
  struct pst_front_heap *h = NULL;
  uint64_t first;
  pthread_mutex_lock(&parent->mutex);
  first = heap_take_sub(parent, nbytes);
  if (first) h = pst_front_heap_open(first, pst_ranges_size(parent->ranges, first));
  if (h) {
    h->parent = parent;
    h->next = parent->subs;
    parent->subs = h;
  } else if (first) {
    pst_ranges_give_back(parent->ranges, first);
  }
  pthread_mutex_unlock(&parent->mutex);
  return h;
}

static void heap_remove_sub(struct pst_front_heap *parent, const struct pst_front_heap *sub)
{
  struct pst_front_heap **p = &parent->subs;
  pthread_mutex_lock(&parent->mutex);
  while (*p != sub) p = &(*p)->next;
  *p = sub->next;
  pst_ranges_give_back(parent->ranges, sub->first);
  pthread_mutex_unlock(&parent->mutex);
}

int pst_front_heap_close(struct pst_front_heap *h)
{
  if (h->subs) return -1;
  if (h->parent) heap_remove_sub(h->parent, h);
  pst_ranges_close(h->ranges);
  pthread_mutex_destroy(&h->mutex);
  free(h);
  return 0;
}

/* ---- blocks ---- */

static int place_is_sub(const struct pst_front_heap *h, uint64_t place)
{
  for (const struct pst_front_heap *s = h->subs; s; s = s->next)
    if (s->first == place) return 1;
  return 0;
}

static enum pst_front_place place_state(const struct pst_front_heap *h, uint64_t place)
{
  if (place_is_sub(h, place)) return PST_FRONT_INSIDE;
  if (pst_ranges_size(h->ranges, place)) return PST_FRONT_BLOCK;
  switch (pst_ranges_state(h->ranges, place)) {
  case PST_RANGES_FREE: return PST_FRONT_FREE;
  case PST_RANGES_INSIDE: return PST_FRONT_INSIDE;
  default: return PST_FRONT_OUTSIDE;
  }
}

uint64_t pst_front_heap_take(struct pst_front_heap *h, uint64_t nbytes, uint64_t alignment)
{
  uint64_t place;
  pthread_mutex_lock(&h->mutex);
  place = pst_ranges_take_aligned(h->ranges, nbytes, alignment);
  pthread_mutex_unlock(&h->mutex);
  return place;
}

uint64_t pst_front_heap_size(struct pst_front_heap *h, uint64_t place)
{
  uint64_t size;
  pthread_mutex_lock(&h->mutex);
  size = place_is_sub(h, place) ? 0 : pst_ranges_size(h->ranges, place);
  pthread_mutex_unlock(&h->mutex);
  return size;
}

enum pst_front_place pst_front_heap_resize(struct pst_front_heap *h, uint64_t place, uint64_t nbytes)
{
  enum pst_front_place state;
  pthread_mutex_lock(&h->mutex);
  state = place_state(h, place);
  if (state == PST_FRONT_BLOCK && pst_ranges_resize(h->ranges, place, nbytes) != 0) state = PST_FRONT_FULL;
  pthread_mutex_unlock(&h->mutex);
  return state;
}

enum pst_front_place pst_front_heap_give_back(struct pst_front_heap *h, uint64_t place)
{
  enum pst_front_place state;
  pthread_mutex_lock(&h->mutex);
  state = place_state(h, place);
  if (state == PST_FRONT_BLOCK) pst_ranges_give_back(h->ranges, place);
  pthread_mutex_unlock(&h->mutex);
  return state;
}

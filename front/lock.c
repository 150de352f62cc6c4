/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Locks that several nodes want at a time. */
#include "front/lock.h"

void pst_front_lock_place_set_far(const struct pst_front_lock *l, uint64_t to)
{
  if (l->width == 4) gasnetx_atomic32(GASNETX_SET, l->me, (uint32_t *)l->place, (uint32_t)to, 0);
  else gasnetx_atomic64(GASNETX_SET, l->me, (uint64_t *)l->place, to, 0);
}

static void word_mark(gasnet_node_t node, void *word, unsigned width, uint64_t bits)
{
  switch (width) {
  case 2: gasnetx_atomic16(GASNETX_OR, node, (uint16_t *)word, (uint16_t)bits, 0); break;
  case 4: gasnetx_atomic32(GASNETX_OR, node, (uint32_t *)word, (uint32_t)bits, 0); break;
  default: gasnetx_atomic64(GASNETX_OR, node, (uint64_t *)word, bits, 0);
  }
}

static void word_mark_nbi(gasnet_node_t node, void *word, unsigned width, uint64_t bits)
{
  switch (width) {
  case 2: gasnetx_atomic16_nbi(GASNETX_OR, node, (uint16_t *)word, (uint16_t)bits); break;
  case 4: gasnetx_atomic32_nbi(GASNETX_OR, node, (uint32_t *)word, (uint32_t)bits); break;
  default: gasnetx_atomic64_nbi(GASNETX_OR, node, (uint64_t *)word, bits);
  }
}

/* Answers as the calls do. */
static int place_mark(const struct pst_front_lock *l, uint64_t name, uint64_t bits)
{
  const uint64_t number = (name - 1) & (((uint64_t)1 << l->number_bits) - 1);
  const gasnet_node_t node = (gasnet_node_t)((name - 1) >> l->number_bits);
  void *const place = (void *)((uintptr_t)l->origin + (uintptr_t)l->shift[node] + 64 * number);
  if (l->implicit) word_mark_nbi(node, place, l->width, bits);
  else word_mark(node, place, l->width, bits);
  gasnetx_wake(node);
  return l->implicit ? PST_FRONT_LOCK_PUT : PST_FRONT_LOCK_DONE;
}

/* Waits for one of the bits. Where cores are short it sleeps: the node that sets them wakes it. */
static uint64_t place_wait(const struct pst_front_lock *l, uint64_t bits)
{
  const uint64_t *const around = (const uint64_t *)((uintptr_t)l->place & ~(uintptr_t)7);
  uint64_t place;
  for (;;) {
    const uint64_t seen = __atomic_load_n(around, __ATOMIC_RELAXED);
    if ((place = pst_front_lock_place(l)) & bits) return place & bits;
    gasnetx_wait_until(around, GASNETX_NE, seen);
  }
}

int pst_front_lock_queue(const struct pst_front_lock *l, uint64_t found)
{
  int rc;
  if ((found & ~l->names) != l->stamp) return PST_FRONT_LOCK_GONE;
  rc = place_mark(l, found & l->names, l->name);
  place_wait(l, pst_front_lock_granted(l->width));
  return rc;
}

int pst_front_lock_hand_on(const struct pst_front_lock *l, uint64_t found)
{
  const int last = (found & l->names) == l->name;
  const uint64_t next = last ? 0 : place_wait(l, l->names);
  pst_front_lock_place_set(l, 0);
  return last ? PST_FRONT_LOCK_GONE : place_mark(l, next, pst_front_lock_granted(l->width));
}

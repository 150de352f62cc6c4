/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Finds the fastest of a few ways to do the same, where that depends on the cores and caches that the
 * processes have at the moment: each is timed as it is used. Threads may overwrite each other's figures; a
 * wrong one lasts until its way is timed again. */
#ifndef SUPPORT_FASTER_H
#define SUPPORT_FASTER_H
#include <stdatomic.h>
#include <stdint.h>

#include "gasnet_tools.h"

enum {
  PST_FASTER_WAYS = 7,
  PST_FASTER_TRY = 32, /* one use in so many goes to another way, each in its turn */
  PST_FASTER_SELDOM = 8
};

struct pst_faster {
  _Atomic uint32_t cost[PST_FASTER_WAYS]; /* 256ths of a tick for a unit, lately; 0: unknown, so it is next */
  _Atomic uint32_t uses;                  /* that were timed */
  _Atomic uint32_t untimed;
};

/* For work so short that reading the clock slows it: whether this use is the one in PST_FASTER_SELDOM that is
 * to be timed. The other uses take pst_faster_best. */
static inline int pst_faster_is_timed(struct pst_faster *f)
{
  const uint32_t n = atomic_load_explicit(&f->untimed, memory_order_relaxed) + 1;
  atomic_store_explicit(&f->untimed, n, memory_order_relaxed);
  return n % PST_FASTER_SELDOM == 0 || atomic_load_explicit(&f->uses, memory_order_relaxed) < PST_FASTER_WAYS;
}

/* The best of the ways 0 to ways - 1. */
static inline unsigned pst_faster_best(struct pst_faster *f, unsigned ways)
{
  unsigned best = 0;
  uint32_t least = UINT32_MAX;
  for (unsigned w = 0; w < ways; w++) {
    const uint32_t cost = atomic_load_explicit(&f->cost[w], memory_order_relaxed);
    if (cost < least) best = w, least = cost;
  }
  return best;
}

/* The way for this use, which is timed. */
static inline unsigned pst_faster_way(struct pst_faster *f, unsigned ways)
{
  const uint32_t uses = atomic_fetch_add_explicit(&f->uses, 1, memory_order_relaxed) + 1;
  return uses % PST_FASTER_TRY == 0 ? uses / PST_FASTER_TRY % ways : pst_faster_best(f, ways);
}

/* Notes the cost of `units` (at least 1) done this way since `begin`. A lower cost counts for half, as it may
 * be luck; a higher one may be an interruption, and counts little. */
static inline void pst_faster_learn(struct pst_faster *f, unsigned way, gasnett_tick_t begin, uint64_t units)
{
  const uint64_t now = (uint64_t)(gasnett_ticks_now() - begin) * 256 / units + 1;
  const uint64_t before = atomic_load_explicit(&f->cost[way], memory_order_relaxed), most = before * 2 + 256;
  const uint64_t next = before == 0 ? now
      : now < before                ? before - (before - now) / 2
                                    : before + ((now < most ? now : most) - before) / 8;
  atomic_store_explicit(&f->cost[way], next < UINT32_MAX ? (uint32_t)next : UINT32_MAX, memory_order_relaxed);
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Within a group, whose members share memory.
 *
 * Trees have up to 7 children a level, so up to 8 members are one level: where processes outnumber cores a
 * level costs a turn of the scheduler. A member at a distance of v from the root (modulo the members) has
 * children v + k * 8^l, k = 1..7, on each level l where v is a multiple of 8^(l + 1). */
#include <string.h>

#include "core/region.h"
#include "core/segment.h"
#include "extended/team_slots.h"
#include "support/copy.h"

enum { RADIX = PST_TEAM_FLAT };

uint64_t pst_team_shared(const void *addr, size_t n)
{
  return pst_region_find(pst_mynode, addr, n) >= 0 ? (uint64_t)(uintptr_t)addr : 0;
}

void *pst_team_here(const struct pst_team *t, unsigned rank, uint64_t address)
{
  return (void *)((uintptr_t)address + (uintptr_t)pst_segments.delta[pst_team_node(t, rank)]);
}

/* ---- trees ---- */

static unsigned tree_distance(const struct pst_team *t, unsigned root)
{
  return t->me >= root ? t->me - root : t->me - root + pst_team_near(t);
}

static unsigned tree_rank(const struct pst_team *t, unsigned root, unsigned v)
{
  const unsigned rank = root + v;
  return rank < t->end ? rank : rank - pst_team_near(t);
}

static void tree_gather_level(struct pst_team *t, unsigned root, unsigned v, unsigned step)
{
  for (unsigned k = 1; k < RADIX && v + k * step < pst_team_near(t); k++)
    pst_team_receive(t, tree_rank(t, root, v + k * step), NULL, 0);
}

void pst_group_gather(struct pst_team *t, unsigned root)
{
  const unsigned v = tree_distance(t, root);
  unsigned step = 1;
  for (; step < pst_team_near(t) && v % (step * RADIX) == 0; step *= RADIX)
    tree_gather_level(t, root, v, step);
  if (v) pst_team_send(t, tree_rank(t, root, v - v % (step * RADIX)), NULL, 0);
}

static void tree_spread_level(
    struct pst_team *t, unsigned root, unsigned v, unsigned step, const void *data, size_t n)
{
  for (unsigned k = 1; k < RADIX && v + k * step < pst_team_near(t); k++)
    pst_team_send(t, tree_rank(t, root, v + k * step), data, n);
}

void pst_group_spread(struct pst_team *t, unsigned root, void *data, size_t n)
{
  const unsigned v = tree_distance(t, root);
  unsigned step = 1;
  while (step < pst_team_near(t) && v % (step * RADIX) == 0) step *= RADIX;
  if (v) pst_team_receive(t, tree_rank(t, root, v - v % (step * RADIX)), data, n);
  while ((step /= RADIX) > 0) tree_spread_level(t, root, v, step, data, n);
}

/* ---- all to all ---- */

static void group_exchange_flat(struct pst_team *t, const void *mine, size_t n, char *all)
{
  for (unsigned r = t->first; r < t->end; r++)
    if (r != t->me) pst_team_send(t, r, mine, n);
  pst_team_expect(t);
  for (unsigned r = t->first; r < t->end; r++)
    if (r != t->me) pst_team_receive(t, r, all + (r - t->first) * n, n);
}

void pst_group_sync(struct pst_team *t)
{
  if (pst_team_near(t) <= PST_TEAM_FLAT) {
    group_exchange_flat(t, NULL, 0, NULL);
    return;
  }
  pst_group_gather(t, t->first);
  pst_group_spread(t, t->first, NULL, 0);
}

void pst_group_share(struct pst_team *t, const void *mine, size_t n, void *all)
{
  const struct pst_items items = {
      .count = pst_team_near(t), .me = t->me - t->first, .first = t->first, .base = all, .each = n};
  memcpy((char *)all + (t->me - t->first) * n, mine, n);
  if (pst_team_near(t) <= PST_TEAM_FLAT) group_exchange_flat(t, mine, n, all);
  else pst_team_allgather(t, &items);
}

/* ---- one to all ---- */

/* The others copy while the root waits. */
static void group_broadcast_address(struct pst_team *t, unsigned root, void *dst, uint64_t from, size_t n)
{
  if (t->me != root) pst_copy(dst, pst_team_here(t, root, from), n);
  pst_group_gather(t, root);
}

static void group_broadcast_pieces(struct pst_team *t, unsigned root, char *data, size_t n)
{
  for (size_t at = 0, piece; at < n; at += piece) {
    piece = n - at < pst_team_near_room() ? n - at : pst_team_near_room();
    pst_group_spread(t, root, data + at, piece);
  }
}

void pst_group_broadcast(struct pst_team *t, unsigned root, void *dst, const void *src, size_t n)
{
  void *const data = t->me == root ? (void *)(uintptr_t)src : dst;
  uint64_t from;
  if (pst_team_near(t) == 1 || n == 0) return;
  if (n <= pst_team_near_room()) {
    pst_group_spread(t, root, data, n);
    return;
  }
  from = t->me == root ? pst_team_shared(src, n) : 0;
  pst_group_spread(t, root, &from, sizeof from);
  if (from) group_broadcast_address(t, root, dst, from, n);
  else group_broadcast_pieces(t, root, data, n);
}

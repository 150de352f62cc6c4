/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Within a group: everybody shares memory with everybody.
 *
 * Trees have up to 7 children a level, so that up to 8 members are one level: where processes outnumber cores
 * a level costs a turn of the scheduler. A member at a distance of v from the root (modulo the members) has
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

void *pst_team_here(const struct pst_party *p, unsigned rank, uint64_t address)
{
  return (void *)((uintptr_t)address + (uintptr_t)pst_segments.delta[pst_party_node(p, rank)]);
}

/* ---- trees ---- */

static unsigned distance(const struct pst_party *p, unsigned root)
{
  return p->me >= root ? p->me - root : p->me - root + pst_party_near(p);
}

static unsigned at_distance(const struct pst_party *p, unsigned root, unsigned v)
{
  const unsigned rank = root + v;
  return rank < p->end ? rank : rank - pst_party_near(p);
}

static void gather_from(struct pst_party *p, unsigned root, unsigned v, unsigned step)
{
  for (unsigned k = 1; k < RADIX && v + k * step < pst_party_near(p); k++)
    pst_team_receive(p, at_distance(p, root, v + k * step), NULL, 0);
}

void pst_group_gather(struct pst_party *p, unsigned root)
{
  const unsigned v = distance(p, root);
  unsigned step = 1;
  for (; step < pst_party_near(p) && v % (step * RADIX) == 0; step *= RADIX) gather_from(p, root, v, step);
  if (v) pst_team_send(p, at_distance(p, root, v - v % (step * RADIX)), NULL, 0);
}

static void spread_to(
    struct pst_party *p, unsigned root, unsigned v, unsigned step, const void *data, size_t n)
{
  for (unsigned k = 1; k < RADIX && v + k * step < pst_party_near(p); k++)
    pst_team_send(p, at_distance(p, root, v + k * step), data, n);
}

void pst_group_spread(struct pst_party *p, unsigned root, void *data, size_t n)
{
  const unsigned v = distance(p, root);
  unsigned step = 1;
  while (step < pst_party_near(p) && v % (step * RADIX) == 0) step *= RADIX;
  if (v) pst_team_receive(p, at_distance(p, root, v - v % (step * RADIX)), data, n);
  while ((step /= RADIX) > 0) spread_to(p, root, v, step, data, n);
}

/* ---- */

static void exchange_flat(struct pst_party *p, const void *mine, size_t n, char *all)
{
  for (unsigned r = p->first; r < p->end; r++)
    if (r != p->me) pst_team_send(p, r, mine, n);
  pst_team_expect(p);
  for (unsigned r = p->first; r < p->end; r++)
    if (r != p->me) pst_team_receive(p, r, all + (r - p->first) * n, n);
}

void pst_group_sync(struct pst_party *p)
{
  if (pst_party_near(p) <= PST_TEAM_FLAT) {
    exchange_flat(p, NULL, 0, NULL);
    return;
  }
  pst_group_gather(p, p->first);
  pst_group_spread(p, p->first, NULL, 0);
}

void pst_group_share(struct pst_party *p, const void *mine, size_t n, void *all)
{
  const struct pst_items items = {
      .count = pst_party_near(p), .me = p->me - p->first, .first = p->first, .base = all, .each = n};
  memcpy((char *)all + (p->me - p->first) * n, mine, n);
  if (pst_party_near(p) <= PST_TEAM_FLAT) exchange_flat(p, mine, n, all);
  else pst_team_allgather(p, &items);
}

/* ---- */

/* The others copy while the root waits. */
static void broadcast_address(struct pst_party *p, unsigned root, void *dst, uint64_t from, size_t n)
{
  if (p->me != root) pst_copy(dst, pst_team_here(p, root, from), n);
  pst_group_gather(p, root);
}

static void broadcast_pieces(struct pst_party *p, unsigned root, char *data, size_t n)
{
  for (size_t at = 0, piece; at < n; at += piece) {
    piece = n - at < pst_team_near_room() ? n - at : pst_team_near_room();
    pst_group_spread(p, root, data + at, piece);
  }
}

void pst_group_broadcast(struct pst_party *p, unsigned root, void *dst, const void *src, size_t n)
{
  void *const data = p->me == root ? (void *)(uintptr_t)src : dst;
  uint64_t from;
  if (pst_party_near(p) == 1 || n == 0) return;
  if (n <= pst_team_near_room()) {
    pst_group_spread(p, root, data, n);
    return;
  }
  from = p->me == root ? pst_team_shared(src, n) : 0;
  pst_group_spread(p, root, &from, sizeof from);
  if (from) broadcast_address(p, root, dst, from, n);
  else broadcast_pieces(p, root, data, n);
}

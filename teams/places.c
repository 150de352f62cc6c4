/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "teams/places.h"

#include "core/region.h"
#include "teams/group.h"

int pst_places_share(struct pst_call *c, const void *src, void *dst, size_t n)
{
  const struct pst_team *t = c->team;
  if (c->stage == 0) {
    c->places = (struct pst_place *)(void *)pst_call_memory(c, t->near * sizeof *c->places);
    c->places[t->here] = (struct pst_place){
        src ? pst_call_shared(src, n) : 0, dst ? pst_call_shared(dst, n) : 0};
  }
  return pst_group_share(c, c->places, sizeof *c->places);
}

static void place_check(const struct pst_call *c, unsigned place, uint64_t address, size_t n)
{
  const gasnet_node_t node = pst_team_near_node(c->team, place);
  if (address && pst_region_find(node, (void *)(uintptr_t)address, n) < 0)
    pst_fatal("%s: node %u told an address that does not lie in its segment", c->name, node);
}

void pst_places_check(const struct pst_call *c, size_t n)
{
  for (unsigned i = 0; i < c->team->near; i++) {
    place_check(c, i, c->places[i].src, n);
    place_check(c, i, c->places[i].dst, n);
  }
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Where the members of a group have the data of a call, for plans in which each works in the memory of all.
 */
#ifndef TEAMS_PLACES_H
#define TEAMS_PLACES_H
#include "teams/call.h"

/* As a member told the others; 0: it has none, or it is out of their reach. */
struct pst_place {
  uint64_t src, dst;
};

/* A plan: each member tells all of its group where its n bytes are; src and dst may be NULL. The call's
 * `places` has them when the plan is over, by their places in the group. */
int pst_places_share(struct pst_call *c, const void *src, void *dst, size_t n);
/* Ends the job where a member told what does not lie in its segment. */
void pst_places_check(const struct pst_call *c, size_t n);

/* Where this member reaches an address that the one at `place` told. */
static inline void *pst_place_here(const struct pst_call *c, unsigned place, uint64_t address)
{
  return pst_call_here(pst_team_near_node(c->team, place), address);
}

#endif

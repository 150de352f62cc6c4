/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The members of each group tell its head, the heads tell each other, in ceil(log2 groups) rounds (in round r
 * each sends to the one 2^r further on), and the head tells its members. A single small group needs no head.
 */
#include "extended/team.h"

static void sync_heads(struct pst_party *p)
{
  for (unsigned step = 1; step < p->groups; step <<= 1) {
    pst_team_send(p, p->heads[(p->group + step) % p->groups], NULL, 0);
    pst_team_receive(p, p->heads[(p->group + p->groups - step) % p->groups], NULL, 0);
  }
}

void pst_team_sync(struct pst_party *p)
{
  if (p->groups == 1) {
    pst_group_sync(p);
    return;
  }
  pst_group_gather(p, p->first);
  if (pst_party_is_head(p)) sync_heads(p);
  pst_group_spread(p, p->first, NULL, 0);
}

void gasnetx_team_barrier(const gasnetx_nodes_t *n)
{
  pst_team_sync(pst_team_enter(PST_TEAM_BARRIER, n, 0, 0));
  pst_team_leave();
}

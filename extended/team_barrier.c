/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The members of each group tell its head, the heads tell each other in ceil(log2 groups) rounds (in round r
 * each tells the head 2^r further on), and each head tells its members. */
#include "extended/team.h"

static void heads_sync(struct pst_team *t)
{
  for (unsigned step = 1; step < t->groups; step <<= 1) {
    pst_team_send(t, t->heads[(t->group + step) % t->groups], NULL, 0);
    pst_team_receive(t, t->heads[(t->group + t->groups - step) % t->groups], NULL, 0);
  }
}

void pst_team_sync(struct pst_team *t)
{
  if (t->groups == 1) {
    pst_group_sync(t);
    return;
  }
  pst_group_gather(t, t->first);
  if (pst_team_is_head(t)) heads_sync(t);
  pst_group_spread(t, t->first, NULL, 0);
}

void gasnetx_team_barrier(const gasnetx_nodes_t *n)
{
  pst_team_sync(pst_team_enter(PST_TEAM_BARRIER, n, 0, 0));
  pst_team_leave();
}

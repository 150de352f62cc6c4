/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Teams with a lost member (core/loss.h). Such a team serves no call any more: a call ends at each member as
 * soon as that learns of the loss, and what other members have sent it for the call may come later.
 *
 * Those messages become mail which no call takes. So the ids of these teams are remembered, and their mail is
 * thrown away whenever another team has lost a member. What comes after that is bounded: it is what the other
 * members had sent until they learnt of the loss, too. A thread in the engine alone calls all of this. */
#include <stdlib.h>

#include "core/loss.h"
#include "teams/channel.h"
#include "teams/left.h"
#include "teams/step.h"
#include "teams/team.h"

int pst_team_is_lost(struct pst_team *t)
{
  const uint32_t known = pst_loss_look();
  for (; t->losses < known && !t->lost; t->losses++)
    t->lost = pst_team_rank_of(t, pst_loss_node(t->losses)) != GASNETX_NO_RANK;
  return t->lost;
}

static struct {
  uint64_t *id;
  size_t count, room;
} lost;

static int id_is_known(uint64_t id)
{
  for (size_t i = 0; i < lost.count; i++)
    if (lost.id[i] == id) return 1;
  return 0;
}

static void id_add(uint64_t id)
{
  if (lost.count == lost.room) {
    lost.room = lost.room ? 2 * lost.room : 16;
    if (!(lost.id = realloc(lost.id, lost.room * sizeof *lost.id)))
      pst_fatal("out of memory for %zu teams with lost members", lost.room);
  }
  lost.id[lost.count++] = id;
}

static int id_is_lost(uint64_t id)
{
  if (!pst_id_is_list(id)) return id_is_known(id);
  struct pst_team list = pst_team_of_list(id);
  return pst_team_is_lost(&list);
}

int pst_head_is_left_over(const struct pst_head *h)
{
  return (pst_steps.reports && id_is_lost(h->team)) || pst_left_ends(h->team, h->call >> 48, NULL);
}

void pst_team_give_up(const struct pst_team *t)
{
  if (!pst_id_is_list(t->id)) {
    if (id_is_known(t->id)) return;
    id_add(t->id);
  }
  pst_channels_clean(pst_head_is_left_over);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Gather and scatter, between the root and each member. */
#include "teams/shares.h"

static int member_stage(struct pst_call *c, int gathers)
{
  if (c->stage || c->of.nbytes == 0) return 0;
  if (gathers) pst_call_send(c, c->of.root, c->of.src, c->of.nbytes);
  else pst_call_receive(c, c->of.root, c->of.dst, c->of.nbytes);
  return 1;
}

static void root_copy_own(struct pst_call *c, const struct pst_shares *s, int gathers)
{
  char *const own = pst_share_at(s, c->team->me);
  const size_t n = pst_share_length(s->lengths, s->each, c->team->me);
  if (gathers) pst_call_copy(c, own, c->of.src, n);
  else pst_call_copy(c, c->of.dst, own, n);
}

static int plan_with_root(struct pst_call *c)
{
  const struct pst_team *t = c->team;
  const int gathers = c->of.kind == GASNETX_GATHER;
  const struct pst_shares s = gathers ? pst_shares_of_dst(c) : pst_shares_of_src(c);
  unsigned begin, end;
  if (t->me != c->of.root) return member_stage(c, gathers);
  if (!pst_shares_range(c, &begin, &end)) return 0;
  for (unsigned i = begin; i < end; i++)
    (gathers ? pst_share_receive : pst_share_send)(c, &s, (t->me + i) % t->size);
  if (c->stage == 0) root_copy_own(c, &s, gathers);
  return 1;
}

void pst_plan_gather(struct pst_call *c) { pst_call_add_plan(c, plan_with_root); }
void pst_plan_scatter(struct pst_call *c) { pst_call_add_plan(c, plan_with_root); }

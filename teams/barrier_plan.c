/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A barrier, with a value that all combine, or with none. The members of each group tell its head,
 * the heads tell each other in ceil(log2 groups) rounds (in round r each tells the head 2^r further on), and
 * each head tells its members. In a small group that is the whole team each member tells each.
 *
 * A value may arrive more than once in a member's: to combine it twice changes nothing. */
#include "teams/group.h"

static void value_accept(struct pst_call *c, const struct pst_step *s, unsigned place, const void *value)
{
  (void)s;
  if (place != c->team->here) c->reduction.combine(c->value, value, 1, c->reduction.context);
}

static int plan_up(struct pst_call *c) { return pst_group_up(c, c->value, c->value_size, NULL); }
static int plan_down(struct pst_call *c) { return pst_group_down(c, 0, c->value, c->value_size); }

/* Decides when its turn has come: a board serves the first step of a call alone. */
PST_HOT static int plan_within(struct pst_call *c)
{
  if (pst_group_is_flat(c, c->value_size)) {
    pst_call_exchange(c, c->value, c->value_size, c->value ? value_accept : NULL);
    return PST_STAGE_LAST;
  }
  pst_call_add_plan(c, plan_up);
  pst_call_add_plan(c, plan_down);
  return 0;
}

static int plan_heads(struct pst_call *c)
{
  const struct pst_team *t = c->team;
  const unsigned step = c->stage < 32 ? 1u << c->stage : 0;
  if (!pst_team_is_head(t) || step == 0 || step >= t->groups) return 0;
  pst_call_send(c, t->heads[(t->group + step) % t->groups], c->value, c->value_size);
  pst_call_combine(c, t->heads[(t->group + t->groups - step) % t->groups], c->value, c->value_size, NULL);
  return 1;
}

PST_HOT void pst_plan_group_barrier(struct pst_call *c) { pst_call_add_plan(c, plan_within); }

PST_HOT void pst_plan_barrier(struct pst_call *c)
{
  if (c->team->groups == 1) {
    pst_plan_group_barrier(c);
    return;
  }
  pst_call_add_plan(c, plan_up);
  pst_call_add_plan(c, plan_heads);
  pst_call_add_plan(c, plan_down);
}

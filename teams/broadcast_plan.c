/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Broadcast. The data goes along a binomial tree of groups to one member of each, which broadcasts it in its
 * group. Long data goes through the tree in pieces, which a group passes on as they come; in one piece where
 * no group passes anything on. */
#include "support/least.h"
#include "teams/group.h"

enum { PIECE = 512 << 10 };

/* The first rank to have the data in the group `step` groups after the root's. */
static unsigned group_entry(const struct pst_call *c, unsigned root_group, unsigned step)
{
  const struct pst_team *t = c->team;
  return step ? t->heads[(root_group + step) % t->groups] : c->of.root;
}

/* The children of group `step` differ from it in one bit below its lowest. The farthest comes first, for it
 * has most to pass on. */
static void piece_pass_on(struct pst_call *c, unsigned root_group, unsigned step, size_t n)
{
  const unsigned low = step ? step & -step : ~0u, groups = c->team->groups;
  unsigned bit = 1;
  while (bit < low && bit < groups) bit <<= 1;
  while (bit >>= 1)
    if (step + bit < groups) pst_call_send(c, group_entry(c, root_group, step + bit), c->data + c->done, n);
}

/* Stages 2 k and 2 k + 1 receive piece k, and pass it on. */
static int plan_groups(struct pst_call *c)
{
  const struct pst_team *t = c->team;
  const unsigned root_group = pst_team_group_of(t, c->of.root),
                 step = (t->group + t->groups - root_group) % t->groups;
  const size_t most = t->groups > 2 ? PIECE : c->of.nbytes, n = pst_least(c->of.nbytes - c->done, most);
  if (n == 0 || t->me != group_entry(c, root_group, step)) return 0;
  if (c->stage % 2 == 0) {
    if (step) pst_call_receive(c, group_entry(c, root_group, step & (step - 1)), c->data + c->done, n);
    return 1;
  }
  piece_pass_on(c, root_group, step, n);
  c->done += n;
  return 1;
}

static unsigned root_place(const struct pst_call *c)
{
  const struct pst_team *t = c->team;
  for (unsigned i = 0; i < t->near; i++)
    if (t->near_rank[i] == c->of.root) return i;
  return 0;
}

static int plan_group(struct pst_call *c) { return pst_group_down(c, root_place(c), c->data, c->of.nbytes); }

static int plan_at_root(struct pst_call *c)
{
  if (c->stage) return 0;
  pst_call_copy(c, c->of.dst, c->of.src, c->of.nbytes);
  return 1;
}

void pst_plan_broadcast(struct pst_call *c)
{
  const struct pst_team *t = c->team;
  c->data = t->me == c->of.root ? (char *)(uintptr_t)c->of.src : c->of.dst;
  c->done = 0;
  if (c->of.nbytes == 0) return;
  if (t->groups > 1) pst_call_add_plan(c, plan_groups);
  if (t->near > 1) pst_call_add_plan(c, plan_group);
  if (t->me == c->of.root && c->of.dst && c->of.dst != c->of.src) pst_call_add_plan(c, plan_at_root);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Broadcast. The data goes along a binomial tree of groups to one member of each, which broadcasts it in its
 * group. Long data goes in pieces: while a group passes on a piece, it receives the next one. In one piece it
 * goes where no group passes anything on. */
#include "support/integers.h"
#include "teams/feed.h"
#include "teams/group.h"

enum { PIECE = 512 << 10 };

struct route {
  unsigned root, step; /* the root's group; how many groups after it this one is */
  size_t piece;
};

static size_t piece_bytes(const struct pst_call *c) { return c->team->groups > 2 ? PIECE : c->of.nbytes; }

static struct route route_of(const struct pst_call *c)
{
  const struct pst_team *t = c->team;
  const unsigned root = pst_team_group_of(t, c->of.root);
  return (struct route){root, (t->group + t->groups - root) % t->groups, piece_bytes(c)};
}

/* The first rank to have the data in the group `step` groups after the root's. */
static unsigned group_entry(const struct pst_call *c, const struct route *r, unsigned step)
{
  const struct pst_team *t = c->team;
  return step ? t->heads[(r->root + step) % t->groups] : c->of.root;
}

static unsigned parent_of(const struct route *r) { return r->step & (r->step - 1); }

/* The children of group `step` differ from it in one bit below its lowest. The farthest comes first, for it
 * has most to pass on. */
static void piece_pass_on(struct pst_call *c, const struct route *r, const char *piece, size_t n)
{
  const unsigned groups = c->team->groups, low = r->step ? r->step & -r->step : ~0u;
  unsigned bit = 1;
  while (bit < low && bit < groups) bit <<= 1;
  while (bit >>= 1)
    if (r->step + bit < groups) pst_call_send(c, group_entry(c, r, r->step + bit), piece, n);
}

/* Stage k passes on piece k - 1, and receives piece k. The root passes on one stage earlier. */
static int plan_groups(struct pst_call *c)
{
  const struct route r = route_of(c);
  const size_t n = c->of.nbytes, end = c->stage * r.piece, begin = end - (r.step && c->stage ? r.piece : 0);
  if (c->team->me != group_entry(c, &r, r.step) || begin >= n) return 0;
  if (r.step && end < n)
    pst_call_receive(c, group_entry(c, &r, parent_of(&r)), c->data + end, pst_least(n - end, r.piece));
  if (!r.step || c->stage) piece_pass_on(c, &r, c->data + begin, pst_least(n - begin, r.piece));
  return 1;
}

static unsigned root_place(const struct pst_call *c)
{
  const struct pst_team *t = c->team;
  for (unsigned i = 0; i < t->near; i++)
    if (t->near_rank[i] == c->of.root) return i;
  return 0;
}

static int plan_group(struct pst_call *c)
{
  if (!pst_feed_serves(c, c->of.nbytes)) return pst_group_down(c, root_place(c), c->data, c->of.nbytes);
  pst_call_feed(c, c->data, c->of.nbytes);
  return PST_STAGE_LAST;
}

static int plan_at_root(struct pst_call *c)
{
  pst_call_copy(c, c->of.dst, c->of.src, c->of.nbytes);
  return PST_STAGE_LAST;
}

void pst_plan_broadcast(struct pst_call *c)
{
  const struct pst_team *t = c->team;
  c->data = t->me == c->of.root ? (char *)(uintptr_t)c->of.src : c->of.dst;
  if (c->of.nbytes == 0) return;
  if (t->groups > 1) pst_call_add_plan(c, plan_groups);
  if (t->near > 1) pst_call_add_plan(c, plan_group);
  if (t->me == c->of.root && c->of.dst && c->of.dst != c->of.src) pst_call_add_plan(c, plan_at_root);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Gather and scatter. The root talks to each member, or, where the shares are equal and small (teams/cost.h),
 * to those of its own group and to the heads of the others: a head collects the shares of its group, which
 * lie in one block at the root, or gives them out.
 *
 * The root's stages serve a limited number of others each, so that teams of any size take little memory. */
#include "teams/cost.h"
#include "teams/shares.h"

static int gathers(const struct pst_call *c)
{
  return c->of.kind == GASNETX_GATHER || c->of.kind == GASNETX_GATHERV;
}

/* The caller's one transfer in a gather or a scatter. */
static void transfer(struct pst_call *c, unsigned rank, char *at, size_t n)
{
  if (n == 0) return;
  if (gathers(c)) pst_call_send(c, rank, at, n);
  else pst_call_receive(c, rank, at, n);
}

static char *own_side(const struct pst_call *c)
{
  return gathers(c) ? (char *)(uintptr_t)c->of.src : c->of.dst;
}

static int member_stage(struct pst_call *c, unsigned rank)
{
  if (c->stage) return 0;
  transfer(c, rank, own_side(c), c->of.nbytes);
  return 1;
}

/* ---- the root and each member ---- */

static struct pst_shares root_shares(const struct pst_call *c)
{
  return gathers(c) ? pst_shares_of_dst(c) : pst_shares_of_src(c);
}

static void root_copy_own(struct pst_call *c, const struct pst_shares *s)
{
  char *const own = pst_share_at(s, c->team->me);
  const size_t n = pst_share_length(s->lengths, s->each, c->team->me);
  if (gathers(c)) pst_call_copy(c, own, c->of.src, n);
  else pst_call_copy(c, c->of.dst, own, n);
}

static void root_serve(struct pst_call *c, const struct pst_shares *s, unsigned rank)
{
  (gathers(c) ? pst_share_receive : pst_share_send)(c, s, rank);
}

static int plan_with_each(struct pst_call *c)
{
  const struct pst_team *t = c->team;
  const struct pst_shares s = root_shares(c);
  unsigned begin, end;
  if (t->me != c->of.root) return member_stage(c, c->of.root);
  if (!pst_shares_range(c, t->size, &begin, &end)) return 0;
  for (unsigned i = begin; i < end; i++) root_serve(c, &s, (t->me + i) % t->size);
  if (c->stage == 0) root_copy_own(c, &s);
  return 1;
}

/* ---- by heads ---- */

/* The root's block of a group's shares, to the head or from it. */
static void root_serve_group(struct pst_call *c, const struct pst_shares *s, unsigned group)
{
  const unsigned head = c->team->heads[group];
  const size_t n = (pst_team_group_end(c->team, group) - head) * c->of.nbytes;
  if (gathers(c)) pst_call_receive(c, head, pst_share_at(s, head), n);
  else pst_call_send(c, head, pst_share_at(s, head), n);
}

static int root_stage(struct pst_call *c)
{
  const struct pst_team *t = c->team;
  const struct pst_shares s = root_shares(c);
  unsigned begin, end;
  if (!pst_shares_range(c, t->groups, &begin, &end)) return 0;
  for (unsigned i = begin; i < end; i++) root_serve_group(c, &s, (t->group + i) % t->groups);
  if (c->stage) return 1;
  for (unsigned i = 0; i < t->near; i++)
    if (i != t->here) root_serve(c, &s, t->near_rank[i]);
  root_copy_own(c, &s);
  return 1;
}

/* `data` has the shares of the head's group. */
static void head_serve_members(struct pst_call *c)
{
  const size_t n = c->of.nbytes;
  for (unsigned i = 1; i < c->team->near; i++) {
    char *const at = c->data + i * n;
    if (gathers(c)) pst_call_receive(c, c->team->near_rank[i], at, n);
    else pst_call_send(c, c->team->near_rank[i], at, n);
  }
  if (gathers(c)) pst_call_copy(c, c->data, c->of.src, n);
  else pst_call_copy(c, c->of.dst, c->data, n);
}

/* In a gather the members come first, in a scatter the root. */
static int head_stage(struct pst_call *c)
{
  if (c->stage > 1) return 0;
  if (c->stage == (gathers(c) ? 0 : 1)) head_serve_members(c);
  else transfer(c, c->of.root, c->data, c->team->near * c->of.nbytes);
  return 1;
}

static int plan_with_heads(struct pst_call *c)
{
  const struct pst_team *t = c->team;
  if (t->me == c->of.root) return root_stage(c);
  if (pst_team_group_of(t, c->of.root) == t->group) return member_stage(c, c->of.root);
  if (!pst_team_is_head(t)) return member_stage(c, t->heads[t->group]);
  if (c->stage == 0) c->data = pst_call_memory(c, t->near * c->of.nbytes);
  return head_stage(c);
}

/* ---- */

void pst_plan_gather(struct pst_call *c)
{
  const struct pst_team *t = c->team;
  const struct pst_shape_of_team shape = {t->size, t->groups, t->most};
  const int equal = c->of.kind == GASNETX_GATHER || c->of.kind == GASNETX_SCATTER;
  if (equal && c->of.nbytes == 0) return;
  pst_call_add_plan(c,
      equal && pst_collcost_gather_by_heads(&pst_collcost, &shape, c->of.nbytes) ? plan_with_heads
                                                                                 : plan_with_each);
}

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

/* n bytes at `at` to or from a member that is nearer to the root; nothing travels where n is 0. */
static void move_up(struct pst_call *c, unsigned rank, char *at, size_t n)
{
  if (n == 0) return;
  if (gathers(c)) pst_call_send(c, rank, at, n);
  else pst_call_receive(c, rank, at, n);
}

/* Likewise a member that is further from the root. */
static void move_down(struct pst_call *c, unsigned rank, char *at, size_t n)
{
  if (n == 0) return;
  if (gathers(c)) pst_call_receive(c, rank, at, n);
  else pst_call_send(c, rank, at, n);
}

/* The caller's own share, whose place among others is `at`. */
static void copy_own(struct pst_call *c, char *at, size_t n)
{
  if (gathers(c)) pst_call_copy(c, at, c->of.src, n);
  else pst_call_copy(c, c->of.dst, at, n);
}

static int member_stage(struct pst_call *c, unsigned rank)
{
  if (c->stage) return 0;
  move_up(c, rank, gathers(c) ? (char *)(uintptr_t)c->of.src : c->of.dst, c->of.nbytes);
  return 1;
}

/* ---- the root and each member ---- */

static struct pst_shares root_shares(const struct pst_call *c)
{
  return gathers(c) ? pst_shares_of_dst(c) : pst_shares_of_src(c);
}

static void root_serve(struct pst_call *c, const struct pst_shares *s, unsigned rank)
{
  const size_t n = pst_share_length(s->lengths, s->each, rank);
  if (rank == c->team->me) copy_own(c, pst_share_at(s, rank), n);
  else move_down(c, rank, pst_share_at(s, rank), n);
}

static int plan_with_each(struct pst_call *c)
{
  const struct pst_team *t = c->team;
  const struct pst_shares s = root_shares(c);
  unsigned begin, end;
  if (t->me != c->of.root) return member_stage(c, c->of.root);
  if (!pst_shares_range(c, t->size, &begin, &end)) return 0;
  for (unsigned i = begin; i < end; i++) root_serve(c, &s, (t->me + i) % t->size);
  if (c->stage == 0) root_serve(c, &s, t->me);
  return 1;
}

/* ---- by heads ---- */

/* The members of the root's own group talk to it themselves; of another group the root has a block of
 * shares, which its head has, too. */
static int root_stage(struct pst_call *c)
{
  const struct pst_team *t = c->team;
  const struct pst_shares s = root_shares(c);
  unsigned begin, end;
  if (!pst_shares_range(c, t->groups, &begin, &end)) return 0;
  for (unsigned i = begin; i < end; i++) {
    const unsigned group = (t->group + i) % t->groups, head = t->heads[group];
    move_down(c, head, pst_share_at(&s, head), (pst_team_group_end(t, group) - head) * c->of.nbytes);
  }
  for (unsigned i = 0; c->stage == 0 && i < t->near; i++) root_serve(c, &s, t->near_rank[i]);
  return 1;
}

/* In a gather the members come first, in a scatter the root. `data` has the shares of the head's group. */
static int head_stage(struct pst_call *c)
{
  const struct pst_team *t = c->team;
  const size_t n = c->of.nbytes;
  if (c->stage == 0) c->data = pst_call_memory(c, t->near * n);
  if (c->stage == (gathers(c) ? 1 : 0)) {
    move_up(c, c->of.root, c->data, t->near * n);
    return 1;
  }
  if (c->stage > 1) return 0;
  copy_own(c, c->data, n);
  for (unsigned i = 1; i < t->near; i++) move_down(c, t->near_rank[i], c->data + i * n, n);
  return 1;
}

static int plan_with_heads(struct pst_call *c)
{
  const struct pst_team *t = c->team;
  if (t->me == c->of.root) return root_stage(c);
  if (pst_team_group_of(t, c->of.root) == t->group) return member_stage(c, c->of.root);
  return pst_team_is_head(t) ? head_stage(c) : member_stage(c, t->heads[t->group]);
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

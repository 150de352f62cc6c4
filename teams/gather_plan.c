/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Gather and scatter, between the root and each member; and all-to-all, between each two. A stage has a
 * limited number of transfers, so that teams of any size take little memory. In an all-to-all each member
 * begins with the rank behind its own, so that not all send to one. */
#include "teams/call.h"

enum { AT_ONCE = 32 };

struct shares {
  char *base;
  size_t each;
  const size_t *lengths, *offsets;
};

static char *share_at(const struct shares *s, unsigned rank)
{
  return s->base + pst_share_begin(s->offsets, s->each, rank);
}
static size_t share_length(const struct shares *s, unsigned rank)
{
  return pst_share_length(s->lengths, s->each, rank);
}

static struct shares shares_of_dst(const struct pst_call *c)
{
  return (struct shares){c->of.dst, c->of.nbytes, c->of.dst_lengths, c->of.dst_offsets};
}
static struct shares shares_of_src(const struct pst_call *c)
{
  return (struct shares){(char *)(uintptr_t)c->of.src, c->of.nbytes, c->of.src_lengths, c->of.src_offsets};
}

static void share_send(struct pst_call *c, const struct shares *s, unsigned rank)
{
  if (share_length(s, rank)) pst_call_send(c, rank, share_at(s, rank), share_length(s, rank));
}
static void share_receive(struct pst_call *c, const struct shares *s, unsigned rank)
{
  if (share_length(s, rank)) pst_call_receive(c, rank, share_at(s, rank), share_length(s, rank));
}

/* The ranks of a stage, by their distance from the caller's: [*begin, *end). 0 where none is left. */
static int stage_range(const struct pst_call *c, unsigned *begin, unsigned *end)
{
  const unsigned size = c->team->size;
  if (c->stage >= (size + AT_ONCE - 1) / AT_ONCE) return 0;
  *begin = c->stage ? c->stage * AT_ONCE : 1;
  *end = (c->stage + 1) * AT_ONCE < size ? (c->stage + 1) * AT_ONCE : size;
  return 1;
}

static int plan_gather(struct pst_call *c)
{
  const struct pst_team *t = c->team;
  const struct shares dst = shares_of_dst(c);
  unsigned begin, end;
  if (t->me != c->of.root) {
    if (c->stage || c->of.nbytes == 0) return 0;
    pst_call_send(c, c->of.root, c->of.src, c->of.nbytes);
    return 1;
  }
  if (!stage_range(c, &begin, &end)) return 0;
  for (unsigned i = begin; i < end; i++) share_receive(c, &dst, (t->me + i) % t->size);
  if (c->stage == 0) pst_call_copy(c, share_at(&dst, t->me), c->of.src, share_length(&dst, t->me));
  return 1;
}

void pst_plan_gather(struct pst_call *c) { pst_call_add_plan(c, plan_gather); }

static int plan_scatter(struct pst_call *c)
{
  const struct pst_team *t = c->team;
  const struct shares src = shares_of_src(c);
  unsigned begin, end;
  if (t->me != c->of.root) {
    if (c->stage || c->of.nbytes == 0) return 0;
    pst_call_receive(c, c->of.root, c->of.dst, c->of.nbytes);
    return 1;
  }
  if (!stage_range(c, &begin, &end)) return 0;
  for (unsigned i = begin; i < end; i++) share_send(c, &src, (t->me + i) % t->size);
  if (c->stage == 0) pst_call_copy(c, c->of.dst, share_at(&src, t->me), share_length(&src, t->me));
  return 1;
}

void pst_plan_scatter(struct pst_call *c) { pst_call_add_plan(c, plan_scatter); }

static int plan_alltoall(struct pst_call *c)
{
  const struct pst_team *t = c->team;
  const struct shares src = shares_of_src(c), dst = shares_of_dst(c);
  unsigned begin, end;
  if (!stage_range(c, &begin, &end)) return 0;
  for (unsigned i = begin; i < end; i++) share_send(c, &src, (t->me + i) % t->size);
  for (unsigned i = begin; i < end; i++) share_receive(c, &dst, (t->me + t->size - i) % t->size);
  if (c->stage == 0)
    pst_call_copy(c, share_at(&dst, t->me), share_at(&src, t->me), share_length(&src, t->me));
  return 1;
}

void pst_plan_alltoall(struct pst_call *c) { pst_call_add_plan(c, plan_alltoall); }

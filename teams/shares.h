/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Memory of a member that has a share for each rank, or for all ranks the same one. */
#ifndef TEAMS_SHARES_H
#define TEAMS_SHARES_H
#include "teams/call.h"

struct pst_shares {
  char *base;
  size_t each;                     /* bytes of a share, where lengths is NULL */
  const size_t *lengths, *offsets; /* [ranks] or NULL */
  int same;                        /* one share, which is every rank's */
};

static inline char *pst_share_at(const struct pst_shares *s, unsigned rank)
{
  return s->same ? s->base : s->base + pst_share_begin(s->offsets, s->each, rank);
}

/* The shares that the arguments of a call describe. */
static inline struct pst_shares pst_shares_of_dst(const struct pst_call *c)
{
  return (struct pst_shares){c->of.dst, c->of.nbytes, c->of.dst_lengths, c->of.dst_offsets, 0};
}
static inline struct pst_shares pst_shares_of_src(const struct pst_call *c)
{
  return (struct pst_shares){
      (char *)(uintptr_t)c->of.src, c->of.nbytes, c->of.src_lengths, c->of.src_offsets, 0};
}

/* A share goes to the rank whose it is, or comes from it. An empty one does not travel. */
void pst_share_send(struct pst_call *c, const struct pst_shares *s, unsigned rank);
void pst_share_receive(struct pst_call *c, const struct pst_shares *s, unsigned rank);

/* Of so many ranks, or groups, those with which the call's stage has transfers, by their distance from the
 * caller's: [*begin, *end). The number is limited, so that teams of any size take little memory. 0 where no
 * stage is left; one that is empty is the first. */
int pst_shares_range(const struct pst_call *c, unsigned size, unsigned *begin, unsigned *end);

/* A stage in which each member sends to each: share r of src to rank r, where it becomes share (the sender's
 * rank) of dst. Each begins with the rank behind its own, so that not all send to one. 0 where none is left.
 */
int pst_shares_exchange(struct pst_call *c, const struct pst_shares *src, const struct pst_shares *dst);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "teams/shares.h"

enum { AT_ONCE = 32 };

void pst_share_send(struct pst_call *c, const struct pst_shares *s, unsigned rank)
{
  const size_t n = pst_share_length(s->lengths, s->each, rank);
  if (n) pst_call_send(c, rank, pst_share_at(s, rank), n);
}

void pst_share_receive(struct pst_call *c, const struct pst_shares *s, unsigned rank)
{
  const size_t n = pst_share_length(s->lengths, s->each, rank);
  if (n) pst_call_receive(c, rank, pst_share_at(s, rank), n);
}

int pst_shares_range(const struct pst_call *c, unsigned size, unsigned *begin, unsigned *end)
{
  if (c->stage >= (size + AT_ONCE - 1) / AT_ONCE) return 0;
  *begin = c->stage ? c->stage * AT_ONCE : 1;
  *end = (c->stage + 1) * AT_ONCE < size ? (c->stage + 1) * AT_ONCE : size;
  return 1;
}

int pst_shares_exchange(struct pst_call *c, const struct pst_shares *src, const struct pst_shares *dst)
{
  const unsigned size = c->team->size, me = c->team->me;
  unsigned begin, end;
  if (!pst_shares_range(c, size, &begin, &end)) return 0;
  for (unsigned i = begin; i < end; i++) pst_share_send(c, src, (me + i) % size);
  for (unsigned i = begin; i < end; i++) pst_share_receive(c, dst, (me + size - i) % size);
  if (c->stage == 0)
    pst_call_copy(
        c, pst_share_at(dst, me), pst_share_at(src, me), pst_share_length(dst->lengths, dst->each, me));
  return 1;
}

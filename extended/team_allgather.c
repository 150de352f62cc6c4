/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Everybody's item to all, in ceil(log2 count) rounds: before the round of distance d each has the d items
 * that end with its own; it sends them d places further on and receives those of the one d places behind.
 * What is left for the last round is less. All lie at their final places, so that a run of items is one
 * stretch of memory, or two where it passes the end. */
#include "extended/team.h"

static size_t begin_of(const struct pst_items *i, unsigned k) { return i->at ? i->at[k] : k * i->each; }
static unsigned rank_of(const struct pst_items *i, unsigned k)
{
  return i->ranks ? i->ranks[k] : i->first + k;
}

/* The n items that end with `last`, to or from item `with`'s rank. */
static void run_of_items(
    const struct pst_items *i, unsigned with, unsigned last, unsigned n, struct pst_stream s[2])
{
  const unsigned wrapped = n > last + 1 ? n - last - 1 : 0;
  const size_t tail = begin_of(i, i->count - wrapped), head = begin_of(i, last + 1 + wrapped - n);
  s[0] = (struct pst_stream){
      .rank = rank_of(i, with), .at = i->base + tail, .left = begin_of(i, i->count) - tail};
  s[1] = (struct pst_stream){
      .rank = rank_of(i, with), .at = i->base + head, .left = begin_of(i, last + 1) - head};
}

void pst_team_allgather(struct pst_party *p, const struct pst_items *i)
{
  struct pst_stream out[2], in[2];
  for (unsigned d = 1, n; d < i->count; d *= 2) {
    const unsigned behind = (i->me + i->count - d) % i->count;
    n = i->count - d < d ? i->count - d : d;
    run_of_items(i, (i->me + d) % i->count, i->me, n, out);
    run_of_items(i, behind, behind, n, in);
    pst_team_exchange(p, out, 2, in, 2);
  }
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Each rank's item to all, in ceil(log2 count) rounds. Before the round of distance d each rank has the d
 * items that end with its own; it sends them to the rank d places further on and receives those of the rank d
 * places behind. The last round moves only what is missing. Items lie at their final places, so a run of them
 * is one stretch of memory, or two where it passes the end. */
#include "extended/team.h"

static size_t item_begin(const struct pst_items *i, unsigned k) { return i->at ? i->at[k] : k * i->each; }
static unsigned item_rank(const struct pst_items *i, unsigned k)
{
  return i->ranks ? i->ranks[k] : i->first + k;
}

/* The n items that end with `last`, to or from the rank of item `with`. */
static void items_run(
    const struct pst_items *i, unsigned with, unsigned last, unsigned n, struct pst_stream s[2])
{
  const unsigned wrapped = n > last + 1 ? n - last - 1 : 0;
  const size_t tail = item_begin(i, i->count - wrapped), head = item_begin(i, last + 1 + wrapped - n);
  s[0] = (struct pst_stream){
      .rank = item_rank(i, with), .at = i->base + tail, .left = item_begin(i, i->count) - tail};
  s[1] = (struct pst_stream){
      .rank = item_rank(i, with), .at = i->base + head, .left = item_begin(i, last + 1) - head};
}

void pst_team_allgather(struct pst_team *t, const struct pst_items *i)
{
  struct pst_stream out[2], in[2];
  for (unsigned d = 1, n; d < i->count; d *= 2) {
    const unsigned behind = (i->me + i->count - d) % i->count;
    n = i->count - d < d ? i->count - d : d;
    items_run(i, (i->me + d) % i->count, i->me, n, out);
    items_run(i, behind, behind, n, in);
    pst_team_exchange(t, out, 2, in, 2);
  }
}

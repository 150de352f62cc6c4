/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* From the root to one of each group, along a binomial tree of groups, and from these within their groups. */
#include <string.h>

#include "extended/team.h"

/* Who has the data first in the group that is `step` groups after the root's. */
static unsigned entry_of(const struct pst_party *p, unsigned root, unsigned root_group, unsigned step)
{
  return step ? p->heads[(root_group + step) % p->groups] : root;
}

static unsigned group_of(const struct pst_party *p, unsigned rank)
{
  unsigned low = 0, high = p->groups;
  while (high - low > 1) {
    const unsigned middle = (low + high) / 2;
    if (p->heads[middle] <= rank) low = middle;
    else high = middle;
  }
  return low;
}

/* To those that differ from this one in one bit below its lowest; the farthest first, for they have most to
 * pass on. */
static void pass_on(
    struct pst_party *p, unsigned root, unsigned root_group, unsigned step, char *data, size_t n)
{
  const unsigned low = step ? step & -step : ~0u;
  struct pst_stream to[32];
  unsigned bit = 1, count = 0;
  while (bit < low && bit < p->groups) bit <<= 1;
  while (bit >>= 1)
    if (step + bit < p->groups)
      to[count++] = (struct pst_stream){
          .rank = entry_of(p, root, root_group, step + bit), .at = data, .left = n};
  pst_team_exchange(p, to, count, NULL, 0);
}

/* In pieces, which each passes on as they come; in one where nobody passes anything on. */
static void among_groups(struct pst_party *p, unsigned root, char *data, size_t n)
{
  enum { PIECE = 512 << 10 };
  const size_t most = p->groups > 2 ? PIECE : n;
  const unsigned root_group = group_of(p, root), step = (p->group + p->groups - root_group) % p->groups;
  if (p->me != entry_of(p, root, root_group, step)) return;
  for (size_t at = 0, piece; at < n; at += piece) {
    piece = n - at < most ? n - at : most;
    if (step) pst_team_receive(p, entry_of(p, root, root_group, step & (step - 1)), data + at, piece);
    pass_on(p, root, root_group, step, data + at, piece);
  }
}

void pst_team_broadcast(struct pst_party *p, unsigned root, void *dst, const void *src, size_t n, int at_root)
{
  const int root_is_near = root >= p->first && root < p->end;
  void *const data = p->me == root ? (void *)(uintptr_t)src : dst;
  if (n == 0) return;
  if (p->groups > 1) among_groups(p, root, data, n);
  pst_group_broadcast(p, root_is_near ? root : p->first, dst, data, n);
  if (p->me == root && at_root && dst != src) memmove(dst, src, n);
}

void gasnetx_team_broadcast(
    const gasnetx_nodes_t *n, unsigned root_rank, void *dst, const void *src, size_t nbytes, int at_root)
{
  struct pst_party *p = pst_team_enter(PST_TEAM_BROADCAST, n, nbytes, root_rank);
  pst_team_broadcast(p, root_rank, dst, src, nbytes, at_root);
  pst_team_leave();
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The data goes along a binomial tree of groups to one member of each, which broadcasts it in its group. */
#include <string.h>

#include "extended/team.h"

/* The first rank to have the data in the group `step` groups after the root's. */
static unsigned group_entry(const struct pst_team *t, unsigned root, unsigned root_group, unsigned step)
{
  return step ? t->heads[(root_group + step) % t->groups] : root;
}

static unsigned rank_group(const struct pst_team *t, unsigned rank)
{
  unsigned low = 0, high = t->groups;
  while (high - low > 1) {
    const unsigned middle = (low + high) / 2;
    if (t->heads[middle] <= rank) low = middle;
    else high = middle;
  }
  return low;
}

/* The children of group `step` differ from it in one bit below its lowest. The farthest comes first, for it
 * has most to pass on. */
static void piece_pass_on(
    struct pst_team *t, unsigned root, unsigned root_group, unsigned step, char *data, size_t n)
{
  const unsigned low = step ? step & -step : ~0u;
  struct pst_stream to[32];
  unsigned bit = 1, count = 0;
  while (bit < low && bit < t->groups) bit <<= 1;
  while (bit >>= 1)
    if (step + bit < t->groups)
      to[count++] = (struct pst_stream){
          .rank = group_entry(t, root, root_group, step + bit), .at = data, .left = n};
  pst_team_exchange(t, to, count, NULL, 0);
}

/* In pieces, which a group passes on as they come; in one piece where no group passes anything on. */
static void broadcast_among_groups(struct pst_team *t, unsigned root, char *data, size_t n)
{
  enum { PIECE = 512 << 10 };
  const size_t most = t->groups > 2 ? PIECE : n;
  const unsigned root_group = rank_group(t, root), step = (t->group + t->groups - root_group) % t->groups;
  if (t->me != group_entry(t, root, root_group, step)) return;
  for (size_t at = 0, piece; at < n; at += piece) {
    piece = n - at < most ? n - at : most;
    if (step) pst_team_receive(t, group_entry(t, root, root_group, step & (step - 1)), data + at, piece);
    piece_pass_on(t, root, root_group, step, data + at, piece);
  }
}

void pst_team_broadcast(struct pst_team *t, unsigned root, void *dst, const void *src, size_t n, int at_root)
{
  const int root_is_near = root >= t->first && root < t->end;
  void *const data = t->me == root ? (void *)(uintptr_t)src : dst;
  if (n == 0) return;
  if (t->groups > 1) broadcast_among_groups(t, root, data, n);
  pst_group_broadcast(t, root_is_near ? root : t->first, dst, data, n);
  if (t->me == root && at_root && dst != src) memmove(dst, src, n);
}

void gasnetx_team_broadcast(
    const gasnetx_nodes_t *n, unsigned root_rank, void *dst, const void *src, size_t nbytes, int at_root)
{
  struct pst_team *t = pst_team_enter(PST_TEAM_BROADCAST, n, nbytes, root_rank);
  pst_team_broadcast(t, root_rank, dst, src, nbytes, at_root);
  pst_team_leave();
}

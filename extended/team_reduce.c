/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Everybody's elements combined, in rank order, for all.
 *
 * Little in a single small group: everybody sends his to all, and all combine all. Else a group combines into
 * its head's dst, the heads combine theirs (team_fold.c), and each broadcasts the result in its group. Where
 * the members reach each other's memory, each of them combines a part of the elements for all; if there is no
 * other group, straight into everybody's dst.
 *
 * Every element of the result is computed once, or by all from the same operands in the same order: hence the
 * same bits everywhere. */
#include <string.h>

#include "extended/team.h"
#include "support/copy.h"
#include "support/least.h"

/* A call's arguments; elements [first, first + n) of somebody's src or dst. */
struct reduction {
  char *dst;
  const char *src;
  size_t count, size;
  gasnetx_combine_fn combine;
};

/* Where members lie, as they told each other. */
struct place {
  uint64_t src, dst;
};

enum { GROUP_MOST = 64, BLOCK = 4096 };

/* ---- through slots ---- */

static void send_to_all(struct pst_party *p, const void *data, size_t n)
{
  for (unsigned r = p->first; r < p->end; r++)
    if (r != p->me) pst_team_send(p, r, data, n);
}

/* n elements that fit into one slot. `sum` is where they are combined: not src. */
static void combine_flat(struct pst_party *p, const struct reduction *d, void *sum, const void *src, size_t n)
{
  const size_t bytes = n * d->size;
  send_to_all(p, src, bytes);
  pst_team_expect(p);
  for (unsigned r = p->first; r < p->end; r++) {
    const void *in = r == p->me ? src : pst_team_take(p, r, NULL, bytes);
    if (r == p->first) memcpy(sum, in, bytes);
    else d->combine(sum, in, n);
    if (r != p->me) pst_team_drop(p, r, in, NULL);
  }
}

/* Up the tree of team_group.c, whose children are in rank order behind their parent. `sum` holds the own
 * ones; the head's has all. */
static void combine_up(struct pst_party *p, const struct reduction *d, void *sum, void *buffer, size_t n)
{
  const unsigned v = p->me - p->first, near = pst_party_near(p);
  const size_t bytes = n * d->size;
  unsigned step = 1;
  for (; step < near && v % (step * PST_TEAM_FLAT) == 0; step *= PST_TEAM_FLAT)
    for (unsigned k = 1; k < PST_TEAM_FLAT && v + k * step < near; k++) {
      const void *in = pst_team_take(p, p->me + k * step, buffer, bytes);
      d->combine(sum, in, n);
      pst_team_drop(p, p->me + k * step, in, buffer);
    }
  if (v) pst_team_send(p, p->me - v % (step * PST_TEAM_FLAT), sum, bytes);
}

/* Elements a piece: those of a slot, but one at least. */
static size_t piece_of(const struct reduction *d)
{
  const size_t n = pst_team_near_room() / d->size;
  return n ? n : 1;
}

static void by_pieces(struct pst_party *p, const struct reduction *d)
{
  const size_t most = piece_of(d), room = (most * d->size + 63) & ~(size_t)63;
  char *const sum = pst_team_buffer(2 * room), *const buffer = sum + room;
  for (size_t at = 0, n; at < d->count; at += n) {
    n = pst_least(d->count - at, most);
    memcpy(sum, d->src + at * d->size, n * d->size);
    combine_up(p, d, sum, buffer, n);
    if (pst_party_is_head(p)) memcpy(d->dst + at * d->size, sum, n * d->size);
  }
}

/* ---- in each other's memory ---- */

static struct place own_place(const struct reduction *d)
{
  return (struct place){
      pst_team_shared(d->src, d->count * d->size), pst_team_shared(d->dst, d->count * d->size)};
}

static void to_targets(struct pst_party *p, const struct place *all, unsigned targets, size_t offset,
    const void *sum, size_t bytes)
{
  for (unsigned i = 0; i < targets; i++)
    memcpy((char *)pst_team_here(p, p->first + i, all[i].dst) + offset, sum, bytes);
}

/* All sources of a block are read before any of its results is written: dst may be src. */
static void combine_block(struct pst_party *p, const struct reduction *d, const struct place *all,
    unsigned targets, size_t at, size_t n, void *sum)
{
  const size_t offset = at * d->size, bytes = n * d->size;
  memcpy(sum, (char *)pst_team_here(p, p->first, all[0].src) + offset, bytes);
  for (unsigned i = 1; i < pst_party_near(p); i++)
    d->combine(sum, (char *)pst_team_here(p, p->first + i, all[i].src) + offset, n);
  to_targets(p, all, targets, offset, sum, bytes);
}

/* Each member does its part, for the first `targets` of the group. */
static void by_parts(
    struct pst_party *p, const struct reduction *d, const struct place *all, unsigned targets)
{
  const unsigned near = pst_party_near(p), i = p->me - p->first;
  const size_t most = d->size < BLOCK
  ? BLOCK
  / d->size : 1;
  const size_t end = (size_t)((unsigned __int128)d->count * (i + 1) / near);
  void *const sum = pst_team_buffer(most * d->size);
  for (size_t at = (size_t)((unsigned __int128)d->count * i / near), n; at < end; at += n) {
    n = pst_least(end - at, most);
    combine_block(p, d, all, targets, at, n, sum);
  }
}

static int reachable(const struct place *all, unsigned near, unsigned targets)
{
  for (unsigned i = 0; i < near; i++)
    if (!all[i].src || (i < targets && !all[i].dst)) return 0;
  return 1;
}

/* 1 when the first `targets` members have the result in their dst. */
static int in_memory(struct pst_party *p, const struct reduction *d, unsigned targets)
{
  struct place all[GROUP_MOST], mine = own_place(d);
  pst_group_share(p, &mine, sizeof mine, all);
  if (!reachable(all, pst_party_near(p), targets)) return 0;
  by_parts(p, d, all, targets);
  pst_group_sync(p);
  return 1;
}

/* ---- */

static void in_small_group(struct pst_party *p, const struct reduction *d)
{
  const size_t most = piece_of(d);
  char *const sum = pst_team_buffer(most * d->size);
  for (size_t at = 0, n; at < d->count; at += n) {
    n = pst_least(d->count - at, most);
    combine_flat(p, d, sum, d->src + at * d->size, n);
    memcpy(d->dst + at * d->size, sum, n * d->size);
  }
}

static void reduce(struct pst_party *p, const struct reduction *d)
{
  const int large = d->count * d->size > pst_team_near_room(), alone = p->groups == 1,
            fits = d->size <= pst_team_near_room();
  const unsigned near = pst_party_near(p);
  if (near == 1) {
    if (d->dst != d->src) memcpy(d->dst, d->src, d->count * d->size);
  } else if (large && in_memory(p, d, alone ? near : 1)) {
    if (alone) return;
  } else if (alone && near <= PST_TEAM_FLAT && fits) {
    in_small_group(p, d);
    return;
  } else {
    by_pieces(p, d);
  }
  if (p->groups > 1 && pst_party_is_head(p)) pst_team_fold(p, d->dst, d->count, d->size, d->combine);
  pst_group_broadcast(p, p->first, d->dst, d->dst, d->count * d->size);
}

void gasnetx_team_reduce(const gasnetx_nodes_t *n, void *dst, const void *src, size_t count, size_t size,
    gasnetx_combine_fn combine)
{
  const struct reduction d = {dst, src, count, size, combine};
  struct pst_party *p = pst_team_enter(PST_TEAM_REDUCE, n, count * size, 0);
  if (count && size) reduce(p, &d);
  pst_team_leave();
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The elements of all members, combined in rank order, for all.
 *
 * Few elements in a single small group: each member sends its elements to all others, and combines all. Else
 * a group combines into its head's dst, the heads combine theirs (team_fold.c), and each head broadcasts the
 * result in its group. Where the members reach each other's memory, each combines a part of the elements for
 * all; if there is one group only, straight into the dst of all.
 *
 * Every element of the result is computed once, or by all from the same operands in the same order: hence the
 * same bits everywhere. */
#include <string.h>

#include "extended/team.h"
#include "support/copy.h"
#include "support/least.h"

/* A call's arguments. */
struct reduction {
  char *dst;
  const char *src;
  size_t count, size;
  gasnetx_combine_fn combine;
};

/* Where a member's src and dst are, as it told the others; 0: out of their reach. */
struct place {
  uint64_t src, dst;
};

enum { GROUP_MOST = 64, BLOCK = 4096 };

/* ---- through slots ---- */

static void group_send_all(struct pst_team *t, const void *data, size_t n)
{
  for (unsigned r = t->first; r < t->end; r++)
    if (r != t->me) pst_team_send(t, r, data, n);
}

/* n elements that fit into one slot, combined into `sum`, which is not src. */
static void reduce_piece_flat(
    struct pst_team *t, const struct reduction *d, void *sum, const void *src, size_t n)
{
  const size_t bytes = n * d->size;
  group_send_all(t, src, bytes);
  pst_team_expect(t);
  for (unsigned r = t->first; r < t->end; r++) {
    const void *in = r == t->me ? src : pst_team_take(t, r, NULL, bytes);
    if (r == t->first) memcpy(sum, in, bytes);
    else d->combine(sum, in, n);
    if (r != t->me) pst_team_drop(t, r, in, NULL);
  }
}

/* Up the tree of team_group.c, whose children are in rank order behind their parent. `sum` holds this
 * member's elements before, and the head's holds the result after. */
static void reduce_piece_up(struct pst_team *t, const struct reduction *d, void *sum, void *buffer, size_t n)
{
  const unsigned v = t->me - t->first, near = pst_team_near(t);
  const size_t bytes = n * d->size;
  unsigned step = 1;
  for (; step < near && v % (step * PST_TEAM_FLAT) == 0; step *= PST_TEAM_FLAT)
    for (unsigned k = 1; k < PST_TEAM_FLAT && v + k * step < near; k++) {
      const void *in = pst_team_take(t, t->me + k * step, buffer, bytes);
      d->combine(sum, in, n);
      pst_team_drop(t, t->me + k * step, in, buffer);
    }
  if (v) pst_team_send(t, t->me - v % (step * PST_TEAM_FLAT), sum, bytes);
}

/* Elements of a piece: as many as fit into a slot, but one at least. */
static size_t reduce_piece_length(const struct reduction *d)
{
  const size_t n = pst_team_near_room() / d->size;
  return n ? n : 1;
}

static void reduce_by_pieces(struct pst_team *t, const struct reduction *d)
{
  const size_t most = reduce_piece_length(d), room = (most * d->size + 63) & ~(size_t)63;
  char *const sum = pst_team_buffer(2 * room), *const buffer = sum + room;
  for (size_t at = 0, n; at < d->count; at += n) {
    n = pst_least(d->count - at, most);
    memcpy(sum, d->src + at * d->size, n * d->size);
    reduce_piece_up(t, d, sum, buffer, n);
    if (pst_team_is_head(t)) memcpy(d->dst + at * d->size, sum, n * d->size);
  }
}

/* ---- in each other's memory ---- */

static struct place own_place(const struct reduction *d)
{
  return (struct place){
      pst_team_shared(d->src, d->count * d->size), pst_team_shared(d->dst, d->count * d->size)};
}

static void result_store(struct pst_team *t, const struct place *all, unsigned targets, size_t offset,
    const void *sum, size_t bytes)
{
  for (unsigned i = 0; i < targets; i++)
    memcpy((char *)pst_team_here(t, t->first + i, all[i].dst) + offset, sum, bytes);
}

/* All sources of a block are read before any of its results is written: dst may be src. */
static void reduce_block(struct pst_team *t, const struct reduction *d, const struct place *all,
    unsigned targets, size_t at, size_t n, void *sum)
{
  const size_t offset = at * d->size, bytes = n * d->size;
  memcpy(sum, (char *)pst_team_here(t, t->first, all[0].src) + offset, bytes);
  for (unsigned i = 1; i < pst_team_near(t); i++)
    d->combine(sum, (char *)pst_team_here(t, t->first + i, all[i].src) + offset, n);
  result_store(t, all, targets, offset, sum, bytes);
}

/* Each member combines a part of the elements, for the first `targets` members. */
static void reduce_by_parts(
    struct pst_team *t, const struct reduction *d, const struct place *all, unsigned targets)
{
  const unsigned near = pst_team_near(t), i = t->me - t->first;
  size_t most = BLOCK
  / d->size;
  const size_t end = (size_t)((unsigned __int128)d->count * (i + 1) / near);
  if (most == 0) most = 1;
  void *const sum = pst_team_buffer(most * d->size);
  for (size_t at = (size_t)((unsigned __int128)d->count * i / near), n; at < end; at += n) {
    n = pst_least(end - at, most);
    reduce_block(t, d, all, targets, at, n, sum);
  }
}

static int places_reachable(const struct place *all, unsigned near, unsigned targets)
{
  for (unsigned i = 0; i < near; i++)
    if (!all[i].src || (i < targets && !all[i].dst)) return 0;
  return 1;
}

/* 1 when the first `targets` members have the result in dst; 0 where not all memory can be reached. */
static int reduce_in_memory(struct pst_team *t, const struct reduction *d, unsigned targets)
{
  struct place all[GROUP_MOST], mine = own_place(d);
  pst_group_share(t, &mine, sizeof mine, all);
  if (!places_reachable(all, pst_team_near(t), targets)) return 0;
  reduce_by_parts(t, d, all, targets);
  pst_group_sync(t);
  return 1;
}

/* ---- the choice ---- */

static void reduce_in_small_group(struct pst_team *t, const struct reduction *d)
{
  const size_t most = reduce_piece_length(d);
  char *const sum = pst_team_buffer(most * d->size);
  for (size_t at = 0, n; at < d->count; at += n) {
    n = pst_least(d->count - at, most);
    reduce_piece_flat(t, d, sum, d->src + at * d->size, n);
    memcpy(d->dst + at * d->size, sum, n * d->size);
  }
}

static void reduce_all(struct pst_team *t, const struct reduction *d)
{
  const int large = d->count * d->size > pst_team_near_room(), alone = t->groups == 1,
            fits = d->size <= pst_team_near_room();
  const unsigned near = pst_team_near(t);
  if (near == 1) {
    if (d->dst != d->src) memcpy(d->dst, d->src, d->count * d->size);
  } else if (large && reduce_in_memory(t, d, alone ? near : 1)) {
    if (alone) return;
  } else if (alone && near <= PST_TEAM_FLAT && fits) {
    reduce_in_small_group(t, d);
    return;
  } else {
    reduce_by_pieces(t, d);
  }
  if (t->groups > 1 && pst_team_is_head(t)) pst_team_fold(t, d->dst, d->count, d->size, d->combine);
  pst_group_broadcast(t, t->first, d->dst, d->dst, d->count * d->size);
}

void gasnetx_team_reduce(const gasnetx_nodes_t *n, void *dst, const void *src, size_t count, size_t size,
    gasnetx_combine_fn combine)
{
  const struct reduction d = {dst, src, count, size, combine};
  struct pst_team *t = pst_team_enter(PST_TEAM_REDUCE, n, count * size, 0);
  if (count && size) reduce_all(t, &d);
  pst_team_leave();
}

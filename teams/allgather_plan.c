/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The data of each member to all, at places that the members know (all-gather), or that follow from lengths
 * which they tell each other first (collect).
 *
 * A single group: each member sends to all. Little data of a large group goes in rounds (teams/items.h).
 * Several groups: heads take the data of their members, exchange it in rounds, and broadcast all in their
 * groups. Places that differ between the members make no runs: then each member sends to each. */
#include <string.h>

#include "teams/group.h"
#include "teams/items.h"
#include "teams/shares.h"

static size_t begin_of(const struct pst_call *c, unsigned rank)
{
  return pst_share_begin(c->of.dst_offsets, c->of.nbytes, rank);
}
static size_t length_of(const struct pst_call *c, unsigned rank)
{
  return pst_share_length(c->of.dst_lengths, c->of.nbytes, rank);
}
static char *place_of(const struct pst_call *c, unsigned rank)
{
  return (char *)c->of.dst + begin_of(c, rank);
}

static void own_place(struct pst_call *c)
{
  const unsigned me = c->team->me;
  pst_call_copy(c, place_of(c, me), c->of.src, length_of(c, me));
}

static int plan_each_to_each(struct pst_call *c)
{
  const struct pst_team *t = c->team;
  const struct pst_shares dst = pst_shares_of_dst(c),
                          src = {(char *)(uintptr_t)c->of.src, length_of(c, t->me), NULL, NULL, 1};
  c->exchange = t->near <= PST_GROUP_FLAT;
  return pst_shares_exchange(c, &src, &dst);
}

static int plan_own(struct pst_call *c)
{
  if (c->stage) return 0;
  own_place(c);
  return 1;
}

/* dst_offsets, where there are any, have one more entry: the end. */
static int plan_in_rounds(struct pst_call *c)
{
  const struct pst_items items = {.count = c->team->size,
      .me = c->team->me,
      .base = c->of.dst,
      .each = c->of.nbytes,
      .at = c->of.dst_offsets};
  return pst_items_round(c, &items);
}

/* ---- several groups ---- */

static int plan_to_head(struct pst_call *c)
{
  const struct pst_team *t = c->team;
  if (c->stage) return 0;
  if (!pst_team_is_head(t)) {
    if (length_of(c, t->me)) pst_call_send(c, pst_group_rank(c, 0), c->of.src, length_of(c, t->me));
    return 1;
  }
  own_place(c);
  for (unsigned i = 1; i < t->near; i++) {
    const unsigned r = pst_group_rank(c, i);
    if (length_of(c, r)) pst_call_receive(c, r, place_of(c, r), length_of(c, r));
  }
  return 1;
}

static int plan_among_heads(struct pst_call *c)
{
  const struct pst_team *t = c->team;
  size_t *const at = c->group_begin;
  const struct pst_items items = {
      .count = t->groups, .me = t->group, .ranks = t->heads, .base = c->of.dst, .at = at};
  if (!pst_team_is_head(t)) return 0;
  if (c->stage == 0) {
    for (unsigned g = 0; g < t->groups; g++) at[g] = begin_of(c, t->heads[g]);
    at[t->groups] = begin_of(c, t->size);
  }
  return pst_items_round(c, &items);
}

static int plan_from_head(struct pst_call *c)
{
  return pst_group_down(c, 0, c->of.dst, begin_of(c, c->team->size));
}

/* ---- */

static size_t longest(const struct pst_call *c)
{
  size_t most = 0;
  for (unsigned r = 0; c->of.dst_lengths && r < c->team->size; r++)
    if (c->of.dst_lengths[r] > most) most = c->of.dst_lengths[r];
  return c->of.dst_lengths ? most : c->of.nbytes;
}

/* The places are runs, the same at all members. */
static void plan_runs(struct pst_call *c)
{
  const struct pst_team *t = c->team;
  if (t->groups == 1 && (t->near <= PST_GROUP_FLAT || !pst_group_fits(longest(c)))) {
    pst_call_add_plan(c, plan_each_to_each);
  } else if (t->groups == 1 || !t->ordered) {
    pst_call_add_plan(c, plan_own);
    pst_call_add_plan(c, plan_in_rounds);
  } else {
    c->group_begin = (size_t *)(void *)pst_call_memory(c, (t->groups + (size_t)1) * sizeof(size_t));
    pst_call_add_plan(c, plan_to_head);
    pst_call_add_plan(c, plan_among_heads);
    pst_call_add_plan(c, plan_from_head);
  }
}

void pst_plan_allgather(struct pst_call *c)
{
  if (c->of.dst_lengths) pst_call_add_plan(c, plan_each_to_each);
  else if (c->of.nbytes) plan_runs(c);
}

/* ---- collect ---- */

/* The places follow from the lengths; dst and src are the client's again. */
static void collect_places(struct pst_call *c)
{
  const unsigned size = c->team->size;
  size_t *const offsets = c->lengths + size;
  offsets[0] = 0;
  for (unsigned r = 0; r < size; r++) offsets[r + 1] = offsets[r] + c->lengths[r];
  c->of.dst_lengths = c->lengths;
  c->of.dst_offsets = offsets;
}

static int plan_places(struct pst_call *c)
{
  if (c->stage) return 0;
  c->of.dst = c->data;
  c->of.src = c->buffer;
  collect_places(c);
  if (c->of.dst_offsets[c->team->size]) plan_runs(c);
  return 0;
}

/* In a small group each member sends a parcel: its length, and its data if the data fits. */
struct parcel {
  size_t length;
  char data[];
};

static size_t parcel_room(void) { return pst_lanes.room - sizeof(struct parcel); }
static struct parcel *parcel_of(const struct pst_call *c, unsigned rank)
{
  return (struct parcel *)(void *)(c->buffer + rank * pst_lanes.room);
}

static void parcels_send(struct pst_call *c)
{
  const struct pst_team *t = c->team;
  struct parcel *mine = parcel_of(c, t->me);
  const size_t n = c->of.nbytes <= parcel_room() ? c->of.nbytes : 0;
  mine->length = c->of.nbytes;
  c->exchange = 1;
  if (n) memcpy(mine->data, c->of.src, n);
  for (unsigned i = 0; i < t->near; i++)
    if (i != t->me) pst_call_send(c, i, mine, sizeof *mine + n);
  for (unsigned i = 0; i < t->near; i++)
    if (i != t->me) pst_call_receive(c, i, parcel_of(c, i), pst_lanes.room)->up_to = 1;
}

/* The steps of the stage before are those of parcels_send: a send to each other member, and a receive. */
static void parcels_check(const struct pst_call *c)
{
  const struct pst_step *s = c->step + c->team->near - 1;
  for (unsigned r = 0; r < c->team->size; r++) {
    const size_t n = parcel_of(c, r)->length, fits = n <= parcel_room() ? n : 0;
    if (r != c->team->me && s++->moved != sizeof(struct parcel) + fits)
      pst_fatal("%s: a malformed message of node %u", c->name, pst_team_node(c->team, r));
  }
}

/* What did not fit goes from each to each. */
static void parcels_open(struct pst_call *c)
{
  const struct pst_team *t = c->team;
  parcels_check(c);
  for (unsigned r = 0; r < t->size; r++) c->lengths[r] = parcel_of(c, r)->length;
  collect_places(c);
  own_place(c);
  for (unsigned r = 0; r < t->size; r++) {
    const size_t n = length_of(c, r);
    if (r == t->me) continue;
    if (n > parcel_room()) pst_call_receive(c, r, place_of(c, r), n);
    else if (n) memcpy(place_of(c, r), parcel_of(c, r)->data, n);
    if (length_of(c, t->me) > parcel_room()) pst_call_send(c, r, c->of.src, length_of(c, t->me));
  }
}

static int plan_parcels(struct pst_call *c)
{
  if (c->stage > 1) return 0;
  if (c->stage == 0) parcels_send(c);
  else parcels_open(c);
  return 1;
}

/* The lengths come first, by an all-gather of their own. */
static void plan_lengths(struct pst_call *c)
{
  c->given_length = c->of.nbytes;
  c->data = c->of.dst;
  c->buffer = (char *)(uintptr_t)c->of.src;
  c->of.dst = c->lengths;
  c->of.src = &c->given_length;
  c->of.nbytes = sizeof c->given_length;
  plan_runs(c);
  pst_call_add_plan(c, plan_places);
}

void pst_plan_collect(struct pst_call *c)
{
  const struct pst_team *t = c->team;
  c->lengths = (size_t *)(void *)pst_call_memory(c, (2 * (size_t)t->size + 1) * sizeof *c->lengths);
  if (t->groups > 1 || t->near > PST_GROUP_FLAT || t->near == 1) {
    plan_lengths(c);
    return;
  }
  c->buffer = pst_call_memory(c, t->near * pst_lanes.room);
  pst_call_add_plan(c, plan_parcels);
}

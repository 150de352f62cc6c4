/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Broadcast. The data goes along a binomial tree of groups to one member of each, which broadcasts it in its
 * group. Long data goes in pieces: while a group passes on a piece, it receives the next one. In one piece it
 * goes where no group passes anything on. */
#include "core/loss.h"
#include "support/copy.h"
#include "support/integers.h"
#include "teams/feed.h"
#include "teams/group.h"
#include "teams/places.h"

enum { PIECE = 512 << 10 };

struct route {
  unsigned root, step; /* the root's group; how many groups after it this one is */
  size_t piece;
};

static size_t piece_bytes(const struct pst_call *c) { return c->team->groups > 2 ? PIECE : c->of.nbytes; }

static struct route route_of(const struct pst_call *c)
{
  const struct pst_team *t = c->team;
  const unsigned root = pst_team_group_of(t, c->of.root);
  return (struct route){root, (t->group + t->groups - root) % t->groups, piece_bytes(c)};
}

/* The first rank to have the data in the group `step` groups after the root's. */
static unsigned group_entry(const struct pst_call *c, const struct route *r, unsigned step)
{
  const struct pst_team *t = c->team;
  return step ? t->heads[(r->root + step) % t->groups] : c->of.root;
}

static unsigned parent_of(const struct route *r) { return r->step & (r->step - 1); }

/* The children of group `step` differ from it in one bit below its lowest. The farthest comes first, for it
 * has most to pass on. */
static void piece_pass_on(struct pst_call *c, const struct route *r, const char *piece, size_t n)
{
  const unsigned groups = c->team->groups, low = r->step ? r->step & -r->step : ~0u;
  unsigned bit = 1;
  while (bit < low && bit < groups) bit <<= 1;
  while (bit >>= 1)
    if (r->step + bit < groups) pst_call_send(c, group_entry(c, r, r->step + bit), piece, n);
}

/* Stage k passes on piece k - 1, and receives piece k. The root passes on one stage earlier. */
static int plan_groups(struct pst_call *c)
{
  const struct route r = route_of(c);
  const size_t n = c->of.nbytes, end = c->stage * r.piece, begin = end - (r.step && c->stage ? r.piece : 0);
  if (c->team->me != group_entry(c, &r, r.step) || begin >= n) return 0;
  if (r.step && end < n)
    pst_call_receive(c, group_entry(c, &r, parent_of(&r)), c->data + end, pst_least(n - end, r.piece));
  if (!r.step || c->stage) piece_pass_on(c, &r, c->data + begin, pst_least(n - begin, r.piece));
  return 1;
}

static unsigned root_place(const struct pst_call *c)
{
  const struct pst_team *t = c->team;
  for (unsigned i = 0; i < t->near; i++)
    if (t->near_rank[i] == c->of.root) return i;
  return 0;
}

/* ---- long data in a group: each member copies a part of it to all others ---- */

/* So the root's core moves data, too, and what is read once is written to all. Below this the two meetings
 * that it takes cost more. PART_UNIT: what is copied to one after the other, which the caches hold. */
enum { PARTS_LEAST = 512 << 10, PART_UNIT = 16 << 10 };

static size_t part_begin(const struct pst_call *c, unsigned place)
{
  const unsigned near = c->team->near;
  return place == near ? c->of.nbytes : c->of.nbytes / PART_UNIT * place / near * PART_UNIT;
}

/* `moved` counts the part's bytes. */
static int parts_work(struct pst_call *c, struct pst_step *s)
{
  const unsigned root = root_place(c), here = c->team->here;
  const size_t begin = part_begin(c, here), end = part_begin(c, here + 1);
  const char *const from = pst_place_here(c, root, c->places[root].src);
  size_t left = PST_STEP_BYTES / c->team->near;
  for (size_t n; left && (n = pst_least(end - begin - s->moved, PART_UNIT)); s->moved += n) {
    for (unsigned i = 0; i < c->team->near; i++)
      if (i != root)
        pst_copy(
            (char *)pst_place_here(c, i, c->places[i].dst) + begin + s->moved, from + begin + s->moved, n);
    left = left > n ? left - n : 0;
  }
  return begin + s->moved == end;
}

static int plan_parts(struct pst_call *c)
{
  if (c->stage == 0) pst_call_work(c, parts_work);
  return c->stage == 0;
}

static int plan_places(struct pst_call *c)
{
  const int is_root = c->team->here == root_place(c);
  return pst_places_share(c, is_root ? c->data : NULL, is_root ? NULL : c->data, c->of.nbytes);
}

static int places_are_reachable(const struct pst_call *c)
{
  const unsigned root = root_place(c);
  pst_places_check(c, c->of.nbytes);
  for (unsigned i = 0; i < c->team->near; i++)
    if (!(i == root ? c->places[i].src : c->places[i].dst)) return 0;
  return 1;
}

static int plan_group(struct pst_call *c);

/* Adds the further plans, now that all know whether all memory can be reached. */
static int plan_group_large(struct pst_call *c)
{
  if (places_are_reachable(c)) {
    pst_call_add_plan(c, plan_parts);
    pst_plan_group_barrier(c);
  } else pst_call_add_plan(c, plan_group);
  return 0;
}

/* ---- a group ---- */

static int plan_group(struct pst_call *c)
{
  if (!pst_feed_serves(c, c->of.nbytes)) return pst_group_down(c, root_place(c), c->data, c->of.nbytes);
  pst_call_feed(c, c->data, c->of.nbytes);
  return PST_STAGE_LAST;
}

static int plan_at_root(struct pst_call *c)
{
  pst_call_copy(c, c->of.dst, c->of.src, c->of.nbytes);
  return PST_STAGE_LAST;
}

void pst_plan_broadcast(struct pst_call *c)
{
  const struct pst_team *t = c->team;
  c->data = t->me == c->of.root ? (char *)(uintptr_t)c->of.src : c->of.dst;
  if (c->of.nbytes == 0) return;
  if (t->groups > 1) pst_call_add_plan(c, plan_groups);
  /* Where a call may end because a member is lost, another could still write to what its client has by then.
   */
  if (t->near > 1 && c->of.nbytes >= PARTS_LEAST && !pst_loss.on) {
    pst_call_add_plan(c, plan_places);
    pst_call_add_plan(c, plan_group_large);
  } else if (t->near > 1) pst_call_add_plan(c, plan_group);
  if (t->me == c->of.root && c->of.dst && c->of.dst != c->of.src) pst_call_add_plan(c, plan_at_root);
}

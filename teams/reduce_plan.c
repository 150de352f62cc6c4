/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The elements of all members, combined in rank order, for all (all-reduction), or for the root.
 *
 * Few elements in a single small group: each member sends its elements to all others, and combines all. Else
 * a group combines into its head's result: up a tree, or, where the members reach each other's memory, each
 * member combines a part of the elements for all. The heads combine theirs (teams/fold_plan.c), and each head
 * broadcasts the result in its group. Of much data each member leads in a part: it combines the part for its
 * group, and then with the members at its place in the other groups, so that all of a host's processes work
 * for the network at once. A function that does not commute on a team whose groups are not runs of ranks goes
 * along all ranks, one by one.
 *
 * Every element of the result is computed once, or by all from the same operands in the same order: hence the
 * same bits everywhere. */
#include <string.h>

#include "core/loss.h"
#include "support/copy.h"
#include "support/integers.h"
#include "teams/fold.h"
#include "teams/group.h"
#include "teams/places.h"
#include "teams/step.h"

static void combine(const struct pst_call *c, void *inout, const void *in, size_t count)
{
  c->reduction.combine(inout, in, count, c->reduction.context);
}

/* ---- a small group, few elements: data is the sum ---- */

/* In the order of ranks, which are the places. */
static void flat_accept(struct pst_call *c, const struct pst_step *s, unsigned place, const void *data)
{
  if (place == 0) memcpy(c->data, data, s->length);
  else combine(c, c->data, data, c->of.count);
}

static int plan_flat(struct pst_call *c)
{
  if (c->stage == 1) memcpy(c->of.dst, c->data, pst_call_bytes(c));
  if (c->stage) return 0;
  pst_call_exchange(c, c->of.src, pst_call_bytes(c), flat_accept);
  return 1;
}

/* ---- up a tree: the head's dst has the sum of its group ---- */

static int plan_begin(struct pst_call *c)
{
  if (c->stage) return 0;
  pst_call_copy(c, c->data, c->of.src, pst_call_bytes(c));
  return 1;
}

static int plan_up(struct pst_call *c) { return pst_group_up(c, c->data, pst_call_bytes(c), c->buffer); }

/* Inner members of the tree need room for a sum, and all that combine need it where data comes in pieces. */
static void group_sum_up(struct pst_call *c)
{
  const int large = !pst_group_fits(pst_call_bytes(c)),
            combines = c->team->near > 1 && c->team->here % PST_GROUP_FLAT == 0;
  if (!pst_team_is_head(c->team)) {
    if (!combines) c->data = (char *)(uintptr_t)c->of.src;
    else c->data = pst_call_memory(c, pst_call_bytes(c));
  }
  if (combines && large) c->buffer = pst_call_memory(c, pst_call_bytes(c));
  pst_call_add_plan(c, plan_begin);
  pst_call_add_plan(c, plan_up);
}

/* ---- in each other's memory ---- */

enum { BLOCK = 4096 };

/* Which members of a group get the sum: the one at place `target`, or all. */
enum { ALL = INT32_MAX };
static int has_result(const struct pst_call *c, unsigned place)
{
  return c->target == ALL || c->target == place;
}

static void result_store(struct pst_call *c, size_t offset, const void *sum, size_t bytes)
{
  const struct pst_place *all = c->places;
  if (c->leads) {
    memcpy((char *)c->of.dst + offset, sum, bytes);
    return;
  }
  for (unsigned i = 0; i < c->team->near; i++)
    if (all[i].dst) memcpy((char *)pst_place_here(c, i, all[i].dst) + offset, sum, bytes);
}

/* All sources of a block are read before any of its results is written: dst may be src. */
static void block_combine(struct pst_call *c, size_t at, size_t n, void *sum)
{
  const struct pst_place *all = c->places;
  const size_t offset = at * c->reduction.size, bytes = n * c->reduction.size;
  memcpy(sum, (char *)pst_place_here(c, 0, all[0].src) + offset, bytes);
  for (unsigned i = 1; i < c->team->near; i++)
    combine(c, sum, (char *)pst_place_here(c, i, all[i].src) + offset, n);
  result_store(c, offset, sum, bytes);
}

static size_t block_elements(const struct pst_call *c)
{
  const size_t most = (size_t)BLOCK
  / c->reduction.size;
  return most ? most : 1;
}

/* Where the part of the elements begins that the member at a place of the group combines. */
static size_t part_begin(const struct pst_call *c, unsigned place)
{
  return (size_t)((unsigned __int128)c->of.count * place / c->team->near);
}

/* This member's part of the elements, some blocks at a time; `moved` counts elements. */
static int parts_work(struct pst_call *c, struct pst_step *s)
{
  const unsigned near = c->team->near, i = c->team->here;
  const size_t begin = part_begin(c, i), end = part_begin(c, i + 1);
  size_t left = PST_STEP_BYTES / near / c->reduction.size;
  do {
    const size_t at = begin + s->moved, n = pst_least(end - at, block_elements(c));
    if (n == 0) return 1;
    block_combine(c, at, n, s->at);
    s->moved += n;
    left = left > n ? left - n : 0;
  } while (left);
  return 0;
}

static int places_are_reachable(const struct pst_call *c)
{
  const struct pst_place *all = c->places;
  pst_places_check(c, pst_call_bytes(c));
  for (unsigned i = 0; i < c->team->near; i++)
    if (!all[i].src || (has_result(c, i) && !all[i].dst)) return 0;
  return 1;
}

static int plan_places(struct pst_call *c)
{
  return pst_places_share(c, c->of.src, has_result(c, c->team->here) ? c->of.dst : NULL, pst_call_bytes(c));
}

static int plan_parts(struct pst_call *c)
{
  if (c->stage) return 0;
  pst_call_work(c, parts_work)->at = pst_call_memory(
      c, c->reduction.size < BLOCK ? BLOCK : c->reduction.size);
  return 1;
}

/* Adds the further plans, now that all know whether all memory can be reached. */
static int plan_group_large(struct pst_call *c)
{
  if (places_are_reachable(c)) {
    pst_call_add_plan(c, plan_parts);
    if (!c->leads) pst_plan_group_barrier(c);
  } else {
    group_sum_up(c);
    c->target = 0;
  }
  c->finish(c);
  return 0;
}

/* Each group's sum into the result of its member at place `target`, or of ALL. Where the members do not reach
 * each other's memory, the head alone has it, and `target` becomes 0. finish adds the plans that follow. */
static void group_sum(struct pst_call *c, unsigned target, void (*finish)(struct pst_call *c))
{
  const struct pst_team *t = c->team;
  c->target = target;
  c->finish = finish;
  c->buffer = NULL;
  /* Where a call may end because a member is lost, another could still write to what its client has by then.
   */
  if (t->near > 1 && !pst_group_fits(pst_call_bytes(c)) && !pst_loss.on) {
    pst_call_add_plan(c, plan_places);
    pst_call_add_plan(c, plan_group_large);
  } else {
    c->target = 0;
    group_sum_up(c);
    finish(c);
  }
}

/* ---- along all ranks ---- */

static int plan_chain(struct pst_call *c)
{
  const struct pst_team *t = c->team;
  if (c->stage == 0) {
    if (t->me) pst_call_combine(c, t->me - 1, c->data, pst_call_bytes(c), c->buffer)->below = 1;
    return 1;
  }
  if (c->stage == 1 && t->me + 1 < t->size) pst_call_send(c, t->me + 1, c->data, pst_call_bytes(c));
  return c->stage == 1;
}

/* The last rank has the sum: it goes to ALL, or to the root. */
static int chain_gives(const struct pst_call *c, unsigned rank)
{
  return c->target == ALL || rank == c->of.root;
}

static int plan_chain_result(struct pst_call *c)
{
  const struct pst_team *t = c->team;
  const unsigned last = t->size - 1;
  if (c->stage) return 0;
  for (unsigned r = 0; r < last && t->me == last; r++)
    if (chain_gives(c, r)) pst_call_send(c, r, c->data, pst_call_bytes(c));
  if (!chain_gives(c, t->me)) return 1;
  if (t->me == last) pst_call_copy(c, c->of.dst, c->data, pst_call_bytes(c));
  else pst_call_receive(c, last, c->of.dst, pst_call_bytes(c));
  return 1;
}

static void chain(struct pst_call *c, unsigned target)
{
  c->target = target;
  c->data = pst_call_memory(c, pst_call_bytes(c));
  c->buffer = pst_call_memory(c, pst_call_bytes(c));
  pst_call_add_plan(c, plan_begin);
  pst_call_add_plan(c, plan_chain);
  pst_call_add_plan(c, plan_chain_result);
}

static int is_out_of_order(const struct pst_call *c) { return !c->team->ordered && !c->reduction.commutes; }

/* ---- one leader ---- */

static int plan_spread(struct pst_call *c) { return pst_group_down(c, 0, c->of.dst, pst_call_bytes(c)); }

static void allreduce_finish(struct pst_call *c)
{
  const struct pst_team *t = c->team;
  if (t->groups > 1) pst_plan_fold(c, c->of.dst, c->of.count, 0);
  if (t->near > 1 && c->target == 0) pst_call_add_plan(c, plan_spread);
}

/* ---- each member leads in a part ---- */

/* The parts between the head, which has all of them, and the members that lead in them. */
static int parts_move(struct pst_call *c, int out)
{
  const struct pst_team *t = c->team;
  char *const data = c->of.dst;
  if (c->stage) return 0;
  for (unsigned i = 1; i < t->near; i++) {
    const size_t size = c->reduction.size, begin = part_begin(c, i) * size,
                 n = part_begin(c, i + 1) * size - begin;
    if (t->here != 0 && t->here != i) continue;
    if ((t->here == 0) == out) pst_call_send(c, pst_group_rank(c, out ? i : 0), data + begin, n);
    else pst_call_receive(c, pst_group_rank(c, out ? 0 : i), data + begin, n);
  }
  return PST_STAGE_LAST;
}
static int plan_parts_out(struct pst_call *c) { return parts_move(c, 1); }
static int plan_parts_in(struct pst_call *c) { return parts_move(c, 0); }

/* The parts of the others, from their memory; `moved` counts bytes. */
static int others_work(struct pst_call *c, struct pst_step *s)
{
  unsigned i = 0;
  while (s->moved < s->length && pst_steps.left) {
    while (part_begin(c, i + 1) * c->reduction.size <= s->moved) i++;
    const size_t n = pst_least(part_begin(c, i + 1) * c->reduction.size - s->moved, pst_steps.left);
    if (i != c->team->here) {
      pst_copy((char *)c->of.dst + s->moved, (char *)pst_place_here(c, i, c->places[i].dst) + s->moved, n);
      pst_steps.left -= n;
    }
    s->moved += n;
  }
  return s->moved == s->length;
}

static int plan_others(struct pst_call *c)
{
  if (c->stage == 0) pst_call_work(c, others_work)->length = pst_call_bytes(c);
  return c->stage == 0;
}

/* Nobody returns before all have read its part. */
static void leaders_finish(struct pst_call *c)
{
  const unsigned i = c->team->here;
  const size_t begin = part_begin(c, i);
  if (c->target == 0) pst_call_add_plan(c, plan_parts_out);
  pst_plan_fold(c, (char *)c->of.dst + begin * c->reduction.size, part_begin(c, i + 1) - begin, i);
  if (c->target == 0) {
    pst_call_add_plan(c, plan_parts_in);
    pst_call_add_plan(c, plan_spread);
  } else {
    pst_plan_group_barrier(c);
    pst_call_add_plan(c, plan_others);
    pst_plan_group_barrier(c);
  }
}

/* All members know the same of this. */
static int has_leaders(const struct pst_call *c)
{
  enum { PART_LEAST = 64 << 10 };
  const struct pst_team *t = c->team;
  return t->groups > 1 && t->most > 1 && t->size == t->groups * t->most &&
      pst_call_bytes(c) / t->most >= PART_LEAST;
}

/* ---- the choice ---- */

void pst_plan_allreduce(struct pst_call *c)
{
  const struct pst_team *t = c->team;
  const int alone = t->groups == 1;
  if (c->of.count == 0) return;
  if (is_out_of_order(c)) {
    chain(c, ALL);
  } else if (alone && t->near > 1 && pst_group_is_flat(c, pst_call_bytes(c)) &&
      pst_group_fits(pst_call_bytes(c))) {
    c->data = pst_call_memory(c, pst_call_bytes(c));
    pst_call_add_plan(c, plan_flat);
  } else {
    c->data = c->of.dst;
    c->leads = has_leaders(c);
    if (c->leads) group_sum(c, ALL, leaders_finish);
    else group_sum(c, alone && t->near > 1 ? ALL : 0, allreduce_finish);
  }
}

/* ---- to the root ---- */

static int plan_to_root(struct pst_call *c)
{
  const struct pst_team *t = c->team;
  if (c->stage || c->of.root == 0) return 0;
  if (t->me == 0) pst_call_send(c, c->of.root, c->data, pst_call_bytes(c));
  if (t->me == c->of.root) pst_call_receive(c, 0, c->result, pst_call_bytes(c));
  return 1;
}

/* Heads in a binomial tree: each combines the sums of those behind it, in their order. */
static int plan_heads_up(struct pst_call *c)
{
  const struct pst_team *t = c->team;
  const unsigned d = c->stage < 32 ? 1u << c->stage : 0, g = t->group;
  if (!pst_team_is_head(t) || d == 0 || d >= t->groups || g % d != 0) return 0;
  if (g % (2 * d) != 0) pst_call_send(c, t->heads[g - d], c->data, pst_call_bytes(c));
  else if (g + d < t->groups) pst_call_combine(c, t->heads[g + d], c->data, pst_call_bytes(c), c->buffer);
  return 1;
}

static void reduce_finish(struct pst_call *c)
{
  const struct pst_team *t = c->team;
  if (t->groups > 1) {
    if (pst_team_is_head(t) && !c->buffer) c->buffer = pst_call_memory(c, pst_call_bytes(c));
    pst_call_add_plan(c, plan_heads_up);
  }
  if (c->target == 0) pst_call_add_plan(c, plan_to_root);
}

/* Members without a result have a sum: heads of groups, which is rank 0 at last. */
void pst_plan_reduce(struct pst_call *c)
{
  const struct pst_team *t = c->team;
  if (c->of.count == 0) return;
  c->result = c->of.dst;
  if (is_out_of_order(c)) {
    chain(c, 0);
    return;
  }
  c->data = t->me == c->of.root && t->me == 0 ? c->of.dst
      : pst_team_is_head(t)                   ? pst_call_memory(c, pst_call_bytes(c))
                                              : NULL;
  if (t->groups == 1 && t->near > 1) group_sum(c, c->of.root, reduce_finish);
  else {
    c->of.dst = c->data;
    group_sum(c, 0, reduce_finish);
  }
}

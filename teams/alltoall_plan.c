/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* All-to-all. Each member sends to each, or tells all of them a few bytes by their group's board, or, where
 * the shares are small and equal (teams/cost.h), the heads carry those of their groups, in ceil(log2 groups)
 * rounds.
 *
 * Each member gives all its shares to its head. The head makes a grid of blocks of them. A block has a share
 * for each pair of a member of one group and a member of another, in rows of a sender each, as wide as the
 * largest group. Block d of group g is at first that for the group d places further on, modulo the groups. In
 * the round of distance b all blocks d with d & b go that far on, to the same places in the grid of the head
 * there. Block d thus goes d places in all: at the end it is the one that the group d places behind has made
 * for this group. The head puts the shares of each of its members in the order of ranks and gives them to it.
 *
 * A member alone in its group is a head whose row are its arguments: it has nothing to gather or to give. */
#include <string.h>

#include "teams/board.h"
#include "teams/cost.h"
#include "teams/shares.h"

static int lengths_are_equal(const struct pst_call *c) { return !c->of.src_lengths && !c->of.dst_lengths; }

/* ---- each to each ---- */

/* The caller's share of what a member gives to all; in a single group places are ranks. */
static void accept_share(struct pst_call *c, const struct pst_step *s, unsigned place, const void *data)
{
  const size_t n = c->of.nbytes;
  (void)s;
  memcpy(c->of.dst + place * n, (const char *)data + c->team->me * n, n);
}

/* Few bytes in a single group go by its board: each member reads its own of what each gives to all. */
static int plan_each_to_each(struct pst_call *c)
{
  if (c->stage == 0 && c->of.nbytes && c->team->groups == 1 && lengths_are_equal(c) &&
      pst_board_serves(c, c->team->size * c->of.nbytes)) {
    pst_call_exchange(c, c->of.src, c->team->size * c->of.nbytes, accept_share);
    return PST_STAGE_LAST;
  }
  const struct pst_shares src = pst_shares_of_src(c), dst = pst_shares_of_dst(c);
  return pst_shares_exchange(c, &src, &dst);
}

/* ---- by heads: `data` is the grid, `buffer` and `outgoing` are a round's, `result` has the members' rows
 * ---- */

static size_t row_bytes(const struct pst_call *c) { return c->team->size * c->of.nbytes; }
static size_t block_bytes(const struct pst_call *c)
{
  return (size_t)c->team->most * c->team->most * c->of.nbytes;
}
static unsigned group_size(const struct pst_call *c, unsigned group)
{
  return pst_team_group_end(c->team, group) - c->team->heads[group];
}

/* The row of a member in the block at place d. */
static char *grid_row(const struct pst_call *c, unsigned d, unsigned sender)
{
  return c->data + d * block_bytes(c) + (size_t)sender * c->team->most * c->of.nbytes;
}

/* All shares of the member at place i of the group, by rank: what it sends, and later what it gets. The
 * head's own are its arguments. */
static char *member_row(const struct pst_call *c, unsigned i, const void *own)
{
  return i ? c->result + (i - 1) * row_bytes(c) : (char *)(uintptr_t)own;
}

static void grid_fill(struct pst_call *c)
{
  const struct pst_team *t = c->team;
  for (unsigned d = 0; d < t->groups; d++) {
    const unsigned group = (t->group + d) % t->groups;
    const size_t n = group_size(c, group) * c->of.nbytes, at = t->heads[group] * c->of.nbytes;
    for (unsigned i = 0; i < t->near; i++) memcpy(grid_row(c, d, i), member_row(c, i, c->of.src) + at, n);
  }
}

static void grid_empty(struct pst_call *c)
{
  const struct pst_team *t = c->team;
  const size_t n = c->of.nbytes;
  for (unsigned d = 0; d < t->groups; d++) {
    const unsigned group = (t->group + t->groups - d) % t->groups, senders = group_size(c, group);
    for (unsigned s = 0; s < senders; s++)
      for (unsigned i = 0; i < t->near; i++)
        memcpy(member_row(c, i, c->of.dst) + (t->heads[group] + s) * n, grid_row(c, d, s) + i * n, n);
  }
}

static int plan_to_head(struct pst_call *c)
{
  const struct pst_team *t = c->team;
  if (c->stage) return 0;
  if (!pst_team_is_head(t)) pst_call_send(c, t->heads[t->group], c->of.src, row_bytes(c));
  else
    for (unsigned i = 1; i < t->near; i++)
      pst_call_receive(c, t->near_rank[i], member_row(c, i, NULL), row_bytes(c));
  return 1;
}

/* Copies the blocks of the round of distance b out of the grid, or into it. Returns their bytes. */
static size_t blocks_move(struct pst_call *c, unsigned b, char *packed, int into_grid)
{
  const size_t n = block_bytes(c);
  char *at = packed;
  for (unsigned d = b; d < c->team->groups; d = (d + 1) | b, at += n)
    memcpy(into_grid ? c->data + d * n : at, into_grid ? at : c->data + d * n, n);
  return (size_t)(at - packed);
}

static int plan_rounds(struct pst_call *c)
{
  const struct pst_team *t = c->team;
  const unsigned b = 1u << c->stage; /* the grid's size bounds the stages */
  if (!pst_team_is_head(t)) return 0;
  if (c->stage == 0) grid_fill(c);
  else blocks_move(c, b / 2, c->buffer, 1);
  if (b >= t->groups) return 0;
  const size_t n = blocks_move(c, b, c->outgoing, 0);
  pst_call_send(c, t->heads[(t->group + b) % t->groups], c->outgoing, n);
  pst_call_receive(c, t->heads[(t->group + t->groups - b) % t->groups], c->buffer, n);
  return 1;
}

static int plan_from_head(struct pst_call *c)
{
  const struct pst_team *t = c->team;
  if (c->stage) return 0;
  if (!pst_team_is_head(t)) {
    pst_call_receive(c, t->heads[t->group], c->of.dst, row_bytes(c));
    return 1;
  }
  grid_empty(c);
  for (unsigned i = 1; i < t->near; i++)
    pst_call_send(c, t->near_rank[i], member_row(c, i, NULL), row_bytes(c));
  return 1;
}

static void by_heads(struct pst_call *c)
{
  const struct pst_team *t = c->team;
  const size_t half = (t->groups + 1) / 2 * block_bytes(c);
  if (pst_team_is_head(t)) {
    c->data = pst_call_memory(c, t->groups * block_bytes(c));
    c->buffer = pst_call_memory(c, half);
    c->outgoing = pst_call_memory(c, half);
    if (t->near > 1) c->result = pst_call_memory(c, (t->near - 1) * row_bytes(c));
  }
  if (t->most > 1) pst_call_add_plan(c, plan_to_head);
  pst_call_add_plan(c, plan_rounds);
  pst_call_add_plan(c, plan_from_head);
}

void pst_plan_alltoall(struct pst_call *c)
{
  const struct pst_team *t = c->team;
  const struct pst_shape_of_team shape = {t->size, t->groups, t->most};
  if (t->most && lengths_are_equal(c) && c->of.nbytes &&
      pst_collcost_alltoall_by_heads(&pst_collcost, &shape, c->of.nbytes))
    by_heads(c);
  else pst_call_add_plan(c, plan_each_to_each);
}

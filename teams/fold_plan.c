/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The heads combine what their groups have. Of much data each member leads in a part (teams/reduce_plan.c):
 * the members at the same place of all groups then do for their part what is said of heads here.
 *
 * Of 2^k + x heads the first 2x pair up, and the second of each pair leaves its data to the first. 2^k heads
 * remain, numbered in the order of their groups. Little data: in the round of distance d a head exchanges all
 * with the head whose number differs in bit d; both then have the data of the same aligned block of 2d heads,
 * combined in order. Much data (teams/cost.h): in each round each of the two keeps one half of what both have
 * and combines that; then the rounds go backwards, and each gets the other's half as it is. Either way all
 * have the same bits: an element is combined from the same operands in the same order everywhere. The heads
 * that left their data get the result.
 *
 * Very much data goes chunk by chunk. `turn` counts the stages of a chunk: one in which data is left, the
 * rounds, one in which results are given. */
#include <string.h>

#include "support/integers.h"
#include "teams/cost.h"
#include "teams/fold.h"

enum { CHUNK = 1 << 20 };

struct fold {
  unsigned remain, rounds, extra; /* remain: 2^rounds heads */
  unsigned number;                /* of this head among those that remain */
  int leaves, takes;              /* its data; another's */
  size_t count;                   /* elements of this chunk */
};

static struct fold fold_of(const struct pst_call *c)
{
  const struct pst_team *t = c->team;
  const size_t most = c->reduction.size < CHUNK ? CHUNK / c->reduction.size : 1;
  struct fold f = {.remain = 1, .count = pst_least(c->folded - c->done, most)};
  for (; f.remain * 2 <= t->groups; f.remain *= 2) f.rounds++;
  f.extra = t->groups - f.remain;
  f.number = t->group < 2 * f.extra ? t->group / 2 : t->group - f.extra;
  f.leaves = t->group < 2 * f.extra && t->group % 2 == 1;
  f.takes = t->group < 2 * f.extra && t->group % 2 == 0;
  return f;
}

static unsigned group_rank(const struct pst_call *c, unsigned group)
{
  return c->team->heads[group] + c->team->here;
}

static unsigned fold_rank(const struct pst_call *c, const struct fold *f, unsigned number)
{
  return group_rank(c, number < f->extra ? 2 * number : number + f->extra);
}

static size_t bytes_of(const struct pst_call *c, size_t count) { return count * c->reduction.size; }

/* Of fewer elements than heads some parts are empty: they do not travel. */
static void send_part(struct pst_call *c, unsigned rank, size_t at, size_t count)
{
  if (count) pst_call_send(c, rank, c->data + bytes_of(c, at), bytes_of(c, count));
}
static void receive_part(struct pst_call *c, unsigned rank, size_t at, size_t count)
{
  if (count) pst_call_receive(c, rank, c->data + bytes_of(c, at), bytes_of(c, count));
}

/* below: what comes is the left operand. */
static void combine_part(struct pst_call *c, unsigned rank, size_t at, size_t count, int below)
{
  char *const here = c->data + bytes_of(c, at);
  if (count) pst_call_combine(c, rank, here, bytes_of(c, count), c->buffer)->below = (uint8_t)below;
}

/* ---- little data ---- */

/* What came in the round before, from a head behind this one or before it. */
static void doubling_combine(struct pst_call *c, const struct fold *f, unsigned d)
{
  const struct pst_reduction *r = &c->reduction;
  if (!(f->number & d)) {
    r->combine(c->data, c->buffer, f->count, r->context);
    return;
  }
  r->combine(c->buffer, c->data, f->count, r->context);
  memcpy(c->data, c->buffer, bytes_of(c, f->count));
}

static void doubling_round(struct pst_call *c, const struct fold *f, unsigned round)
{
  if (round > 0) doubling_combine(c, f, 1u << (round - 1));
  if (round == f->rounds) return;
  const unsigned rank = fold_rank(c, f, f->number ^ 1u << round);
  pst_call_send(c, rank, c->data, bytes_of(c, f->count));
  pst_call_receive(c, rank, c->buffer, bytes_of(c, f->count));
}

/* ---- much data ---- */

struct range {
  size_t at, n;
};

/* What is kept in a round, and what is left to the other. */
static void range_halve(const struct fold *f, unsigned round, struct range *kept, struct range *left)
{
  struct range mine = {0, f->count};
  for (unsigned r = 0; r <= round; r++) {
    const struct range low = {mine.at, mine.n / 2}, high = {mine.at + low.n, mine.n - low.n};
    *kept = f->number >> r & 1 ? high : low;
    *left = f->number >> r & 1 ? low : high;
    mine = *kept;
  }
}

static void halving_round(struct pst_call *c, const struct fold *f, unsigned round)
{
  const unsigned d = 1u << round, rank = fold_rank(c, f, f->number ^ d);
  struct range kept, left;
  range_halve(f, round, &kept, &left);
  send_part(c, rank, left.at, left.n);
  combine_part(c, rank, kept.at, kept.n, (f->number & d) != 0);
}

static void joining_round(struct pst_call *c, const struct fold *f, unsigned round)
{
  const unsigned rank = fold_rank(c, f, f->number ^ 1u << round);
  struct range kept, left;
  range_halve(f, round, &kept, &left);
  send_part(c, rank, kept.at, kept.n);
  receive_part(c, rank, left.at, left.n);
}

/* ---- */

static void pair_leave(struct pst_call *c, const struct fold *f)
{
  const unsigned group = c->team->group;
  if (f->leaves) send_part(c, group_rank(c, group - 1), 0, f->count);
  if (f->takes) pst_call_combine(c, group_rank(c, group + 1), c->data, bytes_of(c, f->count), c->buffer);
}

static void pair_give(struct pst_call *c, const struct fold *f)
{
  const unsigned group = c->team->group;
  if (f->takes) send_part(c, group_rank(c, group + 1), 0, f->count);
  if (f->leaves) receive_part(c, group_rank(c, group - 1), 0, f->count);
}

static int halves(const struct pst_call *c, const struct fold *f)
{
  return pst_collcost_halves(&pst_collcost, f->rounds, bytes_of(c, f->count));
}

/* Stages of a chunk, without the first and the last. */
static unsigned inner_stages(const struct pst_call *c, const struct fold *f)
{
  return halves(c, f) ? 2 * f->rounds : f->rounds + 1;
}

static void inner_stage(struct pst_call *c, const struct fold *f, unsigned k)
{
  if (f->leaves) return;
  if (!halves(c, f)) doubling_round(c, f, k);
  else if (k < f->rounds) halving_round(c, f, k);
  else joining_round(c, f, 2 * f->rounds - 1 - k);
}

static int plan_fold(struct pst_call *c)
{
  const struct fold f = fold_of(c);
  const unsigned inner = inner_stages(c, &f), turn = c->turn;
  if (f.count == 0) return 0;
  c->data = c->result + bytes_of(c, c->done);
  if (turn == 0) pair_leave(c, &f);
  else if (turn <= inner) inner_stage(c, &f, turn - 1);
  else pair_give(c, &f);
  c->turn = turn > inner ? 0 : turn + 1;
  if (turn > inner) c->done += f.count;
  return 1;
}

void pst_plan_fold(struct pst_call *c, void *data, size_t count, unsigned place)
{
  const size_t most = c->reduction.size < CHUNK ? CHUNK / c->reduction.size : 1;
  c->result = data;
  c->folded = count;
  c->done = 0;
  c->turn = 0;
  if (c->team->here != place) return;
  if (!c->buffer) c->buffer = pst_call_memory(c, bytes_of(c, pst_least(count, most)));
  pst_call_add_plan(c, plan_fold);
}

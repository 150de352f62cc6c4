/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The heads combine what their groups have.
 *
 * Of 2^k + x heads the first 2x pair up, and the second of each pair leaves its data to the first. 2^k heads
 * remain, numbered in the order of their groups. Little data: in the round of distance d a head exchanges all
 * with the head whose number differs in bit d; both then have the data of the same aligned block of 2d heads,
 * combined in order. Much data: in each round each of the two keeps one half of what both have and combines
 * that; then the rounds go backwards, and each gets the other's half as it is. Either way all have the same
 * bits: an element is combined from the same operands in the same order everywhere. The heads that left their
 * data get the result. */
#include <string.h>

#include "extended/team.h"

enum { LITTLE = 8192, AT_ONCE = 1 << 20, ROUNDS = 32 };

struct fold {
  struct pst_team *team;
  char *data, *buffer; /* buffer: for the data of another head */
  size_t size;
  gasnetx_combine_fn combine;
  unsigned number, remain, extra;
};

static unsigned fold_rank(const struct fold *f, unsigned number)
{
  return f->team->heads[number < f->extra ? 2 * number : number + f->extra];
}

/* Combines elements [at, at + n) with `theirs`, which came from a head behind this one or before it. */
static void fold_combine(const struct fold *f, size_t at, size_t n, void *theirs, int they_come_first)
{
  char *own = f->data + at * f->size;
  if (!they_come_first) {
    f->combine(own, theirs, n);
    return;
  }
  f->combine(theirs, own, n);
  memcpy(own, theirs, n * f->size);
}

static void fold_exchange(
    const struct fold *f, unsigned number, size_t out_at, size_t out_n, void *in, size_t in_n)
{
  const unsigned rank = fold_rank(f, number);
  struct pst_stream out = {.rank = rank, .at = f->data + out_at * f->size, .left = out_n * f->size};
  struct pst_stream into = {.rank = rank, .at = in, .left = in_n * f->size};
  pst_team_exchange(f->team, &out, 1, &into, 1);
}

static void fold_double(const struct fold *f, size_t count)
{
  for (unsigned d = 1; d < f->remain; d *= 2) {
    fold_exchange(f, f->number ^ d, 0, count, f->buffer, count);
    fold_combine(f, 0, count, f->buffer, f->number & d);
  }
}

struct range {
  size_t at, n;
};

static void fold_halve(const struct fold *f, size_t count)
{
  struct range mine = {0, count}, kept[ROUNDS], left[ROUNDS];
  unsigned rounds = 0;
  for (unsigned d = 1; d < f->remain; d *= 2, rounds++) {
    const struct range low = {mine.at, mine.n / 2}, high = {mine.at + low.n, mine.n - low.n};
    kept[rounds] = f->number & d ? high : low;
    left[rounds] = f->number & d ? low : high;
    mine = kept[rounds];
    fold_exchange(f, f->number ^ d, left[rounds].at, left[rounds].n, f->buffer, mine.n);
    if (mine.n) fold_combine(f, mine.at, mine.n, f->buffer, f->number & d);
  }
  while (rounds-- > 0)
    fold_exchange(f, f->number ^ (1u << rounds), kept[rounds].at, kept[rounds].n,
        f->data + left[rounds].at * f->size, left[rounds].n);
}

static void fold_part(const struct fold *f, size_t count)
{
  const unsigned g = f->team->group;
  const int paired = g < 2 * f->extra;
  const size_t bytes = count * f->size;
  if (paired && g % 2) {
    pst_team_send(f->team, f->team->heads[g - 1], f->data, bytes);
    pst_team_receive(f->team, f->team->heads[g - 1], f->data, bytes);
    return;
  }
  if (paired) {
    pst_team_receive(f->team, f->team->heads[g + 1], f->buffer, bytes);
    fold_combine(f, 0, count, f->buffer, 0);
  }
  if (bytes <= LITTLE) fold_double(f, count);
  else fold_halve(f, count);
  if (paired) pst_team_send(f->team, f->team->heads[g + 1], f->data, bytes);
}

void pst_team_fold(struct pst_team *t, void *data, size_t count, size_t size, gasnetx_combine_fn combine)
{
  const size_t most = size < AT_ONCE ? AT_ONCE / size : 1;
  struct fold f = {.team = t, .data = data, .size = size, .combine = combine, .remain = 1};
  while (f.remain * 2 <= t->groups) f.remain *= 2;
  f.extra = t->groups - f.remain;
  f.number = t->group < 2 * f.extra ? t->group / 2 : t->group - f.extra;
  f.buffer = pst_team_buffer((count < most ? count : most) * size);
  for (size_t at = 0, n; at < count; at += n, f.data += n * size) {
    n = count - at < most ? count - at : most;
    fold_part(&f, n);
  }
}

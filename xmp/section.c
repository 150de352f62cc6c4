/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Sections of one dimension. A side whose nodes take turns repeats itself: elements k and k + period lie on
 * the same node. Two sides that both repeat do so together after the least common multiple. So it is enough
 * to look at the blocks of one such period. A side that does not repeat has one interval of elements on each
 * node, which are cut out before. */
#include "xmp/section.h"

#include <stdlib.h>

#include "support/integers.h"

typedef pst_xmp_index_t index_t;

static index_t least(index_t a, index_t b) { return a < b ? a : b; }
static index_t greatest(index_t a, index_t b) { return a > b ? a : b; }
/* Division that rounds up, of any a and b > 0. */
static index_t divide_up(index_t a, index_t b) { return a > 0 ? (a + b - 1) / b : -(-a / b); }

static index_t common_divisor(index_t a, index_t b)
{
  return (index_t)pst_common_divisor((size_t)a, (size_t)b);
}

/* ---- positions ---- */

static int gblock_owner(const struct pst_xmp_line *l, index_t position)
{
  index_t low = 0, high = l->nodes; /* bound[low] <= position < bound[high] */
  while (high - low > 1) {
    const index_t middle = (low + high) / 2;
    if (l->bound[middle] <= position) low = middle;
    else high = middle;
  }
  return (int)low;
}

int pst_xmp_line_owner(const struct pst_xmp_line *l, index_t position)
{
  switch (l->kind) {
  case PST_XMP_LINE_BLOCK: return (int)(position / l->width);
  case PST_XMP_LINE_CYCLIC: return (int)(position / l->width % l->nodes);
  case PST_XMP_LINE_GBLOCK: return gblock_owner(l, position);
  case PST_XMP_LINE_WHOLE: break;
  }
  return 0;
}

index_t pst_xmp_line_place(const struct pst_xmp_line *l, index_t position)
{
  switch (l->kind) {
  case PST_XMP_LINE_BLOCK: return position % l->width;
  case PST_XMP_LINE_CYCLIC: return position / (l->width * l->nodes) * l->width + position % l->width;
  case PST_XMP_LINE_GBLOCK: return position - l->bound[gblock_owner(l, position)];
  case PST_XMP_LINE_WHOLE: break;
  }
  return position;
}

index_t pst_xmp_line_shift(const struct pst_xmp_line *l, index_t period)
{
  return l->kind == PST_XMP_LINE_CYCLIC ? period * l->step / l->nodes : period * l->step;
}

/* The positions of the block around a position: its interval on one node. */
struct block {
  index_t low, high; /* inclusive */
  int owner;
};

static struct block block_around(const struct pst_xmp_line *l, index_t position)
{
  const int owner = pst_xmp_line_owner(l, position);
  if (l->kind == PST_XMP_LINE_GBLOCK) return (struct block){l->bound[owner], l->bound[owner + 1] - 1, owner};
  const index_t low = position / l->width * l->width;
  return (struct block){low, low + l->width - 1, owner};
}

/* ---- elements ---- */

/* The first element whose position is at or beyond the near end of a block, in the step's direction. */
static index_t element_at(const struct pst_xmp_line *l, index_t low, index_t high)
{
  return l->step > 0 ? divide_up(low - l->first, l->step) : divide_up(l->first - high, -l->step);
}

/* The end of the run of elements from k on that lie in one block; *owner: whose. */
static index_t run_end(const struct pst_xmp_line *l, index_t k, index_t end, int *owner)
{
  *owner = 0;
  if (l->kind == PST_XMP_LINE_WHOLE) return end;
  const index_t position = l->first + k * l->step;
  const struct block b = block_around(l, position);
  *owner = b.owner;
  if (l->step == 0) return end;
  const index_t more = l->step > 0 ? (b.high - position) / l->step : (position - b.low) / -l->step;
  return least(k + more + 1, end);
}

/* The first element from k on in the next block of a cyclic side that node `me` has. The element itself lies
 * in another block if the step is longer than the block. */
static index_t cyclic_skip(const struct pst_xmp_line *l, index_t k, int me)
{
  const index_t block = (l->first + k * l->step) / l->width, owner = block % l->nodes;
  const index_t ahead = l->step > 0 ? (me - owner + l->nodes) % l->nodes : (owner - me + l->nodes) % l->nodes;
  const index_t next = l->step > 0 ? block + ahead : block - ahead;
  return element_at(l, next * l->width, next * l->width + l->width - 1);
}

/* The first run from k on, before end, that lies on node `me`: *k is moved to it. Returns its end. */
static index_t own_run(const struct pst_xmp_line *l, int me, index_t *k, index_t end)
{
  int owner;
  while (*k < end) {
    const index_t e = run_end(l, *k, end, &owner);
    if (l->kind == PST_XMP_LINE_WHOLE || owner == me) return e;
    if (l->kind != PST_XMP_LINE_CYCLIC || l->step == 0) break;
    *k = cyclic_skip(l, *k, me);
  }
  *k = end;
  return end;
}

/* ---- periods and intervals ---- */

static int repeats(const struct pst_xmp_line *l) { return l->kind == PST_XMP_LINE_CYCLIC && l->step != 0; }

static index_t period_of(const struct pst_xmp_line *l)
{
  const index_t round = l->width * l->nodes;
  return repeats(l) ? round / common_divisor(round, llabs(l->step)) : 1;
}

/* The period of both, at most `limit`; limit if neither repeats. */
static index_t common_period(const struct pst_xmp_line *a, const struct pst_xmp_line *b, index_t limit)
{
  if (!repeats(a) && !repeats(b)) return limit;
  const index_t p = period_of(a), q = period_of(b) / common_divisor(p, period_of(b));
  return p > limit / q ? limit : p * q;
}

/* The elements of a side that node `me` has, where they are an interval: [*begin, *end) becomes less. */
static void own_interval(const struct pst_xmp_line *l, int me, index_t *begin, index_t *end)
{
  if (l->kind == PST_XMP_LINE_WHOLE || repeats(l)) return;
  const int is_gblock = l->kind == PST_XMP_LINE_GBLOCK;
  const index_t low = is_gblock ? l->bound[me] : me * l->width,
                high = is_gblock ? l->bound[me + 1] - 1 : low + l->width - 1;
  if (l->step == 0) {
    if (pst_xmp_line_owner(l, l->first) != me) *end = *begin;
    return;
  }
  if (low > high) *end = *begin;
  const index_t from = element_at(l, low, high);
  const index_t beyond = l->step > 0 ? element_at(l, high + 1, high + 1) : element_at(l, low - 1, low - 1);
  *begin = greatest(*begin, from);
  *end = least(*end, beyond);
}

/* ---- pieces ---- */

static int pieces_add(struct pst_xmp_meetings *p, struct pst_xmp_meeting piece)
{
  if (p->n == p->room) {
    const int room = p->room ? 2 * p->room : 8;
    struct pst_xmp_meeting *more = realloc(p->piece, (size_t)room * sizeof *more);
    if (!more) return -1;
    p->piece = more;
    p->room = room;
  }
  p->piece[p->n++] = piece;
  return 0;
}

/* Elements [k, e) and what repeats them before `end`, where the last time may be cut. */
static int pieces_repeat(
    struct pst_xmp_meetings *p, index_t k, index_t e, index_t period, index_t end, int other)
{
  const index_t run = e - k, times = (end - e) / period + 1, rest = k + times * period;
  if (pieces_add(p, (struct pst_xmp_meeting){k, run, period, times, other})) return -1;
  if (rest >= end) return 0;
  return pieces_add(p, (struct pst_xmp_meeting){rest, end - rest, period, 1, other});
}

/* Whether the element before k, if there were one, lies in the same block as k. */
static int continues(const struct pst_xmp_line *l, index_t k)
{
  const index_t position = l->first + k * l->step, before = position - l->step;
  if (!repeats(l)) return 1;
  return before >= 0 && before / l->width == position / l->width;
}

static int window_meet(const struct pst_xmp_line *mine, int me, const struct pst_xmp_line *other, index_t k,
    index_t stop, index_t period, index_t end, struct pst_xmp_meetings *pieces)
{
  for (index_t e; k < stop; k = e) {
    e = own_run(mine, me, &k, stop);
    for (index_t part = k, part_end; part < e; part = part_end) {
      int node;
      part_end = run_end(other, part, e, &node);
      if (pieces_repeat(pieces, part, part_end, period, end, node)) return -1;
    }
  }
  return 0;
}

/* Elements [begin, end), an interval within which both sides repeat, or do not change. Where runs are to be
 * long the period that is looked at begins where a run does, and what precedes it comes by itself. */
static int interval_meet(const struct pst_xmp_line *mine, int me, const struct pst_xmp_line *other,
    index_t begin, index_t end, struct pst_xmp_meetings *pieces)
{
  const index_t period = common_period(mine, other, end - begin);
  int node;
  if (pieces->long_runs && period < end - begin && continues(mine, begin) && continues(other, begin)) {
    const index_t head = run_end(other, begin, run_end(mine, begin, end, &node), &node);
    if (window_meet(mine, me, other, begin, head, end - begin, head, pieces)) return -1;
    begin = head;
  }
  return window_meet(mine, me, other, begin, least(begin + period, end), period, end, pieces);
}

int pst_xmp_line_meet(const struct pst_xmp_line *mine, int me, const struct pst_xmp_line *other,
    index_t count, struct pst_xmp_meetings *pieces)
{
  index_t begin = 0, end = count;
  own_interval(mine, me, &begin, &end);
  if (repeats(other) || other->kind == PST_XMP_LINE_WHOLE)
    return begin < end ? interval_meet(mine, me, other, begin, end, pieces) : 0;
  for (index_t k = begin, e; k < end; k = e) {
    int node;
    e = run_end(other, k, end, &node);
    if (interval_meet(mine, me, other, k, e, pieces)) return -1;
  }
  return 0;
}

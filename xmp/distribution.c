/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmp/distribution.h"

#include "support/integers.h"

typedef pst_xmp_index_t index_t;
__extension__ typedef __int128 wide_t; /* products of two indices */

static index_t least(index_t a, index_t b) { return a < b ? a : b; }
static index_t greatest(index_t a, index_t b) { return a > b ? a : b; }
static index_t ceil_div(index_t a, index_t b) { return -pst_xmp_floor_div(-a, b); }

/* ---- making ---- */

index_t pst_xmp_axis_default_width(index_t length, index_t nodes)
{
  return length > 0 ? (length + nodes - 1) / nodes : 1;
}

struct pst_xmp_axis pst_xmp_axis_align(const struct pst_xmp_axis *t, index_t extent, index_t offset)
{
  struct pst_xmp_axis a = *t;
  a.lower -= offset;
  a.upper -= offset;
  a.from = 0;
  a.to = extent - 1;
  return a;
}

struct pst_xmp_axis pst_xmp_axis_whole(index_t lower, index_t extent)
{
  const index_t upper = lower + extent - 1;
  return (struct pst_xmp_axis){.kind = PST_XMP_NOT_DISTRIBUTED,
      .lower = lower,
      .upper = upper,
      .from = lower,
      .to = upper,
      .nodes = 1,
      .width = greatest(extent, 1)};
}

/* ---- what a node has ---- */

index_t pst_xmp_axis_owner(const struct pst_xmp_axis *a, index_t g)
{
  const index_t t = g - a->lower;
  index_t low = 0, high = a->nodes - 1;
  if (a->kind == PST_XMP_CYCLIC) return t / a->width % a->nodes;
  if (a->kind != PST_XMP_GBLOCK) return t / a->width;
  while (low < high) { /* the last node that begins at t or before it: nodes without indices come before */
    const index_t middle = (low + high + 1) / 2;
    if (a->start[middle] <= t) low = middle;
    else high = middle - 1;
  }
  return low;
}

/* The first index of a node of a dimension that is not cyclic, less `lower`. */
static index_t axis_start(const struct pst_xmp_axis *a, index_t node)
{
  const index_t length = a->upper - a->lower + 1;
  return a->kind == PST_XMP_GBLOCK ? a->start[node] : least(node * a->width, length);
}

/* The first place at or after t, and the last one at or before it, that are a node's in a cyclic dimension.
 */
static index_t cyclic_up(const struct pst_xmp_axis *a, index_t node, index_t t)
{
  const index_t round = a->width * a->nodes, low = node * a->width, r = pst_xmp_mod(t, round);
  if (r < low) return t - r + low;
  return r < low + a->width ? t : t - r + round + low;
}

static index_t cyclic_down(const struct pst_xmp_axis *a, index_t node, index_t t)
{
  const index_t round = a->width * a->nodes, high = node * a->width + a->width - 1, r = pst_xmp_mod(t, round);
  if (r > high) return t - r + high;
  return r > high - a->width ? t : t - r - round + high;
}

void pst_xmp_axis_bounds(const struct pst_xmp_axis *a, index_t node, index_t *first, index_t *last)
{
  if (a->kind == PST_XMP_CYCLIC) {
    *first = a->lower + cyclic_up(a, node, a->from - a->lower);
    *last = a->lower + cyclic_down(a, node, a->to - a->lower);
  } else {
    *first = least(greatest(a->lower + axis_start(a, node), a->from), a->to + 1);
    *last = least(a->lower + axis_start(a, node + 1) - 1, a->to);
  }
  if (*last < *first) *last = *first - 1;
}

/* The number that g has among all that are dealt out to its owner, of a cyclic dimension. */
static index_t cyclic_number(const struct pst_xmp_axis *a, index_t g)
{
  const index_t t = g - a->lower, round = a->width * a->nodes;
  return t / round * a->width + t % a->width;
}

index_t pst_xmp_axis_count(const struct pst_xmp_axis *a, index_t node)
{
  index_t first, last;
  pst_xmp_axis_bounds(a, node, &first, &last);
  if (last < first || a->kind != PST_XMP_CYCLIC) return last - first + 1;
  return cyclic_number(a, last) - cyclic_number(a, first) + 1;
}

/* All blocks but the first and the last are whole. Those who have most are among the owners of the first
 * three blocks and of the last one. */
static index_t blocks_most(const struct pst_xmp_axis *a)
{
  const index_t first = (a->from - a->lower) / a->width, last = (a->to - a->lower) / a->width;
  index_t most = pst_xmp_axis_count(a, last % a->nodes);
  for (index_t i = 0; i < 3 && first + i <= last; i++)
    most = greatest(most, pst_xmp_axis_count(a, (first + i) % a->nodes));
  return most;
}

index_t pst_xmp_axis_most(const struct pst_xmp_axis *a)
{
  index_t most = 0;
  if (a->to < a->from) return 0;
  if (a->kind != PST_XMP_GBLOCK) return blocks_most(a);
  for (index_t node = 0; node < a->nodes; node++) most = greatest(most, pst_xmp_axis_count(a, node));
  return most;
}

/* ---- local numbers ---- */

index_t pst_xmp_axis_skipped(const struct pst_xmp_axis *a, index_t node)
{
  index_t first, last;
  if (a->kind != PST_XMP_CYCLIC) return 0;
  pst_xmp_axis_bounds(a, node, &first, &last);
  return cyclic_number(a, first);
}

index_t pst_xmp_axis_local(const struct pst_xmp_axis *a, index_t g)
{
  const index_t node = pst_xmp_axis_owner(a, g);
  index_t first, last;
  pst_xmp_axis_bounds(a, node, &first, &last);
  return a->kind == PST_XMP_CYCLIC ? cyclic_number(a, g) - cyclic_number(a, first) : g - first;
}

index_t pst_xmp_axis_global(const struct pst_xmp_axis *a, index_t node, index_t l)
{
  index_t first, last, number;
  pst_xmp_axis_bounds(a, node, &first, &last);
  if (a->kind != PST_XMP_CYCLIC) return first + l;
  number = l + cyclic_number(a, first);
  return a->lower + number / a->width * a->width * a->nodes + node * a->width + number % a->width;
}

/* ---- runs ---- */

/* The number of the round in which g lies. */
static index_t round_of(const struct pst_xmp_axis *a, index_t g)
{
  return (g - a->lower) / (a->width * a->nodes);
}

index_t pst_xmp_axis_runs(const struct pst_xmp_axis *a, index_t node)
{
  index_t first, last;
  pst_xmp_axis_bounds(a, node, &first, &last);
  if (last < first) return 0;
  return a->kind == PST_XMP_CYCLIC ? round_of(a, last) - round_of(a, first) + 1 : 1;
}

void pst_xmp_axis_run(const struct pst_xmp_axis *a, index_t node, index_t n, index_t *first, index_t *last)
{
  index_t begin;
  pst_xmp_axis_bounds(a, node, first, last);
  if (a->kind != PST_XMP_CYCLIC) return;
  begin = a->lower + ((round_of(a, *first) + n) * a->nodes + node) * a->width;
  *first = greatest(*first, begin);
  *last = least(*last, begin + a->width - 1);
}

/* ---- sections ---- */

/* x with a * x mod m = 1, where a and m have no common divisor. */
static index_t inverse_of(index_t a, index_t m)
{
  index_t r = m, next_r = pst_xmp_mod(a, m), x = 0, next_x = 1;
  while (next_r) {
    const index_t q = r / next_r, r2 = r - q * next_r, x2 = x - q * next_x;
    r = next_r, next_r = r2;
    x = next_x, next_x = x2;
  }
  return pst_xmp_mod(x, m);
}

/* The piece of a section in first..last, all of which a node has; local: of first. */
static int run_piece(
    struct pst_xmp_section s, index_t first, index_t last, index_t local, struct pst_xmp_piece *piece)
{
  const index_t near = s.step > 0 ? first : last, far = s.step > 0 ? last : first;
  const index_t step = s.step > 0 ? s.step : -s.step, sign = s.step > 0 ? 1 : -1;
  const index_t k = greatest(0, ceil_div((near - s.first) * sign, step));
  const index_t end = least(s.count - 1, pst_xmp_floor_div((far - s.first) * sign, step));
  *piece = (struct pst_xmp_piece){.k = k,
      .count = end - k + 1,
      .k_step = 1,
      .local = local + s.first + k * s.step - first,
      .local_step = s.step};
  return last >= first && end >= k;
}

static void residues_begin(struct pst_xmp_pieces *p, index_t low)
{
  const index_t round = p->axis.width * p->axis.nodes, t = p->section.first - p->axis.lower;
  const index_t step = p->section.step > 0 ? p->section.step : -p->section.step;
  p->divisor = (index_t)pst_common_divisor((size_t)round, (size_t)step);
  p->period = round / p->divisor;
  p->inverse = inverse_of(p->section.step / p->divisor, p->period);
  p->next = low + pst_xmp_mod(t - low, p->divisor); /* the first residue that the section can have */
  p->end = low + p->axis.width;
}

void pst_xmp_pieces_begin(
    struct pst_xmp_pieces *p, const struct pst_xmp_axis *a, index_t node, struct pst_xmp_section section)
{
  const index_t far = section.first + (section.count - 1) * section.step;
  index_t first, last, residues, runs;
  *p = (struct pst_xmp_pieces){.axis = *a, .section = section, .node = node};
  if (section.count <= 0) return;
  if (a->kind != PST_XMP_CYCLIC) {
    p->end = 1;
    return;
  }
  /* The runs in the part of the dimension where the section is. */
  p->axis.from = greatest(a->from, least(section.first, far));
  p->axis.to = least(a->to, greatest(section.first, far));
  runs = pst_xmp_axis_runs(&p->axis, node);
  if (runs == 0) return;
  pst_xmp_axis_bounds(&p->axis, node, &first, &last);
  residues_begin(p, node * a->width);
  residues = ceil_div(p->end - p->next, p->divisor);
  p->by_residue = residues <= runs;
  p->axis.from = a->from, p->axis.to = a->to;
  if (p->by_residue) return;
  pst_xmp_axis_bounds(a, node, &p->next, &last); /* numbers of runs count from the node's first one */
  p->next = round_of(a, first) - round_of(a, p->next);
  p->end = p->next + runs;
}

static int residue_piece(const struct pst_xmp_pieces *p, index_t residue, struct pst_xmp_piece *piece)
{
  const struct pst_xmp_section *s = &p->section;
  const index_t t = s->first - p->axis.lower;
  const wide_t turns = (residue - t) / p->divisor;
  const index_t k = pst_xmp_mod((index_t)(turns * p->inverse % p->period), p->period);
  if (k >= s->count) return 0;
  *piece = (struct pst_xmp_piece){.k = k,
      .count = (s->count - 1 - k) / p->period + 1,
      .k_step = p->period,
      .local = pst_xmp_axis_local(&p->axis, s->first + k * s->step),
      .local_step = s->step / p->divisor * p->axis.width};
  return 1;
}

int pst_xmp_pieces_next(struct pst_xmp_pieces *p, struct pst_xmp_piece *piece)
{
  while (p->next < p->end) {
    const index_t number = p->next;
    index_t first, last;
    if (p->by_residue) {
      p->next += p->divisor;
      if (residue_piece(p, number, piece)) return 1;
      continue;
    }
    p->next++;
    pst_xmp_axis_run(&p->axis, p->node, number, &first, &last);
    if (last < first) continue;
    if (run_piece(p->section, first, last, pst_xmp_axis_local(&p->axis, first), piece)) return 1;
  }
  return 0;
}

int pst_xmp_axis_meets(const struct pst_xmp_axis *a, index_t node, struct pst_xmp_section s)
{
  struct pst_xmp_piece piece;
  index_t first, last, k;
  if (s.count <= 0) return 0;
  pst_xmp_axis_bounds(a, node, &first, &last);
  if (a->kind != PST_XMP_CYCLIC) return run_piece(s, first, last, 0, &piece);
  k = pst_xmp_first_hit(
      s.first - a->lower, s.step, a->width * a->nodes, node * a->width, node * a->width + a->width - 1);
  return k >= 0 && k < s.count;
}

/* The least x with low <= a * x mod m <= high, where 0 < low <= high < m. Where no multiple of a lies between
 * the two, some of m is to be taken off: how often is a question of the same kind, of a smaller modulus. */
static index_t multiple_between(index_t a, index_t m, index_t low, index_t high)
{
  index_t y;
  const index_t x = a ? ceil_div(low, a) : 0;
  if (a == 0) return -1;
  if ((wide_t)a * x <= high) return x;
  y = multiple_between(m % a, a, a - high % a, a - low % a);
  return y < 0 ? -1 : (index_t)(((wide_t)m * y + low + a - 1) / a);
}

index_t pst_xmp_first_hit(index_t first, index_t step, index_t modulus, index_t low, index_t high)
{
  const index_t l = pst_xmp_mod(low - first, modulus), h = pst_xmp_mod(high - first, modulus);
  if (l == 0 || l > h) return 0;
  return multiple_between(pst_xmp_mod(step, modulus), modulus, l, h);
}

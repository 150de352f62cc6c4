/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Which elements of a section two nodes exchange: against a loop over all elements, for random sections of
 * random distributions. */
#include "xmp/section.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/random.h"
#include "tests/unit/suite.h"

enum { POSITIONS = 120, NODES = 7 };

static int pick(int n) { return (int)below((size_t)n); }

/* ---- random lines ---- */

static void line_make(struct pst_xmp_line *l, pst_xmp_index_t *bound, int positions)
{
  *l = (struct pst_xmp_line){.kind = (enum pst_xmp_line_kind)pick(4), .nodes = 1 + pick(NODES)};
  if (l->kind == PST_XMP_LINE_WHOLE) l->nodes = 1;
  if (l->kind == PST_XMP_LINE_BLOCK) l->width = (positions + l->nodes - 1) / l->nodes + pick(3);
  if (l->kind == PST_XMP_LINE_CYCLIC) l->width = 1 + pick(6);
  if (l->kind != PST_XMP_LINE_GBLOCK) return;
  bound[0] = 0;
  for (int c = 1; c <= l->nodes; c++) {
    const int left = positions - (int)bound[c - 1];
    bound[c] = c == l->nodes ? positions : bound[c - 1] + (pick(3) ? pick(left + 1) : 0);
  }
  l->bound = bound;
}

static void section_make(struct pst_xmp_line *l, int count, int positions)
{
  const int most = count > 1 ? (positions - 1) / (count - 1) : positions;
  const int step = pick(8) == 0 ? 0 : 1 + pick(most < 9 ? most : 9);
  const int room = positions - (count - 1) * step;
  l->step = step;
  l->first = pick(room);
  if (pick(2)) l->first += (count - 1) * step, l->step = -step;
}

/* ---- the loop over all elements ---- */

static pst_xmp_index_t naive_place(const struct pst_xmp_line *l, pst_xmp_index_t position)
{
  pst_xmp_index_t place = 0;
  const int owner = pst_xmp_line_owner(l, position);
  for (pst_xmp_index_t p = 0; p < position; p++) place += pst_xmp_line_owner(l, p) == owner;
  return place;
}

static int naive_owner(const struct pst_xmp_line *l, pst_xmp_index_t p)
{
  int c = 0;
  if (l->kind == PST_XMP_LINE_BLOCK) return (int)(p / l->width);
  if (l->kind == PST_XMP_LINE_CYCLIC) return (int)(p / l->width) % (int)l->nodes;
  if (l->kind == PST_XMP_LINE_GBLOCK)
    while (!(l->bound[c] <= p && p < l->bound[c + 1])) c++;
  return c;
}

/* The places of a piece's elements follow from that of its first one. */
static void piece_check(const struct pst_xmp_line *l, const struct pst_xmp_meeting *p, pst_xmp_index_t i,
    pst_xmp_index_t j, pst_xmp_index_t k)
{
  const pst_xmp_index_t from = pst_xmp_line_place(l, l->first + p->k * l->step);
  CU_ASSERT_EQUAL_FATAL(from + i * l->step + j * pst_xmp_line_shift(l, p->period),
      pst_xmp_line_place(l, l->first + k * l->step));
}

static void pieces_check(const struct pst_xmp_line *mine, int me, const struct pst_xmp_line *other,
    const struct pst_xmp_meetings *pieces, int *seen)
{
  for (const struct pst_xmp_meeting *p = pieces->piece; p < pieces->piece + pieces->n; p++)
    for (pst_xmp_index_t j = 0; j < p->repeats; j++)
      for (pst_xmp_index_t i = 0; i < p->run; i++) {
        const pst_xmp_index_t k = p->k + i + j * p->period;
        seen[k]++;
        CU_ASSERT_EQUAL_FATAL(naive_owner(mine, mine->first + k * mine->step), me);
        CU_ASSERT_EQUAL_FATAL(naive_owner(other, other->first + k * other->step), p->other);
        piece_check(mine, p, i, j, k);
        piece_check(other, p, i, j, k);
      }
}

static void random_meetings(void)
{
  random_begin();
  for (int n = 0; n < 6000; n++) {
    pst_xmp_index_t bound[2][NODES + 1];
    struct pst_xmp_line l[2];
    int seen[POSITIONS] = {0};
    const int positions[2] = {1 + pick(POSITIONS), 1 + pick(POSITIONS)};
    const int count = 1 + pick(positions[0] < positions[1] ? positions[0] : positions[1]);
    for (int s = 0; s < 2; s++)
      line_make(&l[s], bound[s], positions[s]), section_make(&l[s], count, positions[s]);
    for (int me = 0; me < l[0].nodes; me++) {
      struct pst_xmp_meetings pieces = {.long_runs = n % 2};
      CU_ASSERT_EQUAL_FATAL(pst_xmp_line_meet(&l[0], me, &l[1], count, &pieces), 0);
      pieces_check(&l[0], me, &l[1], &pieces, seen);
      free(pieces.piece);
    }
    for (int k = 0; k < count; k++) CU_ASSERT_EQUAL_FATAL(seen[k], 1);
  }
}

static void places(void)
{
  random_begin();
  for (int n = 0; n < 300; n++) {
    pst_xmp_index_t bound[NODES + 1];
    struct pst_xmp_line l;
    line_make(&l, bound, POSITIONS);
    for (int p = 0; p < POSITIONS; p++) {
      CU_ASSERT_EQUAL_FATAL(pst_xmp_line_owner(&l, p), naive_owner(&l, p));
      CU_ASSERT_EQUAL_FATAL(pst_xmp_line_place(&l, p), naive_place(&l, p));
    }
  }
}

/* The number of pieces does not depend on the number of elements. */
static void closed_form(void)
{
  const struct pst_xmp_line a = {PST_XMP_LINE_CYCLIC, 0, 1, 3, 4, NULL},
                            b = {PST_XMP_LINE_CYCLIC, 0, 1, 2, 4, NULL},
                            block = {PST_XMP_LINE_BLOCK, 0, 1, 250000000, 4, NULL};
  struct pst_xmp_meetings pieces = {.long_runs = 1};
  CU_ASSERT_EQUAL(pst_xmp_line_meet(&a, 1, &b, 1000000000, &pieces), 0);
  CU_ASSERT(pieces.n <= 8);
  pieces.n = 0;
  CU_ASSERT_EQUAL(pst_xmp_line_meet(&block, 1, &a, 1000000000, &pieces), 0);
  CU_ASSERT(pieces.n <= 12);
  pieces.n = 0;
  CU_ASSERT_EQUAL(pst_xmp_line_meet(&a, 1, &block, 1000000000, &pieces), 0);
  CU_ASSERT(pieces.n <= 12);
  free(pieces.piece);
}

int main(void)
{
  static const struct unit_test tests[] = {
      {"places", places}, {"random meetings", random_meetings}, {"the number of pieces", closed_form}};
  return RUN_SUITE("sections of distributions", tests);
}

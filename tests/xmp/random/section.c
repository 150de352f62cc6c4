/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "section.h"

const char *const counters[DIMS] = {"x", "y", "z"};

struct triplet triplet_draw(int extent, int length)
{
  struct triplet t = {0, length, 1};
  int most = length > 1 ? (extent - 1) / (length - 1) : 3;
  if (most > 3) most = 3;
  if (chance(50)) t.step = draw_from(1, most);
  const int reach = (length - 1) * t.step;
  t.base = draw(extent - reach);
  if (chance(25)) {
    t.base += reach;
    t.step = -t.step;
  }
  return t;
}

static int rest_of(int extent, struct triplet t)
{
  return t.step > 0 ? (extent - t.base + t.step - 1) / t.step : t.base / -t.step + 1;
}

/* extent 0: it is not known, so that the length is written. */
const char *triplet_text(struct triplet t, int extent)
{
  const char *const base = t.base == 0 && chance(60) ? "" : number(t.base);
  const int is_rest = extent && rest_of(extent, t) == t.length;
  const char *const length = is_rest && chance(60) ? "" : number(t.length);
  return t.step == 1 && chance(80) ? text("%s:%s", base, length)
                                   : text("%s:%s:%s", base, length, number(t.step));
}

const char *serial_text(struct triplet t, int at)
{
  return text("[%d + %d * %s]", t.base, t.step, counters[at]);
}

/* rank of the dimensions, in their order, have triplets of these lengths. */
void dims_choose(int dims, int rank, int *chosen)
{
  int list[DIMS] = {0, 1, 2};
  shuffle(list, dims);
  for (int k = 0; k < dims; k++) chosen[k] = 0;
  for (int k = 0; k < rank; k++) chosen[list[k]] = 1;
}

struct section section_of(const struct array *a, const int *chosen, const int *length)
{
  struct section s = {"", ""};
  int at = 0;
  for (int k = 0; k < a->dims; k++) {
    if (!chosen[k]) {
      const int one = draw(a->extent[k]);
      s.global = text("%s[%s]", s.global, number(one));
      s.serial = text("%s[%d]", s.serial, one);
      continue;
    }
    const struct triplet t = triplet_draw(a->extent[k], length[at]);
    s.global = text("%s[%s]", s.global, triplet_text(t, a->extent[k]));
    s.serial = text("%s%s", s.serial, serial_text(t, at++));
  }
  return s;
}

void loops_write(int rank, const int *length)
{
  for (int k = 0; k < rank; k++)
    line("for (int %s = 0; %s < %d; %s++)", counters[k], counters[k], length[k], counters[k]);
}

/* left = right, with the right side as a whole first. */
void serial_write(const char *type, int rank, const int *length, const char *left, const char *right)
{
  int total = 1;
  for (int k = 0; k < rank; k++) total *= length[k];
  line("{ %s kept[%d]; int at = 0;", type, total);
  loops_write(rank, length);
  line("kept[at++] = %s;", right);
  line("at = 0;");
  loops_write(rank, length);
  line("%s = kept[at++]; }", left);
}

/* The lengths of a section that fits in both. */
void lengths_draw(
    int rank, const struct array *a, const int *in_a, const struct array *b, const int *in_b, int *length)
{
  int at_a = 0, at_b = 0;
  for (int k = 0; k < rank; k++) {
    while (!in_a[at_a]) at_a++;
    while (!in_b[at_b]) at_b++;
    const int x = a->extent[at_a++], y = b->extent[at_b++], most = x < y ? x : y;
    length[k] = chance(40) ? most : draw_from(1, most);
  }
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "random.h"

/* ---- one dimension ---- */

static struct subscript index_draw(int extent)
{
  if (chance(30)) return (struct subscript){.form = OWN, .first = draw(extent), .count = 1};
  return (struct subscript){.form = INDEX, .first = draw(extent), .count = 1};
}

/* At most `most` and at least one, either way. */
static struct subscript triplet_draw(int extent, int count)
{
  struct subscript s = {.form = TRIPLET, .step = 1, .count = count};
  if (count > 1) s.step = draw_from(1, (extent - 1) / (count - 1));
  else s.step = draw_from(1, 3);
  s.first = draw(extent - s.step * (count - 1));
  if (count > 1 ? chance(35) : chance(20)) {
    s.first += s.step * (count - 1);
    s.step = -s.step;
  }
  return s;
}

static struct subscript list_draw(int extent, int count, int repeats)
{
  struct subscript s = {.form = VECTOR, .count = count};
  int all[ELEMENTS];
  for (int i = 0; i < extent; i++) all[i] = i;
  shuffle(all, extent);
  for (int i = 0; i < count; i++) s.list[i] = repeats ? draw(extent) : all[i];
  return s;
}

/* ---- sections ---- */

struct section section_draw(const struct variable *v)
{
  struct section s = {.rank = v->rank};
  const int whole = chance(20), element = chance(15);
  for (int k = 0; k < v->rank; k++) {
    const int extent = v->extent[k], count = chance(30) ? extent : draw_from(1, extent);
    if (whole) s.by[k] = (struct subscript){.form = TRIPLET, .step = 1, .count = extent};
    else if (element || chance(25)) s.by[k] = index_draw(extent);
    else if (chance(20)) s.by[k] = list_draw(extent, count, 0);
    else s.by[k] = triplet_draw(extent, count);
  }
  return s;
}

struct shape section_shape(const struct section *s)
{
  struct shape shape = {0};
  for (int k = 0; k < s->rank; k++)
    if (s->by[k].form >= TRIPLET) shape.count[shape.rank++] = s->by[k].count;
  return shape;
}

int shape_size(const struct shape *s)
{
  int n = 1;
  for (int k = 0; k < s->rank; k++) n *= s->count[k];
  return n;
}

int section_fit(const struct variable *v, const struct shape *shape, int write, struct section *s)
{
  int done = 0;
  *s = (struct section){.rank = v->rank};
  for (int k = 0; k < v->rank; k++) {
    const int extent = v->extent[k], left = v->rank - k, wanted = shape->rank - done;
    if (wanted && extent >= shape->count[done] && (left == wanted || chance(60))) {
      const int count = shape->count[done++];
      s->by[k] = chance(20) ? list_draw(extent, count, !write) : triplet_draw(extent, count);
    } else s->by[k] = index_draw(extent);
  }
  return done == shape->rank;
}

int section_repeats(const struct section *s)
{
  for (int k = 0; k < s->rank; k++)
    for (int i = 0; s->by[k].form == VECTOR && i < s->by[k].count; i++)
      for (int j = 0; j < i; j++)
        if (s->by[k].list[i] == s->by[k].list[j]) return 1;
  return 0;
}

static const char *index_text(int i)
{
  return i > -20 && i < 20 && chance(20) ? text("same(%d)", i) : text("%d", i);
}

/* explicit_bounds: gfortran 12 breaks down where a section to which another image assigns has a vector and a
 * colon alone. */
static const char *subscript_text(const struct subscript *s, int lower, int extent, int explicit_bounds)
{
  const int first = lower + s->first, last = first + s->step * (s->count - 1);
  const char *list = "";
  switch (s->form) {
  case INDEX: return index_text(first);
  case OWN: return text("%d + modulo(me + %d, %d)", lower, s->first, extent);
  case VECTOR:
    for (int i = 0; i < s->count; i++)
      list = text("%s%s%s", list, i ? ", " : "", index_text(lower + s->list[i]));
    return text("[%s]", list);
  default:
    if (s->count == extent && s->step == 1 && !explicit_bounds) return ":";
    if (s->step == 1) return text("%s:%s", index_text(first), index_text(last));
    return text("%s:%s:%d", index_text(first), index_text(last), s->step);
  }
}

static int has_vector(const struct section *s)
{
  for (int k = 0; k < s->rank; k++)
    if (s->by[k].form == VECTOR) return 1;
  return 0;
}

const char *section_text(const struct variable *v, const struct section *s, int is_remote)
{
  const char *list = "";
  int is_whole = 1;
  for (int k = 0; k < s->rank; k++) {
    list = text("%s%s%s", list, k ? ", " : "",
        subscript_text(&s->by[k], v->lower[k], v->extent[k], is_remote && has_vector(s)));
    is_whole &= s->by[k].form == TRIPLET && s->by[k].step == 1 && s->by[k].count == v->extent[k];
  }
  return s->rank == 0 || (is_whole && !is_remote && chance(50)) ? "" : text("(%s)", list);
}

static int subscript_at(const struct subscript *s, int i, int extent, int image)
{
  switch (s->form) {
  case INDEX: return s->first;
  case OWN: return (context.me[image] + s->first) % extent;
  case VECTOR: return s->list[i];
  default: return s->first + i * s->step;
  }
}

int section_places(const struct variable *v, const struct section *s, int image, int *place)
{
  int n = 1, index[RANKS] = {0};
  for (int k = 0; k < s->rank; k++) n *= s->by[k].count;
  for (int i = 0; i < n; i++) {
    int stride = 1;
    place[i] = 0;
    for (int k = 0; k < s->rank; k++) {
      place[i] += stride * subscript_at(&s->by[k], index[k], v->extent[k], image);
      stride *= v->extent[k];
    }
    for (int k = 0; k < s->rank; k++) {
      if (++index[k] < s->by[k].count) break;
      index[k] = 0;
    }
  }
  return n;
}
